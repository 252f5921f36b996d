//! The list and what the actions do to it. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toolgate_plugin::Error;

use crate::command::Command;

/// The most items of a list (FX-19).
const ITEM_LIMIT: usize = 200;

/// One item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Its number, never used again in this session.
    pub id: i64,
    /// How far it is.
    pub status: Status,
    /// What is to be done.
    pub text: String,
}

/// How far an item is. Every change from one to another is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[allow(missing_docs)] // a text for each would make the schema longer and no clearer
    Pending,
    #[allow(missing_docs)]
    InProgress,
    #[allow(missing_docs)]
    Completed,
}

impl Status {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Completed];

    /// As it stands in arguments and results.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }
}

/// A session's list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct List {
    /// The id of the item that is added next; survives `clear`, so that no id comes back.
    next_id: i64,
    /// In the order in which they were added.
    pub(crate) items: Vec<Item>,
}

impl Default for List {
    fn default() -> Self {
        Self {
            next_id: 1,
            items: Vec::new(),
        }
    }
}

impl List {
    /// The list after a command; an error leaves nothing changed.
    pub(crate) fn after(&self, command: &Command) -> Result<Self, Error> {
        let mut list = self.clone();
        match command {
            Command::List => {}
            Command::Add(text) => list.add(text)?,
            Command::SetStatus(id, status) => list.set_status(*id, *status)?,
            Command::Clear => list.items.clear(),
        }
        Ok(list)
    }

    fn add(&mut self, text: &str) -> Result<(), Error> {
        if self.items.len() >= ITEM_LIMIT {
            return Err(Error::limit(format!(
                "the list already has {ITEM_LIMIT} items, the most it can have; `clear` removes them all"
            )));
        }
        self.items.push(Item {
            id: self.next_id,
            status: Status::Pending,
            text: text.to_owned(),
        });
        self.next_id += 1;
        Ok(())
    }

    fn set_status(&mut self, id: i64, status: Status) -> Result<(), Error> {
        match self.items.iter_mut().find(|item| item.id == id) {
            Some(item) => {
                item.status = status;
                Ok(())
            }
            None => Err(Error::not_found(format!("item {id} not found: {}", self.ids()))),
        }
    }

    /// Which ids there are. Items are only ever removed all at once, so the ids have no gaps.
    fn ids(&self) -> String {
        match self.items.as_slice() {
            [] => "the list is empty".to_owned(),
            [only] => format!("the only item is {}", only.id),
            [first, .., last] => format!("the items are {} to {}", first.id, last.id),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use toolgate_plugin::ErrorKind;

    use super::*;

    fn add(text: &str) -> Command {
        Command::Add(text.to_owned())
    }

    fn after(commands: &[Command]) -> List {
        let start = List::default();
        commands
            .iter()
            .fold(start, |list, command| list.after(command).unwrap())
    }

    fn ids(list: &List) -> Vec<i64> {
        list.items.iter().map(|item| item.id).collect()
    }

    #[test]
    fn items_are_pending_and_in_order() {
        let list = after(&[add("first"), add(" second ")]);
        let texts: Vec<_> = list.items.iter().map(|item| (item.id, item.text.as_str())).collect();
        assert_eq!(texts, [(1, "first"), (2, " second ")]);
        assert!(list.items.iter().all(|item| item.status == Status::Pending));
    }

    #[test]
    fn a_status_changes_one_item_in_place() {
        let list = after(&[add("a"), add("b"), Command::SetStatus(1, Status::Completed)]);
        let statuses: Vec<_> = list.items.iter().map(|item| item.status).collect();
        assert_eq!(statuses, [Status::Completed, Status::Pending]);
        assert_eq!(ids(&list), [1, 2]);
    }

    #[test]
    fn an_unknown_id_names_those_that_exist() {
        let cases = [
            (vec![], "the list is empty"),
            (vec![add("a")], "the only item is 1"),
            (
                vec![add("a"), Command::Clear, add("b"), add("c")],
                "the items are 2 to 3",
            ),
        ];
        for (commands, known) in cases {
            for id in [-1, 0, 9, i64::MAX] {
                let error = after(&commands)
                    .after(&Command::SetStatus(id, Status::Pending))
                    .unwrap_err();
                assert_eq!(error.kind, ErrorKind::NotFound);
                assert_eq!(error.message, format!("item {id} not found: {known}"));
            }
        }
    }

    #[test]
    fn the_list_is_bounded() {
        let full = after(&vec![add("x"); ITEM_LIMIT]);
        let error = full.after(&add("y")).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit);
        assert!(error.message.contains("200"));
        let list = full.after(&Command::Clear).unwrap().after(&add("y")).unwrap();
        assert_eq!(ids(&list), [201]);
    }

    #[test]
    fn the_stored_form_is_stable() {
        let list = after(&[add("a"), Command::SetStatus(1, Status::InProgress)]);
        let text = r#"{"next_id":2,"items":[{"id":1,"status":"in_progress","text":"a"}]}"#;
        assert_eq!(serde_json::to_string(&list).unwrap(), text);
        assert_eq!(serde_json::from_str::<List>(text).unwrap(), list);
        for status in Status::ALL {
            assert_eq!(serde_json::to_value(status).unwrap(), status.name());
        }
    }

    proptest! {
        #[test]
        fn an_id_is_never_used_twice(commands in prop::collection::vec(prop_oneof![
            4 => Just(Command::Add("x".to_owned())),
            1 => Just(Command::Clear),
            2 => (0_i64..9).prop_map(|id| Command::SetStatus(id, Status::Completed)),
        ], 0..60)) {
            let (mut list, mut last) = (List::default(), 0);
            for command in commands {
                let Ok(next) = list.after(&command) else { continue };
                if matches!(command, Command::Add(_)) {
                    let id = next.items.last().unwrap().id;
                    prop_assert!(id > last);
                    last = id;
                }
                list = next;
            }
        }
    }
}
