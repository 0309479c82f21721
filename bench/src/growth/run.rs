//! Profiles the programs of `bench/growth`, and prints the classes that were reported.

use super::answer::Answer;
use super::program::{self, Folder, Program};
use super::{families, score, table};
use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use clap::{Args, ValueEnum};
use profiler_core::build::BinaryCache;
use profiler_core::cancel::cancel_signal;
use profiler_core::error::Violations;
use profiler_core::job::Job;
use profiler_core::report::Events;
use profiler_core::sandbox::Cores;
use profiler_core::sandbox::Pool;
use profiler_core::{Profiler, Turn, run_job};
use profiler_growth::{Observed, classify};
use profiler_proto::{Word, json, v1};
use profiler_wire as wire;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct GrowthArgs {
    /// Programs of bench/growth, by name [default: all]
    names: Vec<String>,
    /// Evidence that growth is classified from
    #[arg(long, value_enum, value_delimiter = ',', default_value = "timed,counted,full")]
    growth: Vec<Effort>,
    /// Sizes: what each program's header says, or the schedule that grows for all of them
    #[arg(long, value_enum, default_value = "list")]
    schedule: Schedule,
    /// Precision of the runtimes, as a share; above 0.01, jobs are brief
    #[arg(long)]
    precision: Option<f64>,
    /// Keep every report and the observations of growth as JSON in this folder
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Measure nothing, and classify the observations that --record kept in this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["record", "schedule"])]
    replay: Option<PathBuf>,
    #[command(flatten)]
    backends: BackendArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Effort {
    Timed,
    Counted,
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Schedule {
    List,
    Auto,
}

impl Effort {
    fn name(self) -> &'static str {
        match self {
            Self::Timed => "timed",
            Self::Counted => "counted",
            Self::Full => "full",
        }
    }
}

/// Profiles the programs and prints the reported classes.
pub(crate) async fn run(args: &GrowthArgs) -> Result<(), Failure> {
    let mut programs = program::all(&program::folder())?;
    if let Some(name) = args.names.iter().find(|name| programs.iter().all(|p| p.name != **name)) {
        return Err(format!("there is no program {name}").into());
    }
    programs.retain(|program| args.names.is_empty() || args.names.contains(&program.name));
    for program in &mut programs {
        program.job.precision = args.precision;
    }
    if let Some(folder) = &args.replay {
        for choice in &args.backends.backend {
            for &effort in &args.growth {
                let folder = folder.join(choice.name()).join(effort.name());
                let answers = programs.iter().map(|program| recorded(program, &folder));
                print(choice.name(), effort, &answers.collect::<Result<Vec<_>, _>>()?);
            }
        }
        return Ok(());
    }
    for backend in args.backends.backends().await? {
        let folder = tempfile::tempdir()?;
        let cache = BinaryCache::in_folder(folder.path().to_owned());
        // Nothing else is started during a measurement: every job starts its own sandbox.
        let cores = Cores::of_this_host(1);
        let profiler = Profiler::new(Pool::new(backend.clone(), 0).with_cores(cores), Some(cache));
        for &effort in &args.growth {
            let record =
                args.record.as_ref().map(|dir| dir.join(backend.name()).join(effort.name()));
            let mut answers = Vec::new();
            for (index, program) in programs.iter().enumerate() {
                let (name, mode, count) = (&program.name, effort.name(), programs.len());
                eprintln!("{}, {mode}: {name}, {} of {count}", backend.name(), index + 1);
                answers.push(
                    answer(&profiler, program, effort, args.schedule, record.as_deref()).await?,
                );
            }
            print(backend.name(), effort, &answers);
        }
        profiler.pool.close().await;
    }
    Ok(())
}

fn print(backend: &str, effort: Effort, answers: &[Answer<'_>]) {
    println!("\n# {backend}, growth {}", effort.name());
    for folder in Folder::ALL {
        table::print(folder, answers);
    }
    score::print(answers);
    families::print(answers);
}

/// Returns the path of the file that keeps the observations of a program.
fn observations(folder: &Path, program: &Program) -> PathBuf {
    folder.join(&program.name).with_extension("observed.json")
}

/// Classifies what was recorded of a program. A program without a record has failed.
fn recorded<'p>(program: &'p Program, folder: &Path) -> Result<Answer<'p>, Failure> {
    let file = observations(folder, program);
    if !file.exists() {
        let failure = Some("nothing was recorded".into());
        return Ok(Answer { program, growth: None, observed: None, failure, took: None });
    }
    let observed: Observed = serde_json::from_slice(&fs::read(file)?)?;
    let growth = Some(v1::GrowthReport::from(&classify(&observed)));
    Ok(Answer { program, growth, observed: Some(observed), failure: None, took: None })
}

/// Runs one program. A failure is an answer too.
async fn answer<'p>(
    profiler: &Profiler,
    program: &'p Program,
    effort: Effort,
    schedule: Schedule,
    record: Option<&Path>,
) -> Result<Answer<'p>, Failure> {
    let job = job(program, effort, schedule).map_err(|bad| format!("{}: {bad}", program.name))?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let begun = Instant::now();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    let took = Some(begun.elapsed());
    let report = match done {
        Ok(report) => report,
        Err(error) => {
            let failure = Some(format!("{}: {}", error.code().word(), error.message));
            return Ok(Answer { program, growth: None, observed: None, failure, took });
        }
    };
    let observed = events.observed().cloned();
    if let Some(folder) = record {
        fs::create_dir_all(folder)?;
        let file = folder.join(&program.name).with_extension("json");
        fs::write(file, json::to_string_pretty(&report)?)?;
        if let Some(observed) = &observed {
            fs::write(observations(folder, program), serde_json::to_string(observed)?)?;
        }
    }
    Ok(Answer { program, growth: report.growth, observed, failure: None, took })
}

/// The job of a program, as a caller would submit it.
fn job(program: &Program, effort: Effort, schedule: Schedule) -> Result<Job, Violations> {
    let mut job = program.job.clone();
    job.growth = match effort {
        Effort::Timed => v1::Growth::Timed,
        Effort::Counted => v1::Growth::Counted,
        Effort::Full => v1::Growth::Full,
    }
    .into();
    if schedule == Schedule::Auto {
        job.input_sizes.clear();
        job.schedule = v1::Schedule::Auto.into();
    }
    wire::job(job, &wire::Defaults::default())
}

#[cfg(test)]
mod tests {
    use super::{Effort, Folder, Schedule, job, observations, program, recorded};
    use profiler_growth::{Counts, Observed, SizeObservation, classify};
    use profiler_proto::v1::GrowthReport;
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn recorded_observations_are_classified_as_the_measured_ones() {
        let programs = program::all(&program::folder()).unwrap();
        let [program, other, ..] = programs.as_slice() else { panic!("{}", programs.len()) };
        let sizes = [1000, 2000, 4000, 8000, 10_u64.pow(18)];
        let size = |size: u64| SizeObservation {
            size,
            runtime_ms: (size < 10_000).then_some(0.5 + (size as f64).powi(2) / 1e6),
            over_time: size >= 10_000,
            ..SizeObservation::default()
        };
        let counts = |size| Counts { size, lines: [(7, size * 3)].into(), ..Counts::default() };
        let observed = Observed {
            effort: profiler_growth::Effort::Counted,
            sizes: sizes.map(size).into(),
            counts: sizes[..4].iter().copied().map(counts).collect(),
            primes: Vec::new(),
            lacks_primes: false,
            uncountable: None,
            heaps: vec![(1000, 0.25)],
            start_up_ms: Some(0.5),
            start_up_mb: None,
            processors: None,
            reads: false,
            n_max: Some(10_u64.pow(18)),
            time_limit_ms: 2000.0,
            timeout_ms: 2250.0,
            memory_limit_mb: 512.0,
            spent_ms: 0.1,
        };
        let folder = tempfile::tempdir().unwrap();
        let file = observations(folder.path(), program);
        fs::write(file, serde_json::to_string(&observed).unwrap()).unwrap();
        let answer = recorded(program, folder.path()).unwrap();
        assert_eq!(answer.growth, Some(GrowthReport::from(&classify(&observed))));
        let answer = recorded(other, folder.path()).unwrap();
        assert_eq!(
            (answer.growth, answer.failure.as_deref()),
            (None, Some("nothing was recorded"))
        );
    }

    #[test]
    fn every_program_can_be_asked_for_and_its_classes_are_known() {
        let programs = program::all(&program::folder()).unwrap();
        let names: BTreeSet<_> = programs.iter().map(|program| &program.name).collect();
        assert_eq!(names.len(), programs.len(), "two programs have one name");
        for folder in Folder::ALL {
            let count = programs.iter().filter(|program| program.folder == folder).count();
            assert!(count >= 40, "{folder:?} has {count}");
        }
        for program in &programs {
            // Specs are checked at every size of the job.
            for schedule in [Schedule::List, Schedule::Auto] {
                let job = job(program, Effort::Full, schedule);
                let job = job.unwrap_or_else(|bad| panic!("{}: {bad}", program.name));
                let largest = job.sizes.requested().last().copied();
                let bound = program.job.input_bounds.get("n").copied();
                assert!(largest.map(u64::cast_signed) <= bound, "{}: {largest:?}", program.name);
            }
        }
    }
}
