//! The caller of a request, as the gate has identified it, and the name that it gives itself.

use super::status::CallError;
use crate::identity::{Access, Caller, Denied, Peer, Wanted};
use crate::telemetry::run_record::Requester;
use tonic::Request;
use tonic::codegen::http::{Extensions, HeaderMap};

/// The metadata key of the caller's name.
pub const HEADER: &str = "x-caller";
/// Maximum length of a name that a caller gives itself, in bytes.
pub const MAX_BYTES: usize = 128;

/// Returns the caller of a request that has passed the gate.
pub(crate) fn of<T>(request: &Request<T>) -> Result<Caller, CallError> {
    let found = request.extensions().get::<Caller>().cloned();
    found.ok_or(CallError::Denied(Denied::Nobody(Wanted::User)))
}

/// Returns the requester of a run of this request.
pub(crate) fn requester<T>(request: &Request<T>) -> Result<Requester, CallError> {
    let caller = of(request)?;
    let peer = request.extensions().get::<Peer>().map(ToString::to_string).unwrap_or_default();
    Ok(Requester {
        class: caller.class(),
        owner: caller.owner,
        caller: caller.name,
        peer,
        #[cfg(feature = "otlp")]
        parent: crate::telemetry::traces::parent(request.metadata()),
    })
}

/// Identifies the caller of a request.
pub(crate) fn identify(
    access: &Access,
    extensions: &Extensions,
    headers: &HeaderMap,
) -> Result<Caller, CallError> {
    // Every connection has a peer.
    let peer = extensions.get::<Peer>().ok_or(Denied::Nobody(Wanted::User))?;
    Ok(access.identify(peer, headers)?)
}

/// Replaces the name of a caller with the name in its `x-caller`, if it may give itself one. The
/// name counts for turns and quotas, and does not change who sees a run.
pub(crate) fn with_given_name(caller: Caller, headers: &HeaderMap) -> Result<Caller, CallError> {
    let Some(given) = headers.get(HEADER).filter(|_| caller.may_name) else {
        return Ok(caller);
    };
    let name = given.to_str().unwrap_or_default().trim();
    if name.is_empty() || name.len() > MAX_BYTES {
        let problem = format!("must be 1 to {MAX_BYTES} printable ASCII characters");
        return Err(CallError::invalid(HEADER, problem));
    }
    Ok(Caller { name: name.to_owned(), ..caller })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Scope;

    fn named(may_name: bool, name: &str) -> Result<String, CallError> {
        let (owner, scopes) = ("uid 7".to_owned(), Scope::USUAL.to_vec());
        let caller = Caller { owner: owner.clone(), name: "uid 7".into(), scopes, may_name };
        let headers = HeaderMap::from_iter([(HEADER.parse().unwrap(), name.parse().unwrap())]);
        let caller = with_given_name(caller, &headers)?;
        assert_eq!(caller.owner, owner, "the name owns nothing");
        Ok(caller.name)
    }

    #[test]
    fn caller_gives_its_name() {
        assert_eq!(named(true, " controller "), Ok("controller".into()));
    }

    #[test]
    fn caller_who_may_not_give_a_name_keeps_its_own() {
        assert_eq!(named(false, "uid 0"), Ok("uid 7".into()));
    }

    #[test]
    fn name_has_a_bound() {
        assert!(named(true, &"x".repeat(MAX_BYTES + 1)).is_err());
    }

    #[test]
    fn empty_name_is_refused() {
        assert!(named(true, " ").is_err());
    }
}
