//! Endpoints that lead nowhere.

use profiler_client::{Client, Error};
use std::error::Error as _;
use std::io::ErrorKind;
use std::net::TcpListener;

#[tokio::test]
async fn endpoint_where_nobody_listens_is_named() {
    let folder = std::env::temp_dir().join("no-such-profiler.socket");
    let endpoint = format!("unix:{}", folder.display());
    let refused = Client::connect(&endpoint).await.unwrap_err();
    assert!(refused.to_string().contains(&endpoint), "{refused}");
    assert!(refused.source().is_some(), "{refused:?}");
}

#[tokio::test]
async fn other_protocols_are_not_connected_to() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    for scheme in ["grpcs://", "h2c://", ""] {
        let refused = Client::connect(&format!("{scheme}{address}")).await.unwrap_err();
        assert!(matches!(refused, Error::Scheme(_)), "{refused:?}");
        assert!(refused.to_string().contains("use https://HOST:PORT"), "{refused}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[tokio::test]
async fn malformed_endpoint_is_refused() {
    let refused = Client::connect("not an endpoint").await.unwrap_err();
    assert!(matches!(refused, Error::Endpoint { .. }), "{refused:?}");
    assert!(refused.source().is_some(), "{refused:?}");
}
