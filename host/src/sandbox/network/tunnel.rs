//! The way through a proxy that is connected already.

use std::future::{Ready, ready};
use std::io;
use std::task::{Context, Poll};

use http::Uri;
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::rt::TokioIo;
use tower_service::Service;

use super::connection::Stream;
use super::failure::{Class, Failure};
use super::proxy::{Kind, Via};
use crate::scope::web::WebUrl;

/// Has the proxy connect to the host of a URL.
pub(super) async fn through(via: &Via, url: &WebUrl, stream: Stream) -> Result<Stream, Failure> {
    let target = target(url)?;
    let connected = Connected(Some(TokioIo::new(stream)));
    let tunnelled = match via.kind {
        Kind::Http | Kind::Https => {
            let mut tunnel = Tunnel::new(Uri::from_static("http://proxy"), connected);
            if let Some(basic) = &via.basic {
                tunnel = tunnel.with_auth(basic.clone());
            }
            tunnel.call(target).await.map_err(|error| error.to_string())
        }
        Kind::Socks5 => {
            let mut socks = SocksV5::new(Uri::from_static("socks5://proxy"), connected);
            if let Some((user, password)) = &via.login {
                socks = socks.with_auth(user.clone(), password.clone());
            }
            socks.call(target).await.map_err(|error| error.to_string())
        }
    };
    tunnelled.map(TokioIo::into_inner).map_err(|reason| {
        Failure::new(
            Class::Connect,
            format!(
                "the proxy {} does not connect to {}: {reason}",
                via.shown(),
                url.origin()
            ),
        )
    })
}

/// Host and port, as tunnels are told.
fn target(url: &WebUrl) -> Result<Uri, Failure> {
    let scheme = if url.is_https() { "https" } else { "http" };
    format!("{scheme}://{}:{}", url.host_text(), url.port())
        .parse()
        .map_err(|error| Failure::new(Class::Invalid, format!("{} cannot be asked for: {error}", url.origin())))
}

/// A connector for a connection that exists.
struct Connected(Option<TokioIo<Stream>>);

impl Service<Uri> for Connected {
    type Response = TokioIo<Stream>;
    type Error = io::Error;
    type Future = Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        ready(
            self.0
                .take()
                .ok_or_else(|| io::Error::from(io::ErrorKind::NotConnected)),
        )
    }
}
