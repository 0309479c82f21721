//! Traces of runs, as a collector of OpenTelemetry receives them.

use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::trace::v1::Span;
use profiler_client::v1::event::Kind;
use profiler_client::v1::profiler_service_client::ProfilerServiceClient;
use profiler_client::v1::{Job, ProfileStreamRequest};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use tokio::sync::mpsc;
use tonic::transport::Endpoint;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

/// The variable with the collector's address.
const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
/// The caller's trace and span, and that it is sampled: the example of W3C Trace Context.
const TRACE: u128 = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736;
const CALLER: u64 = 0x00f0_67aa_0ba9_02b7;
/// The last part of a sampled one, and of one that is not.
const FLAGS: [&str; 2] = ["01", "00"];

/// A collector that keeps what it gets.
struct Collector(mpsc::UnboundedSender<ExportTraceServiceRequest>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.send(request.into_inner()).map_err(|_| Status::unavailable("the test is over"))?;
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Starts a collector; returns its address and what it gets.
fn collect() -> (String, mpsc::UnboundedReceiver<ExportTraceServiceRequest>) {
    let (to, from) = mpsc::unbounded_channel();
    let incoming = TcpIncoming::bind("127.0.0.1:0".parse().expect("an address"));
    let incoming = incoming.expect("a free port");
    let url = format!("http://{}", incoming.local_addr().expect("a bound address"));
    let service = TraceServiceServer::new(Collector(to));
    let server = tonic::transport::Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(incoming));
    (url, from)
}

/// Submits a job under the caller's span, and returns the run's id after its last event.
async fn run(served: &Served, job: Job, flags: &str) -> String {
    let endpoint = Endpoint::from_shared(served.url().to_owned()).expect("an endpoint");
    let mut stub = ProfilerServiceClient::new(endpoint.connect().await.expect("it answers"));
    let mut request = Request::new(ProfileStreamRequest { job: Some(job) });
    let parent = format!("00-{TRACE:032x}-{CALLER:016x}-{flags}");
    request.metadata_mut().insert("traceparent", parent.parse().expect("text"));
    let mut events = stub.profile_stream(request).await.expect("accepted").into_inner();
    let mut run_id = None;
    while let Some(answer) = events.message().await.expect("an event") {
        let event = answer.event.expect("an event");
        if let Some(Kind::Finished(_) | Kind::Failed(_)) = event.kind {
            run_id = Some(event.run_id);
        }
    }
    run_id.expect("a last event")
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_of_a_run_continue_the_callers_trace() {
    if require::or_skip("native", Backend::select(Choice::Native).await).is_none() {
        return;
    }
    let (collector, mut collected) = collect();
    let served = Served::start("native", &[(ENDPOINT, &collector)]).await;
    let [sampled, unsampled] = FLAGS;
    let job = Job { input_sizes: vec![1], ..jobs::plain() };
    let run_id = run(&served, job.clone(), sampled).await;
    run(&served, job, unsampled).await;
    assert!(served.stop().await.success());

    let mut spans: Vec<Span> = Vec::new();
    collected.close();
    while let Some(request) = collected.recv().await {
        for resource in request.resource_spans {
            let said = format!("{:?}", resource.resource);
            assert!(said.contains("swiftprof"), "{said}");
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    // The caller decides what is sampled.
    assert!(spans.iter().all(|span| span.trace_id == TRACE.to_be_bytes()), "{spans:#?}");
    let (own, steps): (Vec<_>, Vec<_>) = spans.into_iter().partition(|span| span.name == "run");
    let [own] = own.as_slice() else { panic!("{own:#?}") };
    assert_eq!(own.parent_span_id, CALLER.to_be_bytes());
    assert!(format!("{:?}", own.attributes).contains(&run_id), "{own:#?}");
    let names: Vec<_> = steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["queued", "start", "build", "measure", "analyse"]);
    assert!(steps.iter().all(|step| step.parent_span_id == own.span_id), "{steps:#?}");
    let mut begins = own.start_time_unix_nano;
    for step in steps {
        assert_eq!(step.start_time_unix_nano, begins, "{}", step.name);
        begins = step.end_time_unix_nano;
    }
    assert_eq!(begins, own.end_time_unix_nano);
}
