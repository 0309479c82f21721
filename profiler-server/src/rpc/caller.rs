//! The caller of a call: the name that the call gives, or where it comes from. The caller decides
//! the order of the fair queue, and nothing else.

use super::status::CallError;
use crate::telemetry::run_log::Requester;
use tonic::Request;
use tonic::transport::server::UdsConnectInfo;

/// The metadata key of the caller's name.
pub const HEADER: &str = "x-caller";
/// Most bytes of a caller's name.
pub const MAX_BYTES: usize = 128;
/// The caller on a socket file whose user is unknown.
const UNKNOWN_LOCAL: &str = "local";

/// The caller of a request, how it is known, and where the request comes from.
pub(crate) fn requester<T>(request: &Request<T>) -> Result<Requester, CallError> {
    let caller = identify(request)?;
    let credentials = request.extensions().get::<UdsConnectInfo>().and_then(|info| info.peer_cred);
    let peer = match (request.remote_addr(), credentials) {
        (Some(address), _) => address.to_string(),
        (None, Some(peer)) => {
            format!("uid {} pid {}", peer.uid(), peer.pid().unwrap_or_default())
        }
        (None, None) => UNKNOWN_LOCAL.into(),
    };
    let class = match request.metadata().contains_key(HEADER) {
        true => "name",
        false if request.remote_addr().is_some() => "address",
        false => "uid",
    };
    Ok(Requester { caller, class, peer })
}

/// The name that the request gives, else its IP address without the port, else the user ID of its
/// process on this host.
pub(crate) fn identify<T>(request: &Request<T>) -> Result<String, CallError> {
    if let Some(given) = request.metadata().get(HEADER) {
        let name = given.to_str().unwrap_or_default().trim();
        if name.is_empty() || name.len() > MAX_BYTES {
            let problem = format!("must be 1..={MAX_BYTES} printable ASCII characters");
            return Err(CallError::invalid(HEADER, problem));
        }
        return Ok(name.to_owned());
    }
    if let Some(address) = request.remote_addr() {
        return Ok(address.ip().to_string());
    }
    let peer = request.extensions().get::<UdsConnectInfo>().and_then(|info| info.peer_cred);
    Ok(peer.map_or_else(|| UNKNOWN_LOCAL.into(), |peer| format!("uid {}", peer.uid())))
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
    fn a_caller_gives_its_name() {
        assert_eq!(identify(&named(" controller ")), Ok("controller".into()));
    }

    #[test]
    fn a_name_has_a_bound() {
        assert!(identify(&named(&"x".repeat(MAX_BYTES + 1))).is_err());
    }

    #[test]
    fn an_empty_name_is_refused() {
        assert!(identify(&named(" ")).is_err());
    }
}
