//! A server with the configuration of `packaging/nats`, keys of its own and a certificate.

use crate::PATIENCE;
use crate::refused::Act;
use async_nats::jetstream::{self, stream::State};
use async_nats::{Client, ConnectOptions};
use nkeys::KeyPair;
use profiler_fleet::{Credentials, Fleet};
use profiler_test_support::nats::{NatsServer, Settings};
use profiler_test_support::wait::until;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The files, seen from the crate's folder.
const PACKAGED: &str = "../../packaging/nats";
/// Where they expect a server's certificate, and where its streams go.
const PLACES: [&str; 2] = ["/etc/nats", "/var/lib/nats"];
/// What the server logs of an act that it refuses.
const VIOLATION: &str = "Violation";
const STREAMS: [&str; 3] = ["SP_LOGS", "SP_JOBS", "SP_BLOBS"];

/// Who connects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    Gateway,
    Worker,
    Viewer,
}

impl Role {
    fn name(self) -> &'static str {
        match self {
            Self::Gateway => "gateway",
            Self::Worker => "worker",
            Self::Viewer => "viewer",
        }
    }
}

pub(crate) struct Guarded {
    server: NatsServer,
    folder: TempDir,
}

impl Drop for Guarded {
    /// A test that fails says what was refused.
    fn drop(&mut self) {
        println!("refused: {:#?}", self.refusals());
    }
}

impl Guarded {
    /// Starts the server. `None` if there is none.
    pub(crate) async fn start() -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        certify(folder.path());
        let copied = fs::read_dir(PACKAGED).expect("the configuration").flatten();
        for file in copied {
            let text = fs::read_to_string(file.path()).expect("text");
            let [etc, store] = PLACES;
            let store_dir = folder.path().join("store").display().to_string();
            let text = text.replace(etc, &folder.path().display().to_string());
            let text = text.replace(store, &store_dir);
            fs::write(folder.path().join(file.file_name()), text).expect("written");
        }
        let variables = [Role::Gateway, Role::Worker, Role::Viewer].map(|role| {
            let pair = KeyPair::new_user();
            fs::write(seed(folder.path(), role), pair.seed().expect("a seed")).expect("written");
            let name = format!("SWIFTPROF_{}_NKEY", role.name().to_uppercase());
            (name, pair.public_key())
        });
        let file = folder.path().join("server.conf");
        let server = NatsServer::with(Settings { file, variables: variables.into() }).await?;
        Some(Self { server, folder })
    }

    /// Kills the server, and starts it again with what it had stored.
    pub(crate) async fn restart(&mut self) {
        self.server.restart().await;
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    pub(crate) fn credentials(&self, role: Option<Role>) -> Credentials {
        let nkey = role.map(|role| seed(self.folder.path(), role));
        Credentials { nkey, ca: Some(self.folder.path().join("ca.pem")) }
    }

    /// A gateway's connection.
    pub(crate) async fn prepare(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Gateway));
        Fleet::prepare(&self.url(), &credentials).await.expect("prepared")
    }

    /// A worker's.
    pub(crate) async fn join(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Worker));
        Fleet::join(&self.url(), &credentials).await.expect("joined")
    }

    /// A viewer's.
    pub(crate) async fn view(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Viewer));
        Fleet::view(&self.url(), &credentials).await.expect("seen")
    }

    /// The acts that were refused.
    pub(crate) fn refusals(&self) -> Vec<String> {
        let log = self.server.log();
        log.lines().filter(|line| line.contains(VIOLATION)).map(String::from).collect()
    }

    /// Acts as a role, and waits until each act is refused.
    pub(crate) async fn are_refused(&self, role: Role, acts: &[Act]) {
        let client = self.client(role).await;
        // The server says when it has got so far.
        let mut subscriptions = Vec::new();
        for act in acts {
            match act {
                Act::Publish(subject) => {
                    let reply = client.new_inbox();
                    let published = client.publish_with_reply(subject.clone(), reply, "{}".into());
                    published.await.expect("sent");
                }
                Act::Listen(subject) => {
                    subscriptions.push(client.subscribe(subject.clone()).await.expect("sent"));
                }
            }
        }
        client.flush().await.expect("flushed");
        for act in acts {
            let (kind, subject) = match act {
                Act::Publish(subject) => ("Publish Violation", subject),
                Act::Listen(subject) => ("Subscription Violation", subject),
            };
            let named = format!("Subject \"{subject}\"");
            let refused = async || {
                let refusals = self.refusals();
                refusals
                    .iter()
                    .any(|line| line.contains(kind) && line.contains(&named))
                    .then_some(())
            };
            until(&format!("{role:?}: {kind} of {subject}"), PATIENCE, refused).await;
        }
    }

    /// What every stream is like, as a gateway sees it.
    pub(crate) async fn streams(&self) -> Vec<(jetstream::stream::Config, State)> {
        let context = jetstream::new(self.client(Role::Gateway).await);
        let mut streams = Vec::new();
        for name in STREAMS {
            let info = context.get_stream(name).await.expect("a stream").cached_info().clone();
            streams.push((info.config, info.state));
        }
        streams
    }

    /// A connection that does what it is told.
    async fn client(&self, role: Role) -> Client {
        let seed = fs::read_to_string(seed(self.folder.path(), role)).expect("a seed");
        let options = ConnectOptions::with_nkey(seed)
            .add_root_certificates(self.folder.path().join("ca.pem"))
            .custom_inbox_prefix(format!("_INBOX.{}", role.name()))
            .require_tls(true);
        options.connect(self.url()).await.expect("connected")
    }
}

fn seed(folder: &Path, role: Role) -> PathBuf {
    folder.join(format!("{}.nk", role.name()))
}

/// Makes an authority, and a certificate for this host.
fn certify(folder: &Path) {
    let key = rcgen::KeyPair::generate().expect("a key");
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = params.self_signed(&key).expect("an authority").pem();
    let issuer = Issuer::new(params, key);
    let key = rcgen::KeyPair::generate().expect("a key");
    let params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("a name");
    let certificate = params.signed_by(&key, &issuer).expect("a certificate").pem();
    let files =
        [("ca.pem", authority), ("cert.pem", certificate), ("key.pem", key.serialize_pem())];
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("written");
    }
}
