//! `alerts`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `alerts`: where alerts go. Secrets are names of environment variables.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlertsConfig {
    /// How often each target may be used: `30s`, `5/min`, `1/1h30m`; empty for no limit.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub rate_limit_per_target: String,
    /// The targets, in the order callers see them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<AlertTarget>,
}

/// One entry of `alerts.targets`.
#[derive(Debug, Clone, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlertTarget {
    /// What callers name; unique.
    #[schemars(regex(pattern = r"^[A-Za-z0-9_-]{1,64}$"))]
    pub name: String,
    /// Empty or `webhook`.
    #[schemars(extend("enum" = ["", "webhook"]))]
    pub kind: String,
    /// The address; where it is a secret, use `url_env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub url: Option<String>,
    /// Name of the environment variable that holds the address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub url_env: Option<String>,
    /// The shape of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AlertTemplate")]
    pub template: Option<AlertTemplate>,
    /// The conversation to post to; `switchboard` only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub conversation: Option<String>,
    /// How to authenticate.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "AlertAuth")]
    pub auth: Option<AlertAuth>,
    /// What callers are told of this target.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Permits authentication over plain http.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_http: bool,
}

/// `alerts.targets[].template`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertTemplate {
    /// Plain JSON.
    Generic,
    /// A message to a conversation.
    Switchboard,
    /// A Slack webhook.
    Slack,
    /// A Discord webhook.
    Discord,
    /// An event of `PagerDuty`, version 2.
    PagerdutyEventsV2,
}

/// `alerts.targets[].auth`: one bearer token, or both halves of basic authentication.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct AlertAuth {
    /// Name of the environment variable that holds the bearer token.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bearer_env: String,
    /// Name of the environment variable that holds the user name.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub basic_env_user: String,
    /// Name of the environment variable that holds the password.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub basic_env_pass: String,
}
