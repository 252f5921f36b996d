//! F33: what the interfaces do not offer cannot be reached: extended attributes, ownership, mode
//! bits, inode flags.

use toolgate::sandbox::{inspect_bytes, inspect_file};
use toolgate_tests::rig::guest;

#[test]
fn f33_the_guest_imports_no_more_than_files() {
    let inspection = inspect_file(&guest("probe")).unwrap();
    let names: Vec<&str> = inspection
        .imports
        .iter()
        .map(|import| import.name.split_once('@').unwrap().0)
        .collect();
    let known = [
        "toolgate:plugin/files",
        "wasi:clocks/wall-clock",
        "wasi:filesystem/preopens",
        "wasi:filesystem/types",
        "wasi:io/error",
        "wasi:io/poll",
        "wasi:io/streams",
    ];
    for name in names {
        assert!(known.contains(&name), "{name}");
    }
}

/// The functions that a descriptor has, in the interface that the host implements.
#[test]
fn f33_no_operation_sets_attributes() {
    let mut resolve = wit_parser::Resolve::default();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../wit");
    resolve.push_dir(&folder).unwrap();
    let mut functions = 0;
    for (_, interface) in &resolve.interfaces {
        for name in interface.functions.keys() {
            for word in [
                "xattr",
                "acl",
                "chmod",
                "chown",
                "set-mode",
                "set-permissions",
                "owner",
                "ioctl",
                "quota",
            ] {
                assert!(!name.contains(word), "{name}");
            }
            functions += 1;
        }
    }
    assert!(functions > 40, "{functions}");
}

#[test]
fn f33_a_component_that_wants_them_is_not_loaded() {
    for interface in [
        "wasi:filesystem/xattr@0.2.0",
        "wasi:filesystem/types@0.3.0",
        "linux:xattr/attributes@0.1.0",
    ] {
        let text = format!(r#"(component (import "{interface}" (instance)))"#);
        let bytes = wat::parse_str(text).unwrap();
        let inspection = inspect_bytes("x", toolgate::Origin::Builtin, &bytes).unwrap();
        assert!(inspection.imports.iter().all(|import| !import.granted), "{interface}");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.wasm");
        std::fs::write(&file, &bytes).unwrap();
        let refused = toolgate_tests::rig::builder(folder.path()).plugin(&file).build();
        let error = refused.err().unwrap().to_string();
        assert!(error.contains(interface), "{error}");
    }
}
