//! A certificate authority of the test's own.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use tempfile::NamedTempFile;

use super::identity::Identity;

/// How many authorities this process has made.
static AUTHORITIES: AtomicUsize = AtomicUsize::new(0);

/// An authority; its certificate lies in a file as long as it lives.
///
/// A certificate with the wrong name is one for another name; names and IP
/// addresses are both given as text.
pub struct Authority {
    root: CertifiedIssuer<'static, KeyPair>,
    file: NamedTempFile,
}

impl Authority {
    /// A new authority with a fresh key.
    ///
    /// # Panics
    /// When the certificate cannot be made or written.
    pub fn new() -> Self {
        // With the same name as another one, a client would call it a forgery, not unknown.
        let number = AUTHORITIES.fetch_add(1, Ordering::Relaxed);
        let key = KeyPair::generate().expect("a key");
        let root = CertifiedIssuer::self_signed(issuing(&format!("Toolgate test root {number}")), key)
            .expect("a root certificate");
        let file = tempfile::Builder::new()
            .prefix("toolgate-test-root-")
            .suffix(".pem")
            .tempfile()
            .expect("a temporary file");
        std::fs::write(file.path(), root.pem()).expect("the file takes the certificate");
        Self { root, file }
    }

    /// Its certificate in PEM.
    pub fn pem(&self) -> String {
        self.root.pem()
    }

    /// The file that holds its certificate in PEM.
    pub fn pem_file(&self) -> &Path {
        self.file.path()
    }

    /// Its certificate in DER.
    pub fn der(&self) -> Vec<u8> {
        self.root.der().to_vec()
    }

    /// A valid certificate for these names and addresses.
    pub fn certificate(&self, names: &[&str]) -> Identity {
        issue(server(names), &self.root, &[])
    }

    /// One that ended in 2021.
    pub fn expired(&self, names: &[&str]) -> Identity {
        let mut params = server(names);
        params.not_before = date_time_ymd(2020, 1, 1);
        params.not_after = date_time_ymd(2021, 1, 1);
        issue(params, &self.root, &[])
    }

    /// One that begins in 2090.
    pub fn not_yet_valid(&self, names: &[&str]) -> Identity {
        let mut params = server(names);
        params.not_before = date_time_ymd(2090, 1, 1);
        params.not_after = date_time_ymd(2091, 1, 1);
        issue(params, &self.root, &[])
    }

    /// One for clients, whose extended key usage is not that of a server.
    pub fn for_clients(&self, names: &[&str]) -> Identity {
        let mut params = server(names);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        issue(params, &self.root, &[])
    }

    /// A valid one from an intermediate authority, sent with the chain.
    pub fn chained(&self, names: &[&str]) -> Identity {
        let intermediate = self.intermediate();
        issue(server(names), &intermediate, &[intermediate.der()])
    }

    /// The same without the chain, so that no path to the root can be built.
    pub fn missing_intermediate(&self, names: &[&str]) -> Identity {
        issue(server(names), &self.intermediate(), &[])
    }

    /// A valid one of nobody's: signed by itself.
    ///
    /// # Panics
    /// When the certificate cannot be made.
    pub fn self_signed(names: &[&str]) -> Identity {
        let key = KeyPair::generate().expect("a key");
        let certificate = server(names).self_signed(&key).expect("a certificate");
        Identity::new(vec![certificate.der().clone()], &key)
    }

    fn intermediate(&self) -> CertifiedIssuer<'static, KeyPair> {
        let key = KeyPair::generate().expect("a key");
        CertifiedIssuer::signed_by(issuing("Toolgate test intermediate"), key, &self.root)
            .expect("an intermediate certificate")
    }
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

fn issue(
    params: CertificateParams,
    issuer: &Issuer<'_, KeyPair>,
    chain: &[&rustls::pki_types::CertificateDer<'static>],
) -> Identity {
    let key = KeyPair::generate().expect("a key");
    let certificate = params.signed_by(&key, issuer).expect("a certificate");
    let chain = std::iter::once(certificate.der()).chain(chain.iter().copied());
    Identity::new(chain.cloned().collect(), &key)
}

fn server(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
    let mut params = CertificateParams::new(names).unwrap_or_else(|error| panic!("not a name: {error}"));
    params
        .distinguished_name
        .push(DnType::CommonName, "Toolgate test server");
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    params.use_authority_key_identifier_extension = true;
    params
}

fn issuing(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}
