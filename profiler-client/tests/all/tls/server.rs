//! A server that implements no call, and records what comes with each.

use crate::tls::certificates::{Authority, Pair};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::service::{InterceptorLayer, Routes};
use tonic::transport::{Certificate, Identity, Server, ServerTlsConfig};
use tonic::{Request, Status};

/// The address that servers have.
pub(crate) const HOST: &str = "127.0.0.1";

/// A server that runs as long as its test.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    /// The `authorization` of each call.
    calls: Arc<Mutex<Vec<Option<String>>>>,
}

impl Served {
    /// Serves with this certificate, or in plain text. With a refusal, every call ends with it.
    pub(crate) async fn start(tls: Option<ServerTlsConfig>, refusal: Option<Status>) -> Self {
        let listener = TcpListener::bind((HOST, 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let calls: Arc<Mutex<Vec<_>>> = Arc::default();
        let recorded = Arc::clone(&calls);
        let record = move |request: Request<()>| {
            let token = request.metadata().get("authorization");
            let token = token.map(|token| token.to_str().unwrap().to_owned());
            recorded.lock().unwrap().push(token);
            refusal.clone().map_or(Ok(request), Err)
        };
        let mut server = Server::builder();
        if let Some(tls) = tls {
            server = server.tls_config(tls).unwrap();
        }
        let serving = server.layer(InterceptorLayer::new(record)).add_routes(Routes::default());
        tokio::spawn(serving.serve_with_incoming(TcpListenerStream::new(listener)));
        Self { address, calls }
    }

    pub(crate) fn https(&self) -> String {
        format!("https://{}", self.address)
    }

    pub(crate) fn http(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) fn calls(&self) -> Vec<Option<String>> {
        self.calls.lock().unwrap().clone()
    }
}

/// TLS with this certificate.
pub(crate) fn tls(pair: &Pair) -> ServerTlsConfig {
    ServerTlsConfig::new().identity(Identity::from_pem(&pair.certificate, &pair.key))
}

/// TLS that requires a certificate of this authority.
pub(crate) fn mutual(pair: &Pair, clients: &Authority) -> ServerTlsConfig {
    tls(pair).client_ca_root(Certificate::from_pem(&clients.pem))
}
