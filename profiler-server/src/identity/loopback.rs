//! Finds the user whose process is at the other end of a connection over the loopback. The kernel
//! lists every socket with its owner.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::mem::take;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::thread;
use tokio::sync::oneshot;

/// The kernel's tables of sockets. An IPv4 client can have an IPv6 socket, and vice versa.
const TABLES: [&str; 2] = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
/// State of a connection that neither end has closed. The kernel lists a socket that its process
/// has closed as root's, so sockets in other states identify nobody.
const ESTABLISHED: &str = "01";
/// Maximum number of times that the tables are read. A table that changes while it is read can lack
/// a socket.
const ATTEMPTS: usize = 3;

/// The addresses of a connection: that of the client, whose socket is looked up, and that of the
/// server.
type Ends = [(IpAddr, u16); 2];

/// Connection whose client is asked for, and the recipient of the answer.
struct Question {
    ends: Ends,
    answer: oneshot::Sender<Option<u32>>,
}

/// Questions that the next reading of the tables answers; `None` while no thread reads. The tables
/// of a host with many connections are long, so questions that arrive during a reading share the
/// next one.
static NEXT: Mutex<Option<Vec<Question>>> = Mutex::new(None);

/// Returns the user who made the socket at `client` that is connected to `server`; `None` if there
/// is no such socket, for example because it is closed. The answer holds if the connection is still
/// open afterwards: until then, no other socket can have both addresses.
pub(super) async fn owner(client: SocketAddr, server: SocketAddr) -> Option<u32> {
    let (answer, answered) = oneshot::channel();
    ask(Question { ends: [client, server].map(canonical), answer });
    answered.await.ok().flatten()
}

/// Gives the question to the thread that reads the tables, or starts it.
fn ask(question: Question) {
    let mut next = NEXT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(questions) = &mut *next {
        questions.push(question);
    } else {
        // A thread, unlike a task, outlives the runtime of the first question. If it does not
        // start, the question is dropped, and the user stays unknown.
        let reader = thread::Builder::new().name("loopback-users".into()).spawn(answer_all);
        *next = reader.is_ok().then(|| vec![question]);
    }
}

/// Reads the tables as long as there are questions.
fn answer_all() {
    while let Some(questions) = questions() {
        let owners = owners(&questions.iter().map(|question| question.ends).collect());
        for Question { ends, answer } in questions {
            // A caller that stopped waiting needs no answer.
            let _ = answer.send(owners.get(&ends).copied());
        }
    }
}

/// Takes the questions that were asked since the last call. If there are none, notes that the
/// thread ends, and returns `None`.
fn questions() -> Option<Vec<Question>> {
    let mut next = NEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let questions = next.as_mut().map(take).filter(|questions| !questions.is_empty());
    if questions.is_none() {
        *next = None;
    }
    questions
}

/// Finds the users who made these sockets, as far as the tables list them.
fn owners(asked: &HashSet<Ends>) -> HashMap<Ends, u32> {
    let mut found = HashMap::new();
    for table in [TABLES; ATTEMPTS].as_flattened() {
        // A kernel without IPv6 has no table for it.
        if let Ok(table) = File::open(table) {
            found.extend(find(BufReader::new(table), asked));
        }
        if found.len() == asked.len() {
            break;
        }
    }
    found
}

fn find(table: impl BufRead, asked: &HashSet<Ends>) -> impl Iterator<Item = (Ends, u32)> {
    let rows = table.lines().map_while(Result::ok).filter_map(|line| row(&line));
    rows.filter(|(ends, _)| asked.contains(ends))
}

/// Parses the row of an open connection: its ends and its user. `None` for the heading and for
/// sockets in other states.
fn row(line: &str) -> Option<(Ends, u32)> {
    let mut words = line.split_ascii_whitespace();
    let (local, remote, state) = (words.nth(1)?, words.next()?, words.next()?);
    if state != ESTABLISHED {
        return None;
    }
    Some(([address(local)?, address(remote)?], words.nth(3)?.parse().ok()?))
}

/// Parses an address such as `0100007F:C383`: 32-bit words in the host's byte order, and the port.
fn address(text: &str) -> Option<(IpAddr, u16)> {
    let (words, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| {
        let word = words.get(8 * at..8 * at + 8)?;
        Some(u32::from_str_radix(word, 16).ok()?.to_ne_bytes())
    };
    let ip = match words.len() {
        8 => Ipv4Addr::from(word(0)?).into(),
        32 => {
            let bytes = [word(0)?, word(1)?, word(2)?, word(3)?].concat();
            Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into()
        }
        _ => return None,
    };
    Some(canonical(SocketAddr::new(ip, port)))
}

/// Converts an IPv4-mapped IPv6 address to the IPv4 address.
fn canonical(address: SocketAddr) -> (IpAddr, u16) {
    (address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::join_all;
    use nix::unistd::geteuid;
    use std::net::{TcpListener, TcpStream};

    /// Connects from `host` to the port of a server that listens on `at`.
    fn connected(at: &str, host: &str) -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind((at, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let client = TcpStream::connect((host, port)).unwrap();
        (client, listener.accept().unwrap().0)
    }

    async fn owner_of(server: &TcpStream) -> Option<u32> {
        owner(server.peer_addr().unwrap(), server.local_addr().unwrap()).await
    }

    #[tokio::test]
    async fn owners_of_many_connections_are_found_at_once() {
        let connections: Vec<_> = (0..100).map(|_| connected("127.0.0.1", "127.0.0.1")).collect();
        let owners = join_all(connections.iter().map(|(_client, server)| owner_of(server))).await;
        assert_eq!(owners, [Some(geteuid().as_raw()); 100]);
    }

    #[tokio::test]
    async fn server_of_ipv6_finds_a_client_of_ipv4() {
        // A host may have no IPv6.
        if TcpListener::bind("[::1]:0").is_ok() {
            let (_client, server) = connected("::", "127.0.0.1");
            assert_eq!(owner_of(&server).await, Some(geteuid().as_raw()));
        }
    }

    /// The kernel lists its socket as root's.
    #[tokio::test]
    async fn client_that_has_closed_its_socket_is_nobody() {
        let (client, server) = connected("127.0.0.1", "127.0.0.1");
        drop(client);
        assert_eq!(owner_of(&server).await, None);
    }

    #[test]
    fn row_of_both_addresses_alone_counts() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1000 0100007F:2000 06 00000000:00000000 03:00000000 00000000     0        0 0 3 0
   1: 0100007F:1000 0100007F:2001 01 00000000:00000000 00:00000000 00000000  1000        0 7 1 0
   2: 0100007F:1000 0100007F:2000 01 00000000:00000000 00:00000000 00000000  1001        0 8 1 0
";
        let at = |port: u16| canonical(SocketAddr::from(([127, 0, 0, 1], port)));
        let find = |client, server| {
            let ends = [at(client), at(server)];
            find(table.as_bytes(), &HashSet::from([ends])).collect::<Vec<_>>()
        };
        if cfg!(target_endian = "little") {
            assert_eq!(find(0x1000, 0x2000), [([at(0x1000), at(0x2000)], 1001)]);
            assert_eq!(find(0x1000, 0x2001), [([at(0x1000), at(0x2001)], 1000)]);
        }
        assert_eq!(find(0x2000, 0x1000), []);
    }
}
