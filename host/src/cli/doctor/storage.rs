//! Where Toolgate keeps its own files.

use std::path::Path;

use toolgate::sandbox::cache::Cache;

use super::{Check, Status};
use toolgate::places;

pub(super) fn checks() -> Vec<Check> {
    vec![cache(), audit(), config()]
}

fn cache() -> Check {
    let folders = places::cache().zip(places::state());
    let (status, found) = match folders {
        None => (Status::Weaker, "no home directory".to_owned()),
        Some((cache, state)) => match Cache::open(&cache, &state) {
            Some(cache) => (Status::Ok, contents(cache.path())),
            None => (
                Status::Weaker,
                format!(
                    "{} and {} are not both private and writable",
                    cache.display(),
                    state.display()
                ),
            ),
        },
    };
    Check {
        name: "cache",
        status,
        found,
        without: "every start compiles the components anew, which takes seconds",
    }
}

/// Whether calls can be recorded; the folder is made by the first of them.
fn audit() -> Check {
    let (status, found) = match places::state().map(|state| places::audit(&state)) {
        None => (Status::Weaker, "no home directory".to_owned()),
        Some(folder) => match toolgate::audit::writable(&folder) {
            Ok(()) => (Status::Ok, folder.display().to_string()),
            Err(error) => (Status::Weaker, error.to_string()),
        },
    };
    Check {
        name: "audit log",
        status,
        found,
        without: "calls are not recorded, or do not run where audit.on_failure is \"stop\"",
    }
}

fn config() -> Check {
    let found = places::configuration().map_or_else(
        || "none of the user's own; the defaults are in force".to_owned(),
        |file| file.display().to_string(),
    );
    Check {
        name: "configuration",
        status: Status::Ok,
        found,
        without: "",
    }
}

fn contents(folder: &Path) -> String {
    let sizes: Vec<u64> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| Some(entry.metadata().ok()?.len()))
        .collect();
    let mebibytes = sizes.iter().sum::<u64>() >> 20;
    format!("{}, {} files, {mebibytes} MiB", folder.display(), sizes.len())
}
