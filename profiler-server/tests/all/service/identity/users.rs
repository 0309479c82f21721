//! Users of the host on the loopback and on a socket file, without any credential.

use crate::service::support::{Server, backend, job};
use nix::unistd::{Uid, geteuid, setfsuid};
use profiler_client::{Client, v1};
use profiler_server::{Address, Config};
use rustix::thread::{Gid, set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use std::fs::{self, Permissions};
use std::io;
use std::net::{SocketAddr, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::thread;
use tokio::io::{AsyncRead, AsyncWrite, copy_bidirectional};
use tokio::net::TcpListener;

/// Users who are not the server's.
const USERS: [u32; 2] = [4_000_001, 4_000_002];

/// A client of the user `uid` over TCP: its bytes go through a socket that belongs to this user.
async fn client_of(server: &Server, uid: u32) -> Client {
    let address: SocketAddr = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    // A socket belongs to the file system's user of the thread that makes it.
    let connected = thread::spawn(move || {
        setfsuid(Uid::from_raw(uid));
        TcpStream::connect(address).unwrap()
    });
    let upstream = connected.join().unwrap();
    upstream.set_nonblocking(true).unwrap();
    relayed(tokio::net::TcpStream::from_std(upstream).unwrap()).await
}

/// The same over the socket file at `path`, if the file admits this user.
async fn client_on_file(path: &Path, uid: u32) -> io::Result<Client> {
    let path = path.to_owned();
    // The kernel names the effective user of the thread that connects.
    let connected = thread::spawn(move || {
        set_thread_groups(&[]).unwrap();
        set_thread_res_gid(None, Gid::from_raw(uid), None).unwrap();
        set_thread_res_uid(None, rustix::thread::Uid::from_raw(uid), None).unwrap();
        UnixStream::connect(path)
    });
    let upstream = connected.join().unwrap()?;
    upstream.set_nonblocking(true)?;
    Ok(relayed(tokio::net::UnixStream::from_std(upstream)?).await)
}

/// A client whose bytes go through this connection.
async fn relayed(mut upstream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static) -> Client {
    let relay = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", relay.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut downstream, _) = relay.accept().await.unwrap();
        copy_bidirectional(&mut downstream, &mut upstream).await
    });
    Client::connect(&url).await.unwrap()
}

/// Checks that each of two users sees its own runs alone, and that the server's user sees all.
async fn check_users(server: &Server, one: Client, two: Client) {
    let same = || v1::Job { request_id: "same".into(), ..job() };
    let run = one.submit(same()).await.unwrap();
    let other = two.submit(same()).await.unwrap();
    assert_ne!(run.id(), other.id());
    let listed = one.runs("").await.unwrap().runs;
    let seen: Vec<_> = listed.iter().map(|it| (it.run_id.as_str(), it.caller.as_str())).collect();
    assert_eq!(seen, [(run.id(), "uid 4000001")]);
    assert!(two.run(run.id()).await.is_err());
    assert!(two.cancel(run.id()).await.is_err());
    // The name of another changes nothing.
    let posing = two.with_caller("uid 4000001").unwrap();
    assert!(posing.run(run.id()).await.is_err());
    let posed = posing.submit(job()).await.unwrap();
    assert_eq!(posing.run(posed.id()).await.unwrap().run.unwrap().caller, "uid 4000002");
    // Root and the server's own user can read the stored runs anyway.
    assert_eq!(server.client().await.runs("").await.unwrap().runs.len(), 3);
}

/// Whether this process may act as several users.
fn is_root() -> bool {
    let is_root = geteuid().is_root();
    if !is_root {
        eprintln!("skipped: only root can be two users");
    }
    is_root
}

#[tokio::test]
async fn user_of_the_host_sees_its_own_runs() {
    if !is_root() {
        return;
    }
    let server = Server::start(Config::default(), backend::stuck()).await;
    let [one, two] = [client_of(&server, USERS[0]).await, client_of(&server, USERS[1]).await];
    check_users(&server, one, two).await;
}

#[tokio::test]
async fn user_of_a_shared_socket_file_sees_own_runs() {
    if !is_root() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let path = folder.path().join("socket");
    let address = Address::Unix(path.clone());
    let server = Server::listen(&address, Config::default(), backend::stuck()).await;
    let refused = client_on_file(&path, USERS[0]).await.unwrap_err();
    assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
    fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
    let [one, two] = USERS.map(|uid| client_on_file(&path, uid));
    check_users(&server, one.await.unwrap(), two.await.unwrap()).await;
}

#[tokio::test]
async fn user_is_the_caller_on_a_socket_file() {
    let folder = tempfile::tempdir().unwrap();
    let address = Address::Unix(folder.path().join("socket"));
    let server = Server::listen(&address, Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let run = client.submit(job()).await.unwrap();
    let caller = client.run(run.id()).await.unwrap().run.unwrap().caller;
    assert_eq!(caller, format!("uid {}", geteuid()));
}

#[tokio::test]
async fn insecure_server_says_so_among_its_capabilities() {
    for insecure in [false, true] {
        let identity = profiler_server::config::Identity { insecure, ..Default::default() };
        let config = Config { identity, ..Config::default() };
        let server = Server::start(config, backend::stuck()).await;
        let said = server.client().await.capabilities().await.unwrap().not_enforced;
        let is_said = said.iter().any(|sentence| sentence.starts_with("--insecure: "));
        assert_eq!(is_said, insecure, "{said:?}");
    }
}

#[tokio::test]
async fn socket_file_has_the_permissions_and_the_group_of_the_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("socket");
    let listener = profiler_server::Listener::bind(&Address::Unix(path.clone())).await.unwrap();
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o660);
    let own_group = nix::unistd::getegid().to_string();
    let settings = profiler_server::config::Identity {
        socket_mode: Some("0666".parse().unwrap()),
        socket_group: Some(own_group),
        ..Default::default()
    };
    listener.share(&settings).unwrap();
    assert_eq!(mode(), 0o666);
    let nobodys = profiler_server::config::Identity {
        socket_group: Some("no such group".into()),
        ..Default::default()
    };
    let said = listener.share(&nobodys).unwrap_err().to_string();
    assert!(said.contains("no group \"no such group\""), "{said}");
}
