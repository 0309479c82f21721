//! A sandbox that runs nothing: a runner that speaks the real protocol and answers from a cost model,
//! so that everything above the channel can be tested without noise. It proves logic, never that a
//! sandbox works.

use super::{Backend, Channel, Lease, Sandbox};
use crate::error::SandboxFault;
use async_trait::async_trait;
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use runner_protocol::{
    Binary, Compile, Compiled, Counted, Ending, Execution, Fetch, File, Hello, Input,
    MAX_FRAME_BYTES, MAX_PIECE_BYTES, Memory, Piece, Probed, Profile, Profiled, Ran, Request,
    Response, Run, SOURCES, Sample, Subject, Variant, Written,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::DuplexStream;
use tokio_util::codec::{Framed, LengthDelimitedCodec};

/// A source that contains this does not compile.
pub const DOES_NOT_COMPILE: &str = "#error";
/// What every program needs, in bytes.
pub const BASE_RSS: u64 = 3 << 20;
/// What every program costs beside its model, in nanoseconds.
pub const BASE_NS: u64 = 1_000_000;
/// The identity of its toolchain.
const TOOLCHAIN: &str = "sha256:fake";
/// The size of what it compiles, in bytes.
const BINARY_BYTES: u64 = 16_384;
/// What an empty program costs, in nanoseconds.
pub const EMPTY_NS: u64 = 750_000;
/// What the fixed piece of work costs, in nanoseconds.
pub const CALIBRATION_NS: u64 = 1_250_000;
/// Instructions that are counted in each nanosecond of a run.
pub const INSTRUCTIONS_PER_NS: u64 = 3;
/// By how much the counter slows a run down.
const COUNTER_SLOW_DOWN: u64 = 8;
/// What the compiler costs, in nanoseconds.
const COMPILE_NS: u64 = 500_000_000;
/// Bytes that the channel holds.
const CHANNEL_BYTES: usize = 64 << 10;

/// What a run with input size n does. `None` never ends: it runs until it is killed.
pub type CostModel = dyn Fn(u32) -> Option<Execution> + Send + Sync;

/// What becomes of an answer before it is sent; for `None` the runner goes away instead.
pub type Bend = dyn Fn(Response) -> Option<Response> + Send + Sync;

/// What runners were asked for, in order; without the files that they were given.
pub type Heard = Arc<Mutex<Vec<Request>>>;

/// Starts sandboxes that answer from a cost model.
pub struct Fake {
    model: Arc<CostModel>,
    bend: Arc<Bend>,
    alive: Arc<AtomicUsize>,
    available: Arc<AtomicBool>,
    heard: Option<Heard>,
}

impl Fake {
    /// A program that behaves as `model` says.
    pub fn new(model: impl Fn(u32) -> Option<Execution> + Send + Sync + 'static) -> Self {
        Self {
            model: Arc::new(model),
            bend: Arc::new(Some),
            alive: Arc::default(),
            available: Arc::new(AtomicBool::new(true)),
            heard: None,
        }
    }

    /// A program that costs so many nanoseconds and bytes for each element.
    pub fn costing(ns: u64, bytes: u64) -> Self {
        Self::new(move |n| Some(ok(BASE_NS + ns * u64::from(n), BASE_RSS + bytes * u64::from(n))))
    }

    /// Bends every answer of every runner, the Hello included.
    #[must_use]
    pub fn bending(
        self,
        bend: impl Fn(Response) -> Option<Response> + Send + Sync + 'static,
    ) -> Self {
        Self { bend: Arc::new(bend), ..self }
    }

    /// How many of its sandboxes exist.
    pub fn alive(&self) -> Arc<AtomicUsize> {
        self.alive.clone()
    }

    /// Writes down in `heard` what its runners are asked for, in order.
    #[must_use]
    pub fn telling(self, heard: Heard) -> Self {
        Self { heard: Some(heard), ..self }
    }

    /// Whether sandboxes can be started; tests switch it.
    pub fn available(&self) -> Arc<AtomicBool> {
        self.available.clone()
    }
}

/// A run that exits with 0 after `ns`, having used `rss` bytes.
pub fn ok(ns: u64, rss: u64) -> Execution {
    ended(Ending::Exited(0), ns, rss)
}

/// A run that ends otherwise.
pub fn ended(ending: Ending, ns: u64, rss: u64) -> Execution {
    let sample = Sample {
        wall_ns: ns,
        cpu_ns: Some(ns),
        user_ns: ns,
        sys_ns: 0,
        run_delay_ns: Some(0),
        peak_rss_bytes: rss,
        concurrent: false,
    };
    Execution { ending, sample, oom_kills: 0, output_full: false }
}

#[async_trait]
impl Backend for Fake {
    fn name(&self) -> &'static str {
        "fake"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        if !self.available.load(Ordering::SeqCst) {
            return Err(SandboxFault::NoDaemon("switched off".into()));
        }
        let (host, runner) = tokio::io::duplex(CHANNEL_BYTES);
        tokio::spawn(
            Runner {
                model: self.model.clone(),
                bend: self.bend.clone(),
                source: Vec::new(),
                input: Vec::new(),
                heard: self.heard.clone(),
            }
            .serve(runner),
        );
        let (from, to) = tokio::io::split(host);
        let mut channel = Channel::new(from, to);
        let hello = channel.greet("the fake", "nothing can").await?;
        self.alive.fetch_add(1, Ordering::SeqCst);
        let (toolchain, lease) = (Some(TOOLCHAIN.into()), FakeLease(self.alive.clone()));
        Ok(Sandbox { channel, hello, toolchain, lease: Box::new(lease) })
    }

    async fn toolchain(&self) -> Option<String> {
        Some(TOOLCHAIN.into())
    }

    fn not_enforced(&self) -> Vec<String> {
        vec!["nothing is run, so nothing is enforced".into()]
    }
}

/// Counts its sandbox as gone when dropped.
struct FakeLease(Arc<AtomicUsize>);

#[async_trait]
impl Lease for FakeLease {
    async fn limit_memory(&mut self, _: u64) -> Result<(), SandboxFault> {
        Ok(())
    }

    async fn end(&mut self) {}
}

impl Drop for FakeLease {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The runner's end of the channel.
struct Runner {
    model: Arc<CostModel>,
    bend: Arc<Bend>,
    source: Vec<u8>,
    /// The input that was put, whose length then stands for its size.
    input: Vec<u8>,
    heard: Option<Heard>,
}

impl Runner {
    async fn serve(mut self, channel: DuplexStream) {
        let codec = LengthDelimitedCodec::builder()
            .little_endian()
            .max_frame_length(MAX_FRAME_BYTES)
            .new_codec();
        let mut channel = Framed::new(channel, codec);
        let mut answer = Some(Response::Hello(hello()));
        loop {
            if let Some(response) = answer.take() {
                let Some(response) = (self.bend)(response) else {
                    return;
                };
                let Ok(bytes) = runner_protocol::encode(&response) else {
                    return;
                };
                if channel.send(Bytes::from(bytes)).await.is_err() {
                    return;
                }
            }
            let Some(Ok(frame)) = channel.next().await else {
                return;
            };
            answer = match runner_protocol::decode(&frame) {
                Ok(request) => {
                    if let (Some(heard), false) = (&self.heard, matches!(request, Request::Put(_)))
                    {
                        heard.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
                    }
                    self.answer(request)
                }
                Err(error) => Some(Response::Broken(error.to_string())),
            };
        }
    }

    fn answer(&mut self, request: Request) -> Option<Response> {
        match request {
            Request::Put(piece) => {
                self.put(piece);
                None
            }
            Request::KeepTo(_) => None,
            Request::Compile(request) => Some(Response::Compiled(self.compile(&request))),
            Request::Fetch(part) => Some(Response::Fetched(fetch(&part))),
            Request::Run(request) => self.run(&request).map(Response::Ran),
            Request::Probe(request) => self.probe(&request).map(Response::Probed),
            Request::Count(request) => self.count(&request).map(Response::Counted),
            Request::Profile(request) => self.profile(&request).map(Response::Profiled),
        }
    }

    fn put(&mut self, piece: Piece) {
        let file = match piece.file {
            File::Source => &mut self.source,
            File::Input => &mut self.input,
            File::Binary(_) | File::Counter => return,
        };
        if piece.first {
            file.clear();
        }
        file.extend(piece.bytes);
    }

    fn compile(&self, request: &Compile) -> Compiled {
        let source = String::from_utf8_lossy(&self.source);
        let fails = source.contains(DOES_NOT_COMPILE);
        let output = if fails { "main.cpp:1:2: error: #error\n" } else { "" };
        Compiled {
            command: format!("g++ {} main.cpp -o main.out", request.flags.join(" ")),
            compiler: "0.0.0".into(),
            execution: ended(Ending::Exited(i32::from(fails)), COMPILE_NS, BASE_RSS),
            output: output.into(),
            truncated: false,
            binary: (!fails).then_some(Binary { bytes: BINARY_BYTES, segment_bytes: BINARY_BYTES }),
        }
    }

    fn run(&self, request: &Run) -> Option<Ran> {
        let execution = self.execution(request)?;
        let time = format!(
            "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:{:05.2}\n\
             \tMaximum resident set size (kbytes): {}\n",
            execution.sample.wall_ns as f64 / 1e9,
            execution.sample.peak_rss_bytes / 1024,
        );
        let repetitions = if execution.ending.is_success() { request.stop.least } else { 0 };
        Some(Ran {
            repetitions: vec![execution.clone(); repetitions as usize],
            warm_up: request.warm_up.then_some(execution),
            gnu_time: request.warm_up.then(|| time.into()),
            written: Written::default(),
        })
    }

    /// All of the program's memory is on its heap.
    fn probe(&self, request: &Run) -> Option<Probed> {
        let execution = self.execution(request)?;
        let resident = execution.sample.peak_rss_bytes;
        let memory = Memory {
            data_stack_bytes: resident,
            size_bytes: 2 * resident,
            text_bytes: BASE_RSS,
            swap_bytes: 0,
            resident_bytes: resident,
            statm_bytes: [2 * resident, resident, BASE_RSS, BASE_RSS, 0, resident, 0],
            heap_bytes: Some(resident.saturating_sub(BASE_RSS)),
            stack_bytes: None,
            cgroup_peak_bytes: None,
            looks: 1,
        };
        Some(Probed { execution, memory: Some(memory) })
    }

    fn count(&self, request: &Run) -> Option<Counted> {
        let mut execution = self.execution(request)?;
        let instructions = Ok(execution.sample.wall_ns * INSTRUCTIONS_PER_NS);
        execution.sample.wall_ns *= COUNTER_SLOW_DOWN;
        Some(Counted { execution, instructions, written: Written::default() })
    }

    fn profile(&self, request: &Run) -> Option<Profiled> {
        let execution = self.execution(request)?;
        let listing = " 75.00      0.03     0.03                             work(int) (main.cpp:7 @ 401136)\n \
                       25.00      0.04     0.01                             main (main.cpp:12 @ 401150)\n";
        Some(Profiled { execution, profile: Profile::Listing(listing.into()) })
    }

    fn execution(&self, request: &Run) -> Option<Execution> {
        let size = match request.input {
            Input::Put => u32::try_from(self.input.len()).unwrap_or(u32::MAX),
            Input::Size(size) => size,
        };
        match request.subject {
            Subject::Calibration => Some(ok(CALIBRATION_NS, BASE_RSS)),
            Subject::Build(Variant::Empty) => Some(ok(EMPTY_NS, BASE_RSS)),
            Subject::Build(Variant::Plain | Variant::Gprof) => (self.model)(size),
        }
    }
}

fn fetch(part: &Fetch) -> Vec<u8> {
    let left = BINARY_BYTES.saturating_sub(part.offset);
    vec![0; usize::try_from(left).unwrap_or(usize::MAX).min(MAX_PIECE_BYTES)]
}

fn hello() -> Hello {
    Hello {
        sources: SOURCES.into(),
        own_user: true,
        cgroup: None,
        schedstat: true,
        fences: true,
        missing_tools: Vec::new(),
        kernel: "0.0.0-fake".into(),
        cpu_model: "fake".into(),
        cpus: 2,
    }
}
