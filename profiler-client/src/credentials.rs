//! Credentials that a client shows the profiler, and certificates that it accepts from it.

use crate::error::Error;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::net::IpAddr;
use tonic::metadata::AsciiMetadataValue;
use tonic::service::Interceptor;
use tonic::transport::{Certificate, ClientTlsConfig, Identity, Uri};
use tonic::{Request, Status};

/// The metadata entry with the token.
const AUTHORIZATION: &str = "authorization";

/// Credentials that a client shows the profiler, and certificates that it accepts from it.
///
/// Certificates and keys are in PEM. Its `Debug` shows neither the token nor the key.
#[derive(Clone, Default)]
pub struct Credentials {
    ca: Option<Vec<u8>>,
    identity: Option<(Vec<u8>, Vec<u8>)>,
    token: Option<String>,
}

impl Credentials {
    /// Creates credentials that show nothing and trust the system's authorities.
    pub fn new() -> Self {
        Self::default()
    }

    /// Trusts these authorities instead of the system's. One text can contain several certificates.
    #[must_use]
    pub fn ca(mut self, certificates: impl Into<Vec<u8>>) -> Self {
        self.ca = Some(certificates.into());
        self
    }

    /// Shows this certificate, with its chain, and proves that it has the key.
    #[must_use]
    pub fn certificate(mut self, certificate: impl Into<Vec<u8>>, key: impl Into<Vec<u8>>) -> Self {
        self.identity = Some((certificate.into(), key.into()));
        self
    }

    /// Sends this token with every call, as `authorization: Bearer TOKEN`.
    #[must_use]
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Returns the TLS configuration for an `https` endpoint.
    pub(crate) fn tls(&self) -> Result<ClientTlsConfig, Error> {
        let mut tls = ClientTlsConfig::new();
        tls = match &self.ca {
            Some(pem) => {
                check_certificates("ca", pem)?;
                tls.ca_certificate(Certificate::from_pem(pem))
            }
            None => tls.with_native_roots(),
        };
        let Some((certificate, key)) = &self.identity else { return Ok(tls) };
        check_certificates("certificate", certificate)?;
        PrivateKeyDer::from_pem_slice(key)
            .map_err(|_| wrong("key", "must be a private key in PEM"))?;
        Ok(tls.identity(Identity::from_pem(certificate, key)))
    }

    /// Checks that no part of the credentials needs TLS.
    pub(crate) fn without_tls(&self) -> Result<(), Error> {
        let needs_tls = |field| Err(wrong(field, "requires an endpoint https://HOST:PORT"));
        match self {
            Self { ca: Some(_), .. } => needs_tls("ca"),
            Self { identity: Some(_), .. } => needs_tls("certificate"),
            _ => Ok(()),
        }
    }

    /// Returns the token in the form in which it is sent.
    pub(crate) fn authorization(&self) -> Result<Authorization, Error> {
        let Some(token) = &self.token else { return Ok(Authorization(None)) };
        let sendable = !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
        let value = format!("Bearer {token}").parse::<AsciiMetadataValue>().ok();
        let value = value.filter(|_| sendable);
        let mut value =
            value.ok_or_else(|| wrong("token", "must be visible ASCII without spaces"))?;
        value.set_sensitive(true);
        Ok(Authorization(Some(value)))
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Credentials")
            .field("ca", &self.ca.is_some())
            .field("certificate", &self.identity.is_some())
            .field("token", &self.token.is_some())
            .finish()
    }
}

/// Adds the token to every call. It is marked as sensitive, so its `Debug` hides it and HTTP/2 does
/// not index it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Authorization(Option<AsciiMetadataValue>);

impl Authorization {
    /// Checks that no other host can read the token on its way to a plaintext endpoint.
    pub(crate) fn check_plaintext(&self, endpoint: &str, uri: &Uri) -> Result<(), Error> {
        if self.0.is_none() || is_loopback(uri) {
            return Ok(());
        }
        Err(Error::PlaintextToken(endpoint.to_owned()))
    }
}

impl Interceptor for Authorization {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            request.metadata_mut().insert(AUTHORIZATION, value.clone());
        }
        Ok(request)
    }
}

/// Whether a URI is on the loopback of this host. `localhost` always is: RFC 6761, section 6.3.
fn is_loopback(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Checks that a text has at least one certificate, and no malformed one, which the transport would
/// ignore.
fn check_certificates(field: &'static str, pem: &[u8]) -> Result<(), Error> {
    let mut found = CertificateDer::pem_slice_iter(pem).peekable();
    if found.peek().is_none() || found.any(|certificate| certificate.is_err()) {
        return Err(wrong(field, "must be a certificate in PEM"));
    }
    Ok(())
}

fn wrong(field: &'static str, problem: &'static str) -> Error {
    Error::Credentials { field, problem }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_this_host_alone() {
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "127.9.9.9", "[::1]"] {
            assert!(is_loopback(&format!("http://{host}:1").parse().unwrap()), "{host}");
        }
        for host in [
            "localhost.example.com",
            "127.0.0.1.example.com",
            "localhost@example.com",
            "0.0.0.0",
            "10.0.0.1",
            "[::ffff:10.0.0.1]",
            "[2001:db8::1]",
        ] {
            assert!(!is_loopback(&format!("http://{host}:1").parse().unwrap()), "{host}");
        }
    }

    #[test]
    fn debug_shows_no_secret() {
        let credentials = Credentials::new().certificate("cert", "s3cret").token("s3cret");
        let shown = format!("{credentials:?} {:?}", credentials.authorization().unwrap());
        assert!(shown.contains("token: true") && shown.contains("Sensitive"), "{shown}");
        assert!(!shown.contains("s3cret") && !shown.contains("115"), "{shown}");
    }

    #[test]
    fn tokens_that_cannot_be_sent_are_refused_and_not_shown() {
        for token in ["", "two words", "line\n", "s\u{e9}cret", "null\0"] {
            let refused = Credentials::new().token(token).authorization().unwrap_err();
            let said = format!("{refused} {refused:?}");
            assert!(said.contains("visible ASCII"), "{said}");
            assert!(token.is_empty() || !said.contains(token), "{said}");
        }
    }
}
