//! Requests and responses of HTTP/1.1, as far as the page needs them.
//!
//! The parser is `httparse`. Everything has a limit: the head, the body, and the time for both. A connection carries
//! one request.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::limits::{MAX_BODY, MAX_HEAD, MAX_HEADERS, REQUEST_SECONDS};

/// A request.
#[derive(Debug)]
pub struct Call {
    /// Its method.
    pub method: String,
    /// Its target: path and query, as sent.
    pub target: String,
    /// Its headers, with names in lower case.
    headers: Vec<(String, String)>,
    /// Its body.
    pub body: Vec<u8>,
}

/// The reason to refuse a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The connection was closed, or the request was too slow. There is nobody to answer.
    Gone,
    /// It is not a request of HTTP/1.1 that the page sends.
    Malformed,
    /// It is too large.
    TooLarge,
}

impl From<io::Error> for Refusal {
    fn from(_: io::Error) -> Self {
        Refusal::Gone
    }
}

impl Call {
    /// Reads a request.
    ///
    /// # Errors
    /// Fails if it is malformed, too large or too slow.
    pub fn read(stream: &mut TcpStream) -> Result<Self, Refusal> {
        let deadline = Instant::now() + Duration::from_secs(REQUEST_SECONDS);
        let mut bytes = Vec::with_capacity(1024);
        let (mut call, start, length) = loop {
            if let Some(head) = Self::head(&bytes)? {
                break head;
            }
            if bytes.len() >= MAX_HEAD {
                return Err(Refusal::TooLarge);
            }
            receive(stream, &mut bytes, MAX_HEAD, deadline)?;
        };
        if length > MAX_BODY {
            return Err(Refusal::TooLarge);
        }
        while bytes.len() < start + length {
            receive(stream, &mut bytes, start + length, deadline)?;
        }
        call.body = bytes.get(start..start + length).unwrap_or_default().to_vec();
        Ok(call)
    }

    /// Parses the head in `bytes`. Returns it with its length and that of the body, or `None` if it is incomplete.
    fn head(bytes: &[u8]) -> Result<Option<(Self, usize, usize)>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut headers);
        let start = match request.parse(bytes) {
            Ok(httparse::Status::Complete(start)) => start,
            Ok(httparse::Status::Partial) => return Ok(None),
            Err(httparse::Error::TooManyHeaders) => return Err(Refusal::TooLarge),
            Err(_) => return Err(Refusal::Malformed),
        };
        let (Some(method), Some(target), Some(1)) = (request.method, request.path, request.version) else {
            return Err(Refusal::Malformed);
        };
        let mut call =
            Call { method: method.to_owned(), target: target.to_owned(), headers: Vec::new(), body: Vec::new() };
        for header in request.headers.iter() {
            let value = std::str::from_utf8(header.value).map_err(|_| Refusal::Malformed)?;
            call.headers.push((header.name.to_ascii_lowercase(), value.to_owned()));
        }
        // Bodies of another form, and headers that two readers could understand differently.
        let single = ["host", "origin", "cookie", "content-length", "content-type"];
        if call.header("transfer-encoding").is_some() || single.iter().any(|name| call.count(name) > 1) {
            return Err(Refusal::Malformed);
        }
        let length = match call.header("content-length") {
            None => 0,
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() => {
                digits.parse().map_err(|_| Refusal::TooLarge)?
            }
            Some(_) => return Err(Refusal::Malformed),
        };
        Ok(Some((call, start, length)))
    }

    /// Returns the value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    fn count(&self, name: &str) -> usize {
        self.headers.iter().filter(|(known, _)| known == name).count()
    }

    /// Returns the value of a cookie.
    pub fn cookie(&self, name: &str) -> Option<&str> {
        let pairs = self.header("cookie")?.split(';').filter_map(|pair| pair.trim().split_once('='));
        pairs.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// Receives more bytes, up to `most` in total.
fn receive(stream: &mut TcpStream, bytes: &mut Vec<u8>, most: usize, deadline: Instant) -> Result<(), Refusal> {
    let left = deadline.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(Refusal::Gone)?;
    stream.set_read_timeout(Some(left))?;
    let mut buffer = [0; 4096];
    let room = most.saturating_sub(bytes.len()).min(buffer.len());
    let count = stream.read(&mut buffer[..room])?;
    if count == 0 {
        return Err(Refusal::Gone);
    }
    bytes.extend_from_slice(&buffer[..count]);
    Ok(())
}

/// The policy of the page: style, script and messages of this server alone.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A response.
pub struct Response<'a> {
    /// Status code and phrase.
    pub status: &'a str,
    /// Type of the body.
    pub kind: &'a str,
    /// Further headers, each with its line end.
    pub more: &'a str,
    /// The body.
    pub body: &'a [u8],
}

impl Response<'_> {
    /// Sends it.
    ///
    /// # Errors
    /// Fails if the connection is closed.
    pub fn send(&self, stream: &mut TcpStream) -> io::Result<()> {
        let Response { status, kind, more, body } = self;
        let head = head(status, kind, &format!("Content-Length: {}\r\n{more}", body.len()));
        let mut bytes = Vec::with_capacity(head.len() + body.len());
        bytes.extend_from_slice(head.as_bytes());
        bytes.extend_from_slice(body);
        stream.write_all(&bytes)?;
        stream.flush()
    }
}

/// Returns the head of a response with the headers that every response has.
pub fn head(status: &str, kind: &str, more: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Referrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Cross-Origin-Opener-Policy: same-origin\r\nContent-Security-Policy: {POLICY}\r\nConnection: close\r\n\
         {more}\r\n"
    )
}
