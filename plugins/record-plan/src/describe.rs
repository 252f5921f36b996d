//! The words of the description, which follow the plan mode and the catalog.

use toolgate_plugin::PlanMode;

/// Tools that wait for a plan, of those that a caller plans for.
const WAITING: &[&str] = &[
    "write_file",
    "edit_file",
    "delete_file",
    "bash",
    "fetch_url",
    "alert",
    "spawn_agent",
];

/// The description where plans are for this; `None`: it is not known what for.
pub(crate) fn description(mode: Option<PlanMode>, has: impl Fn(&str) -> bool) -> String {
    let first = "File the plan for the work ahead, where the operator reads it.";
    let purpose = match mode {
        Some(PlanMode::Required) => {
            let waiting: Vec<_> = WAITING.iter().copied().filter(|tool| has(tool)).collect();
            let which = if waiting.is_empty() {
                String::new()
            } else {
                format!(" ({})", waiting.join(", "))
            };
            format!(
                " A plan is required in this session: calls that change something or reach out{which} are denied until \
                 this tool is called, in every permission mode. Read and search first, record the plan, then make or \
                 repeat the denied calls."
            )
        }
        Some(PlanMode::Advisory) => " Plans are advisory in this session: no call waits for one, so record it and \
                                     proceed in the same turn."
            .to_owned(),
        None => String::new(),
    };
    format!(
        "{first}{purpose} Call it once per plan: a revision in the same turn updates the file in place, and the same plan \
         again writes nothing. What a plan holds and how it is laid out is up to the operator. The operator can withdraw \
         it with /replan."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Option<PlanMode>; 3] = [None, Some(PlanMode::Advisory), Some(PlanMode::Required)];

    #[test]
    fn required_names_what_is_registered() {
        let text = description(Some(PlanMode::Required), |tool| tool == "edit_file" || tool == "bash");
        assert!(text.contains("(edit_file, bash) are denied until"), "{text}");
        assert!(!text.contains("write_file") && !text.contains("spawn_agent"), "{text}");
        let text = description(Some(PlanMode::Required), |_| true);
        assert!(text.contains(&format!("({}) are denied", WAITING.join(", "))), "{text}");
        assert!(text.contains("fetch_url, alert, spawn_agent"), "{text}");
        let text = description(Some(PlanMode::Required), |_| false);
        assert!(text.contains("reach out are denied until"), "{text}");
    }

    #[test]
    fn advisory_says_that_nothing_waits() {
        let text = description(Some(PlanMode::Advisory), |_| true);
        assert!(
            text.contains("no call waits for one") && text.contains("proceed in the same turn"),
            "{text}"
        );
        for word in ["denied", "blocked", "required", "bash", "write_file"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }

    #[test]
    fn every_mode_says_how_often_and_prescribes_no_shape() {
        for mode in MODES {
            let text = description(mode, |_| true);
            for part in [
                "once per plan",
                "same turn updates the file in place",
                "writes nothing",
                "/replan",
                "up to the operator",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            for slot in ["files to change", "test plan", "risks", "steps:"] {
                assert!(!text.to_lowercase().contains(slot), "{slot}: {text}");
            }
        }
    }
}
