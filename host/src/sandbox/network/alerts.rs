//! The targets of alerts: which of them can be reached, and how often.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::bounds::{NetworkBounds, Variables};
use super::deadline::Deadline;
use super::egress::{Admission, Route};
use super::failure::{Class, Failure};
use super::hops::Hops;
use super::live::destination;
use super::pool::Connections;
use super::request::Outgoing;
use super::threads::Egress;
use crate::config::{AlertTarget, AlertTemplate, AlertsConfig, Rate};
use crate::sandbox::work::AbortOnDrop;

/// How long the delivery of one message may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Bytes of a message at most.
pub(super) const MESSAGE: usize = 64 << 10;

/// The alert targets of a host. Which of them are live is found once, when it starts.
#[derive(Default)]
pub(crate) struct Alerts {
    live: Vec<AlertTarget>,
    rate: Option<Rate>,
    buckets: Mutex<HashMap<String, Bucket>>,
}

/// What is left of what a target may get.
struct Bucket {
    tokens: f64,
    at: Instant,
}

/// One message on its way.
pub(super) struct Message<'a> {
    pub(super) target: &'a str,
    pub(super) body: Map<String, Value>,
    pub(super) session: Option<&'a str>,
    pub(super) owner: Arc<str>,
    pub(super) hops: Arc<Hops>,
}

impl Alerts {
    /// The targets that can be reached, and for each other one a line that says why it cannot.
    pub(crate) fn new(config: &AlertsConfig, variables: &Variables) -> (Self, Vec<String>) {
        let mut remarks = Vec::new();
        let mut live = Vec::new();
        for target in &config.targets {
            match destination(target, None, variables) {
                Ok(found) => {
                    if !found.url.is_https() && target.auth.is_some() {
                        remarks.push(format!(
                            "the alert target {:?} sends its credentials over plain http, as allow_http says",
                            target.name
                        ));
                    }
                    live.push(target.clone());
                }
                Err(reason) => remarks.push(format!("the alert target {:?} is left out: {reason}", target.name)),
            }
        }
        if live.is_empty() && !config.targets.is_empty() {
            remarks.push("no alert target is left: nobody can be alerted, and there is no tool alert".to_owned());
        }
        let alerts = Self {
            live,
            rate: config.rate_limit_per_target.parse().ok(),
            buckets: Mutex::default(),
        };
        (alerts, remarks)
    }

    /// Names and descriptions, in the operator's order.
    pub(crate) fn channels(&self) -> impl Iterator<Item = (&str, &str)> {
        let live = self.live.iter();
        live.map(|target| (target.name.as_str(), target.description.as_str()))
    }

    /// The names alone.
    pub(crate) fn names(&self) -> Arc<[String]> {
        self.live.iter().map(|target| target.name.clone()).collect()
    }

    /// Whether nobody can be alerted.
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&AlertTarget> {
        self.live.iter().find(|target| target.name == name)
    }

    /// Delivers a message; the status of the answer, and how long it took. Everything that can fail
    /// without sending fails before it counts against the target.
    pub(super) async fn deliver(
        &self,
        message: Message<'_>,
        bounds: &Arc<NetworkBounds>,
        egress: &Egress,
    ) -> Result<(u16, Duration), Failure> {
        let name = message.target;
        let fail = |class, reason: String| Failure::new(class, format!("target {name:?}: {reason}"));
        let target = self.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.channels().map(|(name, _)| name).collect();
            fail(Class::Denied, format!("unknown; the targets are {}", known.join(", ")))
        })?;
        let destination = destination(target, message.session, &bounds.variables)
            .map_err(|reason| fail(Class::Connect, format!("nothing was sent: {reason}")))?;
        let mut body = message.body;
        if let Some(key) = destination.routing_key {
            body.insert("routing_key".to_owned(), Value::String(key));
        }
        let text = Value::Object(body).to_string();
        if text.len() > MESSAGE {
            let text = format!(
                "the message has {} bytes with what this host adds; at most {MESSAGE} (64 KiB) can be sent",
                text.len()
            );
            return Err(fail(Class::Limit, text));
        }
        self.take_token(name).map_err(|wait| {
            let text = format!(
                "its rate limit is used up; the next message can be sent in {} s, or to another target now",
                wait.as_secs_f64().ceil().max(1.0)
            );
            fail(Class::Limit, text)
        })?;
        let route = Route {
            bounds: Arc::clone(bounds),
            // What goes to a channel shares no connection with anything else.
            connections: Arc::new(Connections::default()),
            owner: message.owner,
            hops: message.hops,
            deadline: Deadline::after(PATIENCE),
            admission: Admission::Chosen,
        };
        let started = Instant::now();
        let outgoing = Outgoing::post_json(text, destination.headers);
        let url = destination.url;
        let task = AbortOnDrop(
            egress
                .runtime()?
                .spawn(async move { route.exchange(&url, outgoing).await }),
        );
        let exchanged = task
            .await
            .map_err(|error| fail(Class::Protocol, format!("the request broke down: {error}")))?;
        // The reasons of the client name the address, which may be a secret.
        let exchanged = exchanged.map_err(|failure| {
            tracing::warn!(
                target = name,
                class = failure.class.as_str(),
                "an alert was not delivered"
            );
            fail(failure.class, format!("not delivered ({})", failure.class.as_str()))
        })?;
        let status = exchanged.head.status.as_u16();
        if exchanged.head.status.is_success() {
            return Ok((status, started.elapsed()));
        }
        let reason = if exchanged.head.status.is_redirection() {
            format!(
                "not delivered (status): it answered {status}, a redirect, and messages are never sent on to another place"
            )
        } else {
            format!("not delivered (status): it answered {status}")
        };
        Err(fail(Class::Protocol, reason))
    }

    /// Takes one message off what a target may get; otherwise how long until the next one.
    fn take_token(&self, target: &str) -> Result<(), Duration> {
        let Some(rate) = self.rate else {
            return Ok(());
        };
        let most = f64::from(rate.count);
        let per_second = most / rate.window.as_secs_f64();
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let bucket = buckets
            .entry(target.to_owned())
            .or_insert(Bucket { tokens: most, at: now });
        let refilled = bucket.tokens + now.duration_since(bucket.at).as_secs_f64() * per_second;
        bucket.tokens = refilled.min(most);
        bucket.at = now;
        if bucket.tokens >= 1.0 {
            bucket.tokens -= 1.0;
            return Ok(());
        }
        Err(Duration::from_secs_f64((1.0 - bucket.tokens) / per_second))
    }
}

/// The template's name, as configurations write it.
pub(super) fn template_name(template: Option<AlertTemplate>) -> &'static str {
    match template {
        Some(AlertTemplate::Switchboard) => "switchboard",
        Some(AlertTemplate::Slack) => "slack",
        Some(AlertTemplate::Discord) => "discord",
        Some(AlertTemplate::PagerdutyEventsV2) => "pagerduty_events_v2",
        Some(AlertTemplate::Generic) | None => "generic",
    }
}
