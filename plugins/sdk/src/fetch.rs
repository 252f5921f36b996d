//! Requests for the URLs that a call was granted.

use crate::bindings::toolgate::plugin::fetch as host;
use crate::{Error, ErrorKind};

/// One URL that an argument named and the call was granted.
#[derive(Debug, Clone)]
pub struct GrantedUrl<'call> {
    number: u32,
    url: &'call str,
    headers: Vec<(String, String)>,
}

impl<'call> GrantedUrl<'call> {
    pub(crate) fn new(number: u32, url: &'call str) -> Self {
        Self {
            number,
            url,
            headers: Vec::new(),
        }
    }

    /// The URL as it will be requested.
    pub fn as_str(&self) -> &'call str {
        self.url
    }

    /// Adds a header: `accept`, `accept-language` or `range`; the host refuses others.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Requests it and follows redirects; waits for the head of the response.
    ///
    /// # Errors
    ///
    /// The host refuses it, or the other side cannot be reached.
    pub fn get(&self) -> Result<Response, Error> {
        let response = host::get(self.number, &self.headers)?;
        Ok(Response {
            headers: response.headers(),
            response,
        })
    }
}

/// A response whose body is read piece by piece.
#[derive(Debug)]
pub struct Response {
    response: host::Response,
    headers: Vec<(String, Vec<u8>)>,
}

impl Response {
    /// The URL that answered, after redirects.
    pub fn url(&self) -> String {
        self.response.url()
    }

    /// The status, for example 200.
    pub fn status(&self) -> u16 {
        self.response.status()
    }

    /// The first header of this name, in lower case; bytes beyond ASCII are replaced.
    pub fn header(&self, name: &str) -> Option<String> {
        let mut headers = self.headers.iter();
        let (_, value) = headers.find(|(found, _)| found == name)?;
        Some(String::from_utf8_lossy(value).into_owned())
    }

    /// Bytes of the body as it is read here, where the other side said so.
    pub fn declared_bytes(&self) -> Option<u64> {
        self.response.declared_bytes()
    }

    /// The next bytes of the body, decoded, at most `most`; none at its end.
    ///
    /// # Errors
    ///
    /// The body ends too early, is too large, or time is over.
    pub fn read(&self, most: usize) -> Result<Vec<u8>, Error> {
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        Ok(self.response.read(most)?)
    }

    /// The body, at most `most` bytes of it, and whether that is all.
    ///
    /// # Errors
    ///
    /// As for [`Self::read`].
    pub fn read_to(&self, most: usize) -> Result<(Vec<u8>, bool), Error> {
        let mut body = Vec::new();
        while body.len() < most {
            let piece = self.read(most - body.len())?;
            if piece.is_empty() {
                return Ok((body, true));
            }
            body.extend_from_slice(&piece);
        }
        let whole = self.read(1)?.is_empty();
        Ok((body, whole))
    }
}

/// The most bytes of a body that the result of a call should hold.
pub fn body_limit() -> usize {
    usize::try_from(host::body_limit()).unwrap_or(usize::MAX)
}

impl From<host::Failure> for Error {
    fn from(failure: host::Failure) -> Self {
        let kind = match failure.kind {
            host::FailureKind::Denied => ErrorKind::Denied,
            host::FailureKind::Invalid => ErrorKind::InvalidArguments,
            host::FailureKind::Limit => ErrorKind::Limit,
            host::FailureKind::Deadline => ErrorKind::Deadline,
            host::FailureKind::Unavailable => ErrorKind::Unavailable,
        };
        Self::new(kind, failure.message)
    }
}
