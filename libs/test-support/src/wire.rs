//! A proxy in front of a server. It counts how often a word is sent, and can break the connection
//! when the word is first sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Bytes that are read at one time. A word that lies across two reads is not counted.
const CHUNK_BYTES: usize = 4096;

/// The proxy. It is closed when it is dropped.
pub struct Wire {
    url: String,
    count: Arc<AtomicUsize>,
    listening: JoinHandle<()>,
}

impl Wire {
    /// Starts a proxy in front of `server` that counts `word`. If it `breaks`, the connection that
    /// first sends the word ends before the server gets it.
    ///
    /// # Panics
    /// If it cannot listen.
    pub async fn start(server: &str, word: &'static str, breaks: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("nats://{}", listener.local_addr().expect("it has an address"));
        let count = Arc::new(AtomicUsize::new(0));
        let (server, counter) = (server.to_owned(), Arc::clone(&count));
        let listening = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (server, counter) = (server.clone(), Arc::clone(&counter));
                tokio::spawn(async move { pass(client, &server, word, breaks, &counter).await });
            }
        });
        Self { url, count, listening }
    }

    /// Returns the URL of the proxy.
    pub fn url(&self) -> String {
        self.url.clone()
    }

    /// Returns the number of times the word was sent.
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

/// Passes bytes on until an end is closed.
async fn pass(mut client: TcpStream, server: &str, word: &str, breaks: bool, count: &AtomicUsize) {
    let Ok(mut server) = TcpStream::connect(server).await else { return };
    let (mut up, mut down) = ([0; CHUNK_BYTES], [0; CHUNK_BYTES]);
    loop {
        tokio::select! {
            Ok(length @ 1..) = client.read(&mut up) => {
                let sent = String::from_utf8_lossy(&up[..length]);
                let found = sent.matches(word).count();
                if found > 0 && count.fetch_add(found, Ordering::Relaxed) == 0 && breaks {
                    return;
                }
                if server.write_all(&up[..length]).await.is_err() {
                    return;
                }
            }
            Ok(length @ 1..) = server.read(&mut down) => {
                if client.write_all(&down[..length]).await.is_err() {
                    return;
                }
            }
            else => return,
        }
    }
}
