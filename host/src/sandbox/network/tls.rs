//! TLS: which authorities are believed, and the handshake.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use rustls::client::Resumption;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::failure::{Class, Failure};
use crate::scope::web::Host;

/// Authorities of the system and of the configuration. They are read at the first handshake.
pub(super) struct Tls {
    ca_file: Option<PathBuf>,
    config: OnceLock<Result<Arc<ClientConfig>, String>>,
}

impl Tls {
    pub(super) fn new(ca_file: Option<PathBuf>) -> Self {
        Self {
            ca_file,
            config: OnceLock::new(),
        }
    }

    /// Shakes hands with a host, offering these protocols; `shown` is what messages call it.
    pub(super) async fn connect<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        host: &Host,
        shown: &str,
        protocols: &[&str],
        stream: S,
    ) -> Result<TlsStream<S>, Failure> {
        let fail = |reason: &str| Failure::new(Class::Tls, format!("no TLS connection to {shown}: {reason}"));
        let config = self.config.get_or_init(|| self.load());
        let config = config.as_ref().map_err(|reason| fail(reason))?;
        let name = match host {
            Host::Name(name) => ServerName::try_from(name.clone()).map_err(|error| fail(&error.to_string()))?,
            Host::V4(address) => ServerName::IpAddress(std::net::IpAddr::V4(*address).into()),
            Host::V6(address) => ServerName::IpAddress(std::net::IpAddr::V6(*address).into()),
        };
        let protocols = protocols.iter().map(|name| name.as_bytes().to_vec()).collect();
        TlsConnector::from(Arc::clone(config))
            .with_alpn(protocols)
            .connect(name, stream)
            .await
            .map_err(|error| fail(&reason(&error)))
    }

    fn load(&self) -> Result<Arc<ClientConfig>, String> {
        let mut roots = RootCertStore::empty();
        let system = rustls_native_certs::load_native_certs();
        for error in &system.errors {
            tracing::warn!(%error, "a certificate of the system cannot be read");
        }
        roots.add_parsable_certificates(system.certs);
        if let Some(file) = &self.ca_file {
            for certificate in certificates(file)? {
                roots
                    .add(certificate)
                    .map_err(|error| format!("url_scope.ca_file {}: {error}", file.display()))?;
            }
        }
        if roots.is_empty() {
            return Err(
                "this system has no certificates of authorities; install them (Debian: ca-certificates) or name a file \
                 of them in url_scope.ca_file"
                    .to_owned(),
            );
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .with_root_certificates(roots)
            .with_no_client_auth();
        // Tickets would let servers recognise one session of this host in another.
        config.resumption = Resumption::disabled();
        Ok(Arc::new(config))
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let fail = |reason: String| format!("url_scope.ca_file {}: {reason}", file.display());
    let found = CertificateDer::pem_file_iter(file).map_err(|error| fail(error.to_string()))?;
    let found: Result<Vec<_>, _> = found.collect();
    let found = found.map_err(|error| fail(error.to_string()))?;
    if found.is_empty() {
        return Err(fail("it holds no certificate in PEM form".to_owned()));
    }
    Ok(found)
}

/// What rustls says, where it was rustls that failed.
fn reason(error: &std::io::Error) -> String {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>());
    match inner {
        Some(error) => error.to_string(),
        None if error.kind() == std::io::ErrorKind::UnexpectedEof => {
            "the other side closed the connection during the handshake".to_owned()
        }
        None => error.to_string(),
    }
}
