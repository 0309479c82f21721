//! The settings of TLS and of who may call.

use serde::Deserialize;
use std::path::PathBuf;

/// Prefixes of the identities in a list: their kinds.
const KINDS: [&str; 4] = ["uri ", "dns ", "uid ", "token "];

/// TLS, tokens, and what callers may do: the table `[identity]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Identity {
    /// The certificate of the server, with its chain, in PEM. TCP then has TLS.
    pub tls_cert: Option<PathBuf>,
    /// The key of the certificate, in PEM.
    pub tls_key: Option<PathBuf>,
    /// Authorities in PEM. A client certificate that they signed names its caller.
    pub tls_client_ca: Option<PathBuf>,
    /// The file of tokens.
    pub tokens: Option<PathBuf>,
    /// Serves an address that other hosts reach although callers there show no identity, or show
    /// it in plain text.
    pub insecure: bool,
    /// Certificates and users who see everybody's runs, each with its kind, as in `uid 1000`. Root
    /// and the server's own user always do.
    pub admins: Vec<String>,
    /// Callers who may name the caller of a run in `x-caller`, each with its kind, as in
    /// `token gateway`. Root and the server's own user always may.
    pub x_caller: Vec<String>,
    /// Permissions of a socket file, in octal; by default 0660.
    pub socket_mode: Option<SocketMode>,
    /// The group of a socket file, by its name or number.
    pub socket_group: Option<String>,
}

/// Permissions of a socket file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SocketMode(pub(crate) u32);

impl std::str::FromStr for SocketMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mode = u32::from_str_radix(text, 8).ok().filter(|mode| *mode <= 0o777);
        let mode = mode.filter(|_| !text.starts_with('+'));
        mode.map(Self)
            .ok_or_else(|| format!("{text:?} must be octal, as in 0660, and at most 0777"))
    }
}

impl TryFrom<String> for SocketMode {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl Identity {
    /// Whether callers on TCP show a certificate or a token.
    pub(crate) fn asks_for_credentials(&self) -> bool {
        self.tls_client_ca.is_some() || self.tokens.is_some()
    }

    /// Checks what must go together. Returns the setting and what is wrong.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        match (&self.tls_cert, &self.tls_key, &self.tls_client_ca) {
            (Some(_), None, _) => return Err(("identity.tls_key", "is needed by tls_cert".into())),
            (None, Some(_), _) => return Err(("identity.tls_cert", "is needed by tls_key".into())),
            (None, None, Some(_)) => {
                return Err(("identity.tls_cert", "is needed by tls_client_ca".into()));
            }
            _ => {}
        }
        let lists = [("identity.admins", &self.admins), ("identity.x_caller", &self.x_caller)];
        for (key, list) in lists {
            let has_kind = |one: &String| KINDS.iter().any(|kind| one.starts_with(kind));
            if let Some(wrong) = list.iter().find(|one| !has_kind(one)) {
                let problem = format!(
                    "{wrong:?} must begin with its kind, as in \"uri spiffe://…\", \"dns HOST\", \
                     \"uid NUMBER\" or \"token NAME\""
                );
                return Err((key, problem));
            }
        }
        if let Some(token) = self.admins.iter().find(|one| one.starts_with("token ")) {
            let problem = format!("{token:?}: give the token the scope admin in its file");
            return Err(("identity.admins", problem));
        }
        Ok(())
    }
}
