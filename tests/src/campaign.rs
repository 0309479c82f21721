//! Submits runs to a server that is killed again and again. The next server must report everything
//! that a caller received before a kill. No job may run twice, and nothing may be left on the host.

use crate::jobs;
use crate::swiftprof::{STATE_DIR, Served};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_proto::v1::{ErrorCode, Event, Job, OnDisconnect, ProfileStreamRequest};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::transport::{Channel, Endpoint};
use uuid::Uuid;

/// Runs that are running or waiting when the server is killed.
const RUNS_PER_ROUND: usize = 4;
/// A server is killed within this time after the submissions, at an arbitrary moment.
const WINDOW: Duration = Duration::from_secs(4);
/// Program that takes a few milliseconds at every size, so that a kill can hit a size.
const PROGRAM: &str =
    "#include <ctime>\nint main() { while (std::clock() < CLOCKS_PER_SEC / 200) {} }\n";
const SIZES: [u64; 2] = [1, 10];

type Stub = ProfilerServiceClient<Channel>;

/// The result of a campaign. The last three numbers must be 0.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// Servers that were killed.
    pub kills: usize,
    /// Runs that a caller knows to be accepted.
    pub runs: usize,
    /// Accepted runs that ended with a report.
    pub finished: usize,
    /// Accepted runs that a kill interrupted.
    pub interrupted: usize,
    /// Sizes that a caller received before a kill.
    pub sizes: usize,
    /// Events that a caller received, and the next server does not report.
    pub lost: usize,
    /// Requests that became two runs, and sizes that were measured twice in one run.
    pub twice: usize,
    /// Containers and control groups that still existed when the next server had started.
    pub left: usize,
}

/// Kills `kills` servers of `backend`, all with the same state folder.
pub async fn survive(backend: &str, kills: usize) -> Account {
    let folder = tempfile::tempdir().expect("a folder");
    let mut account = Account { kills, ..Account::default() };
    let mut told: BTreeMap<String, Vec<Event>> = BTreeMap::new();
    let mut served = serve(backend, folder.path()).await;
    for _ in 0..kills {
        let callers = submit_some(&served).await;
        let moment = Uuid::now_v7().as_u128() % WINDOW.as_millis();
        sleep(Duration::from_millis(moment.try_into().unwrap_or_default())).await;
        let orphans = served.kill().await;
        told.extend(callers.join_all().await);
        served = serve(backend, folder.path()).await;
        account.left += orphans.left().await.len();
    }
    let mut stub = stub(&served).await;
    for (request_id, events) in &told {
        account.settle(&mut stub, request_id, events).await;
    }
    assert!(served.stop().await.success());
    account
}

async fn serve(backend: &str, folder: &Path) -> Served {
    let folder = folder.display().to_string();
    Served::start(backend, &[(STATE_DIR, &folder), ("LOG_LEVEL", "warning")]).await
}

async fn stub(served: &Served) -> Stub {
    let endpoint = Endpoint::from_shared(served.url().to_owned()).expect("an endpoint");
    ProfilerServiceClient::new(endpoint.connect().await.expect("the server answers"))
}

/// Submits runs that go on without their callers. A caller ends with its run or its server, and
/// returns its request id and the events that it received.
async fn submit_some(served: &Served) -> JoinSet<(String, Vec<Event>)> {
    let mut callers = JoinSet::new();
    for _ in 0..RUNS_PER_ROUND {
        let mut stub = stub(served).await;
        callers.spawn(async move {
            let request_id = Uuid::now_v7().to_string();
            let told = submit(&mut stub, &request_id).await;
            (request_id, told)
        });
    }
    callers
}

/// Submits, and collects events until the stream ends, however it ends. A heartbeat is not
/// collected.
async fn submit(stub: &mut Stub, request_id: &str) -> Vec<Event> {
    let job = Job {
        request_id: request_id.into(),
        on_disconnect: OnDisconnect::Detach.into(),
        input_sizes: SIZES.into(),
        ..jobs::job(PROGRAM)
    };
    let mut told = Vec::new();
    let Ok(answer) = stub.profile_stream(ProfileStreamRequest { job: Some(job) }).await else {
        return told;
    };
    let mut events = answer.into_inner();
    while let Ok(Some(answer)) = events.message().await {
        told.extend(answer.event.filter(|e| !matches!(e.kind, Some(Kind::Heartbeat(_)))));
    }
    told
}

/// The sizes in these events, in order.
fn sizes(events: &[Event]) -> Vec<u64> {
    let size = |event: &Event| match &event.kind {
        Some(Kind::SizeMeasured(result)) => Some(result.size),
        _ => None,
    };
    events.iter().filter_map(size).collect()
}

impl Account {
    /// Submits a request again and compares the events now with the events received then.
    async fn settle(&mut self, stub: &mut Stub, request_id: &str, then: &[Event]) {
        let now = submit(stub, request_id).await;
        let runs: BTreeSet<_> = then.iter().chain(&now).map(|event| &event.run_id).collect();
        let measured = sizes(&now);
        let different: BTreeSet<_> = measured.iter().collect();
        self.runs += usize::from(!then.is_empty());
        self.sizes += sizes(then).len();
        self.lost += then.iter().filter(|event| !now.contains(event)).count();
        self.twice += runs.len().saturating_sub(1) + measured.len() - different.len();
        match now.last().and_then(|event| event.kind.as_ref()) {
            Some(Kind::Finished(_)) => self.finished += 1,
            Some(Kind::Failed(error)) if error.code() == ErrorCode::Interrupted => {
                self.interrupted += 1;
            }
            other => panic!("{request_id} ended otherwise: {other:?}"),
        }
    }
}
