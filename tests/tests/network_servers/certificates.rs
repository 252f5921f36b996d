//! N15: whom the client believes.

use toolgate::ErrorKind;
use toolgate_tests::net::{Authority, Identity, ScriptServer};

use crate::stage::{GOOD, PATIENCE, Stage, answering};

fn serve(identity: &Identity) -> ScriptServer {
    ScriptServer::tls(identity, answering(Vec::new()))
}

#[test]
fn n15_good_certificates_are_accepted() {
    let authority = Authority::new();
    let names = &["a.test", "*.b.test", "127.0.0.1"];
    for (what, identity, version) in [
        ("direct", authority.certificate(names), "TLSv1_3"),
        ("chained", authority.chained(names), "TLSv1_3"),
        ("TLS 1.2", authority.certificate(names).tls12_only(), "TLSv1_2"),
    ] {
        let server = serve(&identity);
        let urls = [
            server.url_for("a.test", GOOD),
            server.url_for("x.b.test", GOOD),
            server.url(GOOD),
        ];
        let stage = Stage::believing(&urls, authority.pem_file());
        for url in &urls {
            stage.is_well_at(url);
        }
        let connections = server.recorder().connections();
        let sni: Vec<_> = connections.iter().map(|connection| connection.sni.as_deref()).collect();
        // An address is no server name (RFC 6066, section 3).
        assert_eq!(sni, [Some("a.test"), Some("x.b.test"), None], "{what}");
        let hosts: Vec<_> = server
            .recorder()
            .requests()
            .iter()
            .map(|request| request.header("host").unwrap().to_owned())
            .collect();
        let port = server.address().port();
        assert_eq!(
            hosts,
            ["a.test", "x.b.test", "127.0.0.1"].map(|host| format!("{host}:{port}")),
            "{what}"
        );
        for connection in &connections {
            assert_eq!(connection.tls_version.as_deref(), Some(version), "{what}");
            assert_eq!(connection.alpn_offered, ["h2", "http/1.1"], "{what}");
            assert_eq!(connection.alpn.as_deref(), Some("http/1.1"), "{what}");
        }
    }
}

#[test]
fn n15_bad_certificates_are_refused_before_any_request() {
    let authority = Authority::new();
    let names = &["a.test"];
    let cases: [(&str, Identity, &[&str]); 8] = [
        ("expired", authority.expired(names), &["expired"]),
        ("not yet valid", authority.not_yet_valid(names), &["not valid yet"]),
        (
            "another name",
            authority.certificate(&["b.test"]),
            &["not valid for name", "a.test"],
        ),
        (
            "a parent's wildcard",
            authority.certificate(&["*.a.test"]),
            &["not valid for name", "a.test"],
        ),
        ("self-signed", Authority::self_signed(names), &["UnknownIssuer"]),
        (
            "another authority",
            Authority::new().certificate(names),
            &["UnknownIssuer"],
        ),
        (
            "no intermediate",
            authority.missing_intermediate(names),
            &["UnknownIssuer"],
        ),
        ("for clients", authority.for_clients(names), &["certificate"]),
    ];
    let servers: Vec<_> = cases.iter().map(|(_, identity, _)| serve(identity)).collect();
    let urls: Vec<_> = servers.iter().map(|server| server.url_for("a.test", GOOD)).collect();
    let stage = Stage::believing(&urls, authority.pem_file());
    for ((what, _, reason), (server, url)) in cases.iter().zip(servers.iter().zip(&urls)) {
        let says = [
            &["no TLS connection to https://a.test:", "invalid peer certificate"],
            *reason,
        ]
        .concat();
        stage.refuses(url, ErrorKind::Unavailable, &says);
        let connections = server.recorder().wait_for_end(1, PATIENCE);
        // The refusal is not tried again in another way.
        assert_eq!(connections.len(), 1, "{what}");
        assert!(connections[0].tls_error.is_some(), "{what}");
        assert_eq!(connections[0].sni.as_deref(), Some("a.test"), "{what}");
        assert!(server.recorder().requests().is_empty(), "{what}");
    }
}

#[test]
fn n15_an_address_needs_a_certificate_of_its_own() {
    let authority = Authority::new();
    let server = serve(&authority.certificate(&["a.test", "127.0.0.2"]));
    let stage = Stage::believing(&[server.url(GOOD)], authority.pem_file());
    stage.refuses(
        &server.url(GOOD),
        ErrorKind::Unavailable,
        &["invalid peer certificate", "not valid for name", "127.0.0.1"],
    );
    assert!(server.recorder().requests().is_empty());
}

#[test]
fn n15_an_own_authority_is_unknown_unless_it_is_configured() {
    let authority = Authority::new();
    let server = serve(&authority.certificate(&["a.test"]));
    let url = server.url_for("a.test", GOOD);
    let stage = Stage::new(std::slice::from_ref(&url));
    stage.refuses(
        &url,
        ErrorKind::Unavailable,
        &["invalid peer certificate", "UnknownIssuer"],
    );
    assert!(server.recorder().requests().is_empty());
    drop(stage);
    Stage::believing(std::slice::from_ref(&url), authority.pem_file()).is_well_at(&url);
}

#[test]
fn n15_a_file_of_authorities_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "no certificate\n").unwrap();
    let server = serve(&Authority::new().certificate(&["a.test"]));
    let url = server.url_for("a.test", GOOD);
    for file in [empty, folder.path().join("missing.pem")] {
        let stage = Stage::believing(std::slice::from_ref(&url), &file);
        let name = file.file_name().unwrap().to_str().unwrap();
        stage.refuses(&url, ErrorKind::Unavailable, &["url_scope.ca_file", name]);
    }
    assert!(server.recorder().requests().is_empty());
}
