//! The variables of a run, and the way from an operation's name to what does it.

use std::collections::BTreeMap;

use toolgate_plugin::bindings::toolgate::plugin::files::Replacement;
use toolgate_plugin::bindings::wasi::filesystem::preopens::get_directories;
use toolgate_plugin::bindings::wasi::filesystem::types::{Descriptor, ErrorCode};

use crate::op::Op;

/// Longest text of an outcome, in bytes: the host bounds results.
const MAX_DATA: usize = 64 << 10;

/// How an operation ended.
pub(crate) enum Fault {
    /// With a code.
    Code(ErrorCode),
    /// In another way, which the text names.
    Other(String),
}

impl From<ErrorCode> for Fault {
    fn from(code: ErrorCode) -> Self {
        Self::Code(code)
    }
}

pub(crate) type Outcome = Result<String, Fault>;

/// The handles that operations have named.
pub(crate) struct Machine {
    descriptors: BTreeMap<String, Descriptor>,
    replacements: BTreeMap<String, Replacement>,
}

impl Machine {
    /// The preopens are the variables `0`, `1`, …
    pub(crate) fn new() -> Self {
        let preopens = get_directories().into_iter().enumerate();
        Self {
            descriptors: preopens
                .map(|(number, (descriptor, _))| (number.to_string(), descriptor))
                .collect(),
            replacements: BTreeMap::new(),
        }
    }

    /// Does an operation and says how it ended.
    pub(crate) fn run(&mut self, op: &Op) -> String {
        match self.dispatch(op) {
            Ok(data) if data.is_empty() => "ok".to_owned(),
            Ok(data) if data.len() > MAX_DATA => format!("ok:#{}", data.len()),
            Ok(data) => format!("ok:{data}"),
            Err(Fault::Code(code)) => code.name().to_owned(),
            Err(Fault::Other(text)) => text,
        }
    }

    fn dispatch(&mut self, op: &Op) -> Outcome {
        match op.op.as_str() {
            "open" => {
                // A handle that an earlier operation left under this name must not stand in for a failed one.
                self.descriptors.remove(&op.into);
                let opened = crate::paths::open(self.descriptor(op)?, op)?;
                self.descriptors.insert(op.into.clone(), opened);
                Ok(String::new())
            }
            "begin" => {
                self.replacements.remove(&op.into);
                let begun = Replacement::begin(self.descriptor(op)?, &op.path)?;
                self.replacements.insert(op.into.clone(), begun);
                Ok(String::new())
            }
            "put" | "commit" => crate::content::replace(self.replacement(op)?, op),
            "drop" => {
                let name = op.at.as_deref().unwrap_or_default();
                let known = self.descriptors.remove(name).is_some() | self.replacements.remove(name).is_some();
                if known { Ok(String::new()) } else { Err(unset(name)) }
            }
            "rename" | "link" | "same" => {
                let other = self.named(op.to.as_deref().or(op.at.as_deref()))?;
                crate::paths::pair(self.descriptor(op)?, other, op)
            }
            "splice" => {
                let other = self.named(op.to.as_deref())?;
                crate::streams::splice(self.descriptor(op)?, other, op)
            }
            _ => {
                let descriptor = self.descriptor(op)?;
                crate::paths::single(descriptor, op)
                    .or_else(|| crate::content::single(descriptor, op))
                    .or_else(|| crate::streams::single(descriptor, op))
                    .unwrap_or_else(|| Err(Fault::Other(format!("no operation {:?}", op.op))))
            }
        }
    }

    fn descriptor(&self, op: &Op) -> Result<&Descriptor, Fault> {
        self.named(op.at.as_deref())
    }

    fn named(&self, name: Option<&str>) -> Result<&Descriptor, Fault> {
        let name = name.unwrap_or("0");
        self.descriptors.get(name).ok_or_else(|| unset(name))
    }

    fn replacement(&self, op: &Op) -> Result<&Replacement, Fault> {
        let name = op.at.as_deref().unwrap_or_default();
        self.replacements.get(name).ok_or_else(|| unset(name))
    }
}

fn unset(name: &str) -> Fault {
    Fault::Other(format!("unset {name:?}"))
}
