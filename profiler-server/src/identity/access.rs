//! Access control: the data that callers are checked against.

use super::caller::{Caller, Scope};
use super::files::{Kept, Secrecy};
use super::peer::{Origin, Peer, Shown};
use super::tls::{self, Tls};
use super::tokens::Tokens;
use crate::config::Identity;
use crate::connections::listener::Address;
use nix::unistd::geteuid;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use tokio_rustls::TlsAcceptor;
use tonic::codegen::http::HeaderMap;

/// The header with a token.
const AUTHORIZATION: &str = "authorization";
/// Scheme before a token. It is case-insensitive (RFC 9110, section 11.1).
const SCHEME: &str = "bearer ";
const ROOT: u32 = 0;
/// Warning in the log and among the capabilities of a server with `insecure`.
pub(crate) const INSECURE: &str = "--insecure: callers on other hosts can reach this server \
    without an identity, or with one in plain text; anyone who can reach it can run programs";

/// Reason why the settings of identity cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// Settings do not fit together.
    #[error("{setting}: {problem}")]
    Setting {
        /// The setting, by its name in the file.
        setting: &'static str,
        /// Description of the fault.
        problem: String,
    },
    /// A file cannot be used.
    #[error("{0}")]
    File(String),
    /// Other hosts reach the address, and callers show no identity.
    #[error(
        "other hosts can reach {0}, and anyone who can reach it could run programs: set \
         --tls-cert, --tls-key, and --tls-client-ca or --tokens, or use --insecure"
    )]
    Exposed(Address),
    /// Other hosts reach the address, and tokens would be sent in plain text.
    #[error(
        "other hosts can reach {0}, and tokens would travel in plain text: set --tls-cert and \
         --tls-key, or use --insecure"
    )]
    PlainTokens(Address),
}

/// Reason why a caller is not identified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// The caller shows nothing that names it.
    #[error("the caller is unknown: {0}")]
    Nobody(Wanted),
    /// The token is not in the file.
    #[error("the token is not valid")]
    WrongToken,
    /// The token has expired.
    #[error("the token has expired")]
    ExpiredToken,
    /// The certificate has expired since it was shown.
    #[error("the client certificate has expired")]
    ExpiredCertificate,
    /// The certificate has no name.
    #[error("the client certificate has neither a URI nor a DNS name (subjectAltName)")]
    NamelessCertificate,
}

/// Proof of identity that a caller could show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A token.
    Token,
    /// A client certificate.
    Certificate,
    /// Either of the two.
    Either,
    /// No credential, but a socket for which the kernel says whose process calls.
    User,
}

impl std::fmt::Display for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Token => "show a token (authorization: Bearer TOKEN)",
            Self::Certificate => "show a client certificate",
            Self::Either => "show a client certificate, or a token (authorization: Bearer TOKEN)",
            Self::User => "connect through a Unix socket",
        })
    }
}

/// Settings, TLS and tokens that callers are checked against. TLS and tokens change with their
/// files.
#[derive(Debug)]
pub(crate) struct Access {
    settings: Identity,
    /// The user of this process.
    own_uid: u32,
    tls: Option<Kept<Tls>>,
    tokens: Option<Kept<Tokens>>,
}

/// Checks that a server may listen on `address` with these settings, and that their files can be
/// used.
pub fn check(settings: &Identity, address: &Address) -> Result<(), AccessError> {
    check_address(settings, address)?;
    Access::load(settings.clone()).map(drop)
}

/// Checks that a server may listen on `address` with these settings.
pub(crate) fn check_address(settings: &Identity, address: &Address) -> Result<(), AccessError> {
    if let Address::Tcp(bound) = address
        && !bound.ip().to_canonical().is_loopback()
        && !settings.insecure
    {
        if !settings.asks_for_credentials() {
            return Err(AccessError::Exposed(address.clone()));
        }
        if settings.tls_cert.is_none() {
            return Err(AccessError::PlainTokens(address.clone()));
        }
    }
    settings.check().map_err(|(setting, problem)| AccessError::Setting { setting, problem })
}

impl Access {
    /// Loads the rules, and reads their files.
    pub(crate) fn load(settings: Identity) -> Result<Self, AccessError> {
        let tls = match (&settings.tls_cert, &settings.tls_key) {
            (Some(certificate), Some(key)) => {
                let mut files =
                    vec![(certificate.clone(), Secrecy::Public), (key.clone(), Secrecy::Secret)];
                files.extend(settings.tls_client_ca.clone().map(|ca| (ca, Secrecy::Public)));
                Some(Kept::read("TLS", files, tls::parse).map_err(AccessError::File)?)
            }
            _ => None,
        };
        let read_tokens = |path: &PathBuf| {
            Kept::read("tokens", vec![(path.clone(), Secrecy::Secret)], |contents| {
                let text = contents.first().map(Vec::as_slice).unwrap_or_default();
                Tokens::parse(std::str::from_utf8(text).map_err(|_| "is not UTF-8")?)
            })
        };
        let tokens = settings.tokens.as_ref().map(read_tokens).transpose();
        let tokens = tokens.map_err(AccessError::File)?;
        Ok(Self { own_uid: geteuid().as_raw(), tls, tokens, settings })
    }

    /// Whether there are files that can change.
    pub(super) fn has_files(&self) -> bool {
        self.tls.is_some() || self.tokens.is_some()
    }

    /// Reads the files again that have changed, or all files if `asked`.
    pub(super) fn renew(&self, asked: bool) {
        if let Some(tls) = &self.tls {
            tls.renew(asked);
        }
        if let Some(tokens) = &self.tokens {
            tokens.renew(asked);
        }
    }

    /// Whether the user of a loopback connection counts as the caller's identity.
    pub(crate) fn users_count(&self) -> bool {
        !self.settings.asks_for_credentials()
    }

    /// Returns the acceptor that makes the next handshake, if TCP has TLS.
    pub(crate) fn acceptor(&self) -> Option<TlsAcceptor> {
        self.tls.as_ref().map(|tls| TlsAcceptor::from(Arc::clone(&tls.get().config)))
    }

    /// Returns the time at which the certificate expires, in seconds since 1970, if TCP has TLS.
    pub(crate) fn certificate_expiry(&self) -> Option<i64> {
        self.tls.as_ref().and_then(|tls| tls.get().expiry)
    }

    /// Identifies the caller of a request with these headers. Credentials that are shown must be
    /// valid, even if the caller has another identity.
    pub(crate) fn identify(&self, peer: &Peer, headers: &HeaderMap) -> Result<Caller, Denied> {
        if let Some(caller) = &peer.known {
            return Ok(Caller::clone(caller));
        }
        let now = SystemTime::now();
        let by_token = match (&self.tokens, headers.get(AUTHORIZATION)) {
            (Some(tokens), Some(shown)) => {
                let tokens = tokens.get();
                // A call with several tokens is refused.
                let is_alone = headers.get_all(AUTHORIZATION).iter().count() == 1;
                let shown = token(shown.as_bytes()).filter(|_| is_alone);
                let found = shown.and_then(|shown| tokens.find(shown));
                let found = found.ok_or(Denied::WrongToken)?;
                if found.has_expired(now) {
                    return Err(Denied::ExpiredToken);
                }
                let owner = format!("token {}", found.name);
                Some(Caller::new(owner, found.name.clone(), found.scopes.clone()))
            }
            // Without a file of tokens, the header is meant for a proxy.
            _ => None,
        };
        let caller = match &peer.shown {
            Shown::Nameless => return Err(Denied::NamelessCertificate),
            Shown::Certificate(shown) if shown.expires <= now => {
                return Err(Denied::ExpiredCertificate);
            }
            Shown::Certificate(shown) => {
                let (kind, name) = &shown.name;
                self.usual(format!("{kind} {name}"), name.clone())
            }
            Shown::Nothing => by_token.map_or_else(|| self.by_origin(peer.origin), Ok)?,
        };
        let may_name = caller.may_name || self.settings.x_caller.contains(&caller.owner);
        Ok(Caller { may_name, ..caller })
    }

    /// Identifies the caller of a connection without credentials.
    fn by_origin(&self, origin: Origin) -> Result<Caller, Denied> {
        match origin {
            Origin::SocketFile(Some(uid)) => Ok(self.user(uid)),
            Origin::Loopback(_, Some(uid)) if self.users_count() => Ok(self.user(uid)),
            Origin::Loopback(from, None) | Origin::Network(from)
                if self.users_count() && self.settings.insecure =>
            {
                let address = from.ip().to_canonical().to_string();
                let caller = self.usual(format!("address {address}"), address);
                Ok(Caller { may_name: true, ..caller })
            }
            _ => Err(Denied::Nobody(self.wanted())),
        }
    }

    fn wanted(&self) -> Wanted {
        match (&self.tokens, &self.settings.tls_client_ca) {
            (Some(_), Some(_)) => Wanted::Either,
            (Some(_), None) => Wanted::Token,
            (None, Some(_)) => Wanted::Certificate,
            (None, None) => Wanted::User,
        }
    }

    /// Makes the caller for a user of this host. Root and the server's own user are admins, because
    /// they can read the stored runs anyway.
    fn user(&self, uid: u32) -> Caller {
        let name = format!("uid {uid}");
        if uid == ROOT || uid == self.own_uid {
            let admin = Caller::new(name.clone(), name, vec![Scope::Admin]);
            return Caller { may_name: true, ..admin };
        }
        self.usual(name.clone(), name)
    }

    /// Makes a caller with the usual scopes, or an admin if it is listed as one.
    fn usual(&self, owner: String, name: String) -> Caller {
        let is_admin = self.settings.admins.contains(&owner);
        let scopes = if is_admin { vec![Scope::Admin] } else { Scope::USUAL.into() };
        Caller::new(owner, name, scopes)
    }
}

fn token(header: &[u8]) -> Option<&[u8]> {
    let (scheme, token) = header.split_at_checked(SCHEME.len())?;
    scheme.eq_ignore_ascii_case(SCHEME.as_bytes()).then_some(token)
}

#[cfg(test)]
mod tests;
