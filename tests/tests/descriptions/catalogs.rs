//! No tool speaks of one that is not there, whichever are there.

use crate::speakers::{Speakers, everything};
use crate::{NAMES, names, verdict};

/// Says what is wrong with what the tools say in this catalog.
fn check(speakers: &Speakers, catalog: &[String]) -> Option<String> {
    speakers.say(Some(catalog)).into_iter().find_map(|definition| {
        let text = everything(&definition);
        let strangers = NAMES.iter().filter(|name| !catalog.iter().any(|there| there == *name));
        let named: Vec<_> = strangers.filter(|name| names(&text, name)).collect();
        (!named.is_empty()).then(|| format!("{} names {named:?} where there are {catalog:?}", definition.name))
    })
}

/// Every catalog that can be made of the tools of this build and `bash`.
#[test]
fn no_description_names_a_tool_that_is_not_registered() {
    let speakers = Speakers::new();
    let mut tools = speakers.tools();
    if !tools.iter().any(|name| name == "bash") {
        tools.push("bash".to_owned());
    }
    let catalogs = 1_usize << tools.len();
    let of = |bits: usize| -> Vec<String> {
        let chosen = tools.iter().enumerate().filter(|(number, _)| bits >> number & 1 == 1);
        chosen.map(|(_, name)| name.clone()).collect()
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..threads)
            .map(|part| {
                let (speakers, of) = (&speakers, &of);
                let mine = (part..catalogs).step_by(threads);
                scope.spawn(move || mine.filter_map(|bits| check(speakers, &of(bits))).collect::<Vec<_>>())
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    verdict("catalogs", catalogs, &failures);
}

/// Only words depend on the catalog: what may be called and how does not.
#[test]
fn the_contract_is_the_same_in_every_catalog() {
    let speakers = Speakers::new();
    let plain = speakers.say(None);
    let alone = |name: &str| speakers.say(Some(&[name.to_owned()])).remove(0);
    for tool in &plain {
        assert!(alone(&tool.name).same_contract(tool), "{}", tool.name);
    }
}
