//! The capability `toolgate:plugin/channels`: messages to the alert targets that the call was granted.
//! Called by guests through the linker.
//! Must not touch: anything that the guest could learn an address or a secret from.

use std::sync::Arc;

use serde_json::Value;

use super::alerts::{Alerts, MESSAGE, Message, template_name};
use super::bounds::NetworkBounds;
use super::failure::{Class, Failure};
use super::hops::Hops;
use super::threads::Egress;
use crate::sandbox::bindings::exports::toolgate::plugin::tool::GrantedChannel;
use crate::sandbox::bindings::toolgate::plugin::channels as wit;
use crate::sandbox::state::CallState;

/// The channels of one call, and what sending takes.
#[derive(Clone)]
pub(in crate::sandbox) struct CallChannels {
    pub(in crate::sandbox) bounds: Arc<NetworkBounds>,
    pub(in crate::sandbox) egress: Arc<Egress>,
    pub(in crate::sandbox) alerts: Arc<Alerts>,
    pub(in crate::sandbox) hops: Arc<Hops>,
    pub(in crate::sandbox) tool: Arc<str>,
    /// The name of the session that calls.
    pub(in crate::sandbox) session: Option<Arc<str>>,
    /// The arguments and the names that the gate approved.
    pub(in crate::sandbox) granted: Arc<[(String, String)]>,
}

impl CallChannels {
    /// What the guest hears of its channels.
    pub(in crate::sandbox) fn told(&self) -> Vec<GrantedChannel> {
        let granted = self.granted.iter();
        granted
            .filter_map(|(argument, name)| {
                let target = self.alerts.get(name)?;
                Some(GrantedChannel {
                    argument: argument.clone(),
                    name: name.clone(),
                    template: template_name(target.template).to_owned(),
                    conversation: target.conversation.clone(),
                })
            })
            .collect()
    }

    async fn send(&self, channel: &str, message: &str) -> Result<wit::Receipt, Failure> {
        if !self.granted.iter().any(|(_, name)| name == channel) {
            return Err(Failure::new(
                Class::Denied,
                "denied, this call was not granted the channel it wants to send to",
            ));
        }
        if message.len() > MESSAGE {
            return Err(Failure::new(
                Class::Limit,
                format!(
                    "the message has {} bytes; at most {MESSAGE} (64 KiB) can be sent",
                    message.len()
                ),
            ));
        }
        let Ok(Value::Object(body)) = crate::json::parse(message) else {
            return Err(Failure::new(Class::Invalid, "the message is no JSON object"));
        };
        let message = Message {
            target: channel,
            body,
            session: self.session.as_deref(),
            owner: Arc::clone(&self.tool),
            hops: Arc::clone(&self.hops),
        };
        let (status, took) = self.alerts.deliver(message, &self.bounds, &self.egress).await?;
        Ok(wit::Receipt {
            status,
            duration_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

impl wit::Host for CallState {
    async fn send(&mut self, channel: String, message: String) -> wasmtime::Result<Result<wit::Receipt, wit::Failure>> {
        let Some(channels) = &self.around.channels else {
            let failure = Failure::new(Class::Denied, "denied, this call was granted no channel");
            return Ok(Err(told(failure)));
        };
        Ok(channels.send(&channel, &message).await.map_err(told))
    }
}

fn told(failure: Failure) -> wit::Failure {
    wit::Failure {
        kind: match failure.class {
            Class::Denied => wit::FailureKind::Denied,
            Class::Invalid => wit::FailureKind::Invalid,
            Class::Limit => wit::FailureKind::Limit,
            Class::Deadline => wit::FailureKind::Deadline,
            Class::Dns | Class::Connect | Class::Tls | Class::Protocol => wit::FailureKind::Unavailable,
        },
        message: failure.message,
    }
}
