//! The Model Context Protocol, by its official SDK: on stdin and stdout, and over HTTP. No other
//! module uses the SDK's types, because they change between its versions.

mod callers;
mod handler;
mod http;
mod stdin;
mod values;

use crate::session::Session;
use handler::Handler;
pub use http::agents;
use rmcp::serve_server;
use rmcp::service::ServerInitializeError;
use rmcp::transport::io::stdio_pipes;
use stdin::Noticed;

/// Reason that the server cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The client does not speak the protocol.
    #[error("{0}")]
    Initialize(Box<ServerInitializeError>),
    /// A task of the server panicked.
    #[error("serve: {0}")]
    Broken(#[from] tokio::task::JoinError),
}

/// Serves on stdin and stdout until stdin ends or the session does.
pub async fn serve(session: Session) -> Result<(), ServeError> {
    let (stdin, stdout) = stdio_pipes();
    let ending = session.ending.clone();
    let transport = (Noticed::new(stdin, ending.clone()), stdout);
    let handler = Handler::OfProcess(Box::new(session));
    let served = tokio::select! {
        served = serve_server(handler, transport) => served,
        () = ending.cancelled() => return Ok(()),
    };
    match served {
        Ok(service) => {
            let stop = service.cancellation_token();
            tokio::spawn(async move {
                ending.cancelled().await;
                stop.cancel();
            });
            service.waiting().await?;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError::Initialize(Box::new(error))),
    }
}
