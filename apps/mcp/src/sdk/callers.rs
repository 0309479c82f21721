//! The sessions of a service's callers. Each session calls the service as its own caller.

use crate::failure::Failure;
use crate::session::{DEFAULT_ANSWER_LIMIT, Session};
use hyper_util::rt::TokioIo;
use profiler_client::Client;
use profiler_server::{Caller, InProcess, Peer};
use std::collections::HashMap;
use std::io;
use std::sync::{Mutex, PoisonError};
use tonic::codegen::http::Uri;
use tonic::transport::Endpoint;
use tower::service_fn;

/// Maximum number of callers that have a session. A caller that loses an idle session gets a
/// cancelled run once more at its next call for the same job. The call after that measures again.
const MAX_SESSIONS: usize = 256;
/// Address of the channel. A channel needs one, although nothing resolves it.
const ADDRESS: &str = "http://in-process";

/// The sessions that callers have, and the service.
#[derive(Debug)]
pub(crate) struct Callers {
    service: InProcess,
    sessions: Mutex<HashMap<Caller, Session>>,
}

impl Callers {
    pub(crate) fn new(service: InProcess) -> Self {
        Self { service, sessions: Mutex::default() }
    }

    /// Returns the session of a caller. A caller whose scopes have changed gets a new session.
    pub(crate) fn session(&self, peer: &Peer, caller: &Caller) -> Result<Session, Failure> {
        // The map is intact, even if a panic happened while the lock was held.
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(session) = sessions.get(caller) {
            return Ok(session.clone());
        }
        if sessions.len() >= MAX_SESSIONS {
            sessions.retain(|_, session| session.is_busy());
        }
        if sessions.len() >= MAX_SESSIONS {
            let problem =
                format!("the server already answers {MAX_SESSIONS} callers; call again later");
            return Err(Failure::Fault(problem));
        }
        let client = client(self.service.clone(), peer.clone(), caller.clone());
        let session = Session::new(client, DEFAULT_ANSWER_LIMIT);
        sessions.insert(caller.clone(), session.clone());
        Ok(session)
    }
}

/// Creates a client of the service in this process.
fn client(service: InProcess, peer: Peer, caller: Caller) -> Client {
    let connect = service_fn(move |_: Uri| {
        let (service, peer, caller) = (service.clone(), peer.clone(), caller.clone());
        async move { Ok::<_, io::Error>(TokioIo::new(service.open(peer, caller).await?)) }
    });
    Client::over(Endpoint::from_static(ADDRESS).connect_with_connector_lazy(connect))
}
