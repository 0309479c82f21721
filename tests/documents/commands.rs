//! A folder where the commands of one document run, one after the other.

use profiler_tests::swiftprof::{STATE_DIR, binary, file};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Stdio;
use std::time::Duration;
use std::{env, fs};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::time::timeout;

/// Longer than any block takes, unless it hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder with `examples/`, and with a `swiftprof` on its path that measures natively.
pub(crate) struct Place(TempDir);

impl Place {
    /// Creates the folder.
    pub(crate) fn create() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        symlink(file("examples"), folder.path().join("examples")).expect("a link");
        let programs = folder.path().join("bin");
        fs::create_dir(&programs).expect("a folder");
        let swiftprof = programs.join("swiftprof");
        fs::write(&swiftprof, wrapper(&binary().display().to_string())).expect("a script");
        let executable = fs::Permissions::from_mode(0o755);
        fs::set_permissions(swiftprof, executable).expect("a mode");
        Self(folder)
    }

    /// Runs a shell script; `Err` contains the output of its last command.
    pub(crate) async fn run(&self, script: &str) -> Result<(), String> {
        let folder = self.0.path();
        let mut command = Command::new("bash");
        command.args(["-e", "-u", "-x", "-o", "pipefail", "-c", script]).current_dir(folder);
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = [folder.join("bin")].into_iter().chain(env::split_paths(&path));
        command.env("PATH", env::join_paths(folders).expect("a path"));
        command.env(STATE_DIR, folder.join("state")).stdin(Stdio::null()).kill_on_drop(true);
        let ended = timeout(PATIENCE, command.output()).await;
        let Ok(output) = ended else { return Err(format!("not over after {PATIENCE:?}")) };
        let output = output.expect("bash starts");
        if output.status.success() {
            return Ok(());
        }
        let [stdout, stderr] = [&output.stdout, &output.stderr].map(|s| String::from_utf8_lossy(s));
        Err(format!("{}\n{stdout}{stderr}", output.status))
    }
}

/// A script that runs `binary` on the native backend if the command can choose a backend.
fn wrapper(binary: &str) -> String {
    format!(
        "#!/bin/sh\n\
         case \" $* \" in *' --help '* | *' --backend '* | *' --endpoint '*) ;;\n\
         *' --program '*) set -- \"$@\" --backend native ;;\n\
         ' run '* | ' compare '* | ' check '*) command=$1; shift; set -- \"$command\" --backend native \"$@\" ;;\n\
         esac\n\
         exec '{binary}' \"$@\"\n"
    )
}
