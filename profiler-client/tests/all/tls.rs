//! Endpoints with TLS, certificates and tokens.

mod certificates;
mod server;
mod token;
mod trust;

use profiler_client::{Client, Credentials, Error, TlsFault};
use tonic::Code;

/// Makes a call, over a new connection.
async fn call(endpoint: &str, credentials: &Credentials) -> Result<(), Error> {
    let client = Client::connect_with(endpoint, credentials).await?;
    client.capabilities().await.map(drop)
}

/// Checks that a call reached the server, which implements none.
fn reached(answer: Result<(), Error>) {
    match answer {
        Err(Error::Status(status)) if status.code() == Code::Unimplemented => {}
        other => panic!("{other:?}"),
    }
}

/// The fault of a call that failed because of TLS.
fn fault(answer: Result<(), Error>) -> TlsFault {
    match answer {
        Err(Error::Tls { fault, .. }) => fault,
        other => panic!("{other:?}"),
    }
}
