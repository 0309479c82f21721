//! The result of a search for the worst input. The fields are the keys of its JSON form.

use crate::args::WorstArgs;
use crate::commands::check::quoted;
use crate::exit::Exit;
use profiler_core::measure::NotCompiled;
use profiler_core::measure::worst::{SearchEnd, SizeCounts, WorstCase, WorstEnd};
use profiler_growth::Classification;
use profiler_proto::json;
use profiler_search::Genome;
use profiler_server::{StopSignal, wire};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// How much of an input the result has, in bytes.
pub(super) const SHOWN_BYTES: usize = 4 << 10;
/// Most bytes of a line of the source that the result has.
const SOURCE_LINE_BYTES: usize = 200;

/// How the work ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// By itself.
    Ran(WorstEnd),
    /// The program does not compile.
    NotCompiled(Box<NotCompiled>),
    /// A signal stopped it.
    Stopped(StopSignal),
    /// The host failed.
    Fault,
}

/// The result.
#[derive(Debug, Serialize)]
pub(super) struct WorstResult {
    pub(super) program: String,
    /// The size that was asked for.
    pub(super) n: u64,
    /// The size at which inputs were tried.
    pub(super) searched_n: u64,
    /// The largest size at which the worst input was counted. The next two counts are those of this
    /// size.
    pub(super) measured_n: Option<u64>,
    pub(super) worst_instructions: Option<u64>,
    pub(super) random_instructions: Option<RandomInstructions>,
    /// Worst over the median of random inputs.
    pub(super) ratio: Option<f64>,
    /// `None` if the input was found at one n only.
    pub(super) growth: Option<BothClasses>,
    pub(super) input: Option<Found>,
    pub(super) line: Option<SlowLine>,
    pub(super) sizes: Vec<Size>,
    /// How many runs were counted, and how many of these the search made.
    pub(super) executions: u32,
    pub(super) searched_executions: u32,
    /// How long the search took, without compiling and without what followed.
    pub(super) seconds: f64,
    pub(super) seed: u32,
    pub(super) ended_by: &'static str,
    /// Why nothing was found, or why it is uncertain.
    pub(super) problem: Option<String>,
    pub(super) failures: Option<Failed>,
    #[serde(skip)]
    pub(super) exit: Exit,
}

#[derive(Debug, Serialize)]
pub(super) struct RandomInstructions {
    pub(super) median: u64,
    pub(super) most: u64,
}

/// The classes of random inputs and of the worst ones.
#[derive(Debug, Serialize)]
pub(super) struct BothClasses {
    pub(super) random: Verdict,
    pub(super) worst: Verdict,
}

#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Verdict {
    /// `None` if it is undecided.
    pub(super) class: Option<String>,
    /// The likeliest class, also if it is undecided.
    pub(super) likeliest: Option<String>,
    pub(super) confidence: Option<f64>,
    pub(super) undecided: Option<String>,
}

/// The worst input.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    pub(super) n: u64,
    /// What it looks like; empty if only its seed makes it the worst.
    pub(super) looks: Vec<String>,
    /// The beginning of the input.
    pub(super) input: String,
    pub(super) input_bytes: usize,
    /// A spec whose inputs of every size look like this. Its seed is the right one.
    #[serde(serialize_with = "message")]
    pub(super) spec: profiler_proto::v1::InputSpec,
    /// The command that writes the input again; `None` if the spec was not kept.
    pub(super) command: Option<String>,
    #[serde(skip)]
    pub(super) whole: Vec<u8>,
}

/// The line on which the worst input costs most more than a random one.
#[derive(Debug, Serialize)]
pub(super) struct SlowLine {
    pub(super) line: u32,
    pub(super) function: String,
    pub(super) source: String,
    pub(super) n: u64,
    pub(super) worst_instructions: u64,
    pub(super) random_instructions: u64,
}

/// The counts of one size.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) n: u64,
    pub(super) random_instructions: Option<RandomInstructions>,
    pub(super) worst_instructions: Option<u64>,
}

/// The inputs on which the program did not end well.
#[derive(Debug, Serialize)]
pub(super) struct Failed {
    pub(super) inputs: u32,
    /// How the program ended on the first of them.
    pub(super) first_ended: String,
    pub(super) first_n: u64,
    pub(super) first_looks: Vec<String>,
    #[serde(serialize_with = "message")]
    pub(super) first_spec: profiler_proto::v1::InputSpec,
}

impl WorstResult {
    /// What `case` found until it ended. `source` is that of the program.
    pub(super) fn new(args: &WorstArgs, source: &[u8], case: &WorstCase, ended: &Ended) -> Self {
        let measured = case.points().iter().rev().find(|point| point.worst.is_some());
        let measured_n = measured.map(|point| point.n);
        let worst = measured.and_then(|point| point.worst).map(|worst| worst.all);
        let random = measured.and_then(random_of);
        let n = measured_n.unwrap_or(case.searched_size());
        let ratio = worst.zip(random.as_ref()).map(|(worst, it)| worst as f64 / it.median as f64);
        let (exit, problem) = judged(ended, case);
        Self {
            program: args.file.display().to_string(),
            n: args.n,
            searched_n: case.searched_size(),
            measured_n,
            worst_instructions: worst.or(case.searched().best().map(|best| best.cost)),
            random_instructions: random.or_else(|| searched_random(case)),
            ratio,
            growth: case.growth().map(|[random, worst]| BothClasses {
                random: Verdict::of(&random),
                worst: Verdict::of(&worst),
            }),
            input: case.worst().and_then(|genome| Found::new(genome, n, args, case)),
            line: case.line().map(|line| SlowLine {
                line: line.line,
                function: line.function.clone(),
                source: source_line(source, line.line),
                n: line.n,
                worst_instructions: line.worst,
                random_instructions: line.random,
            }),
            sizes: case
                .points()
                .iter()
                .map(|point| Size {
                    n: point.n,
                    random_instructions: random_of(point),
                    worst_instructions: point.worst.map(|worst| worst.all),
                })
                .collect(),
            executions: case.executions(),
            searched_executions: case.searched().executions(),
            seconds: case.took().as_secs_f64(),
            seed: args.seed,
            ended_by: ended_by(ended, case),
            problem,
            failures: Failed::of(case),
            exit,
        }
    }

    /// The exit code.
    pub(super) fn exit(&self) -> Exit {
        self.exit
    }
}

fn random_of(point: &SizeCounts) -> Option<RandomInstructions> {
    Some(RandomInstructions { median: point.median()?.all, most: point.most()?.all })
}

/// The random inputs of the search, if nothing was measured after it.
fn searched_random(case: &WorstCase) -> Option<RandomInstructions> {
    let mut random = case.searched().randoms().to_vec();
    random.sort_unstable();
    let median = *random.get(random.len().checked_sub(1)? / 2)?;
    Some(RandomInstructions { median, most: *random.last()? })
}

/// The exit code, and why nothing was found or what makes it uncertain.
fn judged(ended: &Ended, case: &WorstCase) -> (Exit, Option<String>) {
    let varies = case.varies().then(|| {
        "a second count of the worst input differs by more than 1 %: the program does not repeat \
         its work"
            .to_owned()
    });
    match ended {
        Ended::NotCompiled(refused) => {
            (Exit::Unsuccessful, Some(format!("it does not compile: {}", refused.because)))
        }
        Ended::Ran(WorstEnd::Uncountable(reason)) => {
            (Exit::CannotTell, Some(format!("its instructions cannot be counted: {reason}")))
        }
        Ended::Ran(WorstEnd::NothingEndedOk) => {
            (Exit::Unsuccessful, Some("it ended well on no input".into()))
        }
        Ended::Ran(WorstEnd::Found) => (Exit::Done, varies),
        Ended::Stopped(signal) => (Exit::Stopped(*signal), Some("stopped by a signal".into())),
        Ended::Fault => (Exit::Fault, Some("a fault of the host ended the search".into())),
    }
}

fn ended_by(ended: &Ended, case: &WorstCase) -> &'static str {
    match ended {
        Ended::NotCompiled(_) => "not_compiled",
        Ended::Stopped(_) => "signal",
        Ended::Fault => "fault",
        Ended::Ran(WorstEnd::Uncountable(_)) => "uncountable",
        Ended::Ran(_) => match case.end() {
            Some(SearchEnd::Executions) => "executions",
            Some(SearchEnd::Time) => "time",
            Some(SearchEnd::NothingBetter) | None => "nothing_better",
        },
    }
}

impl Verdict {
    fn of(found: &Classification) -> Self {
        let likeliest = found.class.or(found.runner_up.map(|(class, _)| class));
        Self {
            class: found.class.map(profiler_growth::Class::name),
            likeliest: likeliest.map(profiler_growth::Class::name),
            confidence: found.confidence,
            undecided: Some(found.undecided.clone()).filter(|why| !why.is_empty()),
        }
    }
}

impl Found {
    fn new(genome: &Genome, n: u64, args: &WorstArgs, case: &WorstCase) -> Option<Self> {
        let whole = case.space().input(genome, n)?;
        let spec = wire::spec_message(&case.space().spec(genome)?);
        let n_max = args.n_max.map(|n_max| format!(" --n-max {n_max}")).unwrap_or_default();
        let command = args.output_spec.as_ref().map(|file| {
            format!("swiftprof input {} --n {n}{n_max}", quoted(&file.display().to_string()))
        });
        Some(Self {
            n,
            looks: case.space().words(genome),
            input: beginning(&whole),
            input_bytes: whole.len(),
            spec,
            command,
            whole,
        })
    }
}

impl Failed {
    fn of(case: &WorstCase) -> Option<Self> {
        let failures = case.failures();
        let (genome, n, ended) = failures.first.as_ref()?;
        Some(Self {
            inputs: failures.count,
            first_ended: ended.clone(),
            first_n: *n,
            first_looks: case.space().words(genome),
            first_spec: wire::spec_message(&case.space().spec(genome)?),
        })
    }
}

/// A line of the source, without its indentation.
fn source_line(source: &[u8], line: u32) -> String {
    let at = line.saturating_sub(1) as usize;
    let line = source.split(|&byte| byte == b'\n').nth(at).unwrap_or_default().trim_ascii();
    String::from_utf8_lossy(&line[..line.len().min(SOURCE_LINE_BYTES)]).into_owned()
}

fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN_BYTES)]).into_owned()
}

/// A message as in the JSON of reports.
fn message<S: Serializer>(spec: &profiler_proto::v1::InputSpec, to: S) -> Result<S::Ok, S::Error> {
    let value: Value = json::readable(spec).map_err(serde::ser::Error::custom)?;
    value.serialize(to)
}
