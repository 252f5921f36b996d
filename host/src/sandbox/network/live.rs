//! One alert target: where it leads now and what authenticates, read from the environment each time.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};

use super::bounds::Variables;
use crate::config::{AlertAuth, AlertTarget, AlertTemplate};
use crate::scope::web::WebUrl;

/// Where a message goes.
pub(super) struct Destination {
    pub(super) url: WebUrl,
    pub(super) headers: HeaderMap,
    /// Goes into the message itself, where the receiver wants it there.
    pub(super) routing_key: Option<String>,
}

/// The header in which a receiver of conversations learns which session writes.
const SESSION: HeaderName = HeaderName::from_static("x-agent-session");

/// Resolves a target.
///
/// # Errors
/// Which variable is missing or what is wrong with what it holds, without the value.
pub(super) fn destination(
    target: &AlertTarget,
    session: Option<&str>,
    variables: &Variables,
) -> Result<Destination, String> {
    let (text, place) = match (&target.url, &target.url_env) {
        (Some(url), _) => (url.clone(), "its url".to_owned()),
        (None, Some(name)) => (variable(name, variables)?, format!("the value of {name}")),
        (None, None) => return Err("it has neither url nor url_env".to_owned()),
    };
    // What is wrong is told; the text is a secret.
    let url = WebUrl::parse(text.trim())
        .map_err(|_| format!("{place} is no http or https URL with a host, in the form that browsers show"))?;
    let mut headers = HeaderMap::new();
    let mut routing_key = None;
    if let Some(auth) = &target.auth {
        if !url.is_https() && !target.allow_http {
            return Err(format!(
                "{place} is plain http, which would show its credentials to others; use https, or set allow_http"
            ));
        }
        let credentials = credentials(auth, variables)?;
        match (target.template, credentials) {
            (Some(AlertTemplate::PagerdutyEventsV2), Credentials::Bearer(key)) => routing_key = Some(key),
            (_, credentials) => {
                headers.insert(AUTHORIZATION, credentials.header()?);
            }
        }
    }
    if target.template == Some(AlertTemplate::Switchboard)
        && let Some(session) = session
        && let Ok(value) = HeaderValue::from_str(session)
    {
        headers.insert(SESSION, value);
    }
    Ok(Destination {
        url,
        headers,
        routing_key,
    })
}

enum Credentials {
    Bearer(String),
    Basic(String, String),
}

impl Credentials {
    fn header(&self) -> Result<HeaderValue, String> {
        let text = match self {
            Self::Bearer(token) => format!("Bearer {token}"),
            Self::Basic(user, password) => {
                let both = STANDARD.encode(format!("{user}:{password}"));
                format!("Basic {both}")
            }
        };
        let mut value =
            HeaderValue::from_str(&text).map_err(|_| "its credentials contain control characters".to_owned())?;
        value.set_sensitive(true);
        Ok(value)
    }
}

fn credentials(auth: &AlertAuth, variables: &Variables) -> Result<Credentials, String> {
    if !auth.bearer_env.is_empty() {
        return Ok(Credentials::Bearer(
            variable(&auth.bearer_env, variables)?.trim().to_owned(),
        ));
    }
    Ok(Credentials::Basic(
        variable(&auth.basic_env_user, variables)?,
        variable(&auth.basic_env_pass, variables)?,
    ))
}

fn variable(name: &str, variables: &Variables) -> Result<String, String> {
    let value = variables(name).filter(|value| !value.trim().is_empty());
    value.ok_or_else(|| format!("the environment variable {name} is not set, or blank"))
}
