//! A server at every address of the namespace, plain or TLS as the client begins.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, Mutex};

use tokio::net::{TcpListener, TcpSocket, TcpStream};
use toolgate_tests::net::{Authority, Recorder, Request, Script, ScriptServer};

use crate::packets::OWN;

/// The first byte of a TLS greeting (RFC 8446, 5.1: content type handshake).
const TLS_GREETING: u8 = 22;

/// Where connections arrived, by where the front handed them on from.
type Arrivals = Arc<Mutex<HashMap<SocketAddr, SocketAddr>>>;

/// The server. A front takes connections to any address and hands them on to one of two servers on
/// loopback, which record what they get.
pub(crate) struct Everywhere {
    authority: Authority,
    servers: [ScriptServer; 2],
    taken: Mutex<[usize; 2]>,
    arrivals: Arrivals,
}

/// A request and where it arrived.
#[derive(Debug)]
pub(crate) struct Arrived {
    pub(crate) to: SocketAddr,
    pub(crate) tls: bool,
    /// The name in the TLS greeting.
    pub(crate) sni: Option<String>,
    pub(crate) request: Request,
}

impl Everywhere {
    /// Listens on these ports of all addresses, with a certificate for these names.
    pub(crate) async fn start(
        names: &[&str],
        ports: &[u16],
        respond: impl Fn(&Request) -> Script + Send + Sync + Clone + 'static,
    ) -> Self {
        let authority = Authority::new();
        let servers = [
            ScriptServer::start(respond.clone()),
            ScriptServer::tls(&authority.certificate(names), respond),
        ];
        let arrivals = Arrivals::default();
        let behind = [servers[0].address(), servers[1].address()];
        for port in ports {
            // Takes connections of both versions, as `net.ipv6.bindv6only` is off in a new namespace.
            let listener = TcpListener::bind((Ipv6Addr::UNSPECIFIED, *port)).await.unwrap();
            let arrivals = Arc::clone(&arrivals);
            tokio::spawn(async move {
                while let Ok((client, _)) = listener.accept().await {
                    tokio::spawn(hand_on(client, behind, Arc::clone(&arrivals)));
                }
            });
        }
        Self {
            authority,
            servers,
            taken: Mutex::default(),
            arrivals,
        }
    }

    /// The file of the authority that its certificate is from.
    pub(crate) fn ca_file(&self) -> &Path {
        self.authority.pem_file()
    }

    /// The complete requests since the last look, those over TLS last.
    pub(crate) fn arrived(&self) -> Vec<Arrived> {
        let mut taken = self.taken.lock().unwrap();
        let arrivals = self.arrivals.lock().unwrap();
        let mut all = Vec::new();
        for (number, server) in self.servers.iter().enumerate() {
            let requests = server.recorder().requests();
            let connections = server.recorder().connections();
            let from = std::mem::replace(&mut taken[number], requests.len());
            all.extend(requests.into_iter().skip(from).map(|request| {
                let connection = &connections[request.connection];
                Arrived {
                    to: arrivals[&connection.peer],
                    tls: number == 1,
                    sni: connection.sni.clone(),
                    request,
                }
            }));
        }
        all
    }

    /// The record of the server that is not TLS.
    pub(crate) fn plain(&self) -> &Recorder {
        self.servers[0].recorder()
    }
}

async fn hand_on(mut client: TcpStream, behind: [SocketAddr; 2], arrivals: Arrivals) -> Option<()> {
    let to = client.local_addr().ok()?;
    let to = SocketAddr::new(to.ip().to_canonical(), to.port());
    let mut first = [0];
    if client.peek(&mut first).await.ok()? == 0 {
        return None;
    }
    let socket = TcpSocket::new_v4().ok()?;
    socket.bind(SocketAddr::new(OWN, 0)).ok()?;
    arrivals.lock().unwrap().insert(socket.local_addr().ok()?, to);
    let tls = usize::from(first[0] == TLS_GREETING);
    let mut server = socket.connect(behind[tls]).await.ok()?;
    tokio::io::copy_bidirectional(&mut client, &mut server).await.ok()?;
    Some(())
}

/// An address as a connection to it shows it: without the mapping of version 4 into version 6.
pub(crate) fn plainly(address: IpAddr, port: u16) -> SocketAddr {
    SocketAddr::new(address.to_canonical(), port)
}
