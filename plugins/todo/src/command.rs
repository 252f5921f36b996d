//! The arguments as one of the four actions.

use toolgate_plugin::Error;
use toolgate_plugin::text::quoted;

use crate::Args;
use crate::list::Status;

/// The longest text of an item, in bytes (FX-19).
const TEXT_LIMIT: usize = 2000;

/// An action with what it needs, checked as far as that is possible without the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Command {
    List,
    Add(String),
    SetStatus(i64, Status),
    Clear,
}

impl Command {
    pub(crate) fn from_args(args: Args) -> Result<Self, Error> {
        let action = args.action.to_ascii_lowercase();
        match action.as_str() {
            "" | "list" => Ok(Self::List),
            "add" => text(args.text).map(Self::Add),
            // The status first: whatever the id, a status that is none can never be set.
            "set_status" => {
                let status = status(args.status.as_deref())?;
                let id = args.id.ok_or_else(|| {
                    Error::invalid_arguments("`id` is required for `set_status`: the id of the item to change")
                })?;
                Ok(Self::SetStatus(id, status))
            }
            "clear" => Ok(Self::Clear),
            _ => Err(Error::invalid_arguments(format!(
                "there is no action {}; the actions are list, add, set_status and clear",
                quoted(&args.action)
            ))),
        }
    }
}

/// The text as given, which is not trimmed.
fn text(given: Option<String>) -> Result<String, Error> {
    let text = given.unwrap_or_default();
    if text.trim().is_empty() {
        return Err(Error::invalid_arguments(
            "`text` is required for `add`, with something other than whitespace",
        ));
    }
    if text.len() > TEXT_LIMIT {
        return Err(Error::limit(format!(
            "`text` has {} bytes, more than the limit of {TEXT_LIMIT} bytes; say it shorter",
            text.len()
        )));
    }
    Ok(text)
}

fn status(given: Option<&str>) -> Result<Status, Error> {
    let name = given.unwrap_or_default();
    Status::ALL
        .into_iter()
        .find(|status| status.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| {
            let known = Status::ALL.map(Status::name).join(", ");
            Error::invalid_arguments(match given {
                Some(name) => format!("`status` is {}, but must be one of {known}", quoted(name)),
                None => format!("`status` is required for `set_status`: one of {known}"),
            })
        })
}

#[cfg(test)]
mod tests {
    use toolgate_plugin::ErrorKind;

    use super::*;

    fn command(action: &str, text: Option<&str>, id: Option<i64>, status: Option<&str>) -> Result<Command, Error> {
        Command::from_args(Args {
            action: action.to_owned(),
            text: text.map(str::to_owned),
            id,
            status: status.map(str::to_owned),
        })
    }

    #[test]
    fn actions_and_statuses_in_any_case() {
        assert_eq!(command("LIST", None, None, None).unwrap(), Command::List);
        assert_eq!(command("", None, None, None).unwrap(), Command::List);
        assert_eq!(
            command("Add", Some(" a "), None, None).unwrap(),
            Command::Add(" a ".to_owned())
        );
        assert_eq!(
            command("Set_Status", None, Some(3), Some("In_Progress")).unwrap(),
            Command::SetStatus(3, Status::InProgress)
        );
        assert_eq!(command("clear", Some(""), Some(-1), Some("x")).unwrap(), Command::Clear);
    }

    #[test]
    fn errors_name_what_is_wrong_and_what_would_work() {
        let cases: [(Result<Command, Error>, &[&str]); 7] = [
            (
                command("remove", None, None, None),
                &["\"remove\"", "list, add, set_status and clear"],
            ),
            (command("add", None, None, None), &["`text`"]),
            (command("add", Some(" \t\n"), None, None), &["`text`"]),
            (
                command("set_status", None, Some(1), Some("wat")),
                &["\"wat\"", "pending, in_progress, completed"],
            ),
            (command("set_status", None, None, Some("wat")), &["`status`"]),
            (command("set_status", None, Some(1), None), &["`status` is required"]),
            (
                command("set_status", None, None, Some("pending")),
                &["`id` is required"],
            ),
        ];
        for (result, parts) in cases {
            let error = result.unwrap_err();
            assert_eq!(error.kind, ErrorKind::InvalidArguments);
            for part in parts {
                assert!(error.message.contains(part), "{part}: {}", error.message);
            }
        }
    }

    #[test]
    fn texts_have_a_limit_in_bytes() {
        assert!(command("add", Some(&"é".repeat(1000)), None, None).is_ok());
        let error = command("add", Some(&"é".repeat(1001)), None, None).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Limit);
        assert!(error.message.contains("2002") && error.message.contains("2000"));
    }

    #[test]
    fn long_values_are_quoted_in_part() {
        let error = command(&"é".repeat(10_000), None, None, None).unwrap_err();
        assert!(error.message.len() < 400, "{}", error.message.len());
    }
}
