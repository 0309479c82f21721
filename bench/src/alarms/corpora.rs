//! Honest programs: those that other benchmarks, examples and tests have, and those of
//! `bench/alarms/programs`, which have a header:
//!
//! ```text
//! // Adds the numbers up to the first zero.
//! // input: array.yaml    a spec of bench/growth/inputs; n alone if there is no such line
//! // sizes: 100,200,400   the default sizes if there is no such line
//! // varies: work          if the work differs from run to run, or "output" if both do
//! ```

use super::finding::Varies;
use crate::costs::executions;
use crate::failure::Failure;
use crate::growth::program;
use crate::noise::outside;
use crate::worst::programs::{FIRST, SECOND, path};
use profiler_proto::options::tools_job;
use profiler_proto::{file, v1};
use profiler_wire::BRIEF_PRECISION;
use std::fs;
use std::path::Path;

/// Sets of flags. Each makes another binary, so each program has a job for each set.
pub(super) const FLAGS: [[&str; 2]; 2] = [["-O2", "-std=c++17"], ["-O1", "-std=c++17"]];
/// Root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Folder of this benchmark's own programs.
const OWN: &str = "bench/alarms/programs";
/// Folder of the specs that their headers name.
const SPECS: &str = "bench/growth/inputs";
/// Prefix of a line of a header.
const HEADER: &str = "// ";
/// Sizes of a program that has one size, as numbers of sixths of this size.
const SIXTHS: [u64; 4] = [3, 4, 5, 6];
/// Programs of examples and tests, and of a benchmark, that need n alone.
const READ_SIZE: [&str; 11] = [
    "bench/src/costs/job/empty",
    "examples/agent/merge",
    "examples/divisors",
    "examples/hot",
    "examples/map",
    "examples/memory",
    "examples/quadratic",
    "examples/sort",
    "tests/programs/hello",
    "tests/programs/sort",
    "tests/programs/threads",
];
/// Programs of examples, each next to its spec.
const NEXT_TO_SPEC: [&str; 12] = [
    "examples/advice/sums",
    "examples/check/lis",
    "examples/tasks/array",
    "examples/tasks/geometry",
    "examples/tasks/graph",
    "examples/tasks/grid",
    "examples/tasks/hashmap",
    "examples/tasks/multitest",
    "examples/tasks/queries",
    "examples/tasks/string",
    "examples/tasks/tree",
    "examples/worst/quicksort",
];

/// A program that hides nothing.
#[derive(Debug)]
pub(super) struct Honest {
    /// Path of its source in the repository, without the extension.
    pub(super) name: String,
    pub(super) varies: Varies,
    job: v1::Job,
}

impl Honest {
    /// A program in the job that `swiftprof run` submits by default.
    fn new(name: impl Into<String>, source: String) -> Self {
        let name = name.into();
        let code = v1::CodeMessage {
            task_id: name.clone(),
            code_cpp: source,
            ..v1::CodeMessage::default()
        };
        let job = v1::Job { code: Some(code), precision: Some(BRIEF_PRECISION), ..tools_job() };
        Self { name, varies: Varies::Nothing, job }
    }

    /// Reads a program of the repository.
    fn read(name: impl Into<String>) -> Result<Self, Failure> {
        let name = name.into();
        let source = fs::read_to_string(Path::new(ROOT).join(format!("{name}.cpp")))?;
        Ok(Self::new(name, source))
    }

    fn with_spec(mut self, spec: &Path) -> Result<Self, Failure> {
        let specs = file::read(spec).map_err(|cause| format!("{}: {cause}", spec.display()))?;
        self.job.input_specs = specs;
        Ok(self)
    }

    /// The program's job with these flags.
    pub(super) fn job_with(&self, flags: [&str; 2]) -> v1::Job {
        let mut job = self.job.clone();
        if let Some(code) = &mut job.code {
            code.compiler_flags = flags.map(String::from).into();
        }
        job
    }
}

/// All programs, by corpus.
pub(super) fn all() -> Result<Vec<Honest>, Failure> {
    let mut all = of_growth()?;
    for name in READ_SIZE {
        all.push(Honest::read(name)?);
    }
    for name in NEXT_TO_SPEC {
        let spec = Path::new(ROOT).join(format!("{name}.yaml"));
        all.push(Honest::read(name)?.with_spec(&spec)?);
    }
    let worst = FIRST.iter().chain(&SECOND).map(|it| (it.folder, it.name, it.n));
    let counted = executions::PROGRAMS.into_iter().map(|(name, n)| ("executions", name, n));
    for (folder, name, n) in worst.chain(counted) {
        let spec = path(folder, name).with_extension("yaml");
        let mut honest = Honest::read(format!("bench/{folder}/{name}"))?.with_spec(&spec)?;
        honest.job.input_sizes = SIXTHS.map(|sixths| n * sixths / 6).into();
        all.push(honest);
    }
    for outside::Program { name, source, n } in outside::programs()? {
        let mut honest = Honest::new(format!("bench/outside/{name}"), source);
        honest.job.input_sizes = SIXTHS.map(|sixths| n * sixths / 6).into();
        all.push(honest);
    }
    all.extend(own()?);
    Ok(all)
}

/// The programs of `bench growth`, with the inputs and sizes of their headers.
fn of_growth() -> Result<Vec<Honest>, Failure> {
    let programs = program::all(&program::folder())?.into_iter().map(|program| {
        let v1::Job { code, input_sizes, schedule, input_specs, input_bounds, .. } = program.job;
        let name = format!("bench/growth/{}/{}", program.folder.name(), program.name);
        let honest = Honest::new(name, String::new());
        let job = v1::Job { code, input_sizes, schedule, input_specs, input_bounds, ..honest.job };
        Honest { job, ..honest }
    });
    Ok(programs.collect())
}

/// The programs that only this benchmark has.
fn own() -> Result<Vec<Honest>, Failure> {
    let files = fs::read_dir(Path::new(ROOT).join(OWN))?.map(|entry| Ok(entry?.path()));
    let mut files = files.collect::<Result<Vec<_>, Failure>>()?;
    files.sort();
    files.iter().map(|path| read_own(path)).collect()
}

fn read_own(path: &Path) -> Result<Honest, Failure> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let read = with_header(format!("{OWN}/{name}"), fs::read_to_string(path)?);
    read.map_err(|cause| format!("{}: {cause}", path.display()).into())
}

fn with_header(name: String, source: String) -> Result<Honest, Failure> {
    let header = source.lines().map_while(|line| line.strip_prefix(HEADER)).skip(1);
    let lines: Vec<_> = header.map(String::from).collect();
    let mut honest = Honest::new(name, source);
    for line in lines {
        match line.split_once(": ") {
            Some(("input", spec)) => {
                honest = honest.with_spec(&Path::new(ROOT).join(SPECS).join(spec))?;
            }
            Some(("sizes", sizes)) => {
                let sizes = sizes.split(',').map(str::parse);
                honest.job.input_sizes = sizes.collect::<Result<_, _>>()?;
            }
            Some(("varies", "work")) => honest.varies = Varies::Work,
            Some(("varies", "output")) => honest.varies = Varies::WorkAndOutput,
            _ => return Err(format!("{line:?} is no line of a header").into()),
        }
    }
    Ok(honest)
}

#[cfg(test)]
mod tests {
    use super::{FLAGS, Varies, all, with_header};
    use profiler_wire as wire;
    use std::collections::BTreeSet;

    /// Number of programs with flags for which the goal is set.
    const GOAL: usize = 500;

    #[test]
    fn every_program_can_be_asked_for_and_there_are_enough() {
        let programs = all().unwrap();
        let names: BTreeSet<_> = programs.iter().map(|program| &program.name).collect();
        assert_eq!(names.len(), programs.len(), "two programs have one name");
        assert!(FLAGS.len() * programs.len() >= GOAL, "{}", programs.len());
        for program in &programs {
            for flags in FLAGS {
                let job = wire::job(program.job_with(flags), &wire::Defaults::default());
                let job = job.unwrap_or_else(|bad| panic!("{}: {bad}", program.name));
                assert_eq!(job.flags, flags);
            }
        }
    }

    #[test]
    fn header_has_known_lines_alone() {
        let read =
            |header: &str| with_header("a".into(), format!("// Adds.\n{header}int main() {{}}"));
        let honest = read("// input: array.yaml\n// sizes: 1,20\n// varies: work\n").unwrap();
        let job = honest.job_with(FLAGS[0]);
        assert_eq!((job.input_sizes, job.input_specs.len()), (vec![1, 20], 1));
        assert_eq!(honest.varies, Varies::Work);
        assert_eq!(read("").unwrap().varies, Varies::Nothing);
        for line in ["// inputs: array.yaml\n", "// varies: no\n", "// A second line.\n"] {
            assert!(read(line).is_err(), "{line:?}");
        }
    }
}
