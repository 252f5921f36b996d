//! The server's half of a TLS handshake.

use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::Acceptor;
use tokio::net::TcpStream;
use tokio_rustls::LazyConfigAcceptor;

use crate::net::recorder::ConnectionLog;
use crate::net::wire::Tap;

/// Shakes hands and records what the client asked for. None when it fails; the
/// record then says why.
pub(in crate::net) async fn accept(stream: TcpStream, config: Arc<ServerConfig>, log: ConnectionLog) -> Option<Tap> {
    let greeting = match LazyConfigAcceptor::new(Acceptor::default(), stream).await {
        Ok(greeting) => greeting,
        Err(error) => {
            log.edit(|connection| connection.tls_error = Some(error.to_string()));
            return None;
        }
    };
    let hello = greeting.client_hello();
    let sni = hello.server_name().map(str::to_owned);
    let offered = hello.alpn().into_iter().flatten();
    let alpn_offered = offered.map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    log.edit(|connection| {
        connection.sni = sni;
        connection.alpn_offered = alpn_offered;
    });
    match greeting.into_stream(config).await {
        Ok(stream) => {
            let (_, session) = stream.get_ref();
            let alpn = session
                .alpn_protocol()
                .map(|name| String::from_utf8_lossy(name).into_owned());
            let version = session.protocol_version().map(|version| format!("{version:?}"));
            log.edit(|connection| {
                connection.alpn = alpn;
                connection.tls_version = version;
            });
            Some(Tap::new(stream, log))
        }
        Err(error) => {
            log.edit(|connection| connection.tls_error = Some(error.to_string()));
            None
        }
    }
}
