//! Rules for the settings of TLS and of the identities of callers.

use super::declared::Identity;

/// Kinds of identities. An identity in a list begins with its kind.
const KINDS: [&str; 4] = ["uri ", "dns ", "uid ", "token "];

impl Identity {
    /// Whether callers on TCP are asked for a certificate or a token.
    pub(crate) fn asks_for_credentials(&self) -> bool {
        self.tls_client_ca.is_some() || self.tokens.is_some()
    }

    /// Checks that the settings fit together. Returns the wrong setting and the problem.
    pub(crate) fn check(&self) -> Result<(), (&'static str, String)> {
        match (&self.tls_cert, &self.tls_key, &self.tls_client_ca) {
            (Some(_), None, _) => {
                return Err(("identity.tls_key", "is required by tls_cert".into()));
            }
            (None, Some(_), _) => {
                return Err(("identity.tls_cert", "is required by tls_key".into()));
            }
            (None, None, Some(_)) => {
                return Err(("identity.tls_cert", "is required by tls_client_ca".into()));
            }
            _ => {}
        }
        let lists = [("identity.admins", &self.admins), ("identity.x_caller", &self.x_caller)];
        for (key, list) in lists {
            let has_kind = |one: &String| KINDS.iter().any(|kind| one.starts_with(kind));
            if let Some(wrong) = list.iter().find(|one| !has_kind(one)) {
                let problem = format!(
                    "{wrong:?} must begin with its kind, such as \"uri spiffe://…\", \"dns HOST\", \
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
