//! Compiles programs and runs them, natively and counted.

use std::fs::{self, File};
use std::io::Write;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The descriptor of the counter's result file.
const RESULT_FD: i32 = 3;
/// The nonce that a result file holds when the counter starts.
const NONCE: &[u8] = b"sixteen bytes...";

/// The result of a counted run.
pub(crate) struct Counted {
    pub(crate) output: Output,
    pub(crate) line: String,
}

impl Counted {
    /// The count of all instructions, which must exist.
    pub(crate) fn count(&self) -> u64 {
        self.counts().0
    }

    /// The counts of all instructions, and of those outside of libraries. The first must exist.
    pub(crate) fn counts(&self) -> (u64, Option<u64>) {
        let counts = self.line.strip_suffix('\n').and_then(counts);
        counts.unwrap_or_else(|| panic!("no count in {:?}, {:?}", self.line, self.output))
    }
}

/// The counts in the counter's line.
fn counts(line: &str) -> Option<(u64, Option<u64>)> {
    let counts = line.strip_prefix("instructions ")?;
    match counts.split_once(" own ") {
        Some((all, own)) => Some((all.parse().ok()?, Some(own.parse().ok()?))),
        None => Some((counts.parse().ok()?, None)),
    }
}

/// The result of a profiled run.
pub(crate) struct Profiled {
    pub(crate) output: Output,
    pub(crate) instructions: u64,
    /// Count of the program's own code in the counter's line.
    pub(crate) own_in_line: Option<u64>,
    pub(crate) full: bool,
    /// Executions and instructions of each block.
    pub(crate) blocks: Vec<(u64, u8)>,
    pub(crate) nodes: Vec<Node>,
}

/// A chain of calls.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) parent: u32,
    pub(crate) site: u32,
    pub(crate) target: u32,
    pub(crate) library: bool,
    pub(crate) calls: u64,
    pub(crate) instructions: u64,
}

impl Profiled {
    fn read(output: Output, result: &[u8]) -> Self {
        let end = result.iter().position(|&byte| byte == b'\n').unwrap_or_else(|| {
            panic!("no line, {output:?}");
        });
        let line = std::str::from_utf8(&result[..end]).unwrap();
        let (instructions, own_in_line) = counts(line).unwrap_or_else(|| panic!("{line}"));
        let mut rest = &result[end + 1..];
        let mut number = |bytes: usize| {
            let (taken, left) = rest.split_at(bytes);
            rest = left;
            taken.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let [blocks, nodes, full] = [(); 3].map(|()| number(4));
        let mut block = || {
            let (_, executions, count) = (number(4), number(8), number(1));
            (0..count).for_each(|_| assert!((1..16).contains(&number(1))));
            (executions, count.try_into().unwrap())
        };
        let blocks = (0..blocks).map(|_| block()).collect();
        let mut node = || {
            let [parent, site, target, library] = [(); 4].map(|()| number(4).try_into().unwrap());
            let [calls, instructions] = [(); 2].map(|()| number(8));
            Node { parent, site, target, library: library == 1, calls, instructions }
        };
        let nodes = (0..nodes).map(|_| node()).collect();
        assert!(rest.is_empty());
        Self { output, instructions, own_in_line, full: full == 1, blocks, nodes }
    }

    /// The instructions of all blocks of the program.
    pub(crate) fn own(&self) -> u64 {
        self.blocks.iter().map(|&(executions, count)| executions * u64::from(count)).sum()
    }

    /// The sum of the instructions of all nodes that are a library's, or of all that are not.
    pub(crate) fn charged(&self, library: bool) -> u64 {
        let nodes = self.nodes.iter().filter(|node| node.library == library);
        nodes.map(|node| node.instructions).sum()
    }
}

/// A compiled program in a folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

/// The same file, open as a descriptor that is not [`RESULT_FD`].
pub(crate) fn high(file: &File) -> File {
    // SAFETY: plain integers; the new descriptor is this file's alone.
    unsafe {
        File::from_raw_fd(libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, RESULT_FD + 1))
    }
}

/// Creates a result file, which holds a nonce.
pub(crate) fn result_file(path: &Path) -> File {
    let mut options = File::options();
    let options = options.read(true).write(true).create(true).truncate(true);
    let mut file = options.open(path).unwrap();
    file.write_all(NONCE).unwrap();
    file
}

/// The result of one count, without the nonce before it.
pub(crate) fn said(result: &Path) -> Vec<u8> {
    let bytes = fs::read(result).unwrap();
    if bytes.is_empty() {
        return bytes;
    }
    bytes.strip_prefix(NONCE).unwrap().to_vec()
}

/// The embedded counter.
fn counter() -> &'static Path {
    static COUNTER: OnceLock<PathBuf> = OnceLock::new();
    COUNTER.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("swiftprof-counter-{}", std::process::id()));
        // A child of another test may inherit a descriptor that was open for writing, and a file
        // that is open for writing cannot be executed. So a separate process writes the file.
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$0\""])
            .arg(&path)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(sandbox_image::COUNTER).unwrap();
        assert!(writer.wait().unwrap().success());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    })
}

impl Program {
    /// Compiles C++ (or assembly in it) with these flags.
    pub(crate) fn new(source: &str, flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.cpp"), source).unwrap();
        let compiled = Command::new("g++")
            .args(["-std=c++17", "main.cpp", "-o", "main.out"])
            .args(flags)
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        Self { folder }
    }

    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new("./main.out");
        self.prepare(&mut command);
        command
    }

    pub(crate) fn native(&self, input: &str) -> Output {
        run(self.command(), input)
    }

    pub(crate) fn counted(&self, input: &str) -> Counted {
        let (output, result) = self.run(&[], input);
        Counted { output, line: String::from_utf8(result).unwrap() }
    }

    /// A run with a profile, which must have ended well.
    pub(crate) fn profiled(&self, input: &str) -> Profiled {
        let (output, result) = self.run(&["profile"], input);
        Profiled::read(output, &result)
    }

    /// The line about a program that cannot be profiled.
    pub(crate) fn profile_line(&self, input: &str) -> String {
        String::from_utf8(self.run(&["profile"], input).1).unwrap()
    }

    /// A run of the counter, which an emulator runs.
    pub(crate) fn counted_by(&self, emulator: &[&str]) -> Counted {
        let (command, result) = self.counter_by(emulator, &[], &[]);
        let output = run(command, "");
        Counted { output, line: String::from_utf8(said(&result)).unwrap() }
    }

    fn run(&self, arguments: &[&str], input: &str) -> (Output, Vec<u8>) {
        let (command, result) = self.counter(arguments, &[]);
        (run(command, input), said(&result))
    }

    /// A count whose stdin is a file, as in a sandbox.
    pub(crate) fn counted_with_file(&self, input: &str) -> Counted {
        let (output, result) = self.run_with_file(&[], input);
        Counted { output, line: String::from_utf8(result).unwrap() }
    }

    /// A run of the counter whose stdin is a file, as in a sandbox, and its result.
    pub(crate) fn run_with_file(&self, arguments: &[&str], input: &str) -> (Output, Vec<u8>) {
        let (command, result) = self.counter(arguments, &[]);
        let output = self.with_files(command, self.file("input", input.as_bytes()));
        (output, said(&result))
    }

    /// Runs a command whose outputs are files that are not kept.
    fn with_files(&self, mut command: Command, stdin: File) -> Output {
        let output = self.file("output", b"");
        let errors = output.try_clone().unwrap();
        command.stdin(stdin).stdout(output).stderr(errors).output().unwrap()
    }

    /// Runs a series of inputs. The result's `line` has the lines of all inputs. The blocks after
    /// each line must add up to the line's own instructions.
    pub(crate) fn series(&self, inputs: &[String], each_ms: u64, all_ms: u64) -> Counted {
        let framed = inputs.iter().flat_map(|input| {
            let length = u32::try_from(input.len()).unwrap().to_le_bytes();
            length.into_iter().chain(input.bytes())
        });
        let inputs = high(&self.file("inputs", &framed.collect::<Vec<u8>>()));
        let stdin = self.file("input", b"");
        let writer = File::options().write(true).open(self.folder.path().join("input")).unwrap();
        let writer = high(&writer);
        let descriptors = [&inputs, &writer].map(|file| file.as_raw_fd().to_string());
        let [each, all] = [each_ms, all_ms].map(|it| it.to_string());
        let arguments = ["series", &descriptors[0], &descriptors[1], &each, &all];
        let (command, result) = self.counter(&arguments, &[&inputs, &writer]);
        let output = self.with_files(command, stdin);
        Counted { output, line: without_blocks(&fs::read(result).unwrap()) }
    }

    /// The path of a file of the program's folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A file of the program's folder, open to be read and written.
    fn file(&self, name: &str, bytes: &[u8]) -> File {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        File::options().read(true).write(name == "output").open(path).unwrap()
    }

    /// The counter with these arguments and the program. `kept` stay open. Its result is in the
    /// file that is returned.
    pub(crate) fn counter(&self, arguments: &[&str], kept: &[&File]) -> (Command, PathBuf) {
        self.counter_by(&[], arguments, kept)
    }

    fn counter_by(
        &self,
        emulator: &[&str],
        arguments: &[&str],
        kept: &[&File],
    ) -> (Command, PathBuf) {
        let result = self.folder.path().join("result");
        let file = result_file(&result);
        let words: Vec<_> = emulator.iter().map(Path::new).chain([counter()]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        self.prepare(command.args(arguments).arg("./main.out"));
        let kept: Vec<_> = kept.iter().map(|file| file.as_raw_fd()).collect();
        // SAFETY: dup2 and fcntl may be called between fork and exec.
        unsafe {
            command.pre_exec(move || {
                // Clear close-on-exec, even if the descriptor already has the right number.
                for descriptor in kept.iter().copied().chain([file.as_raw_fd()]) {
                    libc::fcntl(descriptor, libc::F_SETFD, 0);
                }
                libc::dup2(file.as_raw_fd(), RESULT_FD);
                Ok(())
            });
        }
        (command, result)
    }

    fn prepare(&self, command: &mut Command) {
        command.current_dir(self.folder.path()).env_clear().env("LC_ALL", "C");
        // SAFETY: setrlimit may be called between fork and exec.
        unsafe {
            command.pre_exec(|| {
                let stack = libc::rlimit { rlim_cur: STACK_BYTES, rlim_max: STACK_BYTES };
                libc::setrlimit(libc::RLIMIT_STACK, &raw const stack);
                let core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                libc::setrlimit(libc::RLIMIT_CORE, &raw const core);
                Ok(())
            });
        }
    }
}

/// The stack of a program in the sandbox.
const STACK_BYTES: u64 = 256 << 20;

fn run(mut command: Command, input: &str) -> Output {
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().unwrap();
    // A program that does not read its input may end before all of it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The lines of a series.
fn without_blocks(mut output: &[u8]) -> String {
    let mut lines = String::new();
    while !output.is_empty() {
        output = output.strip_prefix(NONCE).unwrap();
        let end = output.iter().position(|&byte| byte == b'\n').unwrap();
        let (line, rest) = output.split_at(end + 1);
        let line = std::str::from_utf8(line).unwrap();
        lines += line;
        output = rest;
        if !line.starts_with("exited") {
            continue;
        }
        let mut take = |bytes: usize| {
            let (taken, rest) = output.split_at(bytes);
            output = rest;
            taken
        };
        let blocks = u32::from_le_bytes(take(4).try_into().unwrap());
        let executed = (0..blocks).map(|_| {
            let executions = u64::from_le_bytes(take(12)[4..].try_into().unwrap());
            let instructions = take(1)[0];
            take(instructions.into());
            executions * u64::from(instructions)
        });
        let executed: u64 = executed.sum();
        let own = line.trim_end().rsplit(' ').next().unwrap();
        assert_eq!(executed.to_string(), own, "{line}");
    }
    lines
}
