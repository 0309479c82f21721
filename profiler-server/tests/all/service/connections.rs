//! Connections that say nothing are closed.

use crate::service::support::{Server, backend};
use profiler_server::Config;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than any limit of a connection. The clock moves on by itself while everything waits.
const LONG: Duration = Duration::from_secs(3600);

#[tokio::test(start_paused = true)]
async fn silent_connection_is_closed() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let address = server.url().strip_prefix("http://").unwrap();
    let mut silent = TcpStream::connect(address).await.unwrap();
    let mut received = Vec::new();
    let ended = timeout(LONG, silent.read_to_end(&mut received)).await;
    ended.expect("it is closed").expect("in order");
}
