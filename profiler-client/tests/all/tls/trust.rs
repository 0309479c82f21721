//! Trust in certificates: whose are accepted, and that `https` is never plain text.

use crate::tls::certificates::Authority;
use crate::tls::server::{HOST, Served, mutual, tls};
use crate::tls::{call, fault, reached};
use profiler_client::{Credentials, Error, TlsFault};

#[tokio::test]
async fn server_of_the_given_authority_is_trusted() {
    let authority = Authority::new();
    let served = Served::start(Some(tls(&authority.issue(HOST))), None).await;
    let credentials = Credentials::new().ca(authority.pem);
    for scheme in ["https", "HTTPS"] {
        reached(call(&format!("{scheme}://{}", served.address), &credentials).await);
    }
}

#[tokio::test]
async fn server_of_another_authority_is_not_trusted() {
    let served = Served::start(Some(tls(&Authority::new().issue(HOST))), None).await;
    let other = Credentials::new().ca(Authority::new().pem);
    for credentials in [other, Credentials::new()] {
        assert_eq!(fault(call(&served.https(), &credentials).await), TlsFault::Untrusted);
    }
    assert!(served.calls().is_empty());
}

#[tokio::test]
async fn certificate_for_another_name_is_refused() {
    let authority = Authority::new();
    for name in ["example.com", "localhost", "127.0.0.2"] {
        let served = Served::start(Some(tls(&authority.issue(name))), None).await;
        let credentials = Credentials::new().ca(authority.pem.clone());
        assert_eq!(fault(call(&served.https(), &credentials).await), TlsFault::WrongName);
        assert!(served.calls().is_empty());
    }
}

#[tokio::test]
async fn expired_certificate_is_refused() {
    let authority = Authority::new();
    let served = Served::start(Some(tls(&authority.issue_expired(HOST))), None).await;
    let credentials = Credentials::new().ca(authority.pem);
    assert_eq!(fault(call(&served.https(), &credentials).await), TlsFault::Expired);
    assert!(served.calls().is_empty());
}

#[tokio::test]
async fn client_shows_its_certificate() {
    let [servers, clients] = [Authority::new(), Authority::new()];
    let served = Served::start(Some(mutual(&servers.issue(HOST), &clients)), None).await;
    let pair = clients.issue("client");
    let known = Credentials::new().ca(servers.pem.clone()).certificate(pair.certificate, pair.key);
    reached(call(&served.https(), &known).await);

    let unknown = Credentials::new().ca(servers.pem.clone());
    assert_eq!(fault(call(&served.https(), &unknown).await), TlsFault::CertificateRequired);
    let pair = Authority::new().issue("client");
    let foreign = unknown.certificate(pair.certificate, pair.key);
    assert_eq!(fault(call(&served.https(), &foreign).await), TlsFault::Refused);
    assert_eq!(served.calls().len(), 1);
}

#[tokio::test]
async fn https_is_never_plain_text() {
    let served = Served::start(None, None).await;
    let credentials = Credentials::new().ca(Authority::new().pem).token("secret");
    assert_eq!(fault(call(&served.https(), &credentials).await), TlsFault::Plaintext);
    assert!(served.calls().is_empty());
}

#[tokio::test]
async fn wrong_pem_is_named() {
    let authority = Authority::new();
    let [pair, other] = [authority.issue("a"), authority.issue("b")];
    let new = Credentials::new;
    let wrong = [
        (new().ca("no PEM"), "ca: must be a certificate in PEM"),
        (new().ca(pair.key.clone()), "ca: must be a certificate in PEM"),
        (new().certificate("", pair.key.clone()), "certificate: must be a certificate in PEM"),
        (
            new().certificate(pair.certificate.clone(), "s3cret"),
            "key: must be a private key in PEM",
        ),
        (new().certificate(pair.certificate, other.key), "the key does not belong to"),
    ];
    for (credentials, expected) in wrong {
        let refused = call("https://127.0.0.1:1", &credentials).await.unwrap_err();
        assert!(refused.to_string().contains(expected), "{refused}");
        assert!(!format!("{refused:?}").contains("s3cret"), "{refused:?}");
    }
}

#[tokio::test]
async fn certificates_need_https() {
    let pair = Authority::new().issue("client");
    for credentials in [
        Credentials::new().ca(pair.certificate.clone()),
        Credentials::new().certificate(pair.certificate, pair.key),
    ] {
        for endpoint in ["http://127.0.0.1:1", "unix:/nowhere"] {
            let refused = call(endpoint, &credentials).await.unwrap_err();
            assert!(matches!(refused, Error::Credentials { .. }), "{refused:?}");
            assert!(refused.to_string().contains("requires an endpoint https://"), "{refused}");
        }
    }
}

#[tokio::test]
async fn http_to_tls_is_named_and_not_tried_again() {
    let served = Served::start(Some(tls(&Authority::new().issue(HOST))), None).await;
    assert_eq!(fault(call(&served.http(), &Credentials::new()).await), TlsFault::Encrypted);
    assert!(served.calls().is_empty());
}
