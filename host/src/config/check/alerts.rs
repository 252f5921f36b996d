//! `alerts`: each target can be reached and authenticated in exactly one way. No
//! environment variable is read here.

use std::collections::BTreeSet;

use super::complaint::Complaint;
use crate::config::key_path::KeyPath;
use crate::config::rate::Rate;
use crate::config::schema::{AlertAuth, AlertTarget, AlertTemplate, AlertsConfig};

pub(super) fn check(alerts: &AlertsConfig, found: &mut Vec<Complaint>) {
    if !alerts.rate_limit_per_target.trim().is_empty()
        && let Err(reason) = alerts.rate_limit_per_target.parse::<Rate>()
    {
        found.push(Complaint::error(KeyPath::of("alerts.rate_limit_per_target"), reason));
    }
    let mut names = BTreeSet::new();
    for (index, target) in alerts.targets.iter().enumerate() {
        let place = KeyPath::of("alerts.targets").index(index);
        if target.name.is_empty() {
            found.push(Complaint::error(place.key("name"), "it is missing"));
        } else if !names.insert(&target.name) {
            let text = format!("the name {:?} is given twice", target.name);
            found.push(Complaint::error(place.key("name"), text));
        }
        for (key, reason) in complaints(target) {
            let text = format!("target {:?}: {reason}", target.name);
            found.push(Complaint::error(place.key(key), text));
        }
    }
}

fn complaints(target: &AlertTarget) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    match (&target.url, &target.url_env) {
        (None, None) => found.push(("url", "give url or url_env".to_owned())),
        (Some(_), Some(_)) => found.push(("url", "give either url or url_env, not both".to_owned())),
        (Some(url), None) => {
            if !is_http(url) {
                found.push(("url", "it is no http or https URL with a host".to_owned()));
            } else if target.auth.is_some() && !url.to_ascii_lowercase().starts_with("https:") && !target.allow_http {
                found.push((
                    "url",
                    "it would send a secret over plain http; use https, or set allow_http".to_owned(),
                ));
            }
        }
        (None, Some(_)) => {}
    }
    let is_switchboard = target.template == Some(AlertTemplate::Switchboard);
    match (&target.template, &target.conversation) {
        (None, _) => found.push((
            "template",
            "it is missing; use generic, switchboard, slack, discord or pagerduty_events_v2".to_owned(),
        )),
        (_, None) if is_switchboard => found.push(("conversation", "switchboard needs one".to_owned())),
        (_, Some(_)) if !is_switchboard => found.push(("conversation", "only switchboard has one".to_owned())),
        (_, Some(text)) if text.is_empty() || text.chars().any(|char| char.is_whitespace() || char.is_control()) => {
            found.push((
                "conversation",
                "it is empty, or contains a blank or a control character".to_owned(),
            ));
        }
        _ => {}
    }
    if let Some(auth) = &target.auth
        && let Err(reason) = well_formed(auth)
    {
        found.push(("auth", reason));
    }
    let has_bearer = target.auth.as_ref().is_some_and(|auth| !auth.bearer_env.is_empty());
    if matches!(
        target.template,
        Some(AlertTemplate::Switchboard | AlertTemplate::PagerdutyEventsV2)
    ) && !has_bearer
    {
        found.push(("auth", "this template needs bearer_env".to_owned()));
    }
    found
}

fn well_formed(auth: &AlertAuth) -> Result<(), String> {
    let given = |text: &str| !text.is_empty();
    match (
        given(&auth.bearer_env),
        given(&auth.basic_env_user),
        given(&auth.basic_env_pass),
    ) {
        (true, false, false) | (false, true, true) => Ok(()),
        (false, false, false) => Err("it is empty; give bearer_env, or basic_env_user and basic_env_pass".to_owned()),
        (true, _, _) => Err("it has bearer_env and half or all of basic_env_*; keep one way".to_owned()),
        _ => Err("basic_env_user and basic_env_pass belong together".to_owned()),
    }
}

fn is_http(url: &str) -> bool {
    let Some((scheme, rest)) = url.split_once("://") else {
        return false;
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
        && !host.is_empty()
        && !host.starts_with(':')
        && !url.chars().any(|char| char.is_whitespace() || char.is_control())
}
