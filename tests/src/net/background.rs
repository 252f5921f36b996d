//! The thread that runs a server.

use std::future::Future;
use std::thread::JoinHandle;

use tokio::sync::oneshot;

/// A thread with a runtime of its own. Dropping it ends every task of the
/// server, closes its sockets and joins the thread.
pub(super) struct Background {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// Runs a server until this value is dropped.
    ///
    /// # Panics
    /// When the system gives no thread or no runtime.
    pub(super) fn start<F>(name: &str, serve: F) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    tokio::select! {
                        _ = stopped => {}
                        () = serve => {}
                    }
                });
            })
            .expect("a thread");
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // Dropping the sender is the signal.
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A panic over there was a failed test here: the client got no answer.
            let _ = thread.join();
        }
    }
}
