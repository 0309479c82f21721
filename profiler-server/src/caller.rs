//! Who calls: what a caller says of itself, else where it calls from. It decides whose turn it is, and
//! nothing else.

use crate::status::Refusal;
use profiler_core::error::{Violation, Violations};
use tonic::Request;
use tonic::transport::server::UdsConnectInfo;

/// The metadata in which a caller names itself.
pub const HEADER: &str = "x-caller";
/// Longest name of a caller, in bytes.
pub const MAX_BYTES: usize = 128;

/// The caller of a request: its name, else its address without the port, else its user on this host.
pub(crate) fn of<T>(request: &Request<T>) -> Result<String, Refusal> {
    if let Some(named) = request.metadata().get(HEADER) {
        let name = named.to_str().unwrap_or_default().trim();
        if name.is_empty() || name.len() > MAX_BYTES {
            let problem = format!("must be 1..={MAX_BYTES} printable ASCII characters");
            let bad = Violation { field: HEADER.into(), problem };
            return Err(Refusal::Invalid(Violations(vec![bad])));
        }
        return Ok(name.to_owned());
    }
    if let Some(address) = request.remote_addr() {
        return Ok(address.ip().to_string());
    }
    let peer = request.extensions().get::<UdsConnectInfo>().and_then(|info| info.peer_cred);
    Ok(peer.map_or_else(|| "local".into(), |peer| format!("uid {}", peer.uid())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Request<()> {
        let mut request = Request::new(());
        request.metadata_mut().insert(HEADER, name.parse().unwrap());
        request
    }

    #[test]
    fn a_caller_names_itself() {
        assert_eq!(of(&named(" controller ")), Ok("controller".into()));
    }

    #[test]
    fn a_name_has_a_bound() {
        assert!(of(&named(&"x".repeat(MAX_BYTES + 1))).is_err());
    }

    #[test]
    fn an_empty_name_is_refused() {
        assert!(of(&named(" ")).is_err());
    }
}
