//! `run --watch`: profiles a program again whenever one of its files changes.

use crate::args::{CheckerChoice, RunArgs};
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
    let files = watched(file, args);
    loop {
        let mut files = files.clone();
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

/// The files of a job that people edit, without what the program includes.
fn watched(file: &Path, args: &RunArgs) -> Vec<PathBuf> {
    let RunArgs { files, job: args, .. } = args;
    let checker = match &args.checker {
        CheckerChoice::Program(checker) => Some(checker),
        CheckerChoice::Word(_) => None,
    };
    let specs = args.input_spec.iter().chain(&args.task);
    let others = specs.chain(&args.interactor).chain(checker).chain(&args.validator);
    let sources = files.iter().filter(|source| *source != file);
    [file.to_path_buf()].into_iter().chain(sources.chain(others).cloned()).collect()
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

    #[test]
    fn files_of_a_job_are_watched() {
        let options = ["--watch", "--input-spec=a.yaml", "--checker=b.cpp", "--validator=c.cpp"];
        let line = ["swiftprof", "run", "a.cpp"].into_iter().chain(options);
        let Command::Run(args) = Cli::parse_from(line).command else { panic!("not a run") };
        assert!(args.watch);
        assert_eq!(
            watched(&args.files[0], &args),
            ["a.cpp", "a.yaml", "b.cpp", "c.cpp"].map(PathBuf::from)
        );
    }
}
