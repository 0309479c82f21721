//! The connection between client and server: a port that forwards everything until a test
//! interrupts it.

use std::net::SocketAddr;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};

/// A connection to a server, with an address of its own.
pub(crate) struct Line {
    pub(crate) address: SocketAddr,
    server: SocketAddr,
    stalled: watch::Sender<()>,
    passing: JoinHandle<()>,
}

impl Line {
    pub(crate) async fn to(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stalled = watch::Sender::default();
        let passing = tokio::spawn(pass(listener, server, stalled.clone()));
        Self { address, server, stalled, passing }
    }

    /// Breaks every connection, and refuses new ones.
    pub(crate) async fn cut(&mut self) {
        self.passing.abort();
        assert!((&mut self.passing).await.unwrap_err().is_cancelled());
    }

    /// Accepts connections again, at the same address.
    pub(crate) async fn mend(&mut self) {
        let listener = TcpListener::bind(self.address).await.unwrap();
        self.passing = tokio::spawn(pass(listener, self.server, self.stalled.clone()));
    }

    /// Keeps existing and new connections open, but forwards nothing.
    pub(crate) fn stall(&self) {
        self.stalled.send_replace(());
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.passing.abort();
    }
}

async fn pass(listener: TcpListener, server: SocketAddr, stalled: watch::Sender<()>) {
    let mut connections = JoinSet::new();
    loop {
        let (near, _) = listener.accept().await.unwrap();
        let far = TcpStream::connect(server).await.unwrap();
        connections.spawn(connection(near, far, stalled.subscribe()));
    }
}

async fn connection(mut near: TcpStream, mut far: TcpStream, mut stalled: watch::Receiver<()>) {
    let stalls = tokio::select! {
        _ = copy_bidirectional(&mut near, &mut far) => false,
        stalls = stalled.changed() => stalls.is_ok(),
    };
    if stalls {
        std::future::pending::<()>().await;
    }
}
