//! Messages and bytes that servers of NATS have delivered, as their monitors tell.

use crate::failure::Failure;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Messages and bytes that were sent to clients and to other servers.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traffic {
    pub(crate) messages: f64,
    pub(crate) bytes: f64,
}

/// The traffic of all servers since they started.
pub(crate) async fn so_far(monitors: &[u16]) -> Result<Traffic, Failure> {
    let mut sum = Traffic::default();
    for monitor in monitors {
        let mut stream = TcpStream::connect(("127.0.0.1", *monitor)).await?;
        stream.write_all(b"GET /varz HTTP/1.0\r\nHost: bench\r\n\r\n").await?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await?;
        let (_, body) = answer.split_once("\r\n\r\n").ok_or("a monitor answers nothing")?;
        let figures: serde_json::Value = serde_json::from_str(body)?;
        let figure = |name: &str| figures[name].as_f64().ok_or("a monitor lacks a figure");
        sum.messages += figure("out_msgs")?;
        sum.bytes += figure("out_bytes")?;
    }
    Ok(sum)
}
