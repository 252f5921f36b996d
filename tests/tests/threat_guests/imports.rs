//! G17, G18: imports that were not granted, and granted ones of another shape.

use std::time::{Duration, Instant};

use crate::forge::Forge;
use crate::measure;
use crate::stage::{Stage, refusal};

/// Would keep the host busy if any of the guest ran.
const FOREVER: &str = "(loop $forever (br $forever))";

/// A plugin that imports and calls `name`, an interface with one function.
fn importing(package: &str, version: &str, interface: &str, function: &str, core: &str) -> Forge {
    let at = if version.is_empty() {
        String::new()
    } else {
        format!("@{version}")
    };
    Forge {
        packages: vec![format!(
            "package {package}{at};\ninterface {interface} {{ {function} }}"
        )],
        world: format!("import {package}/{interface}{at};"),
        in_start: FOREVER.to_owned(),
        ..Forge::default()
    }
    .importing(&format!("(import \"{package}/{interface}{at}\" {core})"))
}

#[test]
fn g17_imports_that_are_not_granted_are_refused_by_name() {
    let _turn = measure::together();
    for (package, version, interface, reason) in [
        ("wasi:sockets", "0.2.0", "tcp", "no sockets"),
        ("wasi:sockets", "0.2.12", "udp", "no sockets"),
        ("wasi:sockets", "0.2.12", "ip-name-lookup", "look up no names"),
        ("wasi:http", "0.2.11", "incoming-handler", "serve nothing"),
        ("wasi:http", "0.3.0", "outgoing-handler", "0.2."),
        ("wasi:filesystem", "0.3.0", "types", "0.2."),
        ("wasi:filesystem", "0.1.0", "types", "0.2."),
        ("wasi:filesystem", "1.0.0", "preopens", "0.2."),
        ("wasi:filesystem", "0.2.12-rc1", "types", "0.2."),
        ("wasi:filesystem", "", "types", "no version"),
        ("wasi:random", "", "random", "no version"),
        ("wasi:filesystem", "0.2.13", "types2", "does not offer"),
        ("wasi:cli", "0.2.13", "run", "does not offer"),
        ("wasi:keyvalue", "0.2.0", "store", "does not offer"),
        ("wasi:clocks", "0.2.13", "timezone", "does not offer"),
        ("toolgate:other", "0.1.0", "files", "does not offer"),
        ("acme:evil", "1.0.0", "thing", "does not offer"),
        // It would open the way for its own calls.
        ("toolgate:plugin", "0.1.1", "plans", "record_plan alone"),
    ] {
        let forge = importing(package, version, interface, "evil: func();", "\"evil\" (func)");
        let component = forge.build();
        let started = Instant::now();
        let message = refusal(&component);
        let at = if version.is_empty() {
            String::new()
        } else {
            format!("@{version}")
        };
        let name = format!("{package}/{interface}{at}");
        assert!(
            message.contains(&format!("it imports {name}, which is not granted")),
            "{message}"
        );
        assert!(message.contains(reason), "{message}");
        assert!(started.elapsed() < Duration::from_secs(2), "none of its code runs");
    }
}

#[test]
fn g17_imports_of_other_kinds_are_refused_by_name() {
    let _turn = measure::together();
    let forge = Forge {
        world: "import evil: func();".to_owned(),
        in_start: FOREVER.to_owned(),
        ..Forge::default()
    };
    let message = refusal(&forge.importing("(import \"$root\" \"evil\" (func))").build());
    assert!(message.contains("it imports evil, which is not granted"), "{message}");

    for (name, text) in [
        ("evil-module", "(component (import \"evil-module\" (core module)))"),
        ("evil-component", "(component (import \"evil-component\" (component)))"),
        ("evil-type", "(component (import \"evil-type\" (type (sub resource))))"),
        ("evil-instance", "(component (import \"evil-instance\" (instance)))"),
        // What a nested component imports comes from the outer one.
        (
            "acme:evil/thing@1.0.0",
            "(component
               (import \"acme:evil/thing@1.0.0\" (instance $thing))
               (component $nested (import \"wasi:random/random@0.2.12\" (instance)))
               (instance (instantiate $nested (with \"wasi:random/random@0.2.12\" (instance $thing)))))",
        ),
        (
            "wasi:sockets/tcp@0.2.0",
            "(component (import \"wasi:sockets/tcp@0.2.0\" (instance)))",
        ),
    ] {
        let message = refusal(&wat::parse_str(text).unwrap());
        assert!(
            message.contains(&format!("it imports {name}, which is not granted")),
            "{message}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn g17_compatible_versions_are_the_same_interface() {
    let _turn = measure::together();
    for version in ["0.2.0", "0.2.3", "0.2.99"] {
        let forge = importing(
            "wasi:random",
            version,
            "random",
            "get-random-u64: func() -> u64;",
            "\"get-random-u64\" (func $random (result i64))",
        );
        let stage = Stage::of(&Forge {
            in_start: String::new(),
            run: "(i64.extend_i32_u (i64.eq (call $random) (call $random)))".to_owned(),
            ..forge
        });
        assert_eq!(stage.evil(0).await.unwrap(), 0, "two random numbers are different");
    }
}

#[test]
fn g18_granted_imports_of_another_shape_are_refused() {
    let _turn = measure::together();
    for (package, interface, function, core) in [
        (
            "wasi:random",
            "random",
            "get-random-bytes: func(len: string) -> u32;",
            "\"get-random-bytes\" (func (param i32 i32) (result i32))",
        ),
        (
            "wasi:random",
            "random",
            "get-random-u64: func() -> u32;",
            "\"get-random-u64\" (func (result i32))",
        ),
        (
            "wasi:random",
            "random",
            "get-everything: func() -> u32;",
            "\"get-everything\" (func (result i32))",
        ),
        (
            "wasi:cli",
            "exit",
            "exit: func(status: u32);",
            "\"exit\" (func (param i32))",
        ),
        (
            "wasi:cli",
            "environment",
            "get-arguments: func() -> string;",
            "\"get-arguments\" (func (param i32))",
        ),
        (
            "wasi:filesystem",
            "preopens",
            "resource descriptor; get-directories: func() -> list<tuple<descriptor, string>>;",
            "\"get-directories\" (func (param i32))",
        ),
    ] {
        let message = refusal(&importing(package, "0.2.3", interface, function, core).build());
        assert!(message.contains("does not fit the interfaces"), "{function}: {message}");
        assert!(
            message.contains(&format!("{package}/{interface}@0.2.3")),
            "{function}: {message}"
        );
    }
}
