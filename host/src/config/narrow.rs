//! Whether a change takes away only: what a file that nobody has trusted yet may do.

use serde_json::Value;

use super::keys::Narrow;

/// Why a change is not made.
pub(super) type Refusal = String;

/// Whether `given` may take the place of `now`, the value in force, or the
/// default where nothing was set; `None` where there is no default.
pub(super) fn admit(narrow: Narrow, now: Option<&Value>, given: &Value) -> Result<(), Refusal> {
    match narrow {
        Narrow::Free | Narrow::Adds => Ok(()),
        Narrow::Never => Err("only a trusted file may set it".to_owned()),
        Narrow::Only(allowed) => {
            if given.as_bool() == Some(allowed) || now.is_some_and(|now| now == given) {
                Ok(())
            } else {
                Err(format!("it may only be set to {allowed}"))
            }
        }
        Narrow::Towards(order) => {
            let rank = |value: &Value| order.iter().position(|name| value.as_str() == Some(name));
            // Without a value in force only the strictest is surely no looser.
            let floor = now.and_then(rank).unwrap_or(order.len() - 1);
            if rank(given).is_some_and(|given| given >= floor) {
                Ok(())
            } else {
                Err(format!(
                    "{} is looser than {}, which is in force",
                    text(given),
                    order[floor]
                ))
            }
        }
        Narrow::AtMost => at_most(number(now), given),
        Narrow::AtMostUnlessZero => {
            if number(Some(given)).is_none_or(|given| given <= 0.0) {
                return Err("zero would lift the limit".to_owned());
            }
            at_most(number(now).filter(|now| *now > 0.0), given)
        }
    }
}

fn at_most(now: Option<f64>, given: &Value) -> Result<(), Refusal> {
    match (now, number(Some(given))) {
        (Some(now), Some(given)) if given > now => Err(format!("{given} is above {now}, which is in force")),
        (_, None) => Err("it is not a number".to_owned()),
        _ => Ok(()),
    }
}

fn number(value: Option<&Value>) -> Option<f64> {
    value?.as_f64()
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_takes_away_passes() {
        let order = Narrow::Towards(&["loose", "middle", "strict"]);
        let rows = [
            (order, json!("middle"), json!("strict"), true),
            (order, json!("middle"), json!("middle"), true),
            (order, json!("middle"), json!("loose"), false),
            (order, json!(null), json!("middle"), false),
            (order, json!(null), json!("strict"), true),
            (Narrow::Only(false), json!(true), json!(false), true),
            (Narrow::Only(false), json!(false), json!(true), false),
            (Narrow::Only(false), json!(true), json!(true), true),
            (Narrow::AtMost, json!(30.0), json!(5), true),
            (Narrow::AtMost, json!(30.0), json!(31), false),
            (Narrow::AtMost, json!(null), json!(31), true),
            (Narrow::AtMost, json!(5), json!(0), true),
            (Narrow::AtMostUnlessZero, json!(100), json!(0), false),
            (Narrow::AtMostUnlessZero, json!(100), json!(-1), false),
            (Narrow::AtMostUnlessZero, json!(100), json!(99), true),
            (Narrow::AtMostUnlessZero, json!(100), json!(101), false),
            (Narrow::Adds, json!([]), json!(["x"]), true),
            (Narrow::Never, json!([]), json!([]), false),
        ];
        for (narrow, now, given, passes) in rows {
            let now = (!now.is_null()).then_some(&now);
            assert_eq!(admit(narrow, now, &given).is_ok(), passes, "{narrow:?} {now:?} {given}");
        }
    }
}
