//! N12: there is no import that opens a socket or looks up a name, in any version, whatever the operator grants.

use toolgate::Mode;
use toolgate_tests::rig;

use crate::stage::{ALL, scoped};

/// All interfaces of sockets, names and TLS, and of serving.
const INTERFACES: [&str; 18] = [
    "wasi:sockets/network@0.2.3",
    "wasi:sockets/instance-network@0.2.3",
    "wasi:sockets/tcp@0.2.3",
    "wasi:sockets/tcp-create-socket@0.2.3",
    "wasi:sockets/udp@0.2.3",
    "wasi:sockets/udp-create-socket@0.2.3",
    "wasi:sockets/ip-name-lookup@0.2.3",
    "wasi:sockets/types@0.3.0",
    "wasi:sockets/ip-name-lookup@0.3.0",
    "wasi:tls/types@0.2.0-draft",
    "wasi:http/handler@0.3.0",
    "wasi:http/client@0.3.0",
    "wasi:http/proxy@0.2.3",
    "wasi:snapshot-preview1/sock@0.1.0",
    "wasi:messaging/producer@0.2.0",
    "wasi:websocket/client@0.2.0",
    "toolgate:plugin/sockets@0.1.0",
    "toolgate:plugin/resolve@0.1.0",
];

#[test]
fn n12_sockets_and_lookups_are_no_imports() {
    let root = tempfile::tempdir().unwrap();
    for interface in INTERFACES {
        let file = root.path().join("evil.wasm");
        let text = format!("(component (import \"{interface}\" (instance)))");
        std::fs::write(&file, wat::parse_str(text).unwrap()).unwrap();
        let mut config = scoped(&ALL, &[]);
        config.url_scope.allow_metadata_endpoints = true;
        config
            .tools
            .network
            .insert("evil".to_owned(), ALL.map(str::to_owned).to_vec());
        let builder = rig::builder(root.path()).mode(Mode::Yolo).config(config);
        let Err(error) = builder.plugin(&file).build() else {
            panic!("{interface} is linked");
        };
        let message = error.to_string();
        assert!(
            message.contains(&format!("it imports {interface}, which is not granted")),
            "{message}"
        );
    }
}
