//! More callers than the profiler can serve: how many are answered, how many are refused with a
//! time to retry, and the cost for the server. The sandboxes run nothing.

use crate::failure::Failure;
use crate::service::server_process::{Secrets, Served, job};
use crate::tools::spread::Spread;
use profiler_client::v1::event::Kind;
use profiler_client::v1::profiler_service_client::ProfilerServiceClient;
use profiler_client::v1::{Job, ProfileStreamRequest};
use profiler_server::caller;
use std::time::{Duration, Instant};
use tokio::task::JoinSet;
use tokio::time::sleep;
use tonic::transport::{self, Certificate, Channel, ClientTlsConfig, Endpoint};
use tonic::{Code, Request, Status};
use tonic_types::StatusExt;

/// Callers at once, each with a connection and a name of its own.
const CALLERS: usize = 1_000;
/// Duration in which each caller submits one job after the other.
const DURATION: Duration = Duration::from_secs(20);
/// Number of floods. The second shows whether the cost of the first stays the same.
const FLOODS: usize = 2;
/// Interval between readings of the server's memory.
const LOOK_INTERVAL: Duration = Duration::from_millis(100);

/// The outcomes of submissions.
#[derive(Default)]
struct Tally {
    answered: usize,
    refused: usize,
    /// Neither answered nor refused: refused without a time to retry, or aborted.
    lost: Vec<String>,
    /// Time from the submission to the acceptance or the refusal, in milliseconds.
    admission_ms: Vec<f64>,
}

/// Prints the outcomes.
pub(crate) async fn run() -> Result<(), Failure> {
    let server = Served::start()?;
    println!("{CALLERS} callers at once for {DURATION:?}; the sandboxes run nothing");
    println!(
        "{:>9} {:>9} {:>6} | admission ms {:>8} {:>8} {:>8} | server MB {:>8} {:>8} {:>8}",
        "answered", "refused", "lost", "p50", "p99", "max", "before", "at most", "after"
    );
    for _ in 0..FLOODS {
        let before = server.memory_kb("VmRSS")?;
        let until = Instant::now() + DURATION;
        let mut callers = JoinSet::new();
        for index in 0..CALLERS {
            let (opening, name) = (open(server.url.clone(), None), format!("caller {index}"));
            callers.spawn(async move {
                match opening.await {
                    Ok(channel) => call(channel, None, name, until).await,
                    Err(error) => {
                        Tally { lost: vec![format!("{name}: {error}")], ..Tally::default() }
                    }
                }
            });
        }
        let mut most = before;
        while Instant::now() < until {
            sleep(LOOK_INTERVAL).await;
            most = most.max(server.memory_kb("VmRSS")?);
        }
        let mut all = Tally::default();
        while let Some(tally) = callers.join_next().await {
            all.add(tally?);
        }
        all.print([before, most, server.memory_kb("VmRSS")?]);
        if let Some(first) = all.lost.first() {
            return Err(format!("lost: {first}").into());
        }
    }
    Ok(())
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.answered += other.answered;
        self.refused += other.refused;
        self.lost.extend(other.lost);
        self.admission_ms.extend(other.admission_ms);
    }

    fn print(&self, memory_kb: [u64; 3]) {
        let Self { answered, refused, lost, admission_ms } = self;
        let admission: Spread = admission_ms.iter().copied().collect();
        let [half, nearly, max] = [500, 990, 1000].map(|rank| admission.permille(rank));
        let [before, most, after] = memory_kb.map(|kb| kb as f64 / 1024.0);
        println!(
            "{answered:>9} {refused:>9} {:>6} | {:>12} {half:>8.1} {nearly:>8.1} {max:>8.1} | {:>9} {before:>8.1} {most:>8.1} {after:>8.1}",
            lost.len(),
            "",
            ""
        );
    }
}

/// Opens a connection, with TLS if the server's authority is given.
async fn open(url: String, tls: Option<ClientTlsConfig>) -> Result<Channel, transport::Error> {
    let mut endpoint = Endpoint::from_shared(url)?;
    if let Some(tls) = tls {
        endpoint = endpoint.tls_config(tls)?;
    }
    endpoint.connect().await
}

/// Opens a connection to the server.
pub(crate) async fn connect(server: &Served) -> Result<Channel, Failure> {
    let authority = |secrets: &Secrets| {
        ClientTlsConfig::new().ca_certificate(Certificate::from_pem(&secrets.ca))
    };
    Ok(open(server.url.clone(), server.secrets.as_ref().map(authority)).await?)
}

/// Lets this number of callers submit over connections that are open. Returns the server's time for
/// a job that it answers.
pub(crate) async fn flood(
    server: &Served,
    callers: usize,
    duration: Duration,
) -> Result<Duration, Failure> {
    let mut channels = Vec::new();
    for _ in 0..callers {
        channels.push(connect(server).await?);
    }
    let token = server.secrets.as_ref().map(|secrets| format!("Bearer {}", secrets.token));
    let begin = Instant::now();
    let mut tasks = JoinSet::new();
    for (index, channel) in channels.into_iter().enumerate() {
        let name = format!("caller {index}");
        tasks.spawn(call(channel, token.clone(), name, begin + duration));
    }
    let mut all = Tally::default();
    while let Some(tally) = tasks.join_next().await {
        all.add(tally?);
    }
    match all.lost.first() {
        Some(first) => Err(format!("lost: {first}").into()),
        None => Ok(begin.elapsed().div_f64(all.answered.max(1) as f64)),
    }
}

/// Submits as one caller, until its time is over.
async fn call(channel: Channel, token: Option<String>, name: String, until: Instant) -> Tally {
    let mut tally = Tally::default();
    let mut stub = ProfilerServiceClient::new(channel);
    while Instant::now() < until {
        let begin = Instant::now();
        let mut admitted = None;
        let ended =
            submit(&mut stub, token.as_deref(), &name, || admitted = Some(begin.elapsed())).await;
        let admitted = admitted.unwrap_or_else(|| begin.elapsed());
        tally.admission_ms.push(admitted.as_secs_f64() * 1e3);
        match ended {
            Ok(()) => tally.answered += 1,
            Err(status) => {
                match status.get_details_retry_info().and_then(|info| info.retry_delay) {
                    Some(delay) if status.code() == Code::ResourceExhausted => {
                        tally.refused += 1;
                        sleep(delay).await;
                    }
                    _ => tally.lost.push(status.to_string()),
                }
            }
        }
    }
    tally
}

/// Submits one run, and follows it to its last event.
async fn submit(
    stub: &mut ProfilerServiceClient<Channel>,
    token: Option<&str>,
    name: &str,
    accepted: impl FnOnce(),
) -> Result<(), Status> {
    let job: Job = job();
    let mut request = Request::new(ProfileStreamRequest { job: Some(job) });
    let name = name.parse().map_err(|_| Status::internal("a name"))?;
    request.metadata_mut().insert(caller::HEADER, name);
    if let Some(token) = token {
        let token = token.parse().map_err(|_| Status::internal("a token"))?;
        request.metadata_mut().insert("authorization", token);
    }
    let mut events = stub.profile_stream(request).await?.into_inner();
    let mut accepted = Some(accepted);
    while let Some(answer) = events.message().await? {
        if let Some(accepted) = accepted.take() {
            accepted();
        }
        if let Some(Kind::Finished(_)) = answer.event.and_then(|event| event.kind) {
            return Ok(());
        }
    }
    Err(Status::data_loss("the stream ended without an ending"))
}
