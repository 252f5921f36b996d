//! The rows of `alert.json`, and the servers that they speak of.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::net::TcpSocket;
use toolgate::config::PlanMode;
use toolgate_tests::net::{Authority, HookAnswer, HookServer};
use toolgate_tests::vectors::Expect;

/// More answers than a row makes calls.
const ANSWERS: usize = 8;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) id: String,
    #[serde(default, rename = "note")]
    _note: Option<String>,
    pub(crate) targets: Value,
    #[serde(default)]
    pub(crate) rate_limit: String,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) permissions: Permissions,
    #[serde(default)]
    server: ServerAnswer,
    pub(crate) tls: Option<Tls>,
    #[serde(default)]
    pub(crate) description: Texts,
    #[serde(default)]
    pub(crate) log: Texts,
    #[serde(default = "yes")]
    pub(crate) registered: bool,
    pub(crate) calls: Vec<RowCall>,
    pub(crate) received: Vec<Received>,
    pub(crate) received_other: usize,
    #[serde(default)]
    pub(crate) identical_bodies: bool,
    #[serde(default)]
    pub(crate) exact_bodies: bool,
    #[serde(default)]
    pub(crate) slow: bool,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Permissions {
    pub(crate) mode: Option<String>,
    pub(crate) allow: Vec<String>,
    pub(crate) deny: Vec<String>,
    pub(crate) plan_mode: Option<PlanMode>,
}

/// What the first server answers to each request.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ServerAnswer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: String,
    delay_ms: u64,
}

impl Default for ServerAnswer {
    fn default() -> Self {
        Self {
            status: 200,
            headers: BTreeMap::new(),
            body: String::new(),
            delay_ms: 0,
        }
    }
}

/// Whose certificate the first server shows.
#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Tls {
    Trusted,
    Untrusted,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Texts {
    pub(crate) contains: Vec<String>,
    pub(crate) lacks: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RowCall {
    pub(crate) args: Value,
    #[serde(default)]
    pub(crate) env: BTreeMap<String, Option<String>>,
    pub(crate) cancel_after_ms: Option<u64>,
    pub(crate) within_ms: Option<u64>,
    pub(crate) expect: Expect,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Received {
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) headers: Map<String, Value>,
    #[serde(default)]
    pub(crate) absent_headers: Vec<String>,
    #[serde(default)]
    pub(crate) body: Map<String, Value>,
}

/// The servers of one row.
pub(crate) struct Servers {
    pub(crate) first: HookServer,
    pub(crate) other: HookServer,
    pub(crate) authority: Authority,
    /// Holds a port without listening on it.
    refused: TcpSocket,
}

impl Servers {
    /// For a row with placeholders in it, and the row without them.
    pub(crate) fn of(row: &Value) -> (Self, Row) {
        let raw: Row = serde_json::from_value(row.clone()).unwrap_or_else(|error| panic!("{}: {error}", row["id"]));
        let authority = Authority::new();
        let first = match raw.tls {
            None => HookServer::start([]),
            Some(_) => HookServer::tls(&authority.certificate(&["127.0.0.1"]), []),
        };
        let refused = TcpSocket::new_v4().unwrap();
        refused.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let servers = Self {
            first,
            other: HookServer::start([]),
            authority,
            refused,
        };
        let row: Row = serde_json::from_str(&servers.filled(&row.to_string())).unwrap();
        for _ in 0..ANSWERS {
            servers.first.push(row.server.as_hook());
        }
        (servers, row)
    }

    fn filled(&self, text: &str) -> String {
        let refused = self.refused.local_addr().unwrap();
        text.replace("{server}", &self.first.url(""))
            .replace("{authority}", &self.first.address().to_string())
            .replace("{other}", &self.other.url(""))
            .replace("{refused}", &format!("http://{refused}"))
    }
}

impl ServerAnswer {
    fn as_hook(&self) -> HookAnswer {
        let answer = HookAnswer::new(self.status, &self.body).after(Duration::from_millis(self.delay_ms));
        let headers = self.headers.iter();
        headers.fold(answer, |answer, (name, value)| answer.with_header(name, value))
    }
}

/// Arguments with `{"$many": [3, v]}` and `{"$repeat": ["x", 3]}` written out.
pub(crate) fn written_out(value: &Value) -> Value {
    let Value::Object(fields) = value else {
        return value.clone();
    };
    let pair = |name: &str| {
        let pair = fields.get(name)?.as_array()?;
        Some((pair[0].clone(), pair[1].clone()))
    };
    if let Some((count, value)) = pair("$many") {
        let names = (1..=count.as_u64().unwrap()).map(|number| format!("k{number:04}"));
        return Value::Object(names.map(|name| (name, value.clone())).collect());
    }
    if let Some((text, times)) = pair("$repeat") {
        let times = usize::try_from(times.as_u64().unwrap()).unwrap();
        return Value::String(text.as_str().unwrap().repeat(times));
    }
    let fields = fields.iter();
    Value::Object(fields.map(|(name, value)| (name.clone(), written_out(value))).collect())
}
