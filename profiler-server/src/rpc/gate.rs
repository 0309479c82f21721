//! Gate of the service. It identifies the caller of a request, and checks that the caller has the
//! scope of the call, before any of the message is read.

use super::caller;
use super::status::CallError;
use crate::identity::{Access, Caller, Scope};
use futures::future::{Either, Ready, ready};
use std::sync::Arc;
use std::task::{Context, Poll};
use tonic::Status;
use tonic::body::Body;
use tonic::codegen::http::Version;
use tonic::codegen::{Service, http};
use tonic::server::NamedService;

/// A service that only identified callers reach. The gate adds the [`Caller`] to the request's
/// extensions.
#[derive(Debug, Clone)]
pub(crate) struct Gate<Inner> {
    pub(crate) inner: Inner,
    pub(crate) access: Arc<Access>,
}

impl<Inner: NamedService> NamedService for Gate<Inner> {
    const NAME: &'static str = Inner::NAME;
}

type Request = http::Request<Body>;
type Response = http::Response<Body>;

impl<Inner> Service<Request> for Gate<Inner>
where
    Inner: Service<Request, Response = Response>,
{
    type Response = Response;
    type Error = Inner::Error;
    type Future = Either<Inner::Future, Ready<Result<Response, Inner::Error>>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Inner::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        match admit(&self.access, &request) {
            Ok(caller) => {
                request.extensions_mut().insert(caller);
                Either::Left(self.inner.call(request))
            }
            Err(refused) => Either::Right(ready(Ok(Status::from(refused).into_http()))),
        }
    }
}

fn admit(access: &Access, request: &Request) -> Result<Caller, CallError> {
    // A web page can reach the loopback, but its browser does not speak HTTP/2 without TLS.
    if request.version() < Version::HTTP_2 {
        return Err(CallError::invalid("protocol", "must be HTTP/2".into()));
    }
    let found = caller::identify(access, request.extensions(), request.headers())?;
    let method = request.uri().path().rsplit('/').next().unwrap_or_default();
    if let Some(scope) = scope(method).filter(|scope| !found.has(*scope)) {
        return Err(CallError::MissingScope(scope));
    }
    caller::with_given_name(found, request.headers())
}

/// Returns the scope that a method needs; `None` if every identified caller may call it.
fn scope(method: &str) -> Option<Scope> {
    match method {
        "Profile" | "ProfileStream" | "InferInputs" => Some(Scope::Submit),
        "GetRun" | "ListRuns" | "WatchRun" | "ExportRun" => Some(Scope::Read),
        "CancelRun" | "DeleteRun" => Some(Scope::Cancel),
        "GetCapabilities" => None,
        // Only an admin may call a method that has no row here.
        _ => Some(Scope::Admin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Identity;
    use crate::identity::Peer;
    use profiler_proto::json::descriptors;
    use profiler_proto::v1::profiler_service_server::SERVICE_NAME;

    #[test]
    fn every_method_has_a_scope_of_its_own() {
        let service = descriptors().unwrap().get_service_by_name(SERVICE_NAME).unwrap();
        let mut methods = 0;
        for method in service.methods() {
            assert_ne!(scope(method.name()), Some(Scope::Admin), "{}", method.name());
            methods += 1;
        }
        assert!(methods > 8, "{methods} methods");
    }

    #[test]
    fn page_of_a_browser_cannot_call_the_service() {
        let access = Access::load(Identity::default()).unwrap();
        let mut request = Request::new(Body::empty());
        assert_eq!(request.version(), Version::HTTP_11);
        request.extensions_mut().insert(Peer::unknown());
        let refused = admit(&access, &request).unwrap_err();
        assert!(refused.to_string().contains("must be HTTP/2"), "{refused}");
        *request.version_mut() = Version::HTTP_2;
        assert!(matches!(admit(&access, &request), Err(CallError::Denied(_))));
    }

    #[test]
    fn method_that_is_not_listed_is_the_admins() {
        assert_eq!(scope("ShutDown"), Some(Scope::Admin));
    }
}
