//! Running other programs, visibly.

use crate::steps::failure::Failure;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Folders of programs that an ordinary user's PATH leaves out.
const SYSTEM_FOLDERS: [&str; 2] = ["/usr/sbin", "/sbin"];

/// The repository's root.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).into()
}

/// Returns a folder under `target/`, which is made if it is missing.
pub fn target(name: &str) -> Result<PathBuf, Failure> {
    let folder = root().join("target").join(name);
    fs::create_dir_all(&folder).map_err(Failure::file(format!("make {}", folder.display())))?;
    Ok(folder)
}

/// Makes a command that runs in the repository's root.
pub fn command<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = Command::new(program);
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// Makes a command that runs as root, with sudo if this process does not.
pub fn privileged<A: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    args: impl IntoIterator<Item = A>,
) -> Command {
    let mut command = if is_root() {
        Command::new(program)
    } else {
        let mut sudo = Command::new("sudo");
        sudo.arg(program);
        sudo
    };
    // stdin stays the terminal, because sudo may ask for a password.
    command.args(args).current_dir(root());
    command
}

/// Whether this process is root's: `/proc/self` belongs to the effective user.
pub(crate) fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Lets this thread, and all that it starts from now on, run only on processors that are idle
/// otherwise.
pub(crate) fn give_way() -> Result<(), Failure> {
    let thread = Path::new("/proc/thread-self");
    let thread = fs::read_link(thread).map_err(Failure::file("find this thread"))?;
    let id = thread.file_name().unwrap_or_default();
    run(command("chrt", ["--idle", "--pid", "0"]).arg(id))
}

/// Ends the programs that other threads have started and wait for. After a failure they would
/// outlive this process, and print over what failed.
pub(crate) fn end_children() {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let children = threads.flat_map(|thread| fs::read_to_string(thread.path().join("children")));
    let children: Vec<_> = children.collect();
    let children = children.iter().flat_map(|list| list.split_whitespace());
    // The shell's own `kill`, because procps may be missing. It fails if there are no children.
    succeeds(command("sh", ["-c", "kill \"$@\"", "kill"]).args(children));
}

/// The path of a program, if it is installed.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(SYSTEM_FOLDERS.map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}

/// Shows a command, runs it, and fails unless it ends with 0.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    println!("$ {}", spelled(command));
    let status = command.status().map_err(start(command))?;
    if status.success() {
        return Ok(());
    }
    Err(ended(command, status))
}

/// Whether a command ends with 0. What it prints is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs a command and returns its stdout.
pub fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(start(command))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(ended(command, output.status))
}

/// Shows a command, runs it, and passes every line that it prints to `see` as well as to stdout.
pub fn watch(mut command: Command, mut see: impl FnMut(&str)) -> Result<(), Failure> {
    println!("$ {}", spelled(&command));
    let piped = Failure::file("make a pipe");
    let (from, to) = io::pipe().map_err(piped)?;
    let both = to.try_clone().map_err(Failure::file("copy a pipe"))?;
    command.stdout(to).stderr(both);
    let mut child = command.spawn().map_err(start(&command))?;
    // The command holds the pipe's other ends. Unless they are closed, the lines do not end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    for line in BufReader::new(from).split(b'\n') {
        let line = line.map_err(Failure::file("read a pipe"))?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        see(&line);
    }
    let status = child.wait().map_err(start(&command))?;
    if status.success() {
        return Ok(());
    }
    Err(ended(&command, status))
}

/// Runs `from | to`, and fails unless both end with 0.
pub fn pipe(from: &mut Command, to: &mut Command) -> Result<(), Failure> {
    println!("$ {} | {}", spelled(from), spelled(to));
    let mut source = from.stdout(Stdio::piped()).spawn().map_err(start(from))?;
    let stdin = source.stdout.take().map_or_else(Stdio::null, Stdio::from);
    let sunk = to.stdin(stdin).status().map_err(start(to))?;
    let drained = source.wait().map_err(start(from))?;
    match (drained.success(), sunk.success()) {
        (true, true) => Ok(()),
        (false, _) => Err(ended(from, drained)),
        (_, false) => Err(ended(to, sunk)),
    }
}

/// Wraps the failure to start a command.
pub fn start(command: &Command) -> impl FnOnce(io::Error) -> Failure + use<> {
    let program = command.get_program().to_string_lossy().into_owned();
    move |cause| Failure::Start { program, cause }
}

/// Builds the failure of a command that ended with an exit status other than 0.
pub(crate) fn ended(command: &Command, status: std::process::ExitStatus) -> Failure {
    let program = spelled(command);
    Failure::Ended { program, status }
}

fn spelled(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}
