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

/// Bits of the catalogs to check: with `TOOLGATE_SOAK` every one that can be made of so many tools, else those in
/// which at most two are there or at most two are missing, and some thousand others.
fn choices(tools: usize) -> Vec<usize> {
    const OTHERS: usize = 2000;
    let all = 1_usize << tools;
    let soak = std::env::var_os("TOOLGATE_SOAK").is_some();
    // A number without a factor of two visits every catalog once before it comes back.
    let other = |number: usize| number * 1_000_003 % all;
    let others: std::collections::BTreeSet<_> = (0..OTHERS.min(all)).map(other).collect();
    let few = |bits: usize| bits.count_ones() <= 2 || bits.count_zeros() - (usize::BITS - tools as u32) <= 2;
    (0..all)
        .filter(|bits| soak || few(*bits) || others.contains(bits))
        .collect()
}

/// Catalogs made of the tools of this build and `bash`.
#[test]
fn no_description_names_a_tool_that_is_not_registered() {
    let speakers = Speakers::new();
    let mut tools = speakers.tools();
    if !tools.iter().any(|name| name == "bash") {
        tools.push("bash".to_owned());
    }
    let catalogs: Vec<Vec<String>> = choices(tools.len())
        .into_iter()
        .map(|bits| {
            let chosen = tools.iter().enumerate().filter(|(number, _)| bits >> number & 1 == 1);
            chosen.map(|(_, name)| name.clone()).collect()
        })
        .collect();
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let failures: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = catalogs
            .chunks(catalogs.len().div_ceil(threads))
            .map(|part| {
                let speakers = &speakers;
                scope.spawn(move || {
                    part.iter()
                        .filter_map(|catalog| check(speakers, catalog))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    });
    verdict("catalogs", catalogs.len(), &failures);
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
