//! What lives here: a certificate authority made at run time, its certificates, and the server side of TLS.
//! The servers of this folder's parent call it; tests make authorities and identities.
//! It must not touch: the system's trust store, or any key that outlives the test.

mod accept;
mod authority;
mod identity;

pub(super) use accept::accept;
pub use authority::Authority;
pub use identity::Identity;
