//! Connections on which a token is sent, and the errors of a refused token.

use crate::tls::certificates::Authority;
use crate::tls::server::{HOST, Served, tls};
use crate::tls::{call, reached};
use profiler_client::v1::Job;
use profiler_client::{Client, Credentials, Error};
use std::io::ErrorKind;
use std::net::TcpListener;
use tonic::Status;

const TOKEN: &str = "s3cret.token-~+/==";

#[tokio::test]
async fn token_comes_with_every_call_over_tls_and_loopback() {
    let authority = Authority::new();
    let expected = Some(format!("Bearer {TOKEN}"));
    let encrypted = Served::start(Some(tls(&authority.issue(HOST))), None).await;
    let credentials = Credentials::new().ca(authority.pem).token(TOKEN);
    let client = Client::connect_with(&encrypted.https(), &credentials).await.unwrap();
    client.capabilities().await.unwrap_err();
    client.submit(Job::default()).await.unwrap_err();
    client.attach("a run", 0).await.unwrap_err();
    assert_eq!(encrypted.calls(), vec![expected.clone(); 3]);

    let plain = Served::start(None, None).await;
    reached(call(&plain.http(), &Credentials::new().token(TOKEN)).await);
    assert_eq!(plain.calls(), [expected]);
    reached(call(&plain.http(), &Credentials::new()).await);
    assert_eq!(plain.calls()[1], None);
}

#[tokio::test]
async fn token_is_not_sent_where_others_can_read_it() {
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    for host in ["0.0.0.0", "localhost.example.com", "127.0.0.1.example.com", "[::]"] {
        let endpoint = format!("http://{host}:{port}");
        let refused = call(&endpoint, &Credentials::new().token(TOKEN)).await.unwrap_err();
        assert!(matches!(refused, Error::PlaintextToken(_)), "{refused:?}");
        let said = format!("{refused} {refused:?}");
        assert!(said.contains(&endpoint) && !said.contains(TOKEN), "{said}");
    }
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[tokio::test]
async fn refused_callers_get_the_servers_sentence_and_no_further_attempt() {
    let unknown = Served::start(None, Some(Status::unauthenticated("the token has expired"))).await;
    let client = Client::connect(&unknown.http()).await.unwrap();
    for refused in [
        client.capabilities().await.map(drop).unwrap_err(),
        client.submit(Job::default()).await.map(drop).unwrap_err(),
    ] {
        let Error::Unauthenticated { message, .. } = refused else { panic!("{refused:?}") };
        assert_eq!(message, "the token has expired");
    }
    assert_eq!(unknown.calls().len(), 2);

    let denied = Served::start(None, Some(Status::permission_denied("needs the scope read"))).await;
    let refused = call(&denied.http(), &Credentials::new()).await.unwrap_err();
    let Error::PermissionDenied { message, .. } = refused else { panic!("{refused:?}") };
    assert_eq!(message, "needs the scope read");
    assert_eq!(denied.calls().len(), 1);
}

#[tokio::test]
async fn client_shows_no_token() {
    let served = Served::start(None, None).await;
    let credentials = Credentials::new().token(TOKEN);
    let client = Client::connect_with(&served.http(), &credentials).await.unwrap();
    let shown = format!("{client:?}");
    assert!(!shown.contains(TOKEN), "{shown}");
}
