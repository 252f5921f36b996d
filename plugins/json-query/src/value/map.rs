//! Objects: fields in the order of their first appearance.

use std::collections::HashMap;
use std::rc::Rc;

use super::{Text, Val};

/// Up to so many fields are looked for one by one, which is faster than hashing and needs no index.
const UNINDEXED: usize = 16;

/// The fields of an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Map {
    entries: Vec<(Text, Val)>,
    /// Where each key is; only for large objects, and one word in the others, of which a document
    /// has millions.
    index: Option<Rc<HashMap<Text, usize>>>,
}

impl Map {
    /// From fields of which some may have the same key: the last value wins, at the first place.
    pub(crate) fn from_fields(fields: impl ExactSizeIterator<Item = (Text, Val)>) -> Self {
        let mut map = Self {
            entries: Vec::with_capacity(fields.len()),
            index: None,
        };
        for (key, value) in fields {
            map.insert(key, value);
        }
        map
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    fn position(&self, key: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(&Text::from(key)).copied(),
            None => self.entries.iter().position(|(name, _)| name.as_str() == key),
        }
    }

    fn position_of(&self, key: &Text) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(key).copied(),
            None => self.position(key.as_str()),
        }
    }

    pub(crate) fn get(&self, key: &Text) -> Option<&Val> {
        self.position_of(key).map(|at| &self.entries[at].1)
    }

    /// A field by a name that is not a value.
    pub(crate) fn get_str(&self, key: &str) -> Option<&Val> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    pub(crate) fn get_mut(&mut self, key: &Text) -> Option<&mut Val> {
        self.position_of(key).map(|at| &mut self.entries[at].1)
    }

    pub(crate) fn insert(&mut self, key: Text, value: Val) {
        if let Some(at) = self.position_of(&key) {
            self.entries[at].1 = value;
            return;
        }
        if let Some(index) = &mut self.index {
            Rc::make_mut(index).insert(key.clone(), self.entries.len());
        }
        self.entries.push((key, value));
        if self.index.is_none() && self.entries.len() > UNINDEXED {
            self.reindex();
        }
    }

    /// Removes a field; the others keep their order.
    pub(crate) fn remove(&mut self, key: &Text) {
        if let Some(at) = self.position_of(key) {
            self.entries.remove(at);
            self.reindex();
        }
    }

    /// Removes all fields whose key is one of these.
    pub(crate) fn remove_all(&mut self, is_gone: impl Fn(&Text) -> bool) {
        self.entries.retain(|(key, _)| !is_gone(key));
        self.reindex();
    }

    fn reindex(&mut self) {
        self.index = (self.entries.len() > UNINDEXED).then(|| {
            let keys = self.entries.iter().enumerate();
            Rc::new(keys.map(|(at, (key, _))| (key.clone(), at)).collect())
        });
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, (Text, Val)> {
        self.entries.iter()
    }

    /// Field number `at`.
    pub(crate) fn nth(&self, at: usize) -> Option<&(Text, Val)> {
        self.entries.get(at)
    }

    /// The fields in the order of their keys, which decides how objects compare.
    pub(crate) fn sorted(&self) -> Vec<&(Text, Val)> {
        let mut fields: Vec<_> = self.entries.iter().collect();
        fields.sort_by(|(a, _), (b, _)| a.cmp(b));
        fields
    }

    pub(crate) fn into_entries(self) -> Vec<(Text, Val)> {
        self.entries
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_objects_behave_as_small_ones() {
        for count in [3, 300] {
            let mut map = Map::default();
            for number in 0..count {
                map.insert(Text::from(format!("k{number}")), Val::Int(number));
            }
            map.insert(Text::from("k1"), Val::Bool(true));
            map.remove(&Text::from("k0"));
            let keys: Vec<_> = map.iter().map(|(key, _)| key.as_str()).collect();
            assert_eq!(keys.len() as i64, count - 1);
            assert_eq!(&keys[..2], ["k1", "k2"]);
            assert!(matches!(map.get_str("k1"), Some(Val::Bool(true))));
            assert!(map.get(&Text::from("k0")).is_none());
        }
    }
}
