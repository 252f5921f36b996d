//! A server's certificate chain and key.

use std::sync::Arc;

use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, SupportedProtocolVersion, crypto, version};

/// Every TLS version that can be served.
const VERSIONS: &[&SupportedProtocolVersion] = &[&version::TLS13, &version::TLS12];

/// Only the older one.
const ONLY_TLS12: &[&SupportedProtocolVersion] = &[&version::TLS12];

/// What a TLS server shows and signs with. Only an [`Authority`](super::Authority) makes it.
pub struct Identity {
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
    versions: &'static [&'static SupportedProtocolVersion],
}

impl Identity {
    pub(super) fn new(chain: Vec<CertificateDer<'static>>, key: &rcgen::KeyPair) -> Self {
        Self {
            chain,
            key: PrivatePkcs8KeyDer::from(key.serialize_der()).into(),
            versions: VERSIONS,
        }
    }

    /// The same for a server that speaks TLS 1.2 only.
    pub fn tls12_only(mut self) -> Self {
        self.versions = ONLY_TLS12;
        self
    }

    /// The configuration of a server that offers these protocols by ALPN.
    ///
    /// # Panics
    /// When the key does not fit the certificate.
    pub(in crate::net) fn server_config(&self, alpn: &[&str]) -> Arc<ServerConfig> {
        let mut config = ServerConfig::builder_with_provider(Arc::new(crypto::ring::default_provider()))
            .with_protocol_versions(self.versions)
            .expect("ring serves these versions")
            .with_no_client_auth()
            .with_single_cert(self.chain.clone(), self.key.clone_key())
            .expect("the key belongs to the certificate");
        config.alpn_protocols = alpn.iter().map(|name| name.as_bytes().to_vec()).collect();
        Arc::new(config)
    }
}
