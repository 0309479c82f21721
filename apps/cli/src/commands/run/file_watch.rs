//! `run --watch`: profiles a program again whenever one of its files changes.

use crate::args::RunArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use crate::stderr::tell;
use profiler_core::cancel::Termination;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tokio::time::sleep;

/// Time between two looks at the files. Nothing is measured meanwhile.
const PAUSE: Duration = Duration::from_millis(200);

/// Modification time and length of a file, which reveal a change. `None` while the file does not
/// exist.
type Stamp = Option<(SystemTime, u64)>;

/// Calls `run`, which profiles the program in `file`, now and after every change, until Ctrl-C or
/// SIGTERM. A failure is printed, because a change can fix it.
pub(crate) async fn after_each_change<R: Future<Output = Result<Exit, Failure>>>(
    file: &Path,
    args: &RunArgs,
    run: impl Fn() -> R,
) -> Result<Exit, Failure> {
    if job_request::is_stdin(file) {
        return Err(Failure::argument("--watch", "watches a file, not stdin"));
    }
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    loop {
        let mut files = watched(file, args);
        files.extend(job_request::local_files(file));
        // A change during the run counts too.
        let seen = stamps(&files);
        match run().await {
            Ok(stopped @ Exit::Stopped(_)) => return Ok(stopped),
            Err(stopped @ (Failure::Stopped(_) | Failure::Unconfirmed { .. })) => {
                return Err(stopped);
            }
            Err(failure) => failure.print(),
            Ok(_) => {}
        }
        tell(format_args!("swiftprof: waiting for a change of {}; Ctrl-C ends", file.display()));
        tokio::select! {
            signal = termination.asked() => return Ok(Exit::Stopped(signal)),
            () = changed(&files, &seen) => {}
        }
    }
}

/// The files of a job that people edit, without what the program includes. A folder changes when a
/// file is added or removed, so its files are watched, too.
fn watched(file: &Path, args: &RunArgs) -> Vec<PathBuf> {
    let RunArgs { files, job: args, .. } = args;
    let sources = files.iter().filter(|source| *source != file).cloned();
    let named = job_request::named_by(args);
    let in_folders = args.inputs.iter().chain(&args.tests).flat_map(|path| entries(path));
    [file.to_path_buf()].into_iter().chain(sources).chain(named).chain(in_folders).collect()
}

/// Returns the paths of what is in a folder. Empty for a file.
fn entries(path: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(path).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    let stamp = |file: &PathBuf| {
        let found = fs::metadata(file).ok()?;
        Some((found.modified().ok()?, found.len()))
    };
    files.iter().map(stamp).collect()
}

/// Waits until the files differ from what was seen.
async fn changed(files: &[PathBuf], seen: &[Stamp]) {
    while stamps(files) == seen {
        sleep(PAUSE).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;

    #[test]
    fn changed_replaced_or_removed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let [file, other] = ["a.cpp", "b.cpp"].map(|name| folder.path().join(name));
        fs::write(&file, "int main() {}").unwrap();
        let files = [file.clone()];
        for change in [
            &|| fs::write(&file, "int main() { }").unwrap(),
            &|| {
                fs::write(&other, "").unwrap();
                fs::rename(&other, &file).unwrap();
            },
            &|| fs::remove_file(&file).unwrap(),
        ] as [&dyn Fn(); 3]
        {
            let seen = stamps(&files);
            change();
            assert_ne!(stamps(&files), seen);
        }
    }

    fn watched_of(options: &[&str]) -> Vec<PathBuf> {
        let line = ["swiftprof", "run", "a.cpp", "--watch"];
        let line = line.iter().chain(options);
        let Command::Run(args) = Cli::parse_from(line).command else { panic!("not a run") };
        assert!(args.watch);
        watched(&args.files[0], &args)
    }

    #[test]
    fn files_of_a_job_are_watched() {
        let options = ["--input-spec=a.yaml", "--checker=b.cpp", "--validator=c.cpp"];
        let expected = ["a.cpp", "a.yaml", "b.cpp", "c.cpp"].map(PathBuf::from);
        assert_eq!(watched_of(&options), expected);
    }

    #[test]
    fn generators_inputs_and_tests_are_watched() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("spec.yaml"), "generator: gen.cpp\n").unwrap();
        for name in ["inputs", "tests"] {
            fs::create_dir(path(name)).unwrap();
            fs::write(path(name).join("1.in"), "1\n").unwrap();
        }
        let option = |name: &str, file: &str| format!("{name}={}", path(file).display());
        let spec = watched_of(&[option("--input-spec", "spec.yaml").as_str()]);
        assert!(spec.contains(&path("gen.cpp")), "{spec:?}");
        let [inputs, tests] = ["inputs", "tests"].map(|it| option(&format!("--{it}"), it));
        let both = watched_of(&[inputs.as_str(), tests.as_str()]);
        for file in ["inputs", "inputs/1.in", "tests", "tests/1.in"] {
            assert!(both.contains(&path(file)), "{file}: {both:?}");
        }
        let seen = stamps(&both);
        fs::write(path("tests/1.in"), "12\n").unwrap();
        assert_ne!(stamps(&both), seen);
    }
}
