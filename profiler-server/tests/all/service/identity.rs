//! Identity of callers: the rights of each kind of credential, and isolation between callers.

mod attacks;
mod certificates;
mod other_callers;
mod reload;
mod users;

use crate::service::support::{Server, backend};
use certificates::Authority;
use profiler_client::{Client, Credentials, Error};
use profiler_server::Config;
use profiler_server::config::Identity;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;
use tonic_types::StatusExt;

/// The host that servers listen on.
const HOST: &str = "127.0.0.1";

/// The files of a server, and the authority of its certificates.
struct Files {
    folder: TempDir,
    authority: Authority,
}

impl Files {
    /// Makes a certificate for [`HOST`], and tokens. Each token equals its name. The token `old`
    /// has expired.
    fn new() -> Self {
        let files = Self { folder: tempfile::tempdir().unwrap(), authority: Authority::new() };
        files.write_pair(&files.authority.issue(&[HOST]));
        fs::write(files.path("ca.pem"), &files.authority.pem).unwrap();
        let usual = "scopes = ['submit', 'read', 'cancel']";
        let tokens = [
            entry("ci", usual),
            entry("other", usual),
            entry("reader", "scopes = ['read']"),
            entry("boss", "scopes = ['admin']"),
            entry("old", "expires = 2020-01-01T00:00:00Z"),
        ];
        fs::write(files.path("tokens"), tokens.concat()).unwrap();
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_pair(&self, pair: &certificates::Pair) {
        fs::write(self.path("cert.pem"), &pair.certificate).unwrap();
        fs::write(self.path("key.pem"), &pair.key).unwrap();
    }

    /// Settings for TLS, tokens, and certificates of clients.
    fn all(&self) -> Identity {
        Identity {
            tls_client_ca: Some(self.path("ca.pem")),
            tokens: Some(self.path("tokens")),
            ..self.tls()
        }
    }

    fn tls(&self) -> Identity {
        Identity {
            tls_cert: Some(self.path("cert.pem")),
            tls_key: Some(self.path("key.pem")),
            ..Identity::default()
        }
    }

    /// Credentials that trust the server.
    fn trusting(&self) -> Credentials {
        Credentials::new().ca(self.authority.pem.clone())
    }
}

fn entry(name: &str, more: &str) -> String {
    let digest = Sha256::digest(name);
    format!("[[tokens]]\nname = '{name}'\nsha256 = '{digest:x}'\n{more}\n")
}

/// A server with these settings, on which every run waits for its sandbox.
async fn serve(identity: Identity) -> Server {
    Server::start(Config { identity, ..Config::default() }, backend::stuck()).await
}

async fn connect(server: &Server, credentials: &Credentials) -> Result<Client, Error> {
    Client::connect_with(server.url(), credentials).await
}

/// Connects a client that shows a token.
async fn with_token(server: &Server, files: &Files, token: &str) -> Client {
    connect(server, &files.trusting().token(token)).await.unwrap()
}

/// Returns the status and its reason, or the client's own words for the error.
fn refusal<T: std::fmt::Debug>(answer: Result<T, Error>) -> String {
    match answer {
        Err(Error::Status(status)) => {
            let details = status.get_details_error_info();
            format!("{:?} {}", status.code(), details.map(|it| it.reason).unwrap_or_default())
        }
        Err(Error::Unauthenticated { message, .. }) => format!("unauthenticated: {message}"),
        Err(Error::PermissionDenied { message, .. }) => format!("denied: {message}"),
        other => format!("{other:?}"),
    }
}
