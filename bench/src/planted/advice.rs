//! Known fixes that `--advice` finds, and gains that it only believes. Each file of `bench/advice`
//! has a header, which the profiler does not see:
//!
//! ```text
//! // expects: TEXT | line N   what advice writes or changes; "nothing" if no advice is right
//! // fix N: TEXT              line N of the program in which a person has fixed it; may be empty
//! // input: array.yaml        a spec in this folder; n alone if there is no such line
//! ```

use crate::failure::Failure;
use crate::tools::backend_args::BackendArgs;
use clap::Args;
use profiler_core::build::BinaryCache;
use profiler_core::cancel::cancel_signal;
use profiler_core::report::Events;
use profiler_core::sandbox::{Cores, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::options::tools_job;
use profiler_proto::v1::{Advice, TriedChange};
use profiler_proto::{Word, file, v1};
use profiler_wire as wire;
use profiler_wire::BRIEF_PRECISION;
use std::fs;
use std::path::{Path, PathBuf};

/// Prefix of a line of a header.
const HEADER: &str = "// ";
/// Expectation of a program that no change makes faster.
const NOTHING: &str = "nothing";

/// Arguments of the benchmark.
#[derive(Debug, Args)]
pub(crate) struct AdviceArgs {
    /// Only the programs whose names contain one of these texts [default: all]
    names: Vec<String>,
    #[command(flatten)]
    backends: BackendArgs,
}

/// A program with a known fix, or with none.
struct Planted {
    name: String,
    expected: Vec<Expected>,
    job: v1::Job,
}

/// Mark of the known fix.
#[derive(Debug, PartialEq)]
enum Expected {
    /// Text that the fix writes.
    Text(String),
    /// Line that the fix changes.
    Line(u32),
}

/// Prints which fixes are found.
pub(crate) async fn run(args: &AdviceArgs) -> Result<(), Failure> {
    for backend in args.backends.backends().await? {
        println!("| program | found | advice | refused | not tried |\n|---|---|---|---|---|");
        let (mut found, mut fixable, mut false_gains) = (0, 0, 0);
        for path in sources()? {
            let Planted { name, expected, job } = read(&path)?;
            if !args.names.is_empty() && !args.names.iter().any(|part| name.contains(part)) {
                continue;
            }
            let folder = tempfile::tempdir()?;
            let cache = BinaryCache::in_folder(folder.path().to_owned());
            // Nothing else is started during a trial: every job starts its own sandbox.
            let pool = Pool::new(backend.clone(), 0).with_cores(Cores::of_this_host(1));
            let profiler = Profiler::new(pool, Some(cache));
            let advice = advised(&profiler, &name, job).await?;
            profiler.pool.close().await;
            let is_found = advice.given.iter().any(|it| expected.iter().any(|fix| fix.is_in(it)));
            let verdict = if expected.is_empty() {
                false_gains += advice.given.len();
                "nothing to find"
            } else {
                fixable += 1;
                found += usize::from(is_found);
                if is_found { "yes" } else { "no" }
            };
            let given = listed(&advice.given);
            let given = if given.is_empty() { advice.problem.clone() } else { given };
            let refused = listed(&advice.refused);
            println!("| {name} | {verdict} | {given} | {refused} | {} |", advice.left_out);
        }
        let name = backend.name();
        println!("{name}: found {found} of {fixable}, {false_gains} false gains");
    }
    Ok(())
}

impl Expected {
    fn parsed(text: &str) -> Self {
        match text.strip_prefix("line ").and_then(|line| line.parse().ok()) {
            Some(line) => Self::Line(line),
            None => Self::Text(text.to_owned()),
        }
    }

    fn is_in(&self, change: &TriedChange) -> bool {
        match self {
            Self::Text(text) => change.after.contains(text) || change.remedy.contains(text),
            Self::Line(line) => change.edited_lines.contains(line),
        }
    }
}

/// The sources, in the order of their names.
fn sources() -> Result<Vec<PathBuf>, Failure> {
    let paths = fs::read_dir(folder())?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<Result<Vec<_>, Failure>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "cpp"));
    paths.sort();
    Ok(paths)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("advice")
}

fn read(path: &Path) -> Result<Planted, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let text = fs::read_to_string(path)?;
    let header = text.lines().take_while(|line| line.starts_with(HEADER));
    let (mut expected, mut specs, mut height) = (None, Vec::new(), 0);
    for line in header {
        height += 1;
        match line.trim_start_matches(HEADER).split_once(':') {
            Some(("expects", fixes)) => expected = Some(fixes.trim()),
            Some(("input", spec)) => specs = file::read(&folder().join(spec.trim()))?,
            Some((fix, _)) if fix.starts_with("fix ") => {}
            _ => return Err(format!("{name}: {line:?} is no line of a header").into()),
        }
    }
    let expected = expected.ok_or(format!("{name}: nothing is expected"))?;
    let fixes = Some(expected).filter(|it| *it != NOTHING);
    let expected = fixes.iter().flat_map(|it| it.split(" | ").map(Expected::parsed)).collect();
    // Lines keep their numbers.
    let body: Vec<_> = text.lines().skip(height).collect();
    let source = "\n".repeat(height) + &body.join("\n") + "\n";
    let code =
        v1::CodeMessage { task_id: name.clone(), code_cpp: source, ..v1::CodeMessage::default() };
    let job = v1::Job {
        code: Some(code),
        input_specs: specs,
        precision: Some(BRIEF_PRECISION),
        advice: true,
        ..tools_job()
    };
    Ok(Planted { name, expected, job })
}

async fn advised(profiler: &Profiler, name: &str, job: v1::Job) -> Result<Advice, Failure> {
    let job = wire::job(job, &wire::Defaults::default()).map_err(|bad| format!("{name}: {bad}"))?;
    // Nothing receives the events: the queue holds all events of a job.
    let (mut events, _watcher) = Events::new("bench");
    let (_stopper, mut stopped) = cancel_signal();
    let done = run_job(&job, profiler, &mut events, &mut stopped, Turn::now()).await;
    let report = done.map_err(|error| {
        let (code, message) = (error.code().word(), error.message);
        format!("{name}: {code}: {message}")
    })?;
    report.advice.ok_or_else(|| format!("{name}: the report has no advice").into())
}

/// The changes, each with its line, its remedy and its gain.
fn listed(changes: &[TriedChange]) -> String {
    let one = |it: &TriedChange| {
        let line = it.line.map(|line| format!("line {line}: ")).unwrap_or_default();
        let gain = it.speedup.map(|speedup| format!(" {:.2}×", speedup.times));
        let why = if it.why_not.is_empty() { "" } else { &format!(" ({})", it.why_not) };
        format!("{line}{}{}{why}", it.remedy, gain.unwrap_or_default())
    };
    changes.iter().map(one).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{Expected, read, sources};

    #[test]
    fn every_program_says_what_is_expected() {
        let programs: Vec<_> = sources().unwrap().iter().map(|it| read(it).unwrap()).collect();
        let fixable = programs.iter().filter(|it| !it.expected.is_empty()).count();
        assert_eq!((fixable, programs.len() - fixable), (20, 5));
        let columns = programs.iter().find(|it| it.name == "columns").unwrap();
        assert_eq!(columns.expected, [Expected::Line(20), Expected::Line(21)]);
        let code = columns.job.code.as_ref().unwrap();
        assert!(!code.code_cpp.contains("// fix"), "the profiler does not see the fix");
    }
}
