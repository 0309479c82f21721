//! Socket files: never another server's, and always removed.

use profiler_server::{Address, BindError, Listener};
use std::path::Path;

async fn bind(path: &Path) -> Result<Listener, BindError> {
    Listener::bind(&Address::Unix(path.into())).await
}

#[tokio::test]
async fn live_socket_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live");
    let _live = bind(&path).await.unwrap();
    assert!(matches!(bind(&path).await, Err(BindError::InUse(_))));
}

#[tokio::test]
async fn stale_socket_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stale");
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    assert!(bind(&path).await.is_ok());
}

#[tokio::test]
async fn file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "keep me").unwrap();
    assert!(matches!(bind(&path).await, Err(BindError::NoSocket(_))));
}

#[tokio::test]
async fn socket_goes_with_its_listener() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("gone");
    drop(bind(&path).await.unwrap());
    assert!(!path.exists());
}

#[test]
fn localhost_is_the_loopback() {
    let address = "localhost:50051".parse::<Address>();
    assert_eq!(address, Ok(Address::Tcp(([127, 0, 0, 1], 50051).into())));
}

#[test]
fn malformed_address_is_refused() {
    let refused = ["", "unix:", "localhost", "localhost:", "localhost:65536", "http://127.0.0.1:1"]
        .map(str::parse::<Address>);
    assert!(refused.iter().all(Result::is_err), "{refused:?}");
}
