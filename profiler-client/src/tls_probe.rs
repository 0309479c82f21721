//! Whether the other end of an `http` endpoint speaks TLS. HTTP/2 cannot tell: it reads the alert
//! of such a server as a broken frame, or finds the connection closed.

use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::transport::Uri;

/// How long the other end may take to answer.
const TIMEOUT: Duration = Duration::from_secs(2);
/// The port of `http`, if the endpoint names none.
const PORT: u16 = 80;
/// How HTTP/2 begins (RFC 9113, section 3.4), followed by empty settings.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// How an alert of TLS begins: its kind, and the major version (RFC 8446, section 5.1).
const ALERT: [u8; 2] = [21, 3];

/// Whether the server at this address answers HTTP/2 with an alert of TLS.
pub(crate) async fn speaks_tls(uri: &Uri) -> bool {
    let Some(host) = uri.host() else { return false };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    let asked = async {
        let mut stream = TcpStream::connect((host, uri.port_u16().unwrap_or(PORT))).await?;
        stream.write_all(PREFACE).await?;
        let mut begin = [0; ALERT.len()];
        stream.read_exact(&mut begin).await?;
        Ok::<_, std::io::Error>(begin == ALERT)
    };
    matches!(timeout(TIMEOUT, asked).await, Ok(Ok(true)))
}
