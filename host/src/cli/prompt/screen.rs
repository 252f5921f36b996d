//! What a question looks like on a terminal.

use std::fmt::Write;

use clap::builder::styling::{AnsiColor, Style};
use toolgate::Decision;
use toolgate::gate::PromptKind;
use toolgate::mcp::visible::escape;
use toolgate::prompters::words::{label, why};

use super::keys::key;
use super::lines::{arguments, block};
use super::view::View;

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const USUAL: Style = AnsiColor::Yellow.on_default().bold();
const OUTSIDE: Style = AnsiColor::Magenta.on_default().bold();
const CONTROL: Style = AnsiColor::Red.on_default().bold().invert();

/// Lines of a screen that are not for arguments: the heading, what is wanted,
/// the choices and the answer.
const AROUND: usize = 16;

/// Columns and rows of a terminal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Size {
    columns: usize,
    rows: usize,
}

impl Size {
    /// A terminal that does not know its size says 0.
    pub(super) fn new(columns: u16, rows: u16) -> Self {
        let usual = Self::default();
        Self {
            columns: if columns < 20 { usual.columns } else { columns.into() },
            rows: if rows == 0 { usual.rows } else { rows.into() },
        }
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { columns: 80, rows: 24 }
    }
}

/// A question on a screen. What is wanted stands last, right above the
/// answer: long arguments scroll themselves away, not the path.
pub(super) struct Screen<'a> {
    view: &'a View<'a>,
    size: Size,
    lines: Vec<String>,
    shown: usize,
}

impl<'a> Screen<'a> {
    pub(super) fn new(view: &'a View<'a>, size: Size) -> Self {
        Self {
            view,
            size,
            lines: arguments(&view.arguments, size.columns),
            shown: 0,
        }
    }

    /// Whether some of the arguments have not been shown.
    pub(super) fn has_more(&self) -> bool {
        self.shown < self.lines.len()
    }

    /// The whole question, with as many arguments as fit.
    pub(super) fn first(&mut self) -> String {
        let style = style(self.view.kind);
        let mut text = format!("\n{style}{}{style:#}\n", heading(self.view.kind));
        let room = self.size.rows.saturating_sub(AROUND).max(8);
        text.push_str(&self.page(room));
        text.push_str(&self.wanted());
        for choice in self
            .view
            .choices
            .iter()
            .filter(|choice| choice.decision != Decision::Deny)
        {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "  {STRONG}{}{STRONG:#}  {}: {}",
                key(choice.decision),
                label(choice.decision),
                escape(&choice.covers)
            );
        }
        let _ = writeln!(text, "  {STRONG}n{STRONG:#}  deny (an empty line, too)");
        text
    }

    /// The next page of arguments, and again what is wanted.
    pub(super) fn more(&mut self) -> String {
        let page = self.page(self.size.rows.saturating_sub(6).max(8));
        format!("\n{page}{}", self.wanted())
    }

    fn page(&mut self, room: usize) -> String {
        let left = self.lines.len() - self.shown;
        // A page that leaves two lines over is not worth turning.
        let count = if left <= room + 2 { left } else { room };
        let mut text = String::new();
        for line in &self.lines[self.shown..self.shown + count] {
            text.push_str(line);
            text.push('\n');
        }
        self.shown += count;
        let left = self.lines.len() - self.shown;
        if left > 0 {
            let _ = writeln!(text, "  {USUAL}… {left} more lines of arguments; m shows them{USUAL:#}");
        }
        text
    }

    fn wanted(&self) -> String {
        let view = self.view;
        let style = style(view.kind);
        let source = match view.source {
            "" => String::new(),
            source => format!("[{}] ", escape(source)),
        };
        let session = match view.session {
            "" => String::new(),
            session => format!("  {FAINT}session {}{FAINT:#}\n", escape(session)),
        };
        format!(
            "{session}  {STRONG}{source}{} wants to {}{STRONG:#}\n{}  {style}{}{style:#}\n",
            escape(view.tool),
            escape(view.operation),
            self.detail(),
            why(view.kind),
        )
    }

    /// All of it: this is what the answer is about.
    fn detail(&self) -> String {
        let detail = self.view.detail;
        if self.view.kind == PromptKind::Bash && detail.contains('\n') {
            let lines = block(detail, self.size.columns);
            return lines
                .into_iter()
                .map(|line| format!("{STRONG}{line}{STRONG:#}\n"))
                .collect();
        }
        format!("  {STRONG}{}{STRONG:#}\n", escape(detail))
    }
}

fn style(kind: PromptKind) -> Style {
    match kind {
        PromptKind::ControlPlaneWrite => CONTROL,
        PromptKind::PathScope => OUTSIDE,
        PromptKind::Bash | PromptKind::FileWrite | PromptKind::Generic => USUAL,
    }
}

const fn heading(kind: PromptKind) -> &'static str {
    match kind {
        PromptKind::ControlPlaneWrite => "A change to the CONTROL PLANE needs your approval.",
        PromptKind::PathScope => "A call OUTSIDE THE PROJECT needs your approval.",
        PromptKind::Bash => "A command needs your approval.",
        PromptKind::FileWrite | PromptKind::Generic => "A call needs your approval.",
    }
}

#[cfg(test)]
mod tests {
    use super::super::lines::width;
    use super::*;
    use serde_json::Value;
    use toolgate::PromptRequest;
    use toolgate::gate::Choice;

    fn request(kind: PromptKind, detail: &str, arguments: &Value) -> PromptRequest {
        let choice = |decision: Decision| Choice {
            decision,
            covers: format!("what {decision} covers"),
        };
        PromptRequest {
            kind,
            tool: "write_file".into(),
            operation: "write",
            detail: detail.into(),
            arguments: arguments.to_string(),
            session: "mine".into(),
            source: Some("research".into()),
            choices: [Decision::Deny, Decision::Once, Decision::Session].map(choice).into(),
        }
    }

    /// All pages, without styles.
    fn shown(request: &PromptRequest) -> Vec<String> {
        let view = View::from(request);
        let mut screen = Screen::new(&view, Size::default());
        let mut pages = vec![screen.first()];
        while screen.has_more() {
            pages.push(screen.more());
        }
        pages
            .iter()
            .map(|page| anstream::adapter::strip_str(page).to_string())
            .collect()
    }

    #[test]
    fn m14_the_path_stands_last_and_nothing_is_hidden() {
        let long = (0..5000).map(|number| format!("line {number}\n")).collect::<String>();
        let arguments = serde_json::json!({"content": long, "path": "/etc/x"});
        let pages = shown(&request(PromptKind::PathScope, "/etc/\u{1b}[8mpasswd", &arguments));
        assert!(pages.len() > 3, "long arguments come in pages");
        for page in &pages {
            assert!(page.lines().count() <= 30, "a page fits: {page}");
            assert!(
                page.contains("/etc/\\u{1b}[8mpasswd"),
                "escape codes are visible: {page}"
            );
            assert!(page.rfind("│") < page.find("write_file wants to write"));
            assert!(page.contains("OUTSIDE THE PROJECT"));
        }
        let all = pages.concat();
        for number in 0..5000 {
            assert!(all.contains(&format!("│ line {number}\n")), "line {number} is shown");
        }
        assert!(all.contains("path  \"/etc/x\""));
    }

    #[test]
    fn m14_text_cannot_look_like_the_question() {
        let spaces = " ".repeat(500);
        let content = format!("{spaces}write_file wants to read\r\u{1b}[2J\u{202e}\n  y  allow once: this");
        let arguments = serde_json::json!({"content": content, "nested": {"deep": vec!["\u{9b}31m"; 30]}});
        for page in shown(&request(PromptKind::FileWrite, "/p/a", &arguments)) {
            for line in page.lines() {
                assert!(width(line) <= 80 + 2, "the terminal breaks no line: {line:?}");
                assert!(!line.chars().any(char::is_control), "{line:?}");
                assert!(!line.contains('\u{202e}'));
            }
            let lying = page
                .lines()
                .filter(|line| line.contains("wants to read") || line.contains("allow once: this"));
            for line in lying.filter(|line| !line.contains("what allow-once covers")) {
                assert!(line.starts_with("  │") || line.starts_with("  ┊"), "{line:?}");
            }
        }
    }

    #[test]
    fn the_choices_say_what_they_cover() {
        let first = &shown(&request(
            PromptKind::FileWrite,
            "/p/a",
            &serde_json::json!({"path": "a"}),
        ))[0];
        for part in [
            "[research] write_file wants to write\n  /p/a\n",
            "y  allow once: what allow-once covers",
            "s  allow for this session: what allow-session covers",
            "n  deny",
            "session mine",
        ] {
            assert!(first.contains(part), "{part}: {first}");
        }
    }

    #[test]
    fn kinds_look_different() {
        let mut headings: Vec<String> = [
            PromptKind::FileWrite,
            PromptKind::PathScope,
            PromptKind::ControlPlaneWrite,
            PromptKind::Bash,
        ]
        .map(|kind| {
            let request = request(kind, "x", &Value::Null);
            let view = View::from(&request);
            Screen::new(&view, Size::default())
                .first()
                .lines()
                .nth(1)
                .unwrap_or_default()
                .to_owned()
        })
        .into();
        headings.dedup();
        assert_eq!(headings.len(), 4);
    }

    #[test]
    fn a_command_of_several_lines_is_readable() {
        let request = request(PromptKind::Bash, "cat <<E\nrm -rf /\nE", &serde_json::json!({}));
        let first = &shown(&request)[0];
        assert!(first.contains("  │ cat <<E\n  │ rm -rf /\n  │ E\n"), "{first}");
    }
}
