//! Credentials that are wrong, and handshakes that never end.

use super::certificates::Authority;
use super::{Files, HOST, connect, refusal, serve, with_token};
use crate::service::support::{PATIENCE, Server, backend, job};
use profiler_client::{Client, Credentials, Error};
use profiler_proto::v1;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_server::config::Identity;
use profiler_server::{Address, Config, Listener, ServeError, Store};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tonic::Request;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

#[tokio::test]
async fn caller_without_a_valid_credential_gets_nothing() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let nobody = connect(&server, &files.trusting()).await.unwrap();
    for refused in [
        refusal(nobody.submit(job()).await.map(drop)),
        refusal(nobody.runs("").await),
        refusal(nobody.capabilities().await),
    ] {
        assert!(refused.starts_with("unauthenticated: the caller is unknown"), "{refused}");
    }
    for (token, expected) in [
        ("c", "the token is not valid"),
        ("ci2", "the token is not valid"),
        ("CI", "the token is not valid"),
        ("old", "the token has expired"),
    ] {
        let client = with_token(&server, &files, token).await;
        let said = refusal(client.submit(job()).await.map(drop));
        assert_eq!(said, format!("unauthenticated: {expected}"), "{token}");
    }
    let ci = with_token(&server, &files, "ci").await;
    ci.submit(job()).await.unwrap();
}

#[tokio::test]
async fn two_authorizations_are_not_chosen_from() {
    let files = Files::new();
    let tokens = Identity { tokens: Some(files.path("tokens")), ..Identity::default() };
    let server = serve(tokens).await;
    let mut stub = ProfilerServiceClient::new(server.channel().await);
    for [first, second] in [["Bearer wrong", "Bearer ci"], ["Bearer ci", "Bearer wrong"]] {
        let mut request = Request::new(v1::ListRunsRequest::default());
        request.metadata_mut().append("authorization", first.parse().unwrap());
        request.metadata_mut().append("authorization", second.parse().unwrap());
        let refused = stub.list_runs(request).await.unwrap_err();
        assert_eq!(refused.code(), tonic::Code::Unauthenticated, "{refused}");
    }
}

#[tokio::test]
async fn missing_scope_is_named() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let reader = with_token(&server, &files, "reader").await;
    reader.runs("").await.unwrap();
    reader.capabilities().await.unwrap();
    let said = |scope: &str| format!("denied: the caller lacks the scope {scope}");
    assert_eq!(refusal(reader.submit(job()).await.map(drop)), said("submit"));
    assert_eq!(refusal(reader.infer_inputs(["1\n"]).await.map(drop)), said("submit"));
    assert_eq!(refusal(reader.cancel("a").await), said("cancel"));
    assert_eq!(refusal(reader.delete("a").await), said("cancel"));
}

#[tokio::test]
async fn certificate_names_its_caller_by_its_uri() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let pair = files.authority.issue_uri("spiffe://example.org/ci");
    let credentials = files.trusting().certificate(pair.certificate, pair.key);
    let client = connect(&server, &credentials).await.unwrap();
    let run = client.submit(job()).await.unwrap();
    let stored = client.run(run.id()).await.unwrap().run.unwrap();
    assert_eq!(stored.caller, "spiffe://example.org/ci");
}

#[tokio::test]
async fn certificate_of_another_authority_or_of_the_past_gets_no_connection() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let authority = Authority::new();
    for pair in [authority.issue(&["ci.example.org"]), files.authority.issue_expired("ci.org")] {
        let shown = files.trusting().certificate(pair.certificate, pair.key).token("ci");
        // With TLS 1.3, the client may learn of the refusal from its first call.
        let refused = match connect(&server, &shown).await {
            Ok(client) => client.capabilities().await.map(drop),
            Err(error) => Err(error),
        };
        assert!(matches!(refused, Err(Error::Tls { .. } | Error::Gone(_))), "{refused:?}");
    }
}

#[tokio::test]
async fn nameless_certificate_is_nobody() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let pair = files.authority.issue(&[]);
    let credentials = files.trusting().certificate(pair.certificate, pair.key);
    let client = connect(&server, &credentials).await.unwrap();
    let said = refusal(client.runs("").await);
    assert!(said.starts_with("unauthenticated: the client certificate has neither"), "{said}");
}

#[tokio::test]
async fn server_with_tls_speaks_no_plain_text() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let plain = server.url().replace("https", "http");
    let credentials = Credentials::new().token("ci");
    let refused = match Client::connect_with(&plain, &credentials).await {
        Ok(client) => client.capabilities().await.map(drop),
        Err(error) => Err(error),
    };
    // The server did not even read the token.
    assert!(!matches!(refused, Ok(()) | Err(Error::Unauthenticated { .. })), "{refused:?}");
}

/// A thousand half-open handshakes fill the room for them, and a caller still gets through.
#[tokio::test]
async fn silent_handshakes_do_not_stop_a_caller() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let address = server.url().strip_prefix("https://").unwrap();
    let mut silent = Vec::new();
    for number in 0..1000 {
        let mut stream = TcpStream::connect(address).await.unwrap();
        if number % 2 == 0 {
            // The beginning of a handshake: a record of 512 bytes that never comes.
            stream.write_all(&[0x16, 3, 1, 2, 0, 1]).await.unwrap();
        }
        silent.push(stream);
    }
    let client = timeout(PATIENCE, with_token(&server, &files, "ci")).await.unwrap();
    timeout(PATIENCE, client.capabilities()).await.unwrap().unwrap();
}

#[tokio::test]
async fn health_is_open() {
    let files = Files::new();
    let tokens = Identity { tokens: Some(files.path("tokens")), ..Identity::default() };
    let server = serve(tokens).await;
    let mut health = HealthClient::new(server.channel().await);
    health.check(HealthCheckRequest::default()).await.unwrap();
}

#[tokio::test]
async fn server_that_others_reach_does_not_start_without_identity() {
    let address: Address = "0.0.0.0:0".parse().unwrap();
    let files = Files::new();
    let plain_tokens = Identity { tokens: Some(files.path("tokens")), ..Identity::default() };
    for (identity, expected) in
        [(Identity::default(), "anyone who can reach it"), (plain_tokens, "in plain text")]
    {
        let listener = Listener::bind(&address).await.unwrap();
        let config = Config { identity, ..Config::default() };
        let store = Store::in_memory().unwrap();
        let served = profiler_server::serve(
            watch::channel(config).1,
            backend::stuck(),
            store,
            vec![listener],
            None,
            std::future::pending(),
        );
        let Err(ServeError::Access(refused)) = timeout(PATIENCE, served).await.unwrap() else {
            panic!("it serves")
        };
        assert!(refused.to_string().contains(expected), "{refused}");
    }
    // The server starts with TLS and tokens, or if `insecure` is set.
    for identity in [files.all(), Identity { insecure: true, ..Identity::default() }] {
        let config = Config { identity, ..Config::default() };
        let server = Server::listen(&address, config, backend::stuck()).await;
        let url = server.url().replace("0.0.0.0", HOST);
        let credentials = if url.starts_with("https") {
            files.trusting().token("ci")
        } else {
            Credentials::new()
        };
        Client::connect_with(&url, &credentials).await.unwrap().capabilities().await.unwrap();
    }
}
