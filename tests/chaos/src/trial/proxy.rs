//! A wire that can be cut, and that can hold what is under way in either direction.

use crate::failure::Failure;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Bytes that a direction reads at one time.
const CHUNK_BYTES: usize = 64 << 10;

/// A state of the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Wire {
    /// Nothing passes, and connections end with all that was held.
    pub(crate) is_cut: bool,
    /// Bytes of the client wait.
    pub(crate) holds_up: bool,
    /// Bytes of the server wait.
    pub(crate) holds_down: bool,
}

/// Ways from one process to each server. Dropping it cuts them for ever.
pub(crate) struct Proxy {
    wire: watch::Sender<Wire>,
    addresses: Vec<String>,
    _listening: JoinSet<()>,
}

impl Proxy {
    /// Listens once for each server.
    pub(crate) async fn start(servers: &[String]) -> Result<Self, Failure> {
        let (wire, state) = watch::channel(Wire::default());
        let (mut addresses, mut listening) = (Vec::new(), JoinSet::new());
        for server in servers {
            let listener = TcpListener::bind("127.0.0.1:0").await?;
            addresses.push(listener.local_addr()?.to_string());
            listening.spawn(listen(listener, server.clone(), state.clone()));
        }
        Ok(Self { wire, addresses, _listening: listening })
    }

    /// The addresses at which it listens.
    pub(crate) fn addresses(&self) -> &[String] {
        &self.addresses
    }

    /// Does this from now on.
    pub(crate) fn set(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }
}

async fn listen(listener: TcpListener, server: String, state: watch::Receiver<Wire>) {
    // Dropped with the listener, so no connection outlives the proxy.
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((client, _)) = accepted else { continue };
                if !state.borrow().is_cut {
                    connections.spawn(connect(client, server.clone(), state.clone()));
                }
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn connect(client: TcpStream, server: String, mut state: watch::Receiver<Wire>) {
    let Ok(server) = TcpStream::connect(server).await else { return };
    // A delay of the kernel's would be taken for the engine's.
    let _ = (client.set_nodelay(true), server.set_nodelay(true));
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let (up, down) = (state.clone(), state.clone());
    tokio::select! {
        () = pass(from_client, to_server, up, |wire| wire.holds_up) => {}
        () = pass(from_server, to_client, down, |wire| wire.holds_down) => {}
        _ = state.wait_for(|wire| wire.is_cut) => {}
    }
}

/// Passes bytes on, until an end is closed.
async fn pass(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    mut state: watch::Receiver<Wire>,
    holds: impl Fn(&Wire) -> bool,
) {
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let Ok(length @ 1..) = from.read(&mut chunk).await else { return };
        match state.wait_for(|wire| wire.is_cut || !holds(wire)).await {
            Ok(wire) if !wire.is_cut => {}
            _ => return,
        }
        if to.write_all(&chunk[..length]).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    /// Long enough for loopback, and not for a wire that holds.
    const MOMENT: Duration = Duration::from_millis(200);

    /// A client and a server with the wire between them.
    async fn wired() -> (Proxy, TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Proxy::start(&[listener.local_addr().unwrap().to_string()]).await.unwrap();
        let client = TcpStream::connect(&proxy.addresses()[0]).await.unwrap();
        let (server, _) = listener.accept().await.unwrap();
        (proxy, client, server)
    }

    #[tokio::test]
    async fn held_bytes_come_later() {
        let (proxy, mut client, mut server) = wired().await;
        proxy.set(Wire { holds_up: true, ..Wire::default() });
        client.write_all(b"up").await.unwrap();
        server.write_all(b"down").await.unwrap();
        let mut got = [0; 4];
        client.read_exact(&mut got).await.unwrap();
        assert!(timeout(MOMENT, server.read(&mut got)).await.is_err());
        proxy.set(Wire::default());
        assert_eq!(server.read(&mut got).await.unwrap(), 2);
    }

    #[tokio::test]
    async fn held_bytes_are_lost_when_the_wire_is_cut() {
        let (proxy, mut client, mut server) = wired().await;
        proxy.set(Wire { holds_down: true, ..Wire::default() });
        client.write_all(b"up").await.unwrap();
        let mut got = [0; 4];
        assert_eq!(server.read(&mut got).await.unwrap(), 2);
        server.write_all(b"down").await.unwrap();
        tokio::time::sleep(MOMENT).await;
        proxy.set(Wire { is_cut: true, ..Wire::default() });
        assert!(matches!(client.read(&mut got).await, Ok(0) | Err(_)));
        let mut again = TcpStream::connect(&proxy.addresses()[0]).await.unwrap();
        assert!(matches!(again.read(&mut got).await, Ok(0) | Err(_)));
    }
}
