//! TLS as a strict client sees it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned, crypto};

use super::{PATIENCE, connect, get_one};
use crate::net::{Authority, Identity, RawServer, Script, ScriptServer, Step, scripts};

pub(super) type TlsStream = StreamOwned<ClientConnection, TcpStream>;

/// A client configuration that trusts the authority only, by its file.
pub(super) fn client_config(authority: &Authority, alpn: &[&str]) -> ClientConfig {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(authority.pem_file()).unwrap())
        .unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
    config
}

pub(super) fn tls_connect(address: SocketAddr, authority: &Authority, name: &str) -> std::io::Result<TlsStream> {
    let config = Arc::new(client_config(authority, &["http/1.1"]));
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let mut stream = StreamOwned::new(ClientConnection::new(config, name).unwrap(), connect(address));
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

fn serve(identity: &Identity) -> ScriptServer {
    ScriptServer::tls(identity, |_| scripts::ok("secret", "text/plain"))
}

#[test]
fn a_valid_certificate_serves_names_and_addresses() {
    let authority = Authority::new();
    for (identity, version) in [
        (authority.certificate(&["a.test", "127.0.0.1"]), "TLSv1_3"),
        (authority.chained(&["a.test", "127.0.0.1"]), "TLSv1_3"),
        (authority.certificate(&["a.test", "127.0.0.1"]).tls12_only(), "TLSv1_2"),
    ] {
        let server = serve(&identity);
        for name in ["a.test", "127.0.0.1"] {
            let mut stream = tls_connect(server.address(), &authority, name).unwrap();
            assert_eq!(get_one(&mut stream, "/").1, b"secret");
        }
        let connections = server.recorder().connections();
        // An address is not sent as a server name.
        assert_eq!(connections[0].sni.as_deref(), Some("a.test"));
        assert_eq!(connections[1].sni, None);
        assert_eq!(connections[0].alpn_offered, ["http/1.1"]);
        assert_eq!(connections[0].alpn.as_deref(), Some("http/1.1"));
        assert_eq!(connections[0].tls_version.as_deref(), Some(version));
        assert!(connections[0].received.starts_with(b"GET / HTTP/1.1\r\n"));
        assert!(server.url_for("a.test", "/").starts_with("https://a.test:"));
    }
}

#[test]
fn bad_certificates_are_refused_before_any_request() {
    let authority = Authority::new();
    let names = &["a.test"];
    let cases = [
        ("expired", authority.expired(names), "Expired"),
        ("not yet valid", authority.not_yet_valid(names), "NotValidYet"),
        ("wrong name", authority.certificate(&["b.test"]), "NotValidForName"),
        ("self-signed", Authority::self_signed(names), "UnknownIssuer"),
        (
            "another authority",
            Authority::new().certificate(names),
            "UnknownIssuer",
        ),
        (
            "no intermediate",
            authority.missing_intermediate(names),
            "UnknownIssuer",
        ),
        ("for clients", authority.for_clients(names), "InvalidPurpose"),
    ];
    for (case, identity, reason) in cases {
        let server = serve(&identity);
        let error = tls_connect(server.address(), &authority, "a.test")
            .map(|_| ())
            .unwrap_err();
        assert!(format!("{error:?}").contains(reason), "{case}: {error:?}");
        let connections = server.recorder().wait_for_end(1, PATIENCE);
        assert!(connections[0].tls_error.is_some(), "{case}");
        assert_eq!(connections[0].sni.as_deref(), Some("a.test"), "{case}");
        assert!(server.recorder().requests().is_empty(), "{case}");
    }
}

#[test]
fn the_authority_file_is_its_certificate_and_goes_with_it() {
    let authority = Authority::new();
    let path = authority.pem_file().to_owned();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), authority.pem());
    assert_eq!(CertificateDer::from_pem_file(&path).unwrap().to_vec(), authority.der());
    drop(authority);
    assert!(!path.exists());
}

#[test]
fn a_cut_differs_from_a_close() {
    let authority = Authority::new();
    let partial = || Step::Send(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc".to_vec());
    let identity = authority.certificate(&["a.test"]);
    let server = ScriptServer::tls_routes(
        &identity,
        [
            ("/close", vec![partial(), Step::Close]),
            ("/cut", vec![partial(), Step::Cut]),
        ],
    );
    let read = |path| {
        let mut stream = tls_connect(server.address(), &authority, "a.test").unwrap();
        super::ask(&mut stream, path);
        let mut answer = Vec::new();
        let end = stream.read_to_end(&mut answer).map(|_| ());
        assert!(answer.ends_with(b"abc"));
        end
    };
    read("/close").unwrap();
    assert_eq!(read("/cut").unwrap_err().kind(), std::io::ErrorKind::UnexpectedEof);
}

#[test]
fn servers_that_do_not_speak_modern_tls() {
    const ALERT: u8 = 21;
    let authority = Authority::new();
    let refused = |script: Script| {
        let server = RawServer::start(script);
        let error = tls_connect(server.address(), &authority, "a.test")
            .map(|_| ())
            .unwrap_err();
        (
            format!("{error:?}"),
            server.recorder().wait_for_end(1, PATIENCE)[0].received.clone(),
        )
    };
    let (error, received) = refused(scripts::tls10_hello());
    assert!(error.contains("PeerIncompatible"), "{error}");
    // The client's last record is an alert of seven bytes, protocol_version among them.
    let last = &received[received.len() - 7..];
    assert_eq!((last[0], last[6]), (ALERT, 70), "{last:?}");
    let (error, _) = refused(scripts::tls_alert(40));
    assert!(error.contains("HandshakeFailure"), "{error}");
}

#[test]
fn a_handshake_can_stall() {
    let authority = Authority::new();
    let server = RawServer::start(scripts::stall());
    let config = Arc::new(client_config(&authority, &[]));
    let mut client = ClientConnection::new(config, ServerName::try_from("a.test").unwrap()).unwrap();
    let mut socket = connect(server.address());
    socket
        .set_read_timeout(Some(std::time::Duration::from_millis(100)))
        .unwrap();
    let error = client.complete_io(&mut socket).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::WouldBlock);
    // A handshake record was received.
    assert_eq!(server.recorder().connections()[0].received[0], 22);
    let _ = socket.flush();
}
