//! The outputs of a query as one JSON array, within the limits of the call.

use toolgate_plugin::Caps;

use crate::value::{Sink, TooDeep, Val, write, write_nested};

/// How deeply a result may be nested: readers of JSON commonly give up at 128 levels, of which the
/// result object and its surroundings take some.
const DEEPEST_RESULT: usize = 100;

/// Bytes of the bracket that opens the list.
const BRACKET: usize = 1;

/// What a query put out.
#[derive(Debug)]
pub(crate) struct Results {
    /// A JSON array.
    pub(crate) json: String,
    /// How many values it holds.
    pub(crate) count: u64,
    /// Whether something is missing.
    pub(crate) truncated: bool,
}

/// Why the evaluation ended early, and how many outputs it had given.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) outputs: u64,
}

/// Collects outputs until they end or no more fit (FX-07): the value that does not fit is replaced
/// by a note of its size and type, and the evaluation stops.
pub(crate) fn collect(outputs: impl Iterator<Item = Result<Val, String>>, caps: Caps) -> Result<Results, Failure> {
    let mut results = Results {
        json: "[".to_owned(),
        count: 0,
        truncated: false,
    };
    let most = u64::try_from(caps.lines()).unwrap_or(u64::MAX);
    for output in outputs {
        if results.count == most {
            results.truncated = true;
            break;
        }
        let value = output.map_err(|message| Failure {
            message,
            outputs: results.count,
        })?;
        if results.count > 0 {
            results.json.push(',');
        }
        results.count += 1;
        // What counts are the values and the commas between them.
        let room = caps.bytes().saturating_sub(results.json.len() - BRACKET);
        match append(&mut results.json, &value, room) {
            Ok(bytes) if bytes <= room => {}
            Ok(bytes) => {
                results.json.push_str(&format!(
                    r#"{{"_truncated":true,"bytes":{bytes},"type":"{}"}}"#,
                    value.type_name()
                ));
                results.truncated = true;
                break;
            }
            Err(TooDeep) => {
                results.json.push_str(&format!(
                    r#"{{"_truncated":true,"bytes":{},"type":"{}","reason":"nested more than {DEEPEST_RESULT} deep"}}"#,
                    size(&value),
                    value.type_name()
                ));
                results.truncated = true;
            }
        }
    }
    results.json.push(']');
    Ok(results)
}

/// Appends a value if it takes at most `room` bytes, and says how many it takes.
fn append(json: &mut String, value: &Val, room: usize) -> Result<usize, TooDeep> {
    let start = json.len();
    let mut sink = Limited { json, room, bytes: 0 };
    let written = write_nested(value, &mut sink, DEEPEST_RESULT);
    let bytes = sink.bytes;
    if written.is_err() || bytes > room {
        json.truncate(start);
    }
    written.map(|()| bytes)
}

/// Counts everything, keeps what fits.
struct Limited<'a> {
    json: &'a mut String,
    room: usize,
    bytes: usize,
}

impl Sink for Limited<'_> {
    fn push(&mut self, text: &str) {
        self.bytes += text.len();
        if self.bytes <= self.room {
            self.json.push_str(text);
        }
    }
}

/// The size of a value as JSON, or null if it is nested too deeply even for that.
fn size(value: &Val) -> String {
    struct Count(usize);
    impl Sink for Count {
        fn push(&mut self, text: &str) {
            self.0 += text.len();
        }
    }
    let mut count = Count(0);
    match write(value, &mut count) {
        Ok(()) => count.0.to_string(),
        Err(TooDeep) => "null".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(max_bytes: usize, max_lines: usize) -> Caps {
        Caps { max_bytes, max_lines }
    }

    fn numbers(count: i64) -> impl Iterator<Item = Result<Val, String>> {
        (0..count).map(|number| Ok(Val::Int(number)))
    }

    #[test]
    fn everything_that_fits_is_there() {
        let results = collect(numbers(3), caps(5, 3)).unwrap();
        assert_eq!(
            (results.json.as_str(), results.count, results.truncated),
            ("[0,1,2]", 3, false)
        );
        let none = collect(numbers(0), caps(1, 1)).unwrap();
        assert_eq!((none.json.as_str(), none.count, none.truncated), ("[]", 0, false));
    }

    #[test]
    fn the_first_that_does_not_fit_ends_it() {
        let results = collect(numbers(100), caps(6, 0)).unwrap();
        let note = r#"{"_truncated":true,"bytes":1,"type":"number"}"#;
        assert_eq!(results.json, format!("[0,1,2,{note}]"));
        assert_eq!((results.count, results.truncated), (4, true));
        let large = [Ok(Val::str("x".repeat(1000))), Err("not reached".to_owned())];
        let results = collect(large.into_iter(), caps(100, 0)).unwrap();
        assert_eq!(results.json, r#"[{"_truncated":true,"bytes":1002,"type":"string"}]"#);
    }

    #[test]
    fn the_number_of_results_is_limited() {
        let results = collect(numbers(100), caps(0, 2)).unwrap();
        assert_eq!(
            (results.json.as_str(), results.count, results.truncated),
            ("[0,1]", 2, true)
        );
    }

    #[test]
    fn a_deep_value_is_noted_and_the_rest_follows() {
        let nested = |levels: usize| (0..levels).fold(Val::Null, |inner, _| Val::array(vec![inner]));
        let outputs = [Ok(nested(100)), Ok(nested(101)), Ok(nested(1000)), Ok(Val::Int(1))];
        let results = collect(outputs.into_iter(), caps(0, 0)).unwrap();
        assert!(results.truncated);
        let values: Vec<serde_json::Value> = serde_json::from_str(&results.json).unwrap();
        assert!(values[0].is_array());
        assert_eq!(values[1]["bytes"], 206);
        assert_eq!(values[2]["bytes"], serde_json::Value::Null);
        assert_eq!(values[3], 1);
    }

    #[test]
    fn an_error_tells_what_came_before_it() {
        let outputs = [Ok(Val::Null), Ok(Val::Null), Err("boom".to_owned())];
        let failure = collect(outputs.into_iter(), caps(0, 0)).unwrap_err();
        assert_eq!((failure.message.as_str(), failure.outputs), ("boom", 2));
    }
}
