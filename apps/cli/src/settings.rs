//! Config files: `swiftprof.toml` next to a source, and the user's. Their keys are names of
//! options. A key becomes an option unless the command line has that option.
//!
//! A file next to a source may come from a stranger, as the source does. Such a file may set only
//! the compiler's flags, the inputs and the sizes. It may name only regular files below its folder.

use crate::args::Progress;
use crate::exit::Failure;
use crate::job_request::input_paths;
use crate::stderr::tell;
use clap::ArgMatches;
use clap::parser::ValueSource;
use profiler_export::readable;
use profiler_proto::file::{real_path_below, regular_file_below};
use std::ffi::OsString;
use std::fs;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use toml::{Table, Value};

/// The name of both files.
const NAME: &str = "swiftprof.toml";
/// Maximum size of a file next to a source, in bytes.
const MAX_BYTES: u64 = 64 << 10;
/// The key that names a folder of inputs.
const INPUTS: &str = "inputs";
/// Problems of a file that a config file names.
const OUTSIDE: &str = "must be below the folder of this file";
const UNREADABLE: &str = "cannot be read";
/// The commands that profile programs.
const PROFILING: [&str; 2] = ["run", "compare"];
/// Commands that compile and run programs without profiling them. Their options for inputs and
/// sizes have other meanings.
const CHECKS: [&str; 2] = ["check", "worst"];
/// Keys that also apply to [`CHECKS`].
const CHECK_KEYS: [&str; 6] = ["flags", "std", "timeout", "memory_mb", "backend", "image"];
/// Arguments that name programs, in any of these commands.
const PROGRAMS: [&str; 6] = ["files", "a", "b", "fast", "slow", "file"];

/// An option that a file may set.
struct Setting {
    key: &'static str,
    /// Whether a file next to a source may set it.
    by_source: bool,
    /// Whether it names files.
    is_path: bool,
    /// The options that override it, in addition to itself.
    replaced_by: &'static [&'static str],
}

const fn of_source(key: &'static str, replaced_by: &'static [&'static str]) -> Setting {
    Setting { key, by_source: true, is_path: false, replaced_by }
}

const fn of_user(key: &'static str, replaced_by: &'static [&'static str]) -> Setting {
    Setting { by_source: false, ..of_source(key, replaced_by) }
}

/// A credential file, which is used only for the server at the same config file's `endpoint`.
const fn of_endpoint(key: &'static str) -> Setting {
    Setting { is_path: true, ..of_user(key, &["endpoint", "backend", "image"]) }
}

const SETTINGS: [Setting; 16] = [
    of_source("flags", &[]),
    of_source("std", &["flags"]),
    of_source("sizes", &["n_max", "schedule", "inputs", "task"]),
    of_source("n_max", &[]),
    Setting { is_path: true, ..of_source(INPUTS, &["input_spec", "task", "interactor"]) },
    Setting { is_path: true, ..of_source("input_spec", &["inputs", "task", "interactor"]) },
    of_user("timeout", &[]),
    of_user("memory_mb", &[]),
    of_user("growth", &["quick"]),
    of_user("backend", &["endpoint"]),
    of_user("image", &["endpoint"]),
    of_user("endpoint", &["backend", "image"]),
    of_endpoint("ca"),
    of_endpoint("cert"),
    of_endpoint("key"),
    of_endpoint("token_file"),
];

/// A config file.
struct File {
    path: PathBuf,
    of_user: bool,
}

/// Returns the given arguments, with options from config files after the command. `matches` is the
/// parsed form of the arguments, and `home` is the folder of the user's config files.
pub(crate) fn extend(
    given: Vec<OsString>,
    matches: &ArgMatches,
    home: Option<PathBuf>,
) -> Result<Vec<OsString>, Failure> {
    let Some((command, matches)) = matches.subcommand() else { return Ok(given) };
    let profiles = PROFILING.contains(&command);
    if !(profiles || CHECKS.contains(&command)) || matches.get_flag("no_config") {
        return Ok(given);
    }
    let takes = |key: &str| profiles || CHECK_KEYS.contains(&key);
    let next_to_source = folder_of_programs(matches).map(|folder| (folder.join(NAME), false));
    let of_user = home.map(|folder| (folder.join(NAME), true));
    let files = [next_to_source, of_user].into_iter().flatten();
    let mut set: Vec<String> = Vec::new();
    let mut options = Vec::new();
    for (path, of_user) in files {
        let file = File { path, of_user };
        let has = |id: &str| was_given(matches, id) || set.iter().any(|it| it == id);
        let mut added = file.options(has)?;
        added.retain(|(id, _)| takes(id));
        if !added.is_empty() && announces(matches) {
            let names: Vec<_> = added.iter().map(|(id, _)| flag(id)).collect();
            tell(format_args!("swiftprof: {} sets {}", file.path.display(), names.join(", ")));
        }
        set.extend(added.iter().map(|(id, _)| id.clone()));
        options.extend(added.into_iter().flat_map(|(_, arguments)| arguments));
    }
    // Options come right after the command, before a `--` that would end them.
    let at = given.iter().position(|argument| argument == command).map_or(given.len(), |at| at + 1);
    let mut extended = given;
    extended.splice(at..at, options);
    Ok(extended)
}

/// The folder of the programs, if it is the same for all.
fn folder_of_programs(matches: &ArgMatches) -> Option<PathBuf> {
    let named = |id| matches.try_get_many::<PathBuf>(id).ok().flatten().into_iter().flatten();
    let mut folders = PROGRAMS.into_iter().flat_map(named).map(|file| {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        folder.unwrap_or(Path::new(".")).to_owned()
    });
    let first = folders.next()?;
    folders.all(|folder| folder == first).then_some(first)
}

fn was_given(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).is_ok()
        && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Whether people read stderr, as `--progress` says.
fn announces(matches: &ArgMatches) -> bool {
    let progress = matches.get_one::<Progress>("progress");
    !matches!(progress, Some(Progress::Json | Progress::None))
}

/// The flag of an argument's id: `--n-max` for `n_max`.
fn flag(id: &str) -> String {
    format!("--{}", id.replace('_', "-"))
}

impl File {
    /// Returns the options that the file sets, each with its id. Leaves out those that `has` says
    /// are set.
    fn options(&self, has: impl Fn(&str) -> bool) -> Result<Vec<(String, Vec<OsString>)>, Failure> {
        let unreadable = |cause| Failure::Unreadable { path: self.path.clone(), cause };
        let metadata = match fs::metadata(&self.path) {
            Err(cause)
                if matches!(cause.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(Vec::new());
            }
            metadata => metadata.map_err(unreadable)?,
        };
        // A FIFO would wait for its writer, and a device need not end.
        if !self.of_user && (!metadata.is_file() || metadata.len() > MAX_BYTES) {
            let problem = format!("must be a regular file of at most {} KiB", MAX_BYTES >> 10);
            return Err(self.wrong(problem));
        }
        let text = fs::read_to_string(&self.path).map_err(unreadable)?;
        let table: Table = toml::from_str(&text).map_err(|error| self.wrong(error.to_string()))?;
        let mut options = Vec::new();
        for (key, value) in &table {
            let id = key.replace('-', "_");
            let allowed = |it: &&Setting| it.by_source || self.of_user;
            let setting = SETTINGS.iter().filter(allowed).find(|it| it.key == id);
            let setting = setting.ok_or_else(|| self.wrong(self.unknown(key)))?;
            if !has(setting.key) && !setting.replaced_by.iter().any(|id| has(id)) {
                options.push((id, self.arguments(setting, value)?));
            }
        }
        Ok(options)
    }

    /// The arguments that set an option to a value.
    fn arguments(&self, setting: &Setting, value: &Value) -> Result<Vec<OsString>, Failure> {
        let values = match value {
            Value::Array(values) => values.iter().map(word).collect(),
            value => word(value).map(|word| vec![word]),
        };
        let problem = || format!("{}: must be text, a number, or a list of them", setting.key);
        let words = values.ok_or_else(|| self.wrong(problem()))?;
        // The parser of the command line would print them as they are.
        if words.iter().any(|word| readable(word) != word.trim_end()) {
            let problem = format!("{}: must not have control characters", setting.key);
            return Err(self.wrong(problem));
        }
        if !setting.is_path {
            return Ok(vec![format!("{}={}", flag(setting.key), words.join(",")).into()]);
        }
        let option =
            |word: &String| {
                let mut option = OsString::from(flag(setting.key) + "=");
                option.push(self.named_file(setting, word).map_err(|problem| {
                    self.wrong(format!("{}: {word:?} {problem}", setting.key))
                })?);
                Ok(option)
            };
        words.iter().map(option).collect()
    }

    /// The path of a file that the config file names, which must be below the config file's folder.
    /// A file next to a source names regular files, or a folder of them as inputs.
    fn named_file(&self, setting: &Setting, name: &str) -> Result<PathBuf, String> {
        let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        let name = Path::new(name);
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let path = folder.join(name);
        if !name.components().all(inside) {
            return Err(OUTSIDE.into());
        }
        if self.of_user {
            return Ok(path);
        }
        if setting.key != INPUTS {
            regular_file_below(&path, folder, OUTSIDE)?;
            return Ok(path);
        }
        let real = real_path_below(&path, folder, OUTSIDE)?;
        for (_, input) in input_paths(&real).map_err(|_| UNREADABLE)? {
            let name = input.file_name().unwrap_or_default().to_string_lossy();
            regular_file_below(&input, folder, OUTSIDE)
                .map_err(|problem| format!("has the input {name:?}, which {problem}"))?;
        }
        Ok(path)
    }

    fn unknown(&self, key: &str) -> String {
        let allowed = SETTINGS.iter().filter(|it| it.by_source || self.of_user);
        let allowed: Vec<_> = allowed.map(|it| it.key).collect();
        let place = if self.of_user { "" } else { " next to a source" };
        format!("{key} cannot be set here; the keys allowed{place} are {}", allowed.join(", "))
    }

    fn wrong(&self, problem: String) -> Failure {
        Failure::argument(self.path.display().to_string(), problem)
    }
}

/// A value as the command line writes it.
fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
