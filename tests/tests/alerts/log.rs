//! What this process logs, at debug level and above, from all its threads.

use std::fmt::{Debug, Write};
use std::sync::{Mutex, Once};
use std::thread::ThreadId;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Level, Metadata, Subscriber, span};

static LISTENING: Once = Once::new();
static LINES: Mutex<Vec<(ThreadId, String)>> = Mutex::new(Vec::new());

/// The log from some moment on. Tests run side by side, so that the lines of other threads may be
/// those of other tests.
pub(crate) struct Log {
    from: usize,
}

impl Log {
    pub(crate) fn from_now() -> Self {
        LISTENING.call_once(|| tracing::subscriber::set_global_default(Listener).unwrap());
        let from = LINES.lock().unwrap().len();
        Self { from }
    }

    /// The lines of this thread, one after the other: those of a host that starts.
    pub(crate) fn own(&self) -> String {
        let this = std::thread::current().id();
        self.lines(|thread| thread == this)
    }

    /// The lines of all threads.
    pub(crate) fn all(&self) -> String {
        self.lines(|_| true)
    }

    fn lines(&self, wanted: impl Fn(ThreadId) -> bool) -> String {
        let lines = LINES.lock().unwrap();
        let lines = lines[self.from..].iter().filter(|(thread, _)| wanted(*thread));
        lines.map(|(_, line)| line.as_str()).collect()
    }
}

struct Listener;

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= Level::DEBUG
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        note(attributes.metadata(), |line| attributes.record(line));
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        let mut line = Line::default();
        values.record(&mut line);
        push(line);
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        note(event.metadata(), |line| event.record(line));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

/// A line in the making: names and values.
#[derive(Default)]
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        write!(self.0, " {}={value:?}", field.name()).unwrap();
    }
}

fn note(metadata: &Metadata<'_>, record: impl FnOnce(&mut Line)) {
    let mut line = Line(format!("{} {}", metadata.level(), metadata.target()));
    record(&mut line);
    push(line);
}

/// Values are formatted before the lock is taken, because they may log themselves.
fn push(Line(mut line): Line) {
    line.push('\n');
    LINES.lock().unwrap().push((std::thread::current().id(), line));
}
