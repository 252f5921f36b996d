//! Sharing room fairly, and cutting texts to their share.

use std::collections::HashMap;
use std::hash::Hash;

use super::json::escaped_len;

/// Numbers for groups, from 0 in the order in which they appear.
#[derive(Debug)]
pub(super) struct Groups<K>(HashMap<K, usize>);

impl<K> Default for Groups<K> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Hash + Eq> Groups<K> {
    /// The number of the group `key`.
    pub(super) fn number(&mut self, key: K) -> usize {
        let next = self.0.len();
        *self.0.entry(key).or_insert(next)
    }
}

/// The greatest share such that everybody can have what they want up to it, and all together at most `room`.
/// `usize::MAX` if everybody can have all they want.
pub(super) fn fair_share(wanted: impl IntoIterator<Item = usize>, room: usize) -> usize {
    let mut wanted: Vec<usize> = wanted.into_iter().collect();
    wanted.sort_unstable();
    let mut left = room;
    for (index, want) in wanted.iter().enumerate() {
        let share = left / (wanted.len() - index);
        if *want > share {
            return share;
        }
        left -= want;
    }
    usize::MAX
}

/// How many of `count` places each group gets: fair shares of at most its size. Places that cannot be shared evenly
/// go to the groups that come first.
pub(super) fn quotas(sizes: &[usize], count: usize) -> Vec<usize> {
    let share = fair_share(sizes.iter().copied(), count);
    let mut quotas: Vec<usize> = sizes.iter().map(|size| share.min(*size)).collect();
    let mut left = count.saturating_sub(quotas.iter().sum());
    for (quota, size) in quotas.iter_mut().zip(sizes) {
        if left > 0 && *quota < *size {
            *quota += 1;
            left -= 1;
        }
    }
    quotas
}

/// Which `count` items to show of a list whose items belong to groups, given as numbers from 0: of each group the
/// first ones, each group as many as the others as far as it has them. Positions in ascending order.
pub(super) fn spread(group_of: &[usize], count: usize) -> Vec<usize> {
    let mut sizes = vec![0; group_of.iter().max().map_or(0, |last| last + 1)];
    for group in group_of {
        sizes[*group] += 1;
    }
    let mut left = quotas(&sizes, count);
    let mut shown = Vec::new();
    for (position, group) in group_of.iter().enumerate() {
        if left[*group] > 0 {
            left[*group] -= 1;
            shown.push(position);
        }
    }
    shown
}

/// The longest beginning of `text` that takes at most `room` bytes as a JSON string, quotes included.
pub(super) fn fit(text: &str, room: usize) -> &str {
    let mut used = 2;
    for (at, c) in text.char_indices() {
        used += escaped_len(c);
        if used > room {
            return &text[..at];
        }
    }
    text
}

/// A beginning of `text` of at most `max_bytes` bytes that also takes at most `room` bytes as a JSON string. It ends
/// with a line if a whole line fits, else with a character.
pub(super) fn head(text: &str, max_bytes: usize, room: usize) -> &str {
    let head = fit(&text[..text.floor_char_boundary(max_bytes)], room);
    match head.rfind('\n') {
        Some(end) if head.len() < text.len() => &head[..=end],
        _ => head,
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::quoted_len;
    use super::*;

    #[test]
    fn small_wishes_are_met_and_large_ones_cut_alike() {
        assert_eq!(fair_share([10, 20, 30], 60), usize::MAX);
        assert_eq!(fair_share([10, 200, 300], 100), 45);
        assert_eq!(fair_share([5, 5], 3), 1);
        assert_eq!(fair_share([], 0), usize::MAX);
        assert_eq!(quotas(&[1, 100, 100], 50), [1, 25, 24]);
        assert_eq!(quotas(&[3, 3, 3], 2), [1, 1, 0]);
        assert_eq!(quotas(&[3, 3], 50), [3, 3]);
    }

    #[test]
    fn every_group_is_shown() {
        assert_eq!(spread(&[0, 0, 0, 1, 0, 2], 4), [0, 1, 3, 5]);
        assert_eq!(spread(&[], 4), [0; 0]);
        assert_eq!(spread(&[0, 1, 2], 50), [0, 1, 2]);
    }

    #[test]
    fn heads_end_with_a_line_or_a_character() {
        assert_eq!(head("ab\ncd\nef", 7, 100), "ab\ncd\n");
        assert_eq!(head("ab\ncd\nef", 8, 100), "ab\ncd\nef");
        assert_eq!(head("ab\ncd\nef", 8, 7), "ab\n");
        assert_eq!(head("abcdef\n", 4, 100), "abcd");
        assert_eq!(head("é€😀", 4, 100), "é");
        assert_eq!(head("é€😀", 100, 8), "é€");
        assert_eq!(head("\n\n\n", 100, 3), "");
        assert_eq!(head("", 100, 100), "");
        for room in 0..40 {
            assert!(quoted_len(fit("a\u{1}\"é\n\\😀x", room)) <= room.max(2));
        }
    }
}
