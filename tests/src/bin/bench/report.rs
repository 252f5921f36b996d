//! The table.

/// What a figure must reach.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Target {
    /// Informative only.
    None,
    /// Wanted and required upper bounds, with the unit they are shown in.
    AtMost(f64, f64, &'static str),
    /// A required lower bound.
    AtLeast(f64, &'static str),
}

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Row {
    name: String,
    ours: String,
    peer: String,
    ratio: String,
    target: Target,
    /// What is held to the target.
    figure: f64,
}

impl Row {
    /// A figure without peer or target.
    pub(crate) fn new(name: impl Into<String>, ours: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ours: ours.into(),
            peer: "-".to_owned(),
            ratio: "-".to_owned(),
            target: Target::None,
            figure: 0.0,
        }
    }

    /// Adds what it is compared with.
    pub(crate) fn peer(mut self, peer: impl Into<String>, ratio: f64) -> Self {
        self.peer = peer.into();
        self.ratio = if ratio < 10.0 {
            format!("{ratio:.2}")
        } else {
            format!("{ratio:.0}")
        };
        self
    }

    /// Holds a figure to a target.
    pub(crate) fn target(mut self, figure: f64, target: Target) -> Self {
        self.figure = figure;
        self.target = target;
        self
    }

    /// Whether the requirement is missed.
    pub(crate) fn is_over(&self) -> bool {
        self.verdict().starts_with("over")
    }

    fn verdict(&self) -> &'static str {
        match self.target {
            Target::None => "-",
            Target::AtMost(aim, _, _) if self.figure <= aim => "PASS",
            Target::AtMost(_, must, _) if self.figure <= must => "PASS (over aim)",
            Target::AtLeast(must, _) if self.figure >= must => "PASS",
            Target::AtMost(..) | Target::AtLeast(..) => "over",
        }
    }

    fn cells(&self) -> [String; 6] {
        let target = match self.target {
            Target::None => "-".to_owned(),
            Target::AtMost(aim, must, unit) => format!("≤ {aim}{unit} (must ≤ {must}{unit})"),
            Target::AtLeast(must, unit) => format!("must ≥ {must}{unit}"),
        };
        [
            self.name.clone(),
            self.ours.clone(),
            self.peer.clone(),
            self.ratio.clone(),
            target,
            self.verdict().to_owned(),
        ]
    }
}

/// Prints all rows as a Markdown table with aligned columns.
pub(crate) fn print(rows: &[Row]) {
    let head = ["measurement", "ours", "peer", "ratio", "target", "verdict"].map(str::to_owned);
    let lines: Vec<[String; 6]> = std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    for (number, line) in lines.iter().enumerate() {
        let cells: Vec<String> = line
            .iter()
            .zip(widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        println!("| {} |", cells.join(" | "));
        if number == 0 {
            println!("|{}|", widths.map(|width| "-".repeat(width + 2)).join("|"));
        }
    }
}
