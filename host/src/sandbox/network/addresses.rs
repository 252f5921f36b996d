//! From a host to the addresses that may be dialled for it.

use std::net::{IpAddr, SocketAddr};

use super::egress::{Admission, Route, denied};
use super::failure::{Class, Failure};
use super::proxy::Via;
use super::resolve::ResolveError;
use crate::scope::web::{Host, WebUrl, is_metadata_name, vet_chosen};

impl Route {
    /// The vetted addresses of a host: one question, all answers.
    pub(super) async fn addresses(&self, url: &WebUrl) -> Result<Vec<SocketAddr>, Failure> {
        let addresses = match url.host() {
            Host::V4(address) => vec![IpAddr::V4(*address)],
            Host::V6(address) => vec![IpAddr::V6(*address)],
            Host::Name(name) => match self
                .bounds
                .scope
                .pins(url)
                .filter(|_| self.admission == Admission::Scope)
            {
                Some(pins) => pins.to_vec(),
                None => self.lookup(name).await?,
            },
        };
        self.vet(url, &addresses)?;
        Ok(addresses
            .into_iter()
            .map(|address| SocketAddr::new(address, url.port()))
            .collect())
    }

    async fn lookup(&self, name: &str) -> Result<Vec<IpAddr>, Failure> {
        self.hops.look_up(name)?;
        let what = format!("looking up {name}");
        let found = self.deadline.hold(&what, self.bounds.resolver.resolve(name)).await?;
        found.map_err(|error| {
            let reason = match error {
                ResolveError::NotFound => "there is no such name, or it has no address".to_owned(),
                ResolveError::Failed(reason) => reason,
            };
            Failure::new(Class::Dns, format!("the name {name} cannot be resolved: {reason}"))
        })
    }

    /// The addresses of a proxy, which the operator chose; of the host behind it only an address
    /// that stands in the URL can be vetted here.
    pub(super) async fn addresses_of_proxy(&self, url: &WebUrl, via: &Via) -> Result<Vec<SocketAddr>, Failure> {
        match url.host() {
            Host::V4(address) => self.vet(url, &[IpAddr::V4(*address)])?,
            Host::V6(address) => self.vet(url, &[IpAddr::V6(*address)])?,
            Host::Name(_) if self.admission == Admission::Scope => {
                let vetted = self.bounds.scope.vet_unresolved(url);
                vetted.map_err(|refusal| denied(&refusal))?;
            }
            Host::Name(name) if is_metadata_name(name) => {
                let text = format!("denied, {name} is the name of a metadata service");
                return Err(Failure::new(Class::Denied, text));
            }
            Host::Name(_) => {}
        }
        let addresses = match via.host.parse::<IpAddr>() {
            Ok(address) => vec![address],
            Err(_) => self.lookup(&via.host).await?,
        };
        Ok(addresses
            .into_iter()
            .map(|address| SocketAddr::new(address, via.port))
            .collect())
    }

    /// Whether every one of these addresses may be dialled for a URL.
    pub(super) fn vet(&self, url: &WebUrl, addresses: &[IpAddr]) -> Result<(), Failure> {
        match self.admission {
            Admission::Scope => {
                let vetted = self.bounds.scope.vet(url, addresses);
                vetted.map_err(|refusal| denied(&refusal))
            }
            Admission::Chosen => {
                let vetted = vet_chosen(addresses, self.bounds.nat64());
                vetted.map_err(|blocked| Failure::new(Class::Denied, format!("denied, {blocked}")))
            }
        }
    }
}
