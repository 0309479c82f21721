//! The programs of `bench/growth`, with their headers.
//!
//! A header is the comment at the beginning of a file, with a key and a value on each line:
//!
//! ```text
//! // time: n log n            a class, or several that are right, with " | " between them
//! // memory: n                of the resident memory
//! // input: ../inputs/a.yaml  the spec, from this file's folder; or "size" for n alone
//! // sizes: default           or "auto", or "1,2,4"
//! // n_max: 100000
//! // note: …                  for people; may be left out
//! ```
//!
//! The classes are those of the source, even if the figures of these sizes do not show them. Then
//! the right answer is that the class is undecided. Memory that stays within a page counts as 1 as
//! well.

use super::class::Classes;
use crate::failure::Failure;
use profiler_input::SIZE;
use profiler_proto::{file, v1};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Prefix of a line of the header.
const HEADER: &str = "// ";

/// The purpose of a folder's programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Folder {
    /// Constants may be chosen on them.
    Choose,
    /// Programs that were inspected.
    Look,
    /// Programs from before jobs counted instructions by default. No constant was chosen on them.
    Held,
}

impl Folder {
    pub(super) const ALL: [Self; 3] = [Self::Choose, Self::Look, Self::Held];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Choose => "choose",
            Self::Look => "look",
            Self::Held => "held",
        }
    }
}

/// A program whose growth is known.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    pub(crate) folder: Folder,
    pub(super) time: Classes,
    pub(super) memory: Classes,
    /// The job that a caller who knows the task would submit.
    pub(crate) job: v1::Job,
}

/// Folder of the programs.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("growth")
}

/// All programs, by folder and name.
pub(crate) fn all(root: &Path) -> Result<Vec<Program>, Failure> {
    let mut programs = Vec::new();
    for folder in Folder::ALL {
        let files = fs::read_dir(root.join(folder.name()))?.map(|entry| Ok(entry?.path()));
        let mut files = files.collect::<Result<Vec<_>, Failure>>()?;
        files.sort();
        for path in files {
            let read = read(folder, &path);
            programs.push(read.map_err(|cause| format!("{}: {cause}", path.display()))?);
        }
    }
    Ok(programs)
}

fn read(folder: Folder, path: &Path) -> Result<Program, Failure> {
    let source = fs::read_to_string(path)?;
    let name = path.file_stem().and_then(|stem| stem.to_str()).ok_or("its name is no text")?;
    let mut header = header(&source)?;
    let mut take = |key| header.remove(key).ok_or_else(|| format!("the header has no {key}"));
    let [time, memory] = [take("time")?, take("memory")?];
    let [input, sizes, n_max] = [take("input")?, take("sizes")?, take("n_max")?];
    header.remove("note");
    if let Some(key) = header.keys().next() {
        return Err(format!("{key} is no key of a header").into());
    }
    let mut job = v1::Job {
        code: Some(v1::CodeMessage {
            task_id: name.into(),
            code_cpp: source.clone(),
            ..v1::CodeMessage::default()
        }),
        input_bounds: [(SIZE.into(), n_max.parse()?)].into(),
        on_memory_limit: v1::OnMemoryLimit::Record.into(),
        ..v1::Job::default()
    };
    match sizes {
        "default" => {}
        "auto" => job.schedule = v1::Schedule::Auto.into(),
        list => job.input_sizes = list.split(',').map(str::parse).collect::<Result<_, _>>()?,
    }
    if input != "size" {
        let spec = path.parent().unwrap_or(Path::new("")).join(input);
        job.input_specs = file::read(&spec).map_err(|cause| format!("{input}: {cause}"))?;
    }
    let [time, memory] = [Classes::parse(time)?, Classes::parse(memory)?];
    Ok(Program { name: name.into(), folder, time, memory, job })
}

/// Reads keys and values, up to the first line of code.
fn header(source: &str) -> Result<BTreeMap<&str, &str>, Failure> {
    let lines = source.lines().map_while(|line| line.strip_prefix(HEADER));
    let mut header = BTreeMap::new();
    for line in lines {
        let (key, value) = line.split_once(": ").ok_or_else(|| format!("{line:?} has no value"))?;
        if header.insert(key, value).is_some() {
            return Err(format!("{key} is given twice").into());
        }
    }
    Ok(header)
}
