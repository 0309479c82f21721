//! The programs whose jobs are timed: their default runs take from 1 ms to 2 s by hand.

use crate::failure::Failure;
use profiler_input::{Plan, Scope};
use profiler_proto::options::tools_job;
use profiler_proto::{file, v1};
use std::fs;
use std::path::{Path, PathBuf};

/// Precision of the runtimes of `swiftprof run`.
const PRECISION: f64 = 0.1;
/// Sizes of a default job.
const DEFAULT_SIZES: [u64; 7] = [0, 1, 1000, 5000, 10_000, 50_000, 100_000];
/// Sizes of a program that reads a string.
const STRING_SIZES: [u64; 6] = [10_000, 50_000, 100_000, 500_000, 1_000_000, 2_000_000];

/// A program, its input and its sizes. Paths begin at the root of the repository.
pub(super) struct Program {
    pub(super) name: &'static str,
    source: &'static str,
    /// Spec of the input; `None` if the input is only n.
    spec: Option<&'static str>,
    sizes: &'static [u64],
}

pub(super) const PROGRAMS: [Program; 6] = [
    Program {
        name: "empty",
        source: "bench/src/costs/job/empty.cpp",
        spec: None,
        sizes: &DEFAULT_SIZES,
    },
    Program { name: "sort", source: "examples/sort.cpp", spec: None, sizes: &DEFAULT_SIZES },
    Program {
        name: "quadratic",
        source: "examples/quadratic.cpp",
        spec: None,
        sizes: &DEFAULT_SIZES,
    },
    Program {
        name: "dijkstra",
        source: "bench/growth/choose/dijkstra.cpp",
        spec: Some("bench/growth/inputs/weighted.yaml"),
        sizes: &DEFAULT_SIZES,
    },
    Program {
        name: "segments",
        source: "bench/growth/held/lazy_segments.cpp",
        spec: Some("bench/growth/inputs/range_updates.yaml"),
        sizes: &DEFAULT_SIZES,
    },
    Program {
        name: "string",
        source: "bench/growth/held/manacher.cpp",
        spec: Some("bench/growth/inputs/same_letters.yaml"),
        sizes: &STRING_SIZES,
    },
];

/// A program that reads a graph, and is fed n alone.
pub(super) const STARVED: Program = Program {
    name: "starved",
    source: "bench/growth/choose/dijkstra.cpp",
    spec: None,
    sizes: &DEFAULT_SIZES,
};

/// A program with everything that its jobs need.
pub(super) struct Case {
    source: String,
    /// The spec's file and its content.
    spec: Option<(PathBuf, Vec<v1::InputSpec>)>,
    pub(super) sizes: &'static [u64],
    /// The input of each size.
    pub(super) inputs: Vec<Vec<u8>>,
}

impl Program {
    /// Reads the program and makes its inputs.
    pub(super) fn case(&self) -> Result<Case, Failure> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let source = fs::read_to_string(root.join(self.source))?;
        let spec = self.spec.map(|path| root.join(path));
        let spec = spec.map(|path| Ok::<_, Failure>((path.clone(), file::read(&path)?)));
        let spec = spec.transpose()?;
        let inputs = self.sizes.iter().map(|&n| match &spec {
            None => Ok(format!("{n}\n").into_bytes()),
            Some((_, specs)) => written(specs, n),
        });
        let inputs = inputs.collect::<Result<_, Failure>>()?;
        Ok(Case { source, spec, sizes: self.sizes, inputs })
    }
}

fn written(specs: &[v1::InputSpec], n: u64) -> Result<Vec<u8>, Failure> {
    let [spec] = specs else { return Err("the file has several specs".into()) };
    let mut input = Vec::new();
    let plan = Plan::new(spec, &Scope::default()).map_err(|problems| format!("{problems:?}"))?;
    plan.write(n, &mut input)?;
    Ok(input)
}

impl Case {
    /// Returns the source. Programs with different tags have different binaries in a cache.
    pub(super) fn source(&self, tag: &str) -> String {
        format!("{}// {tag}\n", self.source)
    }

    /// The path of the spec.
    pub(super) fn spec(&self) -> Option<&Path> {
        self.spec.as_ref().map(|(path, _)| path.as_path())
    }

    /// The job that `swiftprof run` submits by default.
    pub(super) fn job(&self, tag: &str) -> v1::Job {
        let code = v1::CodeMessage {
            task_id: "bench".into(),
            code_cpp: self.source(tag),
            ..v1::CodeMessage::default()
        };
        v1::Job {
            code: Some(code),
            input_sizes: self.sizes.to_vec(),
            input_specs: self.spec.iter().flat_map(|(_, specs)| specs.clone()).collect(),
            precision: Some(PRECISION),
            ..tools_job()
        }
    }

    /// A job of the largest size alone, which is run once.
    pub(super) fn one_size(&self) -> v1::Job {
        v1::Job {
            input_sizes: self.sizes.last().copied().into_iter().collect(),
            precision: None,
            repetitions: Some(1),
            growth: v1::Growth::Timed.into(),
            input_experiment: v1::InputExperiment::Off.into(),
            ..self.job("one size")
        }
    }
}
