//! The runner's end of a fake's channel: the real protocol, and answers from the cost model.

use super::attribution::{attribution, code_lines, in_series, record};
use super::cost_model::{
    BASE_RSS, Bend, CALIBRATION_NS, CHECKER_NS, CostModel, DOES_NOT_COMPILE, EMPTY_NS,
    GENERATOR_NS, Heard, INSTRUCTIONS_PER_NS, SANITIZER_REPORT, STDOUT, accepting, ended, ok,
};
use crate::sandbox::channel::codec;
use bytes::Bytes;
use futures::{SinkExt, StreamExt};
use profiler_input::Recipe;
use runner_protocol::{
    Allocated, BatchResult, Binary, Breach, Checked, Compile, Compiled, CountSeries, Counted,
    CountedSeries, Ending, Execution, Faulted, Fetch, FetchStdout, File, Generated, Hello, Input,
    InputCount, InteractorRun, LineCounts, LineSamples, MAX_PIECE_BYTES, Made, Make, Memory, Piece,
    Probed, Profile, Profiled, Request, Response, Run, SOURCES, SampledLines, Stack, StackCall,
    Subject, Traced, Variant, Written, read_list,
};
use sha2::{Digest, Sha256};
use std::sync::{Arc, PoisonError};
use tokio::io::DuplexStream;
use tokio_util::codec::Framed;

/// The size of every compiled binary, in bytes.
const BINARY_BYTES: u64 = 16_384;
/// Factor by which the counter slows a run down.
const COUNTER_SLOW_DOWN: u64 = 8;
/// Time of the compiler, in nanoseconds.
const COMPILE_NS: u64 = 500_000_000;

/// A runner that answers from a cost model.
pub(super) struct Runner {
    model: Arc<CostModel>,
    bend: Arc<Bend>,
    source: Vec<u8>,
    /// The program's other files, bundled.
    files: Vec<u8>,
    interactor: Vec<u8>,
    /// The current input; its length is the size.
    input: Vec<u8>,
    /// The inputs of a series, each after its length.
    inputs: Vec<u8>,
    /// Size of the input on which the last continuation is based.
    continued: u64,
    recipe: Vec<u8>,
    /// The input that a generator has made.
    made: Option<Vec<u8>>,
    /// The lines of the runs that were counted by line.
    lines: Vec<LineCounts>,
    heard: Option<Heard>,
    /// Whether the program can be counted by line.
    has_lines: bool,
}

impl Runner {
    /// A runner that has received nothing yet.
    pub(super) fn new(
        model: Arc<CostModel>,
        bend: Arc<Bend>,
        heard: Option<Heard>,
        has_lines: bool,
    ) -> Self {
        let [source, files, interactor, input, inputs, recipe] = [const { Vec::new() }; 6];
        let (continued, made, lines) = (0, None, Vec::new());
        Self {
            model,
            bend,
            source,
            files,
            interactor,
            input,
            inputs,
            continued,
            recipe,
            made,
            lines,
            heard,
            has_lines,
        }
    }

    pub(super) async fn serve(mut self, channel: DuplexStream) {
        let mut channel = Framed::new(channel, codec());
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
            Request::Continue(request) => {
                self.continued = self.size(request.from);
                None
            }
            Request::Compile(request) => Some(Response::Compiled(self.compile(&request))),
            Request::Fetch(part) => Some(Response::Fetched(fetch(&part))),
            Request::Generate(_) => Some(Response::Generated(self.generate())),
            Request::Run(request) => self.run(&request).map(Response::Batch),
            Request::Probe(request) => self.probe(&request).map(Response::Probed),
            Request::Count(request) | Request::CountForked(request) => {
                Some(Response::Counted(self.count(&request)))
            }
            Request::CountByLine(request) => Some(Response::Counted(self.count_by_line(&request))),
            Request::ReadLines(_) => Some(Response::Lines(std::mem::take(&mut self.lines))),
            Request::CountSeries(request) => {
                Some(Response::CountedSeries(self.count_series(&request)))
            }
            Request::FindFault(request) => Some(Response::Faulted(self.find_fault(&request))),
            Request::SampleLines(request) => self.sample(&request.run).map(Response::SampledLines),
            Request::Trace(request) => Some(Response::Traced(self.trace(&request))),
            Request::Profile(request) => self.profile(&request).map(Response::Profiled),
            Request::Allocate(request) => self.allocate(&request).map(Response::Allocated),
            Request::FetchStdout(part) => Some(Response::Fetched(self.stdout(part))),
            Request::Make(request) => Some(Response::Made(self.make(request))),
            Request::Check(_) => Some(Response::Checked(Checked {
                execution: ok(CHECKER_NS, BASE_RSS),
                message: b"ok\n".into(),
            })),
        }
    }

    fn put(&mut self, piece: Piece) {
        let file = match piece.file {
            File::Source => &mut self.source,
            File::Input => &mut self.input,
            File::Inputs => &mut self.inputs,
            File::Recipe => &mut self.recipe,
            File::Interactor => &mut self.interactor,
            File::Files => &mut self.files,
            File::Checked(_) | File::Binary(_) | File::Counter | File::Generator => return,
        };
        if piece.first {
            file.clear();
        }
        file.extend(piece.bytes);
    }

    fn generate(&mut self) -> Generated {
        self.input.clear();
        let recipe = runner_protocol::decode::<Recipe>(&self.recipe).unwrap_or_default();
        let made = recipe.write(&mut self.input).is_ok();
        Generated {
            execution: ended(Ending::Exited(i32::from(!made)), 0, BASE_RSS),
            bytes: self.input.len() as u64,
            sha256: Sha256::digest(&self.input).into(),
            stderr_tail: Vec::new(),
        }
    }

    /// Makes an input as long as n, of one digit of the seed.
    fn make(&mut self, Make { n, seed, .. }: Make) -> Made {
        let input = seed.to_string().as_bytes()[..1].repeat(usize::try_from(n).unwrap_or(0));
        let stdout_bytes = input.len() as u64;
        self.made = Some(input);
        let written = Written { stdout_bytes, ..Written::default() };
        Made { execution: ok(GENERATOR_NS, BASE_RSS), written }
    }

    /// A piece of what a generator wrote. What any other program wrote is always the same.
    fn stdout(&self, FetchStdout { offset }: FetchStdout) -> Vec<u8> {
        let Some(made) = &self.made else { return STDOUT.into() };
        let rest = &made[usize::try_from(offset).unwrap_or(0).min(made.len())..];
        rest[..rest.len().min(MAX_PIECE_BYTES)].to_vec()
    }

    fn compile(&self, request: &Compile) -> Compiled {
        let interactor = request.variant == Variant::Interactor;
        let source = if interactor { &self.interactor } else { &self.source };
        let source = String::from_utf8_lossy(source);
        let fails = source.contains(DOES_NOT_COMPILE);
        let is_own = !matches!(request.variant, Variant::Empty | Variant::Interactor);
        let files = read_list(&mut self.files.as_slice()).unwrap_or_default();
        let compiled = files.iter().filter(|file| is_own && file.is_compiled);
        let sources: Vec<_> =
            ["main.cpp"].into_iter().chain(compiled.map(|file| file.path.as_str())).collect();
        let output = if fails { "main.cpp:1:2: error: #error\n" } else { "" };
        Compiled {
            command: format!("g++ {} {} -o main.out", request.flags.join(" "), sources.join(" ")),
            compiler: "0.0.0".into(),
            execution: ended(Ending::Exited(i32::from(fails)), COMPILE_NS, BASE_RSS),
            output: output.into(),
            truncated: false,
            binary: (!fails).then_some(Binary { bytes: BINARY_BYTES, segment_bytes: BINARY_BYTES }),
            dependencies: Vec::new(),
        }
    }

    fn run(&self, request: &Run) -> Option<BatchResult> {
        let execution = self.execution(request)?;
        let time = format!(
            "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:{:05.2}\n\
             \tMaximum resident set size (kbytes): {}\n",
            execution.sample.wall_ns as f64 / 1e9,
            execution.sample.peak_rss_bytes / 1024,
        );
        let interactive = request.interactor.is_some();
        let lines = request.counts_lines.then(|| self.size(request.input));
        let talk = InteractorRun { lines, ..accepting(&execution) };
        // Without a warm-up there is at least one repetition, even of a failing program.
        let failing = usize::from(!request.warm_up);
        let well = execution.ending.is_success();
        let is_explained = request.subject == Subject::Build(Variant::Sanitized) && !well;
        let stderr_tail = if is_explained { SANITIZER_REPORT.into() } else { Vec::new() };
        let repetitions = if well { request.stop.least as usize } else { failing };
        Some(BatchResult {
            repetitions: vec![execution.clone(); repetitions],
            interactor_runs: vec![talk; if interactive { repetitions } else { 0 }],
            warm_up: request.warm_up.then_some(execution),
            gnu_time: request.gnu_time.then(|| time.into()),
            written: Written { stderr_tail, ..Written::default() },
            ..BatchResult::default()
        })
    }

    /// Probes a run. All of the program's memory is on the heap.
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
            anonymous_bytes: Some(resident.saturating_sub(BASE_RSS)),
            stack_bytes: None,
            cgroup_peak_bytes: None,
            readings: 1,
        };
        Some(Probed { execution, memory: Some(memory) })
    }

    /// Counts a run. As in the real runner, a run that does not end is stopped at its limit.
    fn count(&self, request: &Run) -> Counted {
        let written = Written::default();
        let Some(mut execution) = self.execution(request) else {
            let wall_ns = request.limits.wall_ns;
            let execution = ended(Ending::Stopped(Breach::Wall(wall_ns)), wall_ns, BASE_RSS);
            let instructions = Err("the run was stopped".into());
            return Counted { execution, instructions, own_instructions: None, written };
        };
        let instructions = execution.sample.wall_ns * INSTRUCTIONS_PER_NS;
        execution.sample.wall_ns *= COUNTER_SLOW_DOWN;
        let (instructions, own_instructions) = (Ok(instructions), Some(instructions));
        Counted { execution, instructions, own_instructions, written }
    }

    /// Counts a series, which ends after the first input on which the program does not exit.
    fn count_series(&mut self, request: &CountSeries) -> CountedSeries {
        let mut counts: Vec<InputCount> = Vec::new();
        let inputs = std::mem::take(&mut self.inputs);
        let mut rest = &inputs[..];
        while let Some((length, after)) = rest.split_first_chunk() {
            let (input, after) = after.split_at(u32::from_le_bytes(*length) as usize);
            self.input = input.to_vec();
            let run = Run { input: Input::Put, ..request.run };
            let is_first = counts.is_empty();
            counts.push(in_series(self.count(&run), &request.lines, is_first));
            rest = after;
            if !matches!(counts.last(), Some(InputCount { ending: Ending::Exited(_), .. })) {
                break;
            }
        }
        let code_lines = code_lines(&request.lines);
        CountedSeries { execution: ok(EMPTY_NS, BASE_RSS), counts, code_lines }
    }

    /// Finds the calls where the model fails. A run that does not end is stopped at its limit.
    fn find_fault(&self, request: &Run) -> Faulted {
        let wall_ns = request.limits.wall_ns;
        let stopped = || ended(Ending::Stopped(Breach::Wall(wall_ns)), wall_ns, BASE_RSS);
        let execution = self.execution(request).unwrap_or_else(stopped);
        let call = |function: &str, line| {
            let (function, file) = (function.into(), String::new());
            StackCall { function, file, line, times: 1 }
        };
        let calls = vec![call("work(int)", 7), call("main", 12)];
        let fails = !execution.ending.is_success();
        Faulted { execution, stack: fails.then_some(Stack { calls, is_cut: false }) }
    }

    /// Samples a run. Line 12 of the model takes more time than its instructions tell.
    fn sample(&self, request: &Run) -> Option<SampledLines> {
        let execution = self.execution(request)?;
        let line = |line, samples| LineSamples { file: String::new(), line, samples };
        let lines = vec![line(12, 80), line(7, 20)];
        Some(SampledLines { execution, written: self.count(request).written, samples: 100, lines })
    }

    fn count_by_line(&mut self, request: &Run) -> Counted {
        let mut counted = self.count(request);
        if !self.has_lines {
            counted.instructions = Err("it has too many calls".into());
        }
        if let Ok(all) = counted.instructions {
            let lines = attribution(all, counted.own_instructions).lines;
            self.lines.push(lines.iter().map(|line| (line.line, line.instructions)).collect());
        }
        counted
    }

    fn trace(&self, request: &Run) -> Traced {
        let Counted { execution, instructions, own_instructions, written } = self.count(request);
        let trace = instructions.map(|all| attribution(all, own_instructions));
        Traced { execution, trace, written }
    }

    fn profile(&self, request: &Run) -> Option<Profiled> {
        let execution = self.execution(request)?;
        let listing = " 75.00      0.03     0.03                             work(int) (main.cpp:7 @ 401136)\n \
                       25.00      0.04     0.01                             main (main.cpp:12 @ 401150)\n";
        Some(Profiled { execution, profile: Profile::Listing(listing.into()) })
    }

    fn allocate(&self, request: &Run) -> Option<Allocated> {
        let execution = self.execution(request)?;
        let record = record(execution.sample.peak_rss_bytes.saturating_sub(BASE_RSS));
        let written = Written::default();
        Some(Allocated { execution, record: Some(record), written })
    }

    /// Returns the size that an input stands for. A continuation does not change it.
    fn size(&self, input: Input) -> u64 {
        match input {
            Input::Put => self.input.len() as u64,
            Input::Size(size) => size,
            Input::Continued => self.continued,
        }
    }

    fn execution(&self, request: &Run) -> Option<Execution> {
        let size = self.size(request.input);
        match request.subject {
            Subject::Calibration => Some(ok(CALIBRATION_NS, BASE_RSS)),
            Subject::Build(Variant::Empty) => Some(ok(EMPTY_NS, BASE_RSS)),
            Subject::Build(
                Variant::Plain
                | Variant::Gprof
                | Variant::Allocations
                | Variant::Sanitized
                | Variant::Interactor,
            ) => (self.model)(size),
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
        no_run_cgroup: None,
        schedstat: true,
        landlock: true,
        missing_tools: Vec::new(),
        kernel: "0.0.0-fake".into(),
        cpu_model: "fake".into(),
        cpu_flags: "fake".into(),
        cpus: 2,
    }
}
