//! Failures of a connection that another attempt cannot mend: wrong settings and credentials.

use crate::error::FleetError;
use async_nats::{ConnectError, ConnectErrorKind, Event, ServerError};
use std::error::Error;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Beginning of the engine's complaint about an action that the key does not permit.
const VIOLATION: &str = "permissions violation";

/// Wraps the failure of an attempt to connect, and names the option that is wrong.
pub(super) fn of_connecting(error: &ConnectError) -> FleetError {
    let doing = match error.kind() {
        ConnectErrorKind::ServerParse => "read the addresses of the engine (--fleet)",
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => {
            "join the engine with this key (--fleet-nkey)"
        }
        ConnectErrorKind::Tls | ConnectErrorKind::Io if is_distrusted(error) => {
            "trust the engine (--fleet-ca names the authority of its certificate)"
        }
        _ => return FleetError::new("connect to the engine", error.to_string()),
    };
    FleetError::for_good(doing, error.to_string())
}

/// Whether the TLS handshake failed, and not because the connection broke, as it does if the engine
/// ends. An untrusted certificate is invalid data of the connection.
fn is_distrusted(error: &ConnectError) -> bool {
    use io::ErrorKind::{
        BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, UnexpectedEof,
    };
    let broken = [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof];
    match (error.kind(), io_kind(error)) {
        (ConnectErrorKind::Tls, found) => found.is_none_or(|kind| !broken.contains(&kind)),
        (_, found) => found == Some(InvalidData),
    }
}

/// The kind of the failure of input or output that caused the error.
fn io_kind(error: &ConnectError) -> Option<io::ErrorKind> {
    let mut cause = error.source();
    while let Some(found) = cause {
        if let Some(found) = found.downcast_ref::<io::Error>() {
            return Some(found.kind());
        }
        cause = found.source();
    }
    None
}

/// The last complaint of the engine that the key does not permit an action. The action itself only
/// gets no answer.
#[derive(Debug, Clone, Default)]
pub(super) struct Complaint(Arc<Mutex<Option<String>>>);

impl Complaint {
    pub(super) fn hear(&self, event: &Event) {
        if let Event::ServerError(ServerError::Other(text)) = event
            && text.to_lowercase().contains(VIOLATION)
        {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(text.clone());
        }
    }

    /// Wraps the failure of a process that joined in a role. If the engine complained, the key has
    /// another role.
    pub(super) fn explain(&self, doing: &'static str, error: FleetError) -> FleetError {
        let complaint = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        complaint.map_or(error, |text| FleetError::for_good(doing, text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_settings_are_named_and_final() {
        for (kind, option) in [
            (ConnectErrorKind::ServerParse, "--fleet)"),
            (ConnectErrorKind::Authentication, "--fleet-nkey"),
            (ConnectErrorKind::AuthorizationViolation, "--fleet-nkey"),
            (ConnectErrorKind::Tls, "--fleet-ca"),
        ] {
            let error = of_connecting(&ConnectError::new(kind));
            assert!(error.is_final() && error.to_string().contains(option), "{error}");
        }
    }

    #[test]
    fn engine_that_is_not_there_is_waited_for() {
        use ConnectErrorKind::{Dns, Io, TimedOut};
        for kind in [Dns, Io, TimedOut] {
            assert!(!of_connecting(&ConnectError::new(kind)).is_final(), "{kind}");
        }
        let cut = io::Error::from(io::ErrorKind::UnexpectedEof);
        assert!(!of_connecting(&ConnectError::with_source(ConnectErrorKind::Tls, cut)).is_final());
        for kind in [ConnectErrorKind::Tls, Io] {
            let unknown = io::Error::from(io::ErrorKind::InvalidData);
            assert!(of_connecting(&ConnectError::with_source(kind, unknown)).is_final(), "{kind}");
        }
    }

    #[test]
    fn complaint_about_rights_explains_a_missing_answer() {
        let (complaint, late) = (Complaint::default(), FleetError::new("find", "timed out"));
        let explain = || complaint.explain("work with this key (--fleet-nkey)", late.clone());
        let slow = Event::ServerError(ServerError::Other("slow consumer".into()));
        complaint.hear(&slow);
        assert!(!explain().is_final());
        let text = "Permissions Violation for Subscription to \"_INBOX.worker\"";
        complaint.hear(&Event::ServerError(ServerError::Other(text.into())));
        assert!(explain().is_final());
        assert!(!explain().is_final(), "it was about an earlier attempt");
    }
}
