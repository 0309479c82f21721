//! Conversion of the command line to a job on the wire, and of the job's violations back to the
//! arguments.

mod judges;
mod named;
mod places;
mod program_files;
mod source;

use judges::{CHECKER_ARGUMENT, set_judges};
pub(crate) use judges::{limit_generators, set_checker, set_headers};
pub(crate) use named::{named_by, with_specs};
pub(crate) use places::Files;
use places::{SOURCE_ARGUMENT, SPEC_ARGUMENT, TESTS_ARGUMENT};
pub(crate) use program_files::Program;
use source::{STDIN_NAME, is_compiled, source_text, with_extension};
pub(crate) use source::{argument_of_compiled, is_stdin, read, source_name};

use crate::args::{JobArgs, ProgramArgs};
use crate::exit::Failure;
use profiler_compare::Outputs;
use profiler_core::error::Violation;
use profiler_core::job::{DEFAULT_FLAGS, Job};
use profiler_core::limits::{MAX_INPUT_BYTES, MAX_SIZES, ONE_RUN_PRECISION};
use profiler_input::{Problem, SIZE};
use profiler_proto::file::{Places, regular_file_below};
use profiler_proto::task::{INPUT_SPEC, Task};
use profiler_proto::{file, options, v1};
use profiler_wire::{self as wire, Defaults};
use std::fs;
use std::mem;
use std::path::{Path, PathBuf};

/// The extension of the files in `--inputs`; their stem is the size.
const INPUT_EXTENSION: &str = "in";
const MS_PER_SECOND: f64 = 1e3;
/// The argument that names the program to compare with.
const OTHER_ARGUMENT: &str = "B";
/// The flag of g++ that names the standard.
const STANDARD_FLAG: &str = "-std=";
/// Fields of a job whose items a violation names by their index, each with its argument.
const INDEXED: [(&str, &str); 2] = [("input_specs", SPEC_ARGUMENT), ("test_cases", TESTS_ARGUMENT)];

/// The job that the command line asks for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct JobRequest {
    /// The source, which need not be UTF-8; empty if the job has a compiled program.
    pub(crate) source: Vec<u8>,
    /// The job without its source.
    pub(crate) job: v1::Job,
    /// The expected complexity, as written in the task file.
    pub(crate) expected_complexity: Option<String>,
    /// Files from which the job was read.
    pub(crate) files: Files,
}

impl JobRequest {
    /// Makes the job's checker judge the outputs too, so that programs with different right answers
    /// can be compared. The expected outputs are those of `reference`, or the program's own. Unless
    /// the checker is a program, `outputs` decides whether they are judged.
    pub(crate) fn judge_outputs(&mut self, reference: Option<&Self>, outputs: Outputs) {
        let job = &mut self.job;
        let has_comparison = outputs == Outputs::Agree && job.names_comparison();
        let has_checker = job.checker_program.is_some() || has_comparison;
        job.check_sizes |= has_checker && job.interactor.is_none();
        if let Some(reference) = reference.filter(|_| job.check_sizes) {
            let code = reference.job.code.as_ref();
            job.reference = Some(v1::OtherProgram {
                code_cpp: String::from_utf8_lossy(&reference.source).into_owned(),
                compiler_flags: code.map(|code| code.compiler_flags.clone()).unwrap_or_default(),
                files: code.map(|code| code.files.clone()).unwrap_or_default(),
            });
        }
    }

    /// Makes the job judge no outputs of sizes.
    pub(crate) fn leave_outputs(&mut self) {
        let job = &mut self.job;
        (job.check_sizes, job.reference) = (false, None);
        if job.test_cases.is_empty() {
            job.checker_program = None;
            job.set_checker(v1::Checker::Unspecified);
            (job.tolerance, job.relative_tolerance) = (None, None);
        }
    }
}

/// Builds the job of the program, and reads the files that the arguments name. `others` are the
/// programs that it competes with.
pub(crate) fn from_args(
    program: &Program,
    args: &JobArgs,
    others: &[PathBuf],
) -> Result<JobRequest, Failure> {
    let named = [&named_by(args)[..], others].concat();
    let of_program = of_program(program, &args.program, &named)?;
    let JobRequest { source, job: of_program, mut files, .. } = of_program;
    let mut sizes = args.sizes.concat();
    let inputs = match &args.inputs {
        Some(folder) => read_inputs(folder, &sizes, args.n_max)?,
        None => Vec::new(),
    };
    if sizes.is_empty() {
        // If there are no inputs either, the job has the default sizes.
        sizes = inputs.iter().map(|input| input.size).collect();
    }
    let described: Result<Vec<_>, _> = args.input_spec.iter().map(|file| specs(file)).collect();
    let mut job = v1::Job {
        code: of_program.code,
        input_sizes: sizes,
        inputs,
        limits: of_program.limits,
        worst: args.worst.map(|size| v1::WorstSearch { size, ..v1::WorstSearch::default() }),
        interactor: args.interactor.as_deref().map(interactor).transpose()?,
        input_specs: described?.concat(),
        input_seed: args.seed.unwrap_or_default(),
        ..args.declared.0.clone()
    };
    set_judges(&mut job, args)?;
    if args.quick {
        job.precision = Some(ONE_RUN_PRECISION);
        job.set_growth(v1::Growth::Timed);
    }
    let mut expected_complexity = None;
    if let Some(path) = &args.task {
        let task = Task::read(path).map_err(|error| Failure::of_file(path, error))?;
        let places = || Places::new(&fs::read_to_string(path).unwrap_or_default());
        task.apply(&mut job)
            .map_err(|error| Failure::of_file(path, error.at(&places(), INPUT_SPEC)))?;
        job.code.get_or_insert_default().task_id.clone_from(&task.task_id);
        expected_complexity.clone_from(&task.expected_complexity);
        if args.test_cases {
            task.ask_answers(&mut job);
        }
    }
    if let Some(path) = &args.tests {
        job.test_cases = profiler_cases::read(path)?;
    }
    if let Some(n_max) = args.n_max {
        job.input_bounds.insert(size_variable(&job), n_max.cast_signed());
    }
    files.specs.clone_from(&args.input_spec);
    files.task.clone_from(&args.task);
    files.tests.clone_from(&args.tests);
    Ok(JobRequest { source, job, expected_complexity, files })
}

/// Builds the job of the program, with defaults for all other fields. The program gets no file at
/// or below a path in `named`.
pub(crate) fn of_program(
    program: &Program,
    args: &ProgramArgs,
    named: &[PathBuf],
) -> Result<JobRequest, Failure> {
    let mut code = v1::CodeMessage {
        task_id: task_id(program),
        compiler_flags: compiler_flags(args),
        ..v1::CodeMessage::default()
    };
    let mut source = source::program(&program.main)?;
    if is_compiled(&source) {
        code.program = mem::take(&mut source);
    }
    let found = program.files(&String::from_utf8_lossy(&source), named)?;
    found.tell_left_out(&source_name(&program.main));
    let sources = program.paths(&found.files);
    code.files = found.files;
    let limits = v1::RunLimits {
        timeout_ms: args.timeout.map(|timeout| timeout.as_secs_f64() * MS_PER_SECOND),
        memory_mb: args.memory_mb,
        ..v1::RunLimits::default()
    };
    let job = v1::Job { code: Some(code), limits: Some(limits), ..v1::Job::default() };
    let files = Files { program: program.main.clone(), sources, ..Files::default() };
    Ok(JobRequest { source, job, expected_complexity: None, files })
}

/// The files that the program at `path` includes and compiles, as far as they can be read.
pub(crate) fn local_files(path: &Path) -> Vec<PathBuf> {
    let found = Program::at(path).and_then(|program| {
        let found = program.files(&source_text(&program.main)?, &[])?;
        Ok([vec![program.main.clone()], program.paths(&found.files)].concat())
    });
    found.unwrap_or_default()
}

/// Builds and checks the job of the program in `file`, with the fields that `set` sets. The sizes
/// are given only to be checked.
pub(crate) fn checked(
    file: &Path,
    args: &ProgramArgs,
    named: &[PathBuf],
    input_sizes: Vec<u64>,
    set: impl FnOnce(&mut v1::Job) -> Result<(), Failure>,
) -> Result<Job, Failure> {
    let JobRequest { source, mut job, files, .. } = of_program(&Program::at(file)?, args, named)?;
    set(&mut job)?;
    let job = wire::job_of(v1::Job { input_sizes, ..job }, source, &Defaults::default());
    job.map_err(|bad| files.place(violations_by_argument(bad)))
}

/// The job's size variable: the named one, else the only one, else n.
pub(crate) fn size_variable(job: &v1::Job) -> String {
    let only = job.input_bounds.keys().next().filter(|_| job.input_bounds.len() == 1).cloned();
    job.size_variable.clone().or(only).unwrap_or(SIZE.into())
}

/// Reads the specs in a file.
pub(crate) fn specs(path: &Path) -> Result<Vec<v1::InputSpec>, Failure> {
    file::read(path).map_err(|error| Failure::of_file(path, error))
}

/// The index of the first of the specs in the file at `path` that has this name; `None` without a
/// name.
pub(crate) fn index_of(
    name: Option<&str>,
    specs: &[v1::InputSpec],
    path: &Path,
) -> Result<Option<usize>, Failure> {
    let Some(name) = name else { return Ok(None) };
    let index = specs.iter().position(|spec| spec.name == name);
    index.map(Some).ok_or_else(|| {
        let (count, path) = (specs.len(), path.display());
        let problem = format!("none of the {count} specs in {path} has this name");
        Failure::argument("--name", problem)
    })
}

/// The specs that have this name, or all of them without a name. Each has its index in the file at
/// `path`.
pub(crate) fn candidates(
    specs: Vec<v1::InputSpec>,
    name: Option<&str>,
    path: &Path,
) -> Result<Vec<(usize, v1::InputSpec)>, Failure> {
    let only = index_of(name, &specs, path)?;
    let all = specs.into_iter().enumerate();
    Ok(all.filter(|(at, _)| only.is_none_or(|only| only == *at)).collect())
}

fn interactor(file: &Path) -> Result<v1::Interactor, Failure> {
    Ok(v1::Interactor { code_cpp: source_text(file)?, ..v1::Interactor::default() })
}

/// Builds the refusal of the specs in the file at `path`. `bad` names fields of a job.
pub(crate) fn refused_specs(bad: impl IntoIterator<Item = Violation>, path: &Path) -> Failure {
    let files = Files { specs: vec![path.into()], ..Files::default() };
    files.place(violations_by_argument(bad))
}

/// Builds the refusal of the spec with this index in the file at `path`, which has these problems.
pub(crate) fn refused_spec(index: usize, problems: Vec<Problem>, path: &Path) -> Failure {
    let bad = problems.into_iter().map(|found| Violation {
        field: format!("input_specs[{index}].{}", found.path),
        problem: found.problem,
    });
    refused_specs(bad, path)
}

/// Renames the fields of violations to the arguments that fill them. The index of an item is kept.
pub(crate) fn violations_by_argument(violations: impl IntoIterator<Item = Violation>) -> Failure {
    let renamed = violations.into_iter().map(|violation| {
        let indexed = INDEXED.iter().find_map(|(field, argument)| {
            let place = violation.field.strip_prefix(field)?;
            place.contains("].").then(|| format!("{argument} {place}"))
        });
        let argument = indexed.or_else(|| argument_of(&violation.field));
        Violation { field: argument.unwrap_or(violation.field), ..violation }
    });
    Failure::Arguments(renamed.collect())
}

/// Returns the argument that fills the field.
fn argument_of(field: &str) -> Option<String> {
    match field {
        "code.code_cpp" | "code.program" | "code.task_id" => Some(SOURCE_ARGUMENT.into()),
        _ if field.starts_with("against") => Some(OTHER_ARGUMENT.into()),
        "checker_program" | "checker_program.code_cpp" => Some(CHECKER_ARGUMENT.into()),
        _ => options::of_field(field)
            .filter(|option| !option.flag.is_empty())
            .map(|option| format!("--{}", option.flag)),
    }
}

/// The name of the folder or of the source, without its extension.
fn task_id(program: &Program) -> String {
    let file = &program.named;
    let stem = file.file_stem().or_else(|| program.main.file_stem());
    let named = stem.filter(|_| !is_stdin(file));
    named.map_or_else(|| STDIN_NAME.into(), |stem| stem.to_string_lossy().into_owned())
}

/// The given flags, else the default ones; a named standard comes last and so replaces theirs.
fn compiler_flags(args: &ProgramArgs) -> Vec<String> {
    let given = args.flags.as_deref().unwrap_or_default();
    let mut flags: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    if let Some(standard) = &args.std {
        if flags.is_empty() {
            flags = DEFAULT_FLAGS.map(String::from).into();
        }
        flags.retain(|flag| !flag.starts_with(STANDARD_FLAG));
        flags.push(format!("{STANDARD_FLAG}{standard}"));
    }
    flags
}

/// Reads the inputs of `sizes`, or else every input in the folder up to `n_max`.
fn read_inputs(
    folder: &Path,
    sizes: &[u64],
    n_max: Option<u64>,
) -> Result<Vec<v1::ExplicitInput>, Failure> {
    let mut present = input_paths(folder)?;
    present.retain(|(size, _)| !sizes.is_empty() || n_max.is_none_or(|n_max| *size <= n_max));
    let wrong = |problem| Violation { field: "--inputs".into(), problem };
    let is_absent = |size: &&u64| !present.iter().any(|(there, _)| there == *size);
    let absent = sizes.iter().filter(is_absent).map(|size| {
        let name = folder.join(format!("{size}.{INPUT_EXTENSION}"));
        wrong(format!("size {size} needs the file {}", name.display()))
    });
    let absent: Vec<_> = absent.collect();
    if !absent.is_empty() {
        return Err(Failure::Arguments(absent));
    }
    present.retain(|(size, _)| sizes.is_empty() || sizes.contains(size));
    if present.is_empty() || present.len() > MAX_SIZES {
        return Err(Failure::Arguments(vec![wrong(format!(
            "{} must have 1 to {MAX_SIZES} inputs with names such as 1000.in and 5000.in, not {}",
            folder.display(),
            present.len(),
        ))]));
    }
    let input = |(size, path): (u64, PathBuf)| {
        let outside = "must be below the folder of the inputs";
        regular_file_below(&path, folder, outside)
            .map_err(|problem| Failure::argument(path.display().to_string(), problem))?;
        Ok(v1::ExplicitInput { size, data: read(&path, MAX_INPUT_BYTES)? })
    };
    present.into_iter().map(input).collect()
}

/// The paths of the inputs in the folder, by increasing size.
pub(crate) fn input_paths(folder: &Path) -> Result<Vec<(u64, PathBuf)>, Failure> {
    let sized = |path: PathBuf| Some((path.file_stem()?.to_str()?.parse().ok()?, path));
    let mut found: Vec<(u64, PathBuf)> =
        with_extension(folder, INPUT_EXTENSION)?.into_iter().filter_map(sized).collect();
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests;
