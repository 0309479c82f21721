//! Evidence of who opened a connection.

use super::caller::Caller;
use super::certificate::Certificate;
use super::loopback;
use std::net::SocketAddr;
use std::sync::Arc;
use std::{fmt, fs};
use tokio::net::{TcpStream, UnixStream};
use tokio_rustls::server::TlsStream;

/// File with the user id that the kernel shows for every user who is not in the user namespace of
/// this process.
const OVERFLOW_UID: &str = "/proc/sys/kernel/overflowuid";
/// File that lists the users in the user namespace of this process.
const UID_MAP: &str = "/proc/self/uid_map";

/// Opener of a connection. Each request has one among its extensions.
#[derive(Debug, Clone)]
pub struct Peer {
    pub(super) origin: Origin,
    pub(super) shown: Shown,
    /// Identity of the opener, if it is known already.
    pub(super) known: Option<Arc<Caller>>,
}

/// Origin of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// A socket file, and the user, if it is known.
    SocketFile(Option<u32>),
    /// The loopback, and the user, if it is known.
    Loopback(SocketAddr, Option<u32>),
    /// Another host, or an address of this one that others can reach.
    Network(SocketAddr),
}

/// The certificate that a connection has shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    /// A certificate without a name.
    Nameless,
    Certificate(Arc<Certificate>),
}

impl Peer {
    /// The peer of a connection to a socket file.
    pub(crate) fn of_socket_file(stream: &UnixStream) -> Self {
        let uid = stream.peer_cred().ok().map(|peer| peer.uid()).and_then(known);
        Self::new(Origin::SocketFile(uid))
    }

    /// The peer of a TCP connection; `None` if the connection is closed already. Its user is looked
    /// up if `users_count`.
    pub(crate) async fn of_tcp(stream: &TcpStream, users_count: bool) -> Option<Self> {
        let (client, server) = (stream.peer_addr().ok()?, stream.local_addr().ok()?);
        let is_loopback = client.ip().to_canonical().is_loopback();
        let origin = if is_loopback && users_count {
            let found = loopback::owner(client, server).await;
            // If the connection is closed by now, another one may have used its addresses.
            stream.peer_addr().ok()?;
            Origin::Loopback(client, found.and_then(known))
        } else if is_loopback {
            Origin::Loopback(client, None)
        } else {
            Origin::Network(client)
        };
        Some(Self::new(origin))
    }

    fn new(origin: Origin) -> Self {
        Self { origin, shown: Shown::Nothing, known: None }
    }

    /// Adds the caller, who has been identified already.
    pub(crate) fn known_as(self, caller: Caller) -> Self {
        Self { known: Some(Arc::new(caller)), ..self }
    }

    /// Adds the certificate that the peer has shown in its handshake.
    pub(crate) fn with_certificate_of(mut self, stream: &TlsStream<TcpStream>) -> Self {
        if let Some([first, ..]) = stream.get_ref().1.peer_certificates() {
            let read = Certificate::read(first);
            self.shown = read.map_or(Shown::Nameless, |read| Shown::Certificate(Arc::new(read)));
        }
        self
    }

    /// A peer without any identity.
    #[cfg(test)]
    pub(crate) fn unknown() -> Self {
        Self::new(Origin::SocketFile(None))
    }
}

impl fmt::Display for Peer {
    /// Writes the peer's address, for logs.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.origin {
            Origin::SocketFile(Some(uid)) => write!(f, "unix, uid {uid}"),
            Origin::SocketFile(None) => f.write_str("unix"),
            Origin::Loopback(address, _) | Origin::Network(address) => address.fmt(f),
        }
    }
}

/// Returns the user, unless its number can stand for several users.
fn known(uid: u32) -> Option<u32> {
    let number = |text: String| text.trim().parse().ok();
    let overflow = fs::read_to_string(OVERFLOW_UID).ok().and_then(number).unwrap_or(65534);
    let has_all = || fs::read_to_string(UID_MAP).is_ok_and(|map| maps_all(&map));
    (uid != overflow || has_all()).then_some(uid)
}

/// Whether a user namespace has all users of the host. Each line has the first user inside, the
/// first user outside, and the number of users.
fn maps_all(map: &str) -> bool {
    let count = |line: &str| line.split_ascii_whitespace().nth(2)?.parse::<u64>().ok();
    map.lines().filter_map(count).sum::<u64>() >= u64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespace_with_some_users_lacks_the_others() {
        assert!(maps_all("         0          0 4294967295\n"));
        assert!(!maps_all("         0       1000          1\n         1     100000      65536\n"));
        assert!(!maps_all(""));
    }
}
