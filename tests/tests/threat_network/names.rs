//! What names mean, under control of the test, and who asked.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, Mutex};

use toolgate::{Resolve, ResolveError, Resolved};

type Answers = Box<dyn Fn(&str) -> Option<Vec<IpAddr>> + Send>;

/// A resolver. Unless told otherwise it gives every name a public address of its own, so that an
/// address that is dialled tells the name that was meant.
pub(crate) struct Names {
    answers: Mutex<Option<Answers>>,
    own: Mutex<HashMap<String, IpAddr>>,
    asked: Mutex<Vec<String>>,
}

impl Names {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            answers: Mutex::default(),
            own: Mutex::default(),
            asked: Mutex::default(),
        })
    }

    /// What the next questions are answered with; `None` where the name does not exist.
    pub(crate) fn answer(&self, answers: impl Fn(&str) -> Option<Vec<IpAddr>> + Send + 'static) {
        *self.answers.lock().unwrap() = Some(Box::new(answers));
    }

    /// The public address that stands for this name alone.
    pub(crate) fn of(&self, name: &str) -> IpAddr {
        let mut own = self.own.lock().unwrap();
        let number = u16::try_from(own.len()).unwrap().to_be_bytes();
        let next = || Ipv4Addr::new(93, 184, number[0], number[1]).into();
        *own.entry(name.to_owned()).or_insert_with(next)
    }

    /// The name that an address stands for.
    pub(crate) fn at(&self, address: IpAddr) -> Option<String> {
        let own = self.own.lock().unwrap();
        let found = own.iter().find(|(_, own)| **own == address.to_canonical());
        found.map(|(name, _)| name.clone())
    }

    /// The questions since the last look.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolved<'a> {
        self.asked.lock().unwrap().push(name.to_owned());
        let answers = self.answers.lock().unwrap();
        let addresses = match &*answers {
            Some(answers) => answers(name),
            None => Some(vec![self.of(name)]),
        };
        Box::pin(std::future::ready(addresses.ok_or(ResolveError::NotFound)))
    }
}
