//! The rows of `tests/vectors/urls.json` and `addresses.json`.

use std::net::IpAddr;
use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

/// What is expected of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Expect {
    Pass,
    Refuse,
    LoadError,
}

/// One URL and what the URL scope says of it, or one host and the addresses that it leads to.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    #[serde(default, rename = "note")]
    _note: String,
    pub(crate) allow: Vec<String>,
    #[serde(default)]
    pub(crate) deny: Vec<String>,
    #[serde(default)]
    pub(crate) url: String,
    /// The URL that redirects to `url`.
    pub(crate) from: Option<String>,
    /// The addresses of the host.
    pub(crate) answers: Option<Vec<IpAddr>>,
    #[serde(default)]
    pub(crate) metadata: bool,
    pub(crate) expect: Expect,
    /// Words of the message.
    #[serde(default)]
    pub(crate) says: Vec<String>,
    /// What must not stand in the message.
    #[serde(default)]
    pub(crate) silent: Vec<String>,
    /// The URL as it is judged and sent.
    pub(crate) normal: Option<String>,
    #[serde(default, rename = "warns")]
    _warns: Vec<String>,
}

impl Row {
    /// What a host of this row has in common with the hosts of other rows.
    pub(crate) fn scope(&self) -> (Vec<&str>, Vec<&str>, bool) {
        fn texts(texts: &[String]) -> Vec<&str> {
            texts.iter().map(String::as_str).collect()
        }
        (texts(&self.allow), texts(&self.deny), self.metadata)
    }
}

/// The tier of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tier {
    Public,
    Private,
    Metadata,
    Never,
}

/// One address and its tier.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TierRow {
    pub(crate) id: String,
    #[serde(default, rename = "note")]
    _note: String,
    #[serde(default)]
    pub(crate) nat64: String,
    pub(crate) address: IpAddr,
    pub(crate) tier: Tier,
}

#[derive(Deserialize)]
struct Urls {
    rows: Vec<Row>,
}

/// The rows of `addresses.json`.
#[derive(Deserialize)]
pub(crate) struct Addresses {
    pub(crate) tiers: Vec<TierRow>,
    pub(crate) answers: Vec<Row>,
    pub(crate) literals: Vec<Row>,
}

/// The rows of `urls.json`.
pub(crate) fn urls() -> Vec<Row> {
    read::<Urls>("urls.json").rows
}

/// The rows of `addresses.json`.
pub(crate) fn addresses() -> Addresses {
    read("addresses.json")
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors").join(name);
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Rows of the same scope side by side, so that they share a host.
pub(crate) fn by_scope(mut rows: Vec<Row>) -> Vec<Vec<Row>> {
    rows.sort_by(|one, other| one.scope().cmp(&other.scope()));
    let groups = rows.chunk_by(|one, other| one.scope() == other.scope());
    groups.map(<[Row]>::to_vec).collect()
}
