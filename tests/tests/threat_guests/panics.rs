//! A watch over the host's threads: whatever a guest does, none of them may panic.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

static PANICS: AtomicUsize = AtomicUsize::new(0);
/// In the message of a panic that a test injects itself.
pub(crate) const INJECTED: &str = "injected";

/// Counts panics on threads of the host from now on.
pub(crate) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let host = std::thread::current()
                .name()
                .is_some_and(|name| name.starts_with("toolgate-"));
            let injected = info.payload_as_str().is_some_and(|text| text.contains(INJECTED));
            if host && !injected {
                PANICS.fetch_add(1, Ordering::SeqCst);
            }
            before(info);
        }));
    });
}

/// Asserts that no thread of the host has panicked.
pub(crate) fn none() {
    assert_eq!(PANICS.load(Ordering::SeqCst), 0, "a thread of the host panicked");
}
