//! Many bad answers on one server, each followed by a good one.

use toolgate::{Config, ErrorKind};
use toolgate_tests::net::{Script, ScriptServer};

use crate::stage::{GOOD, PATIENCE, Stage, site};

/// One bad answer.
pub(crate) struct Case {
    /// Where it is.
    pub(crate) path: &'static str,
    /// What the server does.
    pub(crate) script: Script,
    /// How the call must fail.
    pub(crate) kind: ErrorKind,
    /// What the message must say besides the host.
    pub(crate) says: &'static [&'static str],
}

impl Case {
    /// The other side is at fault.
    pub(crate) fn unavailable(path: &'static str, script: Script, says: &'static [&'static str]) -> Self {
        Self {
            path,
            script,
            kind: ErrorKind::Unavailable,
            says,
        }
    }

    /// There is too much of it.
    pub(crate) fn limit(path: &'static str, script: Script, says: &'static [&'static str]) -> Self {
        Self {
            kind: ErrorKind::Limit,
            ..Self::unavailable(path, script, says)
        }
    }
}

/// Each case fails as it should, after which the same session gets a proper page from the same server and from another
/// one. A connection on which something went wrong is closed. Returns the server.
pub(crate) fn all_refused(cases: Vec<Case>, configure: impl FnOnce(&mut Config)) -> ScriptServer {
    let pages = cases.iter().map(|case| (case.path, case.script.clone())).collect();
    let server = site(pages);
    let stage = Stage::with(&[server.url("/")], configure);
    for case in &cases {
        stage.refuses(&server.url(case.path), case.kind, case.says);
        stage.is_well_at(&server.url(GOOD));
    }
    let record = server.recorder();
    let good = record
        .requests()
        .iter()
        .filter(|request| request.path() == GOOD)
        .count();
    assert_eq!(good, cases.len());
    drop(stage);
    record.wait_for_end(cases.len(), PATIENCE);
    server
}
