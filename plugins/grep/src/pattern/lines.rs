//! A variant of a pattern that can be run over many lines at once.

use regex_syntax::hir::{
    Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look, Repetition,
};

/// A pattern that, searched in a buffer of many lines, finds every line in which `hir` matches,
/// and whose matches never extend over a line terminator.
///
/// Nothing in it matches LF, and its anchors hold at the ends of lines, with or without CR. So it
/// may find lines too many (for instance where a match needs the CR before LF), never too few.
pub(crate) fn within_lines(hir: &Hir) -> Hir {
    let all = |parts: &[Hir]| parts.iter().map(within_lines).collect();
    match hir.kind() {
        HirKind::Empty => Hir::empty(),
        HirKind::Literal(literal) if literal.0.contains(&b'\n') => Hir::fail(),
        HirKind::Literal(literal) => Hir::literal(literal.0.clone()),
        HirKind::Class(class) => Hir::class(without_lf(class)),
        HirKind::Look(look) => Hir::look(at_line_ends(*look)),
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(within_lines(&repetition.sub)),
            ..repetition.clone()
        }),
        // Captures are never asked for.
        HirKind::Capture(Capture { sub, .. }) => within_lines(sub),
        HirKind::Concat(parts) => Hir::concat(all(parts)),
        HirKind::Alternation(parts) => Hir::alternation(all(parts)),
    }
}

/// Whether the pattern has anchors, so that on a single line the variant is not exact: its
/// anchors also hold beside a CR in the middle.
pub(crate) fn depends_on_line_ends(hir: &Hir) -> bool {
    hir.properties()
        .look_set()
        .iter()
        .any(|look| at_line_ends(look) != look)
}

fn without_lf(class: &Class) -> Class {
    match class {
        Class::Unicode(class) => {
            let mut class = class.clone();
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new('\n', '\n')]));
            Class::Unicode(class)
        }
        Class::Bytes(class) => {
            let mut class = class.clone();
            class.difference(&ClassBytes::new([ClassBytesRange::new(b'\n', b'\n')]));
            Class::Bytes(class)
        }
    }
}

fn at_line_ends(look: Look) -> Look {
    match look {
        Look::Start | Look::StartLF | Look::StartCRLF => Look::StartCRLF,
        Look::End | Look::EndLF | Look::EndCRLF => Look::EndCRLF,
        word => word,
    }
}
