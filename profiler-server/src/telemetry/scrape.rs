//! The port where Prometheus reads the metrics, and where probes ask, over HTTP/1.1.

use super::logging::{START, TARGET};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::encoding::prometheus_text;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

/// The path of the metrics.
const PATH: &str = "/metrics";
/// The path that answers while the process lives.
const LIVE_PATH: &str = "/livez";
/// The path that answers with 200 while the process takes runs, and else with 503 and the reason.
const READY_PATH: &str = "/readyz";
/// Maximum number of connections at a time; others wait until the kernel's queue is full.
const MAX_CONNECTIONS: usize = 16;
/// Time after which a connection that sends no request is closed.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// Maximum duration of a connection. Prometheus then opens another.
const CONNECTION_LIMIT: Duration = Duration::from_secs(300);
/// Maximum size of the head of a request, in bytes: the smallest that hyper allows.
const MAX_HEAD_BYTES: usize = 8 << 10;
/// Pause after the server could not accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The port of the metrics cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("metrics: cannot listen on {0}: {1}")]
pub struct ScrapeError(SocketAddr, io::Error);

/// Serves the metrics and the probes at this address, if there is one, until the returned set is
/// dropped. `ready` returns the reason why the process takes no runs. Logs the address, and warns
/// if other hosts can reach it.
pub(crate) async fn serve(
    address: Option<SocketAddr>,
    page: impl Fn() -> Option<String> + Send + Sync + 'static,
    ready: impl Fn() -> Result<(), String> + Send + Sync + 'static,
) -> Result<JoinSet<()>, ScrapeError> {
    let mut served = JoinSet::new();
    if let Some(address) = address {
        let refused = |error| ScrapeError(address, error);
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        tracing::info!(target: START, "metrics on http://{address}{PATH}");
        if !address.ip().is_loopback() {
            tracing::warn!(
                target: TARGET,
                "anyone who can reach {address} can read the metrics: keep it inside your network"
            );
        }
        served.spawn(answer(listener, page, ready));
    }
    Ok(served)
}

/// Answers every scrape and every probe, until it is dropped.
async fn answer(
    listener: TcpListener,
    page: impl Fn() -> Option<String> + Send + Sync + 'static,
    ready: impl Fn() -> Result<(), String> + Send + Sync + 'static,
) {
    let slots = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let asked = Arc::new((page, ready));
    let mut connections = JoinSet::new();
    loop {
        let Ok(slot) = slots.clone().acquire_owned().await else { return };
        while connections.try_join_next().is_some() {}
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let asked = asked.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let response = respond(&request, &asked.0, &asked.1);
            async { Ok::<_, Infallible>(response) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADER_LIMIT)
            .max_buf_size(MAX_HEAD_BYTES)
            .serve_connection(TokioIo::new(stream), service);
        connections.spawn(async move {
            // A fault of a peer ends only the connection of that peer.
            let _ = timeout(CONNECTION_LIMIT, connection).await;
            drop(slot);
        });
    }
}

fn respond<Content>(
    request: &Request<Content>,
    page: &impl Fn() -> Option<String>,
    ready: &impl Fn() -> Result<(), String>,
) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    let path = request.uri().path();
    if ![PATH, LIVE_PATH, READY_PATH].contains(&path) {
        *response.status_mut() = StatusCode::NOT_FOUND;
    } else if !matches!(*request.method(), Method::GET | Method::HEAD) {
        *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        response.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    } else if path == LIVE_PATH {
        *response.body_mut() = Full::from("live\n");
    } else if path == READY_PATH {
        let answer = match ready() {
            Ok(()) => "ready\n".into(),
            Err(why) => {
                *response.status_mut() = StatusCode::SERVICE_UNAVAILABLE;
                why + "\n"
            }
        };
        *response.body_mut() = Full::from(answer);
    } else if let Some(text) = page() {
        let kind = HeaderValue::from_static(prometheus_text::CONTENT_TYPE);
        response.headers_mut().insert(CONTENT_TYPE, kind);
        *response.body_mut() = Full::from(text);
    } else {
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use http_body_util::BodyExt;

    /// The status and the text of the answer to a request for a path.
    async fn ask(path: &str, ready: Result<(), String>) -> (u16, String) {
        let request = Request::builder().uri(path).body(()).unwrap();
        let response = respond(&request, &|| Some("page".into()), &|| ready.clone());
        let status = response.status().as_u16();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(text.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn probes_tell_a_process_that_lives_from_one_that_takes_runs() {
        let waits = || Err("it waits for the engine".to_owned());
        assert_eq!(ask(READY_PATH, waits()).await, (503, "it waits for the engine\n".into()));
        assert_eq!(ask(LIVE_PATH, waits()).await, (200, "live\n".into()));
        assert_eq!(ask(READY_PATH, Ok(())).await, (200, "ready\n".into()));
        assert_eq!(ask(PATH, waits()).await, (200, "page".into()));
        assert_eq!(ask("/healthz", Ok(())).await.0, 404);
    }
}
