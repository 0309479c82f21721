//! Files that change while the server runs.

use super::certificates::Authority;
use super::{Files, HOST, connect, entry, refusal, serve, with_token};
use crate::service::support::{PATIENCE, Server};
use profiler_client::{Client, Credentials};
use std::fs;
use std::time::Duration;
use tokio::time::{interval, timeout};

/// Repeats until a new connection that trusts `authority` can be made.
async fn until_trusted(server: &Server, authority: &Authority) {
    let credentials = Credentials::new().ca(authority.pem.clone()).token("ci");
    let trusted = async {
        let mut attempts = interval(Duration::from_millis(100));
        loop {
            attempts.tick().await;
            if let Ok(client) = connect(server, &credentials).await
                && client.capabilities().await.is_ok()
            {
                return;
            }
        }
    };
    timeout(PATIENCE, trusted).await.expect("the new certificate was never used");
}

#[tokio::test]
async fn new_certificate_is_for_new_connections() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let before = with_token(&server, &files, "ci").await;
    before.capabilities().await.unwrap();
    let next = Authority::new();
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    // Calls go on all the time.
    let busy = {
        let before = before.clone();
        tokio::spawn(async move {
            let mut calls = 0;
            while stopped.try_recv().is_err() {
                before.capabilities().await.expect("an old connection goes on");
                calls += 1;
            }
            calls
        })
    };
    files.write_pair(&next.issue(&[HOST]));
    until_trusted(&server, &next).await;
    stop.send(()).unwrap();
    assert!(busy.await.unwrap() > 0);
    assert!(connect(&server, &files.trusting()).await.is_err(), "the old one is not used any more");
}

#[tokio::test]
async fn pair_that_does_not_fit_is_kept_out() {
    let files = Files::new();
    let server = serve(files.all()).await;
    // It has read its files once it answers.
    with_token(&server, &files, "ci").await.capabilities().await.unwrap();
    let next = Authority::new();
    let (good, other) = (next.issue(&[HOST]), next.issue(&[HOST]));
    // The key is that of another certificate, until it is replaced too. The tokens tell when the
    // files have been read.
    fs::write(files.path("cert.pem"), &good.certificate).unwrap();
    fs::write(files.path("key.pem"), &other.key).unwrap();
    let tokens = fs::read_to_string(files.path("tokens")).unwrap();
    fs::write(files.path("tokens"), tokens + &entry("new", "")).unwrap();
    until_known(&server, &files, "new").await;
    with_token(&server, &files, "ci").await.capabilities().await.unwrap();
    fs::write(files.path("key.pem"), &good.key).unwrap();
    until_trusted(&server, &next).await;
}

#[tokio::test]
async fn token_that_is_taken_from_the_file_ends() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let client = with_token(&server, &files, "ci").await;
    client.capabilities().await.unwrap();
    fs::write(files.path("tokens"), entry("other", "")).unwrap();
    let ended = async {
        let mut attempts = interval(Duration::from_millis(100));
        loop {
            attempts.tick().await;
            if client.capabilities().await.is_err() {
                return;
            }
        }
    };
    timeout(PATIENCE, ended).await.expect("the token goes on");
    assert_eq!(refusal(client.runs("").await), "unauthenticated: the token is not valid");
    // The server may have read the file while it was written, and still empty.
    until_known(&server, &files, "other").await;
    // A file that cannot be read changes nothing.
    fs::write(files.path("tokens"), "[[tokens]]\nname = 1").unwrap();
    with_token(&server, &files, "other").await.capabilities().await.unwrap();
}

async fn until_known(server: &Server, files: &Files, token: &str) -> Client {
    let known = async {
        let mut attempts = interval(Duration::from_millis(100));
        loop {
            attempts.tick().await;
            let client = with_token(server, files, token).await;
            if client.capabilities().await.is_ok() {
                return client;
            }
        }
    };
    timeout(PATIENCE, known).await.expect("the token is never known")
}
