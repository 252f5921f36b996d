//! Answers that send the client elsewhere.

use super::plain::{answer, ok, status};
use crate::net::request::Request;
use crate::net::script::Script;

/// A redirect with this status code.
pub fn redirect(code: u16, location: &str) -> Script {
    answer(
        code,
        &[("Location", location), ("Content-Type", "text/plain")],
        "moved\n",
    )
}

/// A redirect of a target to itself.
pub fn redirect_loop(request: &Request) -> Script {
    redirect(302, &request.target)
}

/// `/hop/3` leads to `/hop/2` and so on; `/hop/0` is a page. A client that
/// starts at `/hop/n` makes n + 1 requests.
pub fn redirect_chain(request: &Request) -> Script {
    let left = request
        .path()
        .strip_prefix("/hop/")
        .and_then(|left| left.parse::<u32>().ok());
    match left {
        Some(0) => ok("arrived\n", "text/plain"),
        Some(left) => redirect(302, &format!("/hop/{}", left - 1)),
        None => status(404, "not a hop\n"),
    }
}

/// A page with the `Refresh` header, which only browsers follow.
pub fn refresh_header(location: &str) -> Script {
    let refresh = format!("0; url={location}");
    answer(
        200,
        &[("Content-Type", "text/html"), ("Refresh", &refresh)],
        "<p>stay</p>",
    )
}

/// An HTML page that asks a browser to go elsewhere.
pub fn meta_refresh(location: &str) -> Script {
    let page =
        format!("<html><head><meta http-equiv=\"refresh\" content=\"0; url={location}\"></head><p>stay</p></html>");
    ok(page, "text/html; charset=utf-8")
}
