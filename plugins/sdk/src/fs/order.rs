//! The order in which a walk comes to paths.

use std::cmp::Ordering;

/// Compares two paths as a walk comes to them: a directory with all below it stands where its name
/// does, so `a/z` is before `a-b`, although `-` is smaller than `/`.
pub fn walk_order(one: &str, other: &str) -> Ordering {
    // No name holds a NUL, so it can stand for the separator, which is smaller than any byte of a name.
    let key = |byte| if byte == b'/' { 0 } else { byte };
    one.bytes().map(key).cmp(other.bytes().map(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_stands_where_its_name_does() {
        let ordered = ["B", "a", "a/b", "a/b/c", "a/z", "a-b", "a.c", "ä", "ä/x", "ö"];
        for (index, one) in ordered.iter().enumerate() {
            for (other_index, other) in ordered.iter().enumerate() {
                assert_eq!(walk_order(one, other), index.cmp(&other_index), "{one} {other}");
            }
        }
    }
}
