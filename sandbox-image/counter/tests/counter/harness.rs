//! Compiles programs and runs them, natively and counted.

use std::fs::{self, File};
use std::io::Write;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Where the counter expects its result file.
const RESULT_FD: i32 = 3;

/// How a counted run ended.
pub(crate) struct Counted {
    pub(crate) output: Output,
    pub(crate) line: String,
}

impl Counted {
    /// The number in the line; there must be one.
    pub(crate) fn count(&self) -> u64 {
        let number = self.line.strip_prefix("instructions ").and_then(|n| n.strip_suffix('\n'));
        number.and_then(|n| n.parse().ok()).unwrap_or_else(|| {
            panic!("no count in {:?}, {:?}", self.line, self.output);
        })
    }
}

/// A compiled program in a folder of its own.
pub(crate) struct Program {
    folder: TempDir,
}

/// The counter that is embedded in what starts sandboxes.
fn counter() -> &'static Path {
    static COUNTER: OnceLock<PathBuf> = OnceLock::new();
    COUNTER.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("swiftprof-counter-{}", std::process::id()));
        // A child of another test's may hold a descriptor that was open for writing at its fork,
        // and a file that anybody can write to is not executed: the writer is a process of its own.
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
        let result = self.folder.path().join("result");
        let file = File::create(&result).unwrap();
        let descriptor = file.as_raw_fd();
        let mut command = Command::new(counter());
        self.prepare(command.arg("./main.out"));
        // SAFETY: dup2 and fcntl may be called between fork and exec.
        unsafe {
            command.pre_exec(move || {
                // Without close-on-exec, also where it is the same descriptor already.
                libc::fcntl(descriptor, libc::F_SETFD, 0);
                libc::dup2(descriptor, RESULT_FD);
                Ok(())
            });
        }
        let output = run(command, input);
        Counted { output, line: fs::read_to_string(result).unwrap() }
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
    // A program that does not read its input may have ended before it is written.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}
