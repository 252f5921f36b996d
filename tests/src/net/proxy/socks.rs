//! A SOCKS5 proxy (RFC 1928), with user name and password if wanted (RFC 1929).

use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::target::{Target, Targets, Upstream, relay};
use crate::net::recorder::Recorder;
use crate::net::service::{LOOPBACK, Service};
use crate::net::wire::Tap;

const VERSION: u8 = 5;
const NO_LOGIN: u8 = 0;
const LOGIN: u8 = 2;
const NO_METHOD: u8 = 0xff;

/// A SOCKS5 proxy on a free port of 127.0.0.1.
pub struct SocksProxy {
    service: Service,
    desk: Desk,
}

/// What the connections share.
#[derive(Clone)]
struct Desk {
    upstream: Upstream,
    login_wanted: bool,
    targets: Targets,
    logins: Arc<Mutex<Vec<(String, String)>>>,
}

impl SocksProxy {
    /// A proxy that lets everybody in.
    pub fn start(upstream: Upstream) -> Self {
        Self::open(upstream, false)
    }

    /// A proxy that asks for a user name and a password, and accepts any.
    pub fn with_login(upstream: Upstream) -> Self {
        Self::open(upstream, true)
    }

    fn open(upstream: Upstream, login_wanted: bool) -> Self {
        let desk = Desk {
            upstream,
            login_wanted,
            targets: Targets::default(),
            logins: Arc::default(),
        };
        let shared = desk.clone();
        let service = Service::start("socks-proxy", LOOPBACK, move |stream, log| {
            let desk = shared.clone();
            async move {
                // How a connection ends is the client's matter; the record has it.
                let _ = desk.serve(Tap::new(stream, log)).await;
            }
        });
        Self { service, desk }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.service.address()
    }

    /// Its URL for a client's configuration. Of a name, clients may ask for the
    /// address (`socks5`) or the name itself (`socks5h`); see [`Target::by_name`].
    pub fn url(&self) -> String {
        format!("socks5://{}", self.address())
    }

    /// The targets asked for, in order.
    pub fn targets(&self) -> Vec<Target> {
        self.desk.targets.all()
    }

    /// The user names and passwords given, in order.
    ///
    /// # Panics
    /// When a thread panicked with them.
    pub fn logins(&self) -> Vec<(String, String)> {
        self.desk
            .logins
            .lock()
            .expect("no thread panicked with the logins")
            .clone()
    }

    /// What it saw.
    pub fn recorder(&self) -> &Recorder {
        self.service.recorder()
    }
}

impl Desk {
    async fn serve(&self, mut client: Tap) -> io::Result<()> {
        expect(client.read_u8().await?, VERSION)?;
        let methods = counted(&mut client).await?;
        let method = if self.login_wanted { LOGIN } else { NO_LOGIN };
        if !methods.contains(&method) {
            return client.write_all(&[VERSION, NO_METHOD]).await;
        }
        client.write_all(&[VERSION, method]).await?;
        if self.login_wanted {
            // The version of this sub-negotiation is 1.
            expect(client.read_u8().await?, 1)?;
            let user = text(counted(&mut client).await?);
            let password = text(counted(&mut client).await?);
            self.logins
                .lock()
                .expect("no thread panicked with the logins")
                .push((user, password));
            client.write_all(&[1, 0]).await?;
        }
        let target = request(&mut client).await?;
        self.targets.push(target.clone());
        let connected = self.upstream.connect(&target).await;
        let reply = u8::from(connected.is_err());
        // The address that the proxy connects from; nobody needs it.
        client.write_all(&[VERSION, reply, 0, 1, 0, 0, 0, 0, 0, 0]).await?;
        if let Ok(server) = connected {
            relay(client, server, &[]).await;
        }
        Ok(())
    }
}

/// The request to connect (RFC 1928, section 4).
async fn request(client: &mut Tap) -> io::Result<Target> {
    expect(client.read_u8().await?, VERSION)?;
    expect(client.read_u8().await?, 1)?;
    expect(client.read_u8().await?, 0)?;
    let (host, by_name) = match client.read_u8().await? {
        1 => (Ipv4Addr::from_bits(client.read_u32().await?).to_string(), false),
        3 => (text(counted(client).await?), true),
        4 => (Ipv6Addr::from_bits(client.read_u128().await?).to_string(), false),
        _ => return Err(ErrorKind::InvalidData.into()),
    };
    let port = client.read_u16().await?;
    Ok(Target { host, port, by_name })
}

/// Bytes preceded by their number.
async fn counted(client: &mut Tap) -> io::Result<Vec<u8>> {
    let count = client.read_u8().await?;
    let mut bytes = vec![0; usize::from(count)];
    client.read_exact(&mut bytes).await?;
    Ok(bytes)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

fn expect(byte: u8, wanted: u8) -> io::Result<()> {
    match byte == wanted {
        true => Ok(()),
        false => Err(ErrorKind::InvalidData.into()),
    }
}
