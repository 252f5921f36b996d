//! What an approval says of other machines, made into capabilities.

use std::sync::Arc;

use super::bindings::exports::toolgate::plugin::tool as wit;
use super::component::Source;
use super::network::{CallChannels, CallUrls, DenyRules};
use super::run::Job;

impl Job<'_> {
    /// Whether the call may wait for other machines.
    pub(super) fn goes_outward(&self) -> bool {
        let tool = self.definition.name.as_str();
        let approval = &self.approval;
        !approval.urls.is_empty() || !approval.channels.is_empty() || self.bounds.network.is_plugin(tool)
    }

    /// What the call may request: the URLs that were approved, and what the operator granted the
    /// tool. A plugin of others that has neither gets the means all the same, so that what it tries
    /// is refused with a reason and on record.
    pub(super) fn urls(&self) -> Option<CallUrls> {
        let approved = &self.approval.urls;
        let tool = self.definition.name.as_str();
        let network = &self.bounds.network;
        let builtin = matches!(self.plugin.source(), Source::Builtin(_));
        if builtin && approved.is_empty() && !network.is_plugin(tool) {
            return None;
        }
        Some(CallUrls {
            bounds: Arc::clone(network),
            egress: Arc::clone(&self.egress),
            connections: Arc::clone(&self.connections),
            hops: Arc::clone(&self.hops),
            rules: DenyRules {
                tool: tool.into(),
                rules: self.approval.exclusions.clone().into(),
            },
            granted: approved
                .iter()
                .map(|approved| (approved.url.clone(), approved.operations.send))
                .collect(),
        })
    }

    /// The same in the words of the boundary.
    pub(super) fn granted_urls(&self) -> Vec<wit::GrantedUrl> {
        let approved = self.approval.urls.iter();
        approved
            .map(|approved| wit::GrantedUrl {
                argument: approved.argument.clone(),
                position: u32::try_from(approved.position).unwrap_or(u32::MAX),
                url: approved.url.to_string(),
            })
            .collect()
    }

    /// Where the call may send messages, if anywhere.
    pub(super) fn channels(&self) -> Option<CallChannels> {
        let approved = &self.approval.channels;
        if approved.is_empty() {
            return None;
        }
        Some(CallChannels {
            bounds: Arc::clone(&self.bounds.network),
            egress: Arc::clone(&self.egress),
            alerts: Arc::clone(&self.alerts),
            hops: Arc::clone(&self.hops),
            tool: self.definition.name.as_str().into(),
            session: Some(self.session_name.into()),
            granted: approved
                .iter()
                .map(|approved| (approved.argument.clone(), approved.name.clone()))
                .collect(),
        })
    }
}
