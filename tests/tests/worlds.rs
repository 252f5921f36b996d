//! A component's import list is its capability list, and `wit/worlds.wit` says what it is for each tool.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use toolgate_tests::rig::target;
use wit_parser::decoding::{DecodedWasm, decode};
use wit_parser::{Resolve, WorldId, WorldItem};

/// Interfaces that the file system's own types mention.
const PLUMBING: &[&str] = &["wasi:io/", "wasi:clocks/wall-clock@"];
/// Worlds for authors of plugins, not of one tool.
const GENERAL: &[&str] = &["sdk", "pure"];

fn wit() -> (Resolve, Vec<(String, WorldId)>) {
    let mut resolve = Resolve::default();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    let (package, _) = resolve.push_dir(folder).unwrap();
    let worlds = resolve.packages[package].worlds.iter();
    let worlds = worlds.map(|(name, id)| (name.clone(), *id)).collect();
    (resolve, worlds)
}

/// Interfaces that a world imports, with how many functions of each it knows.
fn imports(resolve: &Resolve, world: WorldId) -> BTreeMap<String, usize> {
    resolve.worlds[world]
        .imports
        .iter()
        .map(|(key, item)| match item {
            WorldItem::Interface { id, .. } => {
                let name = resolve.id_of(*id).unwrap_or_else(|| resolve.name_world_key(key));
                (name, resolve.interfaces[*id].functions.len())
            }
            _ => (resolve.name_world_key(key), 1),
        })
        .collect()
}

fn exports(resolve: &Resolve, world: WorldId) -> BTreeSet<String> {
    resolve.worlds[world]
        .exports
        .keys()
        .map(|key| resolve.name_world_key(key))
        .collect()
}

fn is_plumbing(name: &str) -> bool {
    PLUMBING.iter().any(|prefix| name.starts_with(prefix))
}

/// The components that were built, by the name that their world would have.
fn components() -> BTreeMap<String, (Resolve, WorldId)> {
    let folder = target("components");
    std::fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}; run `make components`", folder.display()))
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap().replace('_', "-");
            match decode(&std::fs::read(&path).unwrap()).unwrap() {
                DecodedWasm::Component(resolve, world) => (name, (resolve, world)),
                DecodedWasm::WitPackage(..) => panic!("{} is no component", path.display()),
            }
        })
        .collect()
}

#[test]
fn every_tool_imports_what_its_world_says() {
    let (resolve, worlds) = wit();
    let components = components();
    let mut seen = 0;
    for (name, world) in worlds.iter().filter(|(name, _)| !GENERAL.contains(&name.as_str())) {
        let (component, root) = components
            .get(name)
            .unwrap_or_else(|| panic!("the world {name} belongs to no component in target/components"));
        let allowed = imports(&resolve, *world);
        let used = imports(component, *root);
        for (interface, functions) in &used {
            assert!(
                allowed.contains_key(interface),
                "{name} imports {interface}, which its world does not"
            );
            assert!(
                *functions == 0 || !is_plumbing(interface),
                "{name} calls {interface}, which its world imports for its types only"
            );
        }
        for interface in allowed.keys().filter(|interface| !is_plumbing(interface)) {
            assert!(
                used.contains_key(interface),
                "the world {name} imports {interface}, which the component does not use"
            );
        }
        assert_eq!(exports(component, *root), exports(&resolve, *world), "{name}");
        seen += 1;
    }
    assert!(seen >= 5, "only {seen} worlds of tools");
}

/// An example without a world of its own uses no more than the SDK offers.
#[test]
fn no_component_imports_more_than_the_sdk_offers() {
    let (resolve, worlds) = wit();
    let sdk = worlds.iter().find(|(name, _)| name == "sdk").unwrap().1;
    let offered = imports(&resolve, sdk);
    for (name, (component, root)) in components() {
        for interface in imports(&component, root).keys() {
            assert!(offered.contains_key(interface), "{name} imports {interface}");
        }
        assert_eq!(exports(&component, root), exports(&resolve, sdk), "{name}");
    }
}

/// A world whose name is no tool would be a promise about nothing.
#[test]
fn every_built_in_tool_has_a_world() {
    let (_, worlds) = wit();
    let folder = tempfile::tempdir().unwrap();
    let mut config = toolgate_tests::rig::every_tool();
    config.permissions.plan_mode = Some(toolgate::config::PlanMode::Advisory);
    let builder = toolgate_tests::rig::builder(folder.path()).config(config);
    let host = builder.agents_dir(folder.path()).build().unwrap();
    let tools: BTreeSet<String> = host.tools().iter().map(|tool| tool.name.replace('_', "-")).collect();
    let worlds: BTreeSet<String> = worlds
        .into_iter()
        .map(|(name, _)| name)
        .filter(|name| !GENERAL.contains(&name.as_str()))
        .collect();
    assert_eq!(tools, worlds);
}
