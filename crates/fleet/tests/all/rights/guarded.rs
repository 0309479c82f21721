//! Servers with the configuration of `packaging/nats`, keys of their own and a certificate.

use crate::rights::PATIENCE;
use crate::rights::refused::Act;
use async_nats::jetstream::{self, stream::State};
use async_nats::{Client, ConnectOptions};
use nkeys::KeyPair;
use profiler_fleet::{Credentials, Fleet, LogLimits};
use profiler_test_support::nats::{NatsServer, Settings};
use profiler_test_support::wait::until;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Folder of the configuration, relative to the crate's folder.
const PACKAGED: &str = "../../packaging/nats";
/// Folders of a server's certificate and of its streams, as these files name them.
const PLACES: [&str; 2] = ["/etc/nats", "/var/lib/nats"];
/// Word in each line of a server's log about a refused act.
const VIOLATION: &str = "Violation";
/// Text that a server logs after it has read its configuration again.
const RELOADED: &str = "Reloaded server configuration";
const STREAMS: [&str; 3] = ["SP_LOGS", "SP_JOBS", "SP_BLOBS"];

/// Role in which a client connects.
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
    servers: Vec<NatsServer>,
    folder: TempDir,
    /// Number of connections made so far.
    connections: AtomicUsize,
}

impl Drop for Guarded {
    /// Prints the refused acts, which can explain why a test failed.
    fn drop(&mut self) {
        println!("refused: {:#?}", self.refusals());
    }
}

impl Guarded {
    /// Starts a server. `None` if its program is missing and not required.
    pub(crate) async fn start() -> Option<Self> {
        Self::begin("server.conf", 1).await
    }

    /// Starts three servers that form a cluster.
    pub(crate) async fn cluster() -> Option<Self> {
        Self::begin("cluster.conf", 3).await
    }

    async fn begin(file: &str, count: usize) -> Option<Self> {
        let folder = tempfile::tempdir().expect("a folder");
        certify(folder.path());
        let mut keys = Vec::new();
        for role in [Role::Gateway, Role::Worker, Role::Viewer] {
            let pair = KeyPair::new_user();
            fs::write(seed(folder.path(), role), pair.seed().expect("a seed")).expect("written");
            let name = format!("SWIFTPROF_{}_NKEY", role.name().to_uppercase());
            keys.push((name, pair.public_key()));
        }
        let listeners: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
        let routes = listeners.iter().map(|listener| {
            listener.as_ref().expect("a port").local_addr().expect("an address").to_string()
        });
        let routes: Vec<_> = routes.collect();
        drop(listeners);
        let mut servers = Vec::new();
        for (number, own) in (1..).zip(&routes) {
            let name = format!("nats-{number}");
            let place = folder.path().join(&name);
            fs::create_dir(&place).expect("a folder");
            for file in fs::read_dir(PACKAGED).expect("the configuration").flatten() {
                let text = fs::read_to_string(file.path()).expect("text");
                let [etc, store] = PLACES;
                let mut text = text
                    .replace(etc, &folder.path().display().to_string())
                    .replace(store, &place.join("store").display().to_string())
                    .replace("0.0.0.0:6222", own);
                for (number, route) in (1..).zip(&routes) {
                    text = text.replace(&format!("nats-{number}:6222"), route);
                }
                fs::write(place.join(file.file_name()), text).expect("written");
            }
            let mut variables = keys.clone();
            variables.push(("SWIFTPROF_NATS_NAME".into(), name));
            let settings = Settings { file: place.join(file), variables };
            servers.push(NatsServer::with(settings).await?);
        }
        Some(Self { servers, folder, connections: AtomicUsize::new(0) })
    }

    /// Kills the first server, and starts it again with what it had stored.
    pub(crate) async fn restart(&mut self) {
        self.servers[0].restart().await;
    }

    /// Changes the list of users while the first server runs, which then reads it again.
    pub(crate) async fn reload(&self, change: impl Fn(&str) -> String) {
        let users = self.folder.path().join("nats-1/users.conf");
        let text = fs::read_to_string(&users).expect("text");
        fs::write(&users, change(&text)).expect("written");
        let reloads = || self.servers[0].log().matches(RELOADED).count();
        let before = reloads();
        let pid = self.servers[0].pid().expect("a process").to_string();
        let told = tokio::process::Command::new("kill").args(["-HUP", &pid]).status().await;
        assert!(told.expect("kill").success());
        let reloaded = async || (reloads() > before).then_some(());
        until("the configuration is read again", PATIENCE, reloaded).await;
    }

    /// Makes a key for another worker. Returns its public half, and the worker's credentials.
    pub(crate) fn another_key(&self) -> (String, Credentials) {
        let pair = KeyPair::new_user();
        let file = self.folder.path().join("another.nk");
        fs::write(&file, pair.seed().expect("a seed")).expect("written");
        (pair.public_key(), Credentials { nkey: Some(file), ..self.credentials(None) })
    }

    /// Returns the URL of the next server, in turn.
    pub(crate) fn url(&self) -> String {
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        self.servers[before % self.servers.len()].url()
    }

    pub(crate) fn credentials(&self, role: Option<Role>) -> Credentials {
        let nkey = role.map(|role| seed(self.folder.path(), role));
        Credentials { nkey, ca: Some(self.folder.path().join("ca.pem")) }
    }

    /// Connects as a gateway.
    pub(crate) async fn prepare(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Gateway));
        // In a cluster, this fails until the servers have chosen a leader.
        let prepared =
            async || Fleet::prepare(&self.url(), &credentials, LogLimits::default()).await.ok();
        until("the streams are there", PATIENCE, prepared).await
    }

    /// Connects as a worker.
    pub(crate) async fn join(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Worker));
        Fleet::join(&self.url(), &credentials).await.expect("joined")
    }

    /// Connects as a viewer.
    pub(crate) async fn view(&self) -> Fleet {
        let credentials = self.credentials(Some(Role::Viewer));
        Fleet::view(&self.url(), &credentials).await.expect("seen")
    }

    /// Returns the lines of the servers' logs about refused acts.
    pub(crate) fn refusals(&self) -> Vec<String> {
        let log: String = self.servers.iter().map(NatsServer::log).collect();
        log.lines().filter(|line| line.contains(VIOLATION)).map(String::from).collect()
    }

    /// Does these acts in a role, and waits until each of them is refused.
    pub(crate) async fn are_refused(&self, role: Role, acts: &[Act]) {
        let client = self.client(role).await;
        // Subscriptions stay open until the server has refused all acts.
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
                Act::Ask(reply) => {
                    let question = "$JS.API.STREAM.INFO.SP_JOBS";
                    let asked = client.publish_with_reply(question, reply.clone(), "".into());
                    asked.await.expect("sent");
                }
            }
        }
        client.flush().await.expect("flushed");
        for act in acts {
            let refused = async || {
                let refusals = self.refusals();
                refusals.iter().any(|line| act.is_refused_in(line)).then_some(())
            };
            until(&format!("{role:?} is refused: {act:?}"), PATIENCE, refused).await;
        }
    }

    /// Returns the configuration and the state of every stream, as a gateway sees them.
    pub(crate) async fn streams(&self) -> Vec<(jetstream::stream::Config, State)> {
        let context = jetstream::new(self.client(Role::Gateway).await);
        let mut streams = Vec::new();
        for name in STREAMS {
            let info = context.get_stream(name).await.expect("a stream").cached_info().clone();
            streams.push((info.config, info.state));
        }
        streams
    }

    /// Connects in a role, without a gateway, worker or viewer on top.
    pub(crate) async fn client(&self, role: Role) -> Client {
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
