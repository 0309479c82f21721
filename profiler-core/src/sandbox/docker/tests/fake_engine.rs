//! An engine that answers as Podman 5.4 was seen to answer, and starts nothing.

use runner_protocol::SOURCES;
use sandbox_image::{DEFAULT_TAG, SECCOMP, SOURCES_LABEL};
use serde_json::{Value, json};
use std::fs;
use std::io;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, UnixListener};
use tokio::task::JoinHandle;

/// Options of a tmpfs that Podman does not know.
const UNKNOWN_OPTIONS: [&str; 3] = ["gid=", "nr_inodes=", "noatime"];

/// A running fake. Dropping it ends it.
pub(super) struct FakeEngine {
    /// The value of `DOCKER_HOST`.
    pub(super) host: String,
    serving: JoinHandle<()>,
    _folder: Option<TempDir>,
}

impl FakeEngine {
    /// Starts a fake on a socket of this host.
    pub(super) fn local() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("podman.sock");
        let listener = UnixListener::bind(&path).expect("a socket");
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
        Self { host: format!("unix://{}", path.display()), serving, _folder: Some(folder) }
    }

    /// Starts a fake on a port, as if on another host.
    pub(super) async fn remote() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream));
            }
        });
        Self { host: format!("tcp://{address}"), serving, _folder: None }
    }
}

impl Drop for FakeEngine {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Answers one request and closes the connection.
async fn serve(mut stream: impl AsyncRead + AsyncWrite + Unpin) -> io::Result<()> {
    let mut from = BufReader::new(&mut stream);
    let (mut request, mut length) = (String::new(), 0);
    from.read_line(&mut request).await?;
    loop {
        let mut header = String::new();
        from.read_line(&mut header).await?;
        match header.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().map_err(io::Error::other)?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).await?;
    let (status, answer) = answer(&request, &body);
    let answer = answer.to_string();
    let head = format!(
        "HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n",
        answer.len()
    );
    stream.write_all((head + &answer).as_bytes()).await
}

/// The status and the body of the answer to a request.
fn answer(request: &str, body: &[u8]) -> (u16, Value) {
    if request.contains("/version ") {
        let component = |name| json!({"Name": name, "Version": "5.4.2"});
        let components = ["Podman Engine", "Conmon", "OCI Runtime (crun)"].map(component);
        (200, json!({"ApiVersion": "1.41", "Version": "5.4.2", "Components": components}))
    } else if request.contains(&format!("/images/{DEFAULT_TAG}/json ")) {
        (200, json!({"Config": {"Labels": {SOURCES_LABEL: SOURCES}}}))
    } else if request.contains("/containers/json") {
        (200, json!([]))
    } else if request.contains("/containers/create") {
        let asked = serde_json::from_slice(body).expect("a container");
        match refusal(&asked) {
            Some(message) => (500, json!({"message": message})),
            None => (201, json!({"Id": "5eccc0", "Warnings": []})),
        }
    } else {
        (404, json!({"message": "no such thing"}))
    }
}

/// Returns the reason why no such container can be created, if there is one.
fn refusal(asked: &Value) -> Option<String> {
    let host = &asked["HostConfig"];
    let mut options = host["SecurityOpt"].as_array().expect("options").iter();
    let profile = options.find_map(|it| it.as_str()?.strip_prefix("seccomp="));
    let profile = profile.expect("a seccomp profile");
    match fs::read_to_string(profile) {
        Ok(read) => assert_eq!(read, SECCOMP),
        Err(error) => {
            return Some(format!(
                "container create: opening seccomp profile failed: open {profile}: {error}"
            ));
        }
    }
    let mounts = host["Tmpfs"].as_object().expect("mounts").values();
    let mut options = mounts.flat_map(|mount| mount.as_str().unwrap_or_default().split(','));
    let unknown = |option: &&str| UNKNOWN_OPTIONS.iter().any(|known| option.starts_with(known));
    let unknown = options.find(unknown)?;
    Some(format!("container create: unknown mount option {unknown:?}: invalid mount option"))
}
