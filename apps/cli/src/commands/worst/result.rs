//! The result of a search for the worst input. The fields are the keys of its JSON form.

use crate::args::WorstArgs;
use crate::commands::check::quoted;
use crate::exit::Exit;
use profiler_core::cancel::StopSignal;
use profiler_core::measure::NotCompiled;
use profiler_core::measure::worst::{WorstCase, WorstEnd};
use profiler_export::worst::{costs, costs_at, ratio, source_line, unit};
use profiler_export::{flag, why_undecided};
use profiler_proto::v1::{GrowthClassification, SearchEnd, WorstInput};
use profiler_proto::{json, v1};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// End of the work.
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
    /// The largest size at which the worst input was measured. The costs are those of this size.
    pub(super) measured_n: Option<u64>,
    #[serde(flatten)]
    pub(super) costs: Costs,
    /// Worst over the median of random inputs.
    pub(super) ratio: Option<f64>,
    /// `None` if the input was found at one n only.
    pub(super) growth: Option<BothClasses>,
    pub(super) input: Option<Found>,
    pub(super) line: Option<SlowLine>,
    pub(super) sizes: Vec<Size>,
    /// Number of measured runs, and number of these that the search made.
    pub(super) executions: u32,
    pub(super) searched_executions: u32,
    /// Duration of the search, without compiling and without what followed.
    pub(super) seconds: f64,
    pub(super) seed: u32,
    pub(super) ended_by: &'static str,
    /// Reason why nothing was found, or why it is uncertain.
    pub(super) problem: Option<String>,
    pub(super) failures: Option<Failed>,
    #[serde(skip)]
    pub(super) exit: Exit,
    /// The same as the wire has it.
    #[serde(skip)]
    pub(super) found: WorstInput,
}

/// Costs of the worst input and of random inputs. The keys name the unit: `worst_instructions`,
/// `worst_bytes` or `worst_allocations`, and the same with `random_`.
#[derive(Debug)]
pub(super) struct Costs {
    unit: &'static str,
    worst: Option<u64>,
    random: Option<RandomCosts>,
}

#[derive(Debug, Serialize)]
struct RandomCosts {
    median: u64,
    most: u64,
}

impl Costs {
    fn new(unit: &'static str, (worst, random): (Option<u64>, Option<v1::RandomCosts>)) -> Self {
        let random = random.map(|costs| RandomCosts { median: costs.median, most: costs.most });
        Self { unit, worst, random }
    }
}

impl Serialize for Costs {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut costs = to.serialize_map(Some(2))?;
        costs.serialize_entry(&format!("worst_{}", self.unit), &self.worst)?;
        costs.serialize_entry(&format!("random_{}", self.unit), &self.random)?;
        costs.end()
    }
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
    /// Traits of the input; empty if only its seed makes it the worst.
    pub(super) looks: Vec<String>,
    /// The beginning of the input.
    pub(super) input: String,
    pub(super) input_bytes: u64,
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

/// The costs at one size.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) n: u64,
    #[serde(flatten)]
    pub(super) costs: Costs,
}

/// The inputs on which the program did not end well.
#[derive(Debug, Serialize)]
pub(super) struct Failed {
    pub(super) inputs: u32,
    /// Ending of the program on the first of them.
    pub(super) first_ended: String,
    pub(super) first_n: u64,
    pub(super) first_looks: Vec<String>,
    #[serde(serialize_with = "message")]
    pub(super) first_spec: profiler_proto::v1::InputSpec,
}

impl WorstResult {
    /// Builds the result from what `case` found until it ended. `source` is that of the program.
    pub(super) fn new(args: &WorstArgs, source: &str, case: &WorstCase, ended: &Ended) -> Self {
        let found = case.found(ended.of_search());
        let problem = ended.problem().or_else(|| {
            let problem = found.problem.clone();
            Some(problem).filter(|problem| !problem.is_empty())
        });
        let (n, unit) = (found.measured_size.unwrap_or(found.searched_size), unit(&found));
        Self {
            program: args.file.display().to_string(),
            n: args.n,
            searched_n: found.searched_size,
            measured_n: found.measured_size,
            costs: Costs::new(unit, costs(&found)),
            ratio: ratio(&found),
            growth: found.random_growth.as_ref().zip(found.worst_growth.as_ref()).map(
                |(random, worst)| BothClasses {
                    random: Verdict::of(random),
                    worst: Verdict::of(worst),
                },
            ),
            input: Found::new(&found, n, args, case),
            line: found.line.as_ref().map(|line| SlowLine {
                line: line.line,
                function: line.function.clone(),
                source: source_line(source, line.line),
                n: line.size,
                worst_instructions: line.worst,
                random_instructions: line.random,
            }),
            sizes: found
                .points
                .iter()
                .map(|point| Size { n: point.size, costs: Costs::new(unit, costs_at(point)) })
                .collect(),
            executions: found.executions,
            searched_executions: found.searched_executions,
            seconds: found.seconds,
            seed: found.seed,
            ended_by: ended.by(found.end()),
            problem: problem.clone(),
            failures: found.failures.clone().map(Into::into),
            exit: ended.exit(),
            found: WorstInput { problem: problem.unwrap_or_default(), ..found },
        }
    }
}

impl Ended {
    /// Returns the end of the search, if it ended by itself.
    fn of_search(&self) -> Option<&WorstEnd> {
        if let Self::Ran(end) = self { Some(end) } else { None }
    }

    /// Explains why the search did not end by itself.
    fn problem(&self) -> Option<String> {
        match self {
            Self::Ran(_) => None,
            Self::NotCompiled(refused) => Some(format!("it does not compile: {}", refused.because)),
            Self::Stopped(_) => Some("stopped by a signal".into()),
            Self::Fault => Some("a fault of the host ended the search".into()),
        }
    }

    fn exit(&self) -> Exit {
        match self {
            Self::NotCompiled(_) | Self::Ran(WorstEnd::NothingEndedOk) => Exit::Unsuccessful,
            Self::Ran(WorstEnd::Uncountable(_)) => Exit::CannotTell,
            Self::Ran(WorstEnd::Found) => Exit::Done,
            Self::Stopped(signal) => Exit::Stopped(*signal),
            Self::Fault => Exit::Fault,
        }
    }

    fn by(&self, end: SearchEnd) -> &'static str {
        match self {
            Self::NotCompiled(_) => "not_compiled",
            Self::Stopped(_) => "signal",
            Self::Fault => "fault",
            Self::Ran(WorstEnd::Uncountable(_)) => "uncountable",
            Self::Ran(_) => match end {
                SearchEnd::Executions => "executions",
                SearchEnd::Time => "time",
                SearchEnd::NothingBetter | SearchEnd::Unspecified => "nothing_better",
            },
        }
    }
}

impl From<v1::FailedInputs> for Failed {
    fn from(failed: v1::FailedInputs) -> Self {
        Self {
            inputs: failed.count,
            first_ended: failed.ended,
            first_n: failed.size,
            first_looks: failed.looks,
            first_spec: failed.spec.unwrap_or_default(),
        }
    }
}

impl Verdict {
    fn of(found: &GrowthClassification) -> Self {
        let name = profiler_growth::Class::name;
        Self {
            class: found.class().map(name),
            likeliest: found.class().or(found.runner_up_class()).map(name),
            confidence: found.confidence,
            undecided: Some(why_undecided(found, flag)).filter(|why| !why.is_empty()),
        }
    }
}

impl Found {
    fn new(found: &WorstInput, n: u64, args: &WorstArgs, case: &WorstCase) -> Option<Self> {
        let n_max = args.n_max.map(|n_max| format!(" --n-max {n_max}")).unwrap_or_default();
        let command = args.output_spec.as_ref().map(|file| {
            format!("swiftprof input {} --n {n}{n_max}", quoted(&file.display().to_string()))
        });
        Some(Self {
            n,
            looks: found.looks.clone(),
            input: String::from_utf8_lossy(&found.input).into_owned(),
            input_bytes: found.input_bytes,
            spec: found.spec.clone()?,
            command,
            whole: case.search.space().input(case.worst()?, n)?,
        })
    }
}

/// A message as in the JSON of reports.
fn message<S: Serializer>(spec: &profiler_proto::v1::InputSpec, to: S) -> Result<S::Ok, S::Error> {
    let value: Value = json::readable(spec).map_err(serde::ser::Error::custom)?;
    value.serialize(to)
}
