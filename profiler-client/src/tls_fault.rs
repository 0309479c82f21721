//! TLS faults, recognized in the errors of the transport.

use rustls::{AlertDescription, CertificateError};
use std::error::Error;
use std::io;
use std::iter;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::transport::Uri;

/// The alerts with which a server refuses a client's certificate: RFC 8446, section 6.2.
const REFUSALS: [AlertDescription; 9] = [
    AlertDescription::BadCertificate,
    AlertDescription::UnsupportedCertificate,
    AlertDescription::CertificateRevoked,
    AlertDescription::CertificateExpired,
    AlertDescription::CertificateUnknown,
    AlertDescription::UnknownCA,
    AlertDescription::AccessDenied,
    AlertDescription::DecryptError,
    AlertDescription::CertificateRequired,
];

/// Time limit for the server to answer the probe.
const PROBE_TIMEOUT: Duration = Duration::from_secs(2);
/// Default port of `http`.
const PORT: u16 = 80;
/// Connection preface of HTTP/2 (RFC 9113, section 3.4), followed by empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// Start of a TLS alert: the content type and the major version (RFC 8446, section 5.1).
const ALERT: [u8; 2] = [21, 3];

/// TLS fault between the client and the profiler. Another attempt cannot help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TlsFault {
    /// No trusted authority signed the profiler's certificate.
    #[error("no trusted authority signed the server's certificate")]
    Untrusted,
    /// The profiler's certificate is for another name.
    #[error("the server's certificate is for another name")]
    WrongName,
    /// The profiler's certificate has expired, or is not valid yet.
    #[error("the server's certificate has expired, or is not valid yet")]
    Expired,
    /// The profiler's certificate is wrong in another way.
    #[error("the server's certificate is wrong")]
    BadCertificate,
    /// The profiler requires a client certificate.
    #[error("the server requires a client certificate")]
    CertificateRequired,
    /// The profiler refuses the client's certificate, or the TLS parameters that the client
    /// proposes.
    #[error("the server refuses this client's certificate or TLS")]
    Refused,
    /// The client's key does not belong to its certificate.
    #[error("the key does not belong to the client's certificate")]
    KeyMismatch,
    /// The other end of an `https` endpoint does not speak TLS.
    #[error("the server does not speak TLS")]
    Plaintext,
    /// The other end of an `http` endpoint speaks TLS.
    #[error("the server speaks TLS")]
    Encrypted,
}

impl TlsFault {
    /// Finds the TLS fault in an error or its causes, and returns it with the transport's message.
    pub(crate) fn find(error: &(dyn Error + 'static)) -> Option<(Self, String)> {
        let mut causes = iter::successors(Some(error), |&cause| cause.source());
        causes.find_map(|cause| {
            let Some(io) = cause.downcast_ref::<io::Error>() else {
                let tls = cause.downcast_ref::<rustls::Error>()?;
                return Some((Self::of(tls)?, tls.to_string()));
            };
            // The `source` of an I/O error skips the error that it wraps, and is that error's
            // source.
            match io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
                Some(tls) => Some((Self::of(tls)?, tls.to_string())),
                None => Self::of_alert(io),
            }
        })
    }

    /// Finds the fault in an alert that came after the handshake: with TLS 1.3, a server judges the
    /// client's certificate only then. The HTTP/2 layer receives the alert, and keeps only the text
    /// of the error.
    fn of_alert(error: &io::Error) -> Option<(Self, String)> {
        let said = error.to_string();
        let mut alerts = REFUSALS.into_iter().map(rustls::Error::AlertReceived);
        let alert = alerts.find(|alert| alert.to_string() == said)?;
        Some((Self::of(&alert)?, said))
    }

    fn of(error: &rustls::Error) -> Option<Self> {
        Some(match error {
            rustls::Error::InvalidCertificate(problem) => match problem {
                // An authority with the same name but another key leads to a bad signature.
                CertificateError::UnknownIssuer | CertificateError::BadSignature => Self::Untrusted,
                CertificateError::NotValidForName
                | CertificateError::NotValidForNameContext { .. } => Self::WrongName,
                CertificateError::Expired
                | CertificateError::ExpiredContext { .. }
                | CertificateError::NotValidYet
                | CertificateError::NotValidYetContext { .. } => Self::Expired,
                _ => Self::BadCertificate,
            },
            rustls::Error::AlertReceived(AlertDescription::CertificateRequired) => {
                Self::CertificateRequired
            }
            rustls::Error::AlertReceived(_) => Self::Refused,
            rustls::Error::InconsistentKeys(_) => Self::KeyMismatch,
            rustls::Error::InvalidMessage(_) => Self::Plaintext,
            _ => return None,
        })
    }
}

/// Whether the server at this address answers HTTP/2 with a TLS alert. The HTTP/2 layer cannot
/// tell: it reads the alert as a broken frame, or finds the connection closed.
pub(crate) async fn speaks_tls(uri: &Uri) -> bool {
    let Some(host) = uri.host() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let asked = async {
        let mut stream = TcpStream::connect((host, uri.port_u16().unwrap_or(PORT))).await?;
        stream.write_all(PREFACE).await?;
        let mut begin = [0; ALERT.len()];
        stream.read_exact(&mut begin).await?;
        Ok::<_, io::Error>(begin == ALERT)
    };
    matches!(timeout(PROBE_TIMEOUT, asked).await, Ok(Ok(true)))
}
