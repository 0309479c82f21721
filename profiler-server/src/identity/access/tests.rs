use super::*;
use crate::identity::certificate::Certificate;
use sha2::{Digest, Sha256};
use std::fs;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A user who is neither root nor, in any test, the server's own.
const STRANGER: u32 = 4_000_000;

fn load(settings: Identity) -> Access {
    Access::load(settings).unwrap()
}

fn with_tokens() -> (Access, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tokens");
    let sha256 = |token: &str| format!("{:x}", Sha256::digest(token));
    let text = format!(
        "[[tokens]]\nname = 'ci'\nsha256 = '{}'\n\
         [[tokens]]\nname = 'old'\nsha256 = '{}'\nexpires = 2020-01-01T00:00:00Z\n",
        sha256("secret"),
        sha256("late")
    );
    fs::write(&path, text).unwrap();
    (load(Identity { tokens: Some(path), ..Identity::default() }), folder)
}

fn headers(authorization: Option<&str>) -> HeaderMap {
    let name = AUTHORIZATION.parse().unwrap();
    authorization.map(|value| (name, value.parse().unwrap())).into_iter().collect()
}

fn at(origin: Origin) -> Peer {
    Peer { origin, shown: Shown::Nothing, known: None }
}

fn loopback(uid: Option<u32>) -> Peer {
    at(Origin::Loopback(([127, 0, 0, 1], 9).into(), uid))
}

fn network() -> Peer {
    at(Origin::Network(([192, 0, 2, 7], 9).into()))
}

fn certified(expires_in: Option<Duration>) -> Peer {
    let now = SystemTime::now();
    let expires = expires_in.map_or(now - Duration::from_secs(1), |left| now + left);
    let name = ("dns", "ci.example.org".to_owned());
    Peer { shown: Shown::Certificate(Arc::new(Certificate { name, expires })), ..network() }
}

const HOUR: Option<Duration> = Some(Duration::from_secs(3600));

#[test]
fn each_kind_owns_its_own_runs() {
    let (access, _folder) = with_tokens();
    let owner = |peer: &Peer, shown| access.identify(peer, &headers(shown)).unwrap().owner;
    let (token, unix) = (Some("Bearer secret"), at(Origin::SocketFile(Some(STRANGER))));
    assert_eq!(owner(&network(), token), "token ci");
    assert_eq!(owner(&network(), Some("bEARER secret")), "token ci");
    assert_eq!(owner(&unix, token), "token ci", "a token comes before the user");
    assert_eq!(owner(&unix, None), format!("uid {STRANGER}"));
    assert_eq!(owner(&certified(HOUR), token), "dns ci.example.org", "a certificate comes first");
}

#[test]
fn shown_credential_must_be_valid() {
    let (access, _folder) = with_tokens();
    let denied = |peer: &Peer, shown| access.identify(peer, &headers(Some(shown))).unwrap_err();
    let unix = at(Origin::SocketFile(Some(STRANGER)));
    for peer in [network(), loopback(Some(STRANGER)), unix, certified(HOUR)] {
        for wrong in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer secre",
            "Bearer secrets",
            "Bearer  secret",
            "Basic secret",
            "secret",
            "Bearer 2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b",
        ] {
            assert_eq!(denied(&peer, wrong), Denied::WrongToken, "{wrong:?}");
        }
        assert_eq!(denied(&peer, "Bearer late"), Denied::ExpiredToken);
    }
    assert_eq!(denied(&certified(None), "Bearer secret"), Denied::ExpiredCertificate);
    let nameless = Peer { shown: Shown::Nameless, ..network() };
    assert_eq!(denied(&nameless, "Bearer secret"), Denied::NamelessCertificate);
}

#[test]
fn tcp_caller_is_not_known_by_user_beside_tokens() {
    let (access, _folder) = with_tokens();
    for peer in [network(), loopback(Some(0)), loopback(None), at(Origin::SocketFile(None))] {
        let denied = access.identify(&peer, &headers(None)).unwrap_err();
        assert_eq!(denied, Denied::Nobody(Wanted::Token), "{peer:?}");
    }
}

#[test]
fn user_counts_on_the_loopback_without_credentials() {
    let access = load(Identity::default());
    // Without a setting for tokens, the server ignores the header, which may be for a proxy.
    let shown = headers(Some("Bearer secret"));
    let stranger = access.identify(&loopback(Some(STRANGER)), &shown).unwrap();
    assert_eq!((stranger.name(), stranger.may_name), ("uid 4000000", false));
    assert!(!stranger.has(Scope::Admin));
    for own in [ROOT, access.own_uid] {
        let caller = access.identify(&loopback(Some(own)), &shown).unwrap();
        assert!(caller.has(Scope::Admin) && caller.may_name);
    }
    for peer in [loopback(None), network()] {
        assert_eq!(access.identify(&peer, &shown), Err(Denied::Nobody(Wanted::User)), "{peer:?}");
    }
}

#[test]
fn insecure_server_goes_by_the_address() {
    let access = load(Identity { insecure: true, ..Identity::default() });
    let caller = access.identify(&network(), &headers(None)).unwrap();
    assert_eq!((caller.owner.as_str(), caller.name()), ("address 192.0.2.7", "192.0.2.7"));
    assert!(caller.may_name && !caller.has(Scope::Admin));
    // If the user is known, the user identifies the caller, not the address.
    let caller = access.identify(&loopback(Some(STRANGER)), &headers(None)).unwrap();
    assert_eq!(caller.owner, "uid 4000000");
}

#[test]
fn admins_and_those_who_name_callers_are_listed_with_their_kind() {
    let access = load(Identity {
        admins: vec![format!("uid {STRANGER}"), "uri ci.example.org".into()],
        x_caller: vec!["dns ci.example.org".into()],
        ..Identity::default()
    });
    let admin = access.identify(&loopback(Some(STRANGER)), &headers(None)).unwrap();
    assert!(admin.has(Scope::Admin) && !admin.may_name);
    let named = access.identify(&certified(HOUR), &headers(None)).unwrap();
    assert!(!named.has(Scope::Admin), "a DNS name is no URI");
    assert!(named.may_name);
}

#[test]
fn address_that_others_reach_needs_identity_and_tls() {
    let (_, folder) = with_tokens();
    let open = |settings: &Identity, address: &str| {
        check(settings, &address.parse().unwrap()).map_err(|refused| refused.to_string())
    };
    let (none, insecure) =
        (Identity::default(), Identity { insecure: true, ..Identity::default() });
    let tokens = Identity { tokens: Some(folder.path().join("tokens")), ..Identity::default() };
    for local in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "localhost:1", "unix:/run/a"] {
        assert_eq!(open(&none, local), Ok(()));
    }
    for public in ["0.0.0.0:1", "[::]:1", "10.0.0.1:1", "[::ffff:10.0.0.1]:1"] {
        let said = open(&none, public).unwrap_err();
        assert!(said.contains("--tls-cert") && said.contains("--insecure"), "{said}");
        let said = open(&tokens, public).unwrap_err();
        assert!(said.contains("plain text"), "{said}");
        assert_eq!(open(&insecure, public), Ok(()));
    }
}
