//! What this process remembers of the last plan of each author, so that a repeat makes no second file.

use std::collections::VecDeque;

use sha2::{Digest, Sha256};

use super::author::Author;

/// Most authors that are remembered; the one that was heard of longest ago is forgotten first.
const AUTHORS: usize = 64;

/// The last plan of an author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The turn in which it was written, not the one in which it was repeated.
    pub(super) turn: u64,
    pub(super) number: u64,
    /// Of the body as it was written; what somebody edits afterwards is not looked at.
    pub(super) digest: [u8; 32],
}

/// What is to be done with a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing: the plan of this number is the same.
    Keep(u64),
    /// The plan of this number is a draft of the same turn.
    Replace(u64),
    /// A new number.
    Add,
}

/// The digest of a body.
pub(super) fn digest(body: &str) -> [u8; 32] {
    Sha256::digest(body.as_bytes()).into()
}

/// The last plans, oldest first.
#[derive(Debug, Default)]
pub(super) struct Memory {
    entries: VecDeque<(Author, Entry)>,
}

impl Memory {
    /// What to do with a plan; `stands` says whether the file of a number is still this author's.
    pub(super) fn step(&self, author: &Author, turn: u64, digest: &[u8; 32], stands: impl FnOnce(u64) -> bool) -> Step {
        match self.entries.iter().find(|(known, _)| known == author) {
            Some((_, entry)) if stands(entry.number) => {
                if entry.digest == *digest {
                    Step::Keep(entry.number)
                } else if entry.turn == turn {
                    Step::Replace(entry.number)
                } else {
                    Step::Add
                }
            }
            _ => Step::Add,
        }
    }

    /// Notes that an author was heard of again.
    pub(super) fn touch(&mut self, author: &Author) {
        if let Some(entry) = self.take(author) {
            self.entries.push_back((author.clone(), entry));
        }
    }

    /// Notes what an author wrote.
    pub(super) fn note(&mut self, author: &Author, entry: Entry) {
        self.take(author);
        self.entries.push_back((author.clone(), entry));
        if self.entries.len() > AUTHORS {
            self.entries.pop_front();
        }
    }

    /// Forgets an author, so that its next plan is a new one whatever it says.
    pub(super) fn forget(&mut self, author: &Author) {
        self.take(author);
    }

    fn take(&mut self, author: &Author) -> Option<Entry> {
        let at = self.entries.iter().position(|(known, _)| known == author)?;
        self.entries.remove(at).map(|(_, entry)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn author(number: usize) -> Author {
        Author {
            agent: None,
            session: Some(format!("s{number}")),
        }
    }

    fn entry(turn: u64, number: u64, body: &str) -> Entry {
        Entry {
            turn,
            number,
            digest: digest(body),
        }
    }

    #[test]
    fn steps() {
        let mut memory = Memory::default();
        memory.note(&author(1), entry(1, 5, "A\n"));
        let step = |who: usize, turn, body, stands| memory.step(&author(who), turn, &digest(body), |_| stands);
        assert_eq!(step(1, 1, "A\n", true), Step::Keep(5));
        assert_eq!(step(1, 2, "A\n", true), Step::Keep(5));
        assert_eq!(step(1, 1, "B\n", true), Step::Replace(5));
        assert_eq!(step(1, 2, "B\n", true), Step::Add);
        assert_eq!(step(1, 1, "A\n", false), Step::Add);
        assert_eq!(step(2, 1, "A\n", true), Step::Add);
    }

    #[test]
    fn the_author_heard_of_longest_ago_is_forgotten() {
        let mut memory = Memory::default();
        for number in 0..AUTHORS {
            memory.note(&author(number), entry(1, number as u64, "A\n"));
        }
        memory.touch(&author(0));
        memory.note(&author(1000), entry(1, 1000, "A\n"));
        let known = |number| memory.step(&author(number), 1, &digest("A\n"), |_| true) != Step::Add;
        assert!(known(0) && !known(1) && known(2) && known(1000));
    }
}
