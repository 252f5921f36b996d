//! What a C or C++ compiler does not see of a header that both read.

/// How `__cplusplus` decides a conditional.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// It does not: the grammar looks into all branches.
    Undecided,
    Taken,
    NotTaken,
}

/// The source as a C compiler sees it: without what `#ifdef __cplusplus` encloses.
pub(crate) fn for_c(source: &str) -> String {
    decided(source, false)
}

/// The source as a C++ compiler sees it: without the alternative to `#ifdef __cplusplus`.
pub(crate) fn for_cpp(source: &str) -> String {
    decided(source, true)
}

/// Replaces directives that ask for `__cplusplus`, and the branches that are not taken, by blanks,
/// so that everything else stays where it is. The usual `extern "C" {` of a header is opened in
/// one such conditional and closed in another, which no grammar can follow.
fn decided(source: &str, cplusplus: bool) -> String {
    let mut result = String::with_capacity(source.len());
    let mut open: Vec<Branch> = Vec::new();
    let mut continued = false;
    for line in source.split_inclusive('\n') {
        let mut hidden = open.contains(&Branch::NotTaken) || continued;
        let directive = directive(line).filter(|_| !continued);
        match directive {
            Some(("if" | "ifdef" | "ifndef", _)) => {
                let branch = directive.map_or(Branch::Undecided, |(word, rest)| condition(word, rest, cplusplus));
                hidden |= branch != Branch::Undecided;
                open.push(branch);
            }
            Some(("else" | "elif" | "elifdef" | "elifndef", _)) => {
                if let Some(branch) = open.last_mut() {
                    hidden |= *branch != Branch::Undecided;
                    *branch = other(*branch);
                }
                hidden |= open.contains(&Branch::NotTaken);
            }
            Some(("endif", _)) => hidden |= open.pop().is_some_and(|branch| branch != Branch::Undecided),
            _ => {}
        }
        continued = hidden && (directive.is_some() || continued) && line.trim_end().ends_with('\\');
        if hidden {
            result.extend(line.bytes().map(|byte| match byte {
                b'\r' | b'\n' => char::from(byte),
                _ => ' ',
            }));
        } else {
            result.push_str(line);
        }
    }
    result
}

/// The word of a preprocessor directive, and what follows it.
fn directive(line: &str) -> Option<(&str, &str)> {
    let text = line.trim_start().strip_prefix('#')?.trim();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
    Some(text.split_at(end))
}

fn condition(word: &str, rest: &str, cplusplus: bool) -> Branch {
    let comment = [rest.find("//"), rest.find("/*")].into_iter().flatten().min();
    let rest: String = rest[..comment.unwrap_or(rest.len())]
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    let asks_for = match (word, rest.as_str()) {
        ("ifdef", "__cplusplus") | ("if", "defined(__cplusplus)" | "defined__cplusplus" | "__cplusplus") => true,
        ("ifndef", "__cplusplus") | ("if", "!defined(__cplusplus)" | "!defined__cplusplus") => false,
        _ => return Branch::Undecided,
    };
    if asks_for == cplusplus {
        Branch::Taken
    } else {
        Branch::NotTaken
    }
}

/// The branch after `#else`. After `#elif` it is the same as far as can be told.
fn other(branch: Branch) -> Branch {
    match branch {
        Branch::Undecided => Branch::Undecided,
        Branch::Taken => Branch::NotTaken,
        Branch::NotTaken => Branch::Taken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = r#"#ifndef A_H
#ifdef __cplusplus // é
extern "C" {
#endif
int a(void);
#if !defined(__cplusplus)
int b;
#else
int c;
#endif
#endif
"#;

    fn seen(source: &str) -> Vec<&str> {
        source.lines().filter(|line| !line.trim().is_empty()).collect()
    }

    #[test]
    fn each_language_sees_its_own_part() {
        let c = for_c(HEADER);
        assert_eq!(seen(&c), ["#ifndef A_H", "int a(void);", "int b;", "#endif"]);
        let cpp = for_cpp(HEADER);
        assert_eq!(
            seen(&cpp),
            ["#ifndef A_H", "extern \"C\" {", "int a(void);", "int c;", "#endif"]
        );
    }

    #[test]
    fn nothing_moves() {
        for result in [for_c(HEADER), for_cpp(HEADER)] {
            assert_eq!(result.len(), HEADER.len());
            let breaks = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
            assert_eq!(breaks(&result), breaks(HEADER));
        }
    }

    #[test]
    fn conditionals_inside_a_branch_that_is_not_taken_go_with_it() {
        let source = "#ifdef __cplusplus\n#if X\nint a;\n#else\nint b;\n#endif\n#define F(x) \\\n  x\n#endif\nint c;\n";
        assert_eq!(seen(&for_c(source)), ["int c;"]);
        assert_eq!(for_cpp("#else\n#endif\n#elif\n"), "#else\n#endif\n#elif\n");
    }
}
