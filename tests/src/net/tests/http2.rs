//! HTTP/2 as a client of hyper sees it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http2::SendRequest;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::ServerName;
use serde_json::Value;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::PATIENCE;
use super::tls::client_config;
use crate::net::{Authority, Http2Server};

async fn tls(address: SocketAddr, authority: &Authority, alpn: &[&str]) -> std::io::Result<TlsStream<TcpStream>> {
    let tcp = TcpStream::connect(address).await.unwrap();
    let connector = TlsConnector::from(Arc::new(client_config(authority, alpn)));
    connector.connect(ServerName::try_from("a.test").unwrap(), tcp).await
}

async fn client(address: SocketAddr, authority: &Authority) -> SendRequest<Full<Bytes>> {
    let stream = tls(address, authority, &["h2"]).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"h2".as_slice()));
    let (sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
        .await
        .unwrap();
    tokio::spawn(connection);
    sender
}

async fn get(sender: &mut SendRequest<Full<Bytes>>, path: &str) -> hyper::Result<hyper::Response<Incoming>> {
    let request = hyper::Request::get(format!("https://a.test{path}")).header("x-a", "1");
    sender
        .send_request(request.body(Full::new(Bytes::from("in"))).unwrap())
        .await
}

/// Reads a body; how many bytes came, and whether it ended well.
async fn read(mut body: Incoming) -> (usize, bool) {
    let mut count = 0;
    while let Some(frame) = body.frame().await {
        match frame {
            Ok(frame) => count += frame.data_ref().map_or(0, Bytes::len),
            Err(_) => return (count, false),
        }
    }
    (count, true)
}

/// Runs a client against a server that offers these protocols.
fn with_server(only_h2: bool, test: impl AsyncFnOnce(&Http2Server, &Authority)) {
    let authority = Authority::new();
    let identity = authority.certificate(&["a.test"]);
    let server = if only_h2 {
        Http2Server::only_h2(&identity)
    } else {
        Http2Server::start(&identity)
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        tokio::time::timeout(PATIENCE, test(&server, &authority)).await.unwrap();
    });
}

#[test]
fn echo_tells_what_was_asked() {
    with_server(false, async |server, authority| {
        let mut sender = client(server.address(), authority).await;
        let response = get(&mut sender, "/echo?x=y").await.unwrap();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let echo: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&echo["method"], &echo["target"]), (&"GET".into(), &"/echo?x=y".into()));
        assert_eq!((&echo["version"], &echo["body"]), (&"HTTP/2.0".into(), &"in".into()));
        let headers = echo["headers"].as_array().unwrap();
        for pair in [[":authority", "a.test"], [":scheme", "https"], ["x-a", "1"]] {
            assert!(headers.contains(&pair.as_slice().into()), "{headers:?}");
        }
        let request = &server.recorder().requests()[0];
        assert_eq!((request.path(), request.body.as_slice()), ("/echo", b"in".as_slice()));
        assert_eq!(server.recorder().connections()[0].alpn.as_deref(), Some("h2"));
        assert!(
            server.recorder().connections()[0]
                .received
                .starts_with(b"PRI * HTTP/2.0\r\n")
        );
    });
}

#[test]
fn bodies_of_every_kind() {
    with_server(false, async |server, authority| {
        let mut sender = client(server.address(), authority).await;
        let response = get(&mut sender, "/large/3000000").await.unwrap();
        assert_eq!(read(response.into_body()).await, (3_000_000, true));

        let begun = Instant::now();
        let mut slow = get(&mut sender, "/slow/20").await.unwrap().into_body();
        for _ in 0..5 {
            assert_eq!(slow.frame().await.unwrap().unwrap().into_data().unwrap(), "s");
        }
        assert!(begun.elapsed() >= Duration::from_millis(80));
        drop(slow);

        let stalled = get(&mut sender, "/stall").await.unwrap().into_body();
        assert!(
            tokio::time::timeout(Duration::from_millis(100), read(stalled))
                .await
                .is_err()
        );

        let response = get(&mut sender, "/reset").await.unwrap();
        assert_eq!(read(response.into_body()).await, (1024, false));
        // A reset ends the stream, not the connection.
        let response = get(&mut sender, "/redirect?/z").await.unwrap();
        assert_eq!(
            (response.status().as_u16(), &response.headers()["location"]),
            (302, &"/z".parse().unwrap())
        );
        assert_eq!(get(&mut sender, "/none").await.unwrap().status().as_u16(), 404);
    });
}

#[test]
fn goaway_ends_the_connection_in_the_middle_of_a_body() {
    with_server(true, async |server, authority| {
        let mut sender = client(server.address(), authority).await;
        let response = get(&mut sender, "/goaway").await.unwrap();
        assert_eq!(read(response.into_body()).await, (1024, false));
        assert!(get(&mut sender, "/echo").await.is_err());
    });
}

#[test]
fn a_header_list_above_the_clients_limit_is_refused_by_it() {
    with_server(true, async |server, authority| {
        let mut sender = client(server.address(), authority).await;
        let small = get(&mut sender, "/headers/4").await.unwrap();
        assert_eq!(small.headers()["x-flood-3"].len(), 1024);
        // hyper's limit is 16 KiB.
        assert!(get(&mut sender, "/headers/400").await.is_err());
    });
}

#[test]
fn offers_decide_the_protocol() {
    with_server(false, async |server, authority| {
        let stream = tls(server.address(), authority, &["http/1.1"]).await.unwrap();
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .unwrap();
        tokio::spawn(connection);
        let request = hyper::Request::get("/echo").body(Full::new(Bytes::new())).unwrap();
        let body = sender
            .send_request(request)
            .await
            .unwrap()
            .into_body()
            .collect()
            .await
            .unwrap();
        assert!(
            String::from_utf8(body.to_bytes().to_vec())
                .unwrap()
                .contains("HTTP/1.1")
        );
    });
    with_server(true, async |server, authority| {
        let error = tls(server.address(), authority, &["http/1.1"])
            .await
            .map(|_| ())
            .unwrap_err();
        assert!(format!("{error:?}").contains("NoApplicationProtocol"), "{error:?}");
        assert_eq!(server.recorder().connections()[0].alpn_offered, ["http/1.1"]);
    });
}
