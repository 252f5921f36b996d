//! Why a store refused or failed.

/// An error of a [`super::SessionStore`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The version given is not the current one.
    #[error("the value was changed by another call: read it again and repeat the change")]
    Conflict,
    /// A limit of [`super::limits`] would be exceeded; the text names it.
    #[error("{0}")]
    Quota(String),
    /// A name or id that cannot exist; the text says what one looks like.
    #[error("{0}")]
    InvalidId(String),
    /// An offset or limit that selects nothing; the text names the size.
    #[error("{0}")]
    Range(String),
    /// The store cannot be used; the text names the file and what would help.
    #[error("{0}")]
    Unavailable(String),
}
