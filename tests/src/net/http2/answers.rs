//! The answers by path.

use std::sync::Arc;
use std::time::Duration;

use hyper::Response;
use hyper::body::Bytes;
use serde_json::json;
use tokio::sync::Notify;

use super::flow::{Broken, Flow, Pieces, flow};
use crate::net::request::Request;

/// The answer to a request. `goaway` ends the connection.
pub(super) fn answer(request: &Request, goaway: &Arc<Notify>) -> Response<Flow> {
    let (pieces, body) = flow();
    let mut response = Response::new(body);
    let mut parts = request.path().split('/').skip(1);
    let what = parts.next().unwrap_or_default();
    let number = parts.next().and_then(|number| number.parse::<usize>().ok());
    let goaway = Arc::clone(goaway);
    match what {
        "echo" => {
            let text = echo(request);
            put(&mut response, "content-type", "application/json");
            tokio::spawn(async move { send(&pieces, text).await });
        }
        "large" => {
            tokio::spawn(large(pieces, number.unwrap_or(1 << 20)));
        }
        "slow" => {
            let every = Duration::from_millis(number.unwrap_or(100) as u64);
            tokio::spawn(slow(pieces, every));
        }
        "stall" => {
            tokio::spawn(async move { pieces.closed().await });
        }
        "headers" => {
            let value = "v".repeat(1024);
            for index in 0..number.unwrap_or(100) {
                put(&mut response, &format!("x-flood-{index}"), &value);
            }
        }
        "reset" => {
            tokio::spawn(async move {
                send(&pieces, "r".repeat(1024)).await;
                // The first piece shall be on its way before the stream is reset.
                tokio::time::sleep(Duration::from_millis(50)).await;
                let _ = pieces.send(Err(Broken)).await;
            });
        }
        "goaway" => {
            tokio::spawn(async move {
                send(&pieces, "g".repeat(1024)).await;
                tokio::time::sleep(Duration::from_millis(50)).await;
                goaway.notify_one();
                pieces.closed().await;
            });
        }
        "redirect" => {
            let location = request.query().unwrap_or("/echo");
            *response.status_mut() = hyper::StatusCode::FOUND;
            put(&mut response, "location", location);
        }
        _ => *response.status_mut() = hyper::StatusCode::NOT_FOUND,
    }
    response
}

fn echo(request: &Request) -> String {
    let headers: Vec<[&str; 2]> = request
        .headers
        .iter()
        .map(|(name, value)| [name.as_str(), value.as_str()])
        .collect();
    json!({
        "method": request.method,
        "target": request.target,
        "version": request.version,
        "headers": headers,
        "body": String::from_utf8_lossy(&request.body),
    })
    .to_string()
}

async fn large(pieces: Pieces, mut left: usize) {
    let piece = Bytes::from(vec![b'l'; 16 << 10]);
    while left > 0 {
        let now = piece.slice(..left.min(piece.len()));
        left -= now.len();
        if pieces.send(Ok(now)).await.is_err() {
            return;
        }
    }
}

async fn slow(pieces: Pieces, every: Duration) {
    while pieces.send(Ok(Bytes::from_static(b"s"))).await.is_ok() {
        tokio::time::sleep(every).await;
    }
}

async fn send(pieces: &Pieces, text: String) {
    // A client that has left needs no answer.
    let _ = pieces.send(Ok(Bytes::from(text))).await;
}

fn put(response: &mut Response<Flow>, name: &str, value: &str) {
    let name = hyper::header::HeaderName::from_bytes(name.as_bytes()).expect("a header name");
    let value = value
        .parse()
        .unwrap_or_else(|error| panic!("{value:?} is not a header value: {error}"));
    response.headers_mut().insert(name, value);
}
