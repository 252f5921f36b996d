//! URL scope: which URLs exist for a tenant, which addresses may be dialled for them, which headers go along.
//! Used by both doors, the gate (for its answer) and the sandbox (for the address really dialled).
//! Must not touch: sockets, name servers, the environment. A URL is parsed once, here, and never read from text again.

mod address;
mod bundle;
mod bundles;
mod chosen;
mod explain;
mod host;
mod names;
mod nat64;
mod pattern;
mod pattern_parse;
mod ranges;
mod refusal;
mod scope_error;
mod template;
mod url_error;
mod url_scope;
mod vet;
mod web_url;
mod written;

#[cfg(test)]
mod tests;

pub use address::{Tier, describe, tier};
pub use bundle::Bundle;
pub use bundles::{BundleError, Bundles};
pub use chosen::{Blocked, vet_chosen};
pub use host::{Host, HostError};
pub use names::{is_internal_name, is_metadata_name};
pub use nat64::{Nat64Error, Nat64Prefix};
pub use pattern::Pattern;
pub use pattern_parse::PatternError;
pub use refusal::Refusal;
pub use scope_error::UrlScopeError;
pub use url_error::{Shown, UrlError};
pub use url_scope::{Options, UrlScope};
pub use web_url::{Scheme, WebUrl};
