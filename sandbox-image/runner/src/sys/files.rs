//! The runner's own files. They are in folders that the program cannot enter. The program receives
//! them only as open descriptors, and those of its output only for writing.

use crate::sys::fault::{Fault, Result, Stage};
use nix::fcntl::OFlag;
use nix::sys::stat::futimens;
use nix::sys::time::TimeSpec;
use nix::unistd;
use runner_protocol::{
    CheckedFile, Continue, Fetch, FetchStdout, Input, MAX_PIECE_BYTES, Piece, SCRATCH_DIR, Variant,
};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Maximum size that is read at a time, in bytes.
const BLOCK_BYTES: usize = 16 << 10;
/// The mode of files that only the runner may read and write.
const OWN: u32 = 0o600;
/// The mode of files that the program may read but not change.
const READABLE: u32 = 0o644;
/// The mode of files that the program may execute but not change.
pub(crate) const EXECUTABLE: u32 = 0o755;
/// The mode of outputs, which the program may open again. It must not read them, because they are
/// not counted as its memory. If it has the runner's user, only Landlock prevents that.
const WRITABLE: u32 = 0o622;

/// The folder of files that the program may execute or read by their paths, in
/// [`WORK_DIR`](runner_protocol::WORK_DIR).
pub(crate) const BINARIES: &str = "/code/bin";
/// The folder of the runner's other files, such as inputs.
pub(crate) const OWN_FILES: &str = "/code/own";
/// The folder of outputs, apart from other files because no program may read it.
const OUTPUTS: &str = "/code/out";

/// Path of the runner inside a private root.
pub(crate) const INSIDE: &str = "/swiftprof-runner";

/// One of the runner's files: its folder and its name.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorkFile(&'static str, &'static str);

impl WorkFile {
    pub(crate) const SOURCE: Self = Self(OWN_FILES, "source");
    /// The program's other files, in one file.
    pub(crate) const FILES: Self = Self(OWN_FILES, "files");
    pub(crate) const INTERACTOR: Self = Self(OWN_FILES, "interactor");
    pub(crate) const INTERACTOR_BINARY: Self = Self(OWN_FILES, "interactor-binary");
    pub(crate) const RECIPE: Self = Self(OWN_FILES, "recipe");
    pub(crate) const PUT_INPUT: Self = Self(OWN_FILES, "input");
    pub(crate) const SIZE_INPUT: Self = Self(OWN_FILES, "size");
    pub(crate) const CONTINUED_INPUT: Self = Self(OWN_FILES, "continued");
    /// The inputs of a series.
    pub(crate) const INPUTS: Self = Self(OWN_FILES, "inputs");
    /// The current input of a series, which is on stdin.
    pub(crate) const SERIES_INPUT: Self = Self(OWN_FILES, "series");
    pub(crate) const STDOUT: Self = Self(OUTPUTS, "stdout");
    pub(crate) const STDERR: Self = Self(OUTPUTS, "stderr");
    pub(crate) const INTERACTOR_STDERR: Self = Self(OUTPUTS, "interactor-stderr");
    /// Output of `/usr/bin/time`.
    pub(crate) const TIME: Self = Self(OWN_FILES, "time");
    /// Output of the instruction counter.
    pub(crate) const COUNT: Self = Self(OWN_FILES, "count");
    /// Input for a tool, such as addresses for addr2line.
    pub(crate) const QUESTIONS: Self = Self(OWN_FILES, "questions");
    /// The answers of addr2line about the build that is counted by line.
    pub(crate) const SYMBOLS: Self = Self(OWN_FILES, "symbols");
    /// The profiles of runs whose lines are not known yet.
    pub(crate) const PROFILES: Self = Self(OWN_FILES, "profiles");
    /// The names that c++filt was last asked for.
    pub(crate) const NAMES_ASKED: Self = Self(OWN_FILES, "names-asked");
    /// The answers of c++filt about these names.
    pub(crate) const NAMES: Self = Self(OWN_FILES, "names");
    /// The hook's record of a program's allocations.
    pub(crate) const ALLOCATIONS: Self = Self(OWN_FILES, "allocations");
    /// The request to the warm-up process.
    pub(crate) const WARM_UP: Self = Self(OWN_FILES, "warm-up");
    /// The result of the warm-up process.
    pub(crate) const WARM_UP_RESULT: Self = Self(OWN_FILES, "result");

    pub(crate) fn path(self) -> PathBuf {
        Path::new(self.0).join(self.1)
    }

    /// Replaces the file by an empty one, which no process has open yet.
    pub(crate) fn create(self) -> Result<File> {
        begin(&self.path(), OWN)
    }

    /// Opens the file to write at its end. Creates it if it is absent.
    pub(crate) fn append(self) -> Result<File> {
        let open = OpenOptions::new().append(true).create(true).mode(OWN).open(self.path());
        open.stage("append to a file")
    }

    pub(crate) fn remove(self) -> Result<()> {
        remove(&self.path()).stage("remove a file")
    }

    pub(crate) fn open(self) -> Result<File> {
        File::open(self.path()).stage("open a file")
    }

    /// The file's length in bytes.
    pub(crate) fn length(self) -> Result<u64> {
        Ok(self.path().metadata().stage("look at a file")?.len())
    }
}

/// Makes the runner's folders and the outputs. The program may enter only the folder of binaries.
pub(crate) fn prepare() -> Result<()> {
    for (path, mode) in [(BINARIES, 0o755), (OWN_FILES, 0o700), (OUTPUTS, 0o700)] {
        DirBuilder::new().recursive(true).mode(mode).create(path).stage("make the work folder")?;
    }
    for output in [WorkFile::STDOUT, WorkFile::STDERR, WorkFile::INTERACTOR_STDERR] {
        let writable = Permissions::from_mode(WRITABLE);
        output.create()?.set_permissions(writable).stage("open an output to the program")?;
    }
    let folder = |path| File::open(path).stage("open a folder");
    let kept = Kept {
        outputs: [WorkFile::STDOUT.open()?, WorkFile::STDERR.open()?],
        scratch: folder(SCRATCH_DIR)?,
        own: folder(OWN_FILES)?,
    };
    KEPT.set(kept).map_err(|_| Fault::new("open the work folder", "it is open already"))
}

/// Files and folders that every run needs and none replaces. They stay open, so no run has to look
/// them up. Programs share none of these handles.
pub(crate) struct Kept {
    /// stdout and stderr of the current or the last run, to be read at a position.
    pub(crate) outputs: [File; 2],
    pub(crate) scratch: File,
    own: File,
}

impl Kept {
    pub(crate) fn get() -> Result<&'static Self> {
        KEPT.get().ok_or_else(|| Fault::new("use a kept file", "none is open"))
    }
}

static KEPT: OnceLock<Kept> = OnceLock::new();

/// Stores a piece of a file from the host.
pub(crate) fn put(piece: &Piece) -> Result<()> {
    let (path, mode) = match piece.file {
        runner_protocol::File::Source => (WorkFile::SOURCE.path(), OWN),
        runner_protocol::File::Files => (WorkFile::FILES.path(), OWN),
        runner_protocol::File::Interactor => (WorkFile::INTERACTOR.path(), OWN),
        runner_protocol::File::Recipe => (WorkFile::RECIPE.path(), OWN),
        runner_protocol::File::Input => (WorkFile::PUT_INPUT.path(), OWN),
        runner_protocol::File::Inputs => (WorkFile::INPUTS.path(), OWN),
        runner_protocol::File::Checked(file) => (checked(file), READABLE),
        runner_protocol::File::Binary(variant) => (binary(variant), EXECUTABLE),
        runner_protocol::File::Counter => (counter(), EXECUTABLE),
        runner_protocol::File::Generator => (generator(), EXECUTABLE),
    };
    let mut file = if piece.first {
        if let runner_protocol::File::Binary(variant) = piece.file {
            forget_answers(variant)?;
        }
        begin(&path, mode)?
    } else {
        OpenOptions::new().append(true).open(&path).stage("append to a file")?
    };
    file.write_all(&piece.bytes).stage("write a file")
}

/// Reads a piece of a binary for the host; empty at its end.
pub(crate) fn fetch(part: Fetch) -> Result<Vec<u8>> {
    let mut file = File::open(binary(part.variant)).stage("open a binary")?;
    file.seek(SeekFrom::Start(part.offset)).stage("read a binary")?;
    read_at_most(file, MAX_PIECE_BYTES).stage("read a binary")
}

/// Reads a piece of the last run's stdout for the host; empty at its end.
pub(crate) fn fetch_stdout(part: FetchStdout) -> Result<Vec<u8>> {
    let mut file = WorkFile::STDOUT.open()?;
    file.seek(SeekFrom::Start(part.offset)).stage("read stdout")?;
    read_at_most(file, MAX_PIECE_BYTES).stage("read stdout")
}

/// The file that holds an input.
fn of(input: Input) -> WorkFile {
    match input {
        Input::Put => WorkFile::PUT_INPUT,
        Input::Size(_) => WorkFile::SIZE_INPUT,
        Input::Continued => WorkFile::CONTINUED_INPUT,
    }
}

/// Makes [`Input::Continued`]. The continuation begins on a new line, so that it never changes the
/// last word of the input.
pub(crate) fn continue_input(request: &Continue) -> Result<()> {
    place(request.from)?;
    let mut from = input(request.from)?;
    let mut to = BufWriter::with_capacity(BLOCK_BYTES, WorkFile::CONTINUED_INPUT.create()?);
    let mut block = vec![0; BLOCK_BYTES];
    let mut last = b'\n';
    loop {
        match from.read(&mut block).stage("read the input")? {
            0 => break,
            count => {
                to.write_all(&block[..count]).stage("continue the input")?;
                last = block[count - 1];
            }
        }
    }
    if last != b'\n' {
        to.write_all(b"\n").stage("continue the input")?;
    }
    for (text, times) in &request.parts {
        for _ in 0..*times {
            to.write_all(text.as_bytes()).stage("continue the input")?;
        }
    }
    to.flush().stage("continue the input")
}

/// Writes the input that the next runs find on stdin. All runs of a size have the same file,
/// because a program sees its inode number.
pub(crate) fn place(input: Input) -> Result<()> {
    if let Input::Size(n) = input {
        let text = format!("{n}\n");
        if fs::read_to_string(WorkFile::SIZE_INPUT.path()).ok().as_ref() != Some(&text) {
            let mut file = WorkFile::SIZE_INPUT.create()?;
            file.write_all(text.as_bytes()).stage("write the input")?;
        }
    }
    let readable = Permissions::from_mode(READABLE);
    fs::set_permissions(of(input).path(), readable).stage("open the input to the program")
}

/// Creates an empty file as the stdin of a series. Returns a handle that writes it, and the
/// standard streams.
pub(crate) fn series_stdio() -> Result<(File, [File; 3])> {
    let writer = begin(&WorkFile::SERIES_INPUT.path(), READABLE)?;
    let stdin = WorkFile::SERIES_INPUT.open()?;
    Ok((writer, [stdin, output(WorkFile::STDOUT)?, output(WorkFile::STDERR)?]))
}

/// stdin, stdout and stderr of the next run of the program. The program may open them again as
/// `/dev/stdin`, `/dev/stdout` and `/dev/stderr`, but cannot write its input or read its output.
pub(crate) fn stdio(input: Input) -> Result<[File; 3]> {
    let stdin = self::input(input)?;
    touch(&stdin)?;
    Ok([stdin, output(WorkFile::STDOUT)?, output(WorkFile::STDERR)?])
}

/// The position of the stdin of a run: how far the program has read it. The program shares the open
/// file description, and with it the position.
pub(crate) fn stdin_position([stdin, ..]: &[File; 3]) -> Result<u64> {
    let mut stdin = stdin;
    stdin.stream_position().stage("tell the position of stdin")
}

/// Gives scratch and the runner's own folder the times of a run's start. Otherwise the times of
/// scratch would tell when an earlier run used it, and those of the runner's folder would tell
/// which kind of run this is.
pub(crate) fn touch_folders() -> Result<()> {
    let kept = Kept::get()?;
    touch(&kept.scratch)?;
    touch(&kept.own)
}

fn touch(file: &File) -> Result<()> {
    futimens(file, &TimeSpec::UTIME_NOW, &TimeSpec::UTIME_NOW).stage("set a file's times")
}

pub(crate) fn input(input: Input) -> Result<File> {
    of(input).open()
}

/// Empties and opens an output file. It is the same file in every run, so that a Landlock rule can
/// name it in advance. Every process that had it open has been killed.
pub(crate) fn output(own: WorkFile) -> Result<File> {
    let open = OpenOptions::new().write(true).truncate(true).open(own.path());
    open.stage("empty an output")
}

/// The next `most` bytes of `from`, or fewer at its end.
pub(crate) fn read_at_most(from: File, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Replaces the file by an empty one with this mode, whatever the umask.
fn begin(path: &Path, mode: u32) -> Result<File> {
    remove(path).stage("remove a file")?;
    let file = create(path, mode).stage("create a file")?;
    file.set_permissions(Permissions::from_mode(mode)).stage("create a file")?;
    Ok(file)
}

/// Forgets the tools' answers about an earlier build of `variant`.
pub(crate) fn forget_answers(variant: Variant) -> Result<()> {
    if variant == Variant::Plain { WorkFile::SYMBOLS.remove() } else { Ok(()) }
}

/// The path of a variant's binary.
pub(crate) fn binary(variant: Variant) -> PathBuf {
    let name = match variant {
        Variant::Plain => "plain",
        Variant::Gprof => "gprof",
        Variant::Allocations => "allocations",
        Variant::Sanitized => "sanitized",
        Variant::Empty => "empty",
        // The interactor knows the answers, so the program must not be able to read its binary.
        Variant::Interactor => return WorkFile::INTERACTOR_BINARY.path(),
    };
    Path::new(BINARIES).join(name)
}

pub(crate) fn counter() -> PathBuf {
    Path::new(BINARIES).join("counter")
}

pub(crate) fn generator() -> PathBuf {
    Path::new(BINARIES).join("generator")
}

/// The path of a file that a checker reads. It is among the binaries, because a checker opens its
/// files by their paths.
pub(crate) fn checked(file: CheckedFile) -> PathBuf {
    let name = match file {
        CheckedFile::Input => "checked-input",
        CheckedFile::Output => "checked-output",
        CheckedFile::Answer => "checked-answer",
    };
    Path::new(BINARIES).join(name)
}

/// Opens a regular file that the program left in scratch: never a link, a FIFO or a device.
pub(crate) fn from_scratch(name: &str) -> Option<File> {
    let path = Path::new(SCRATCH_DIR).join(name);
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path).ok()?;
    file.metadata().is_ok_and(|meta| meta.is_file()).then_some(file)
}

/// Creates a file that must not exist yet.
pub(crate) fn create(path: &Path, mode: u32) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).mode(mode).open(path)
}

/// Removes a file that may be gone.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Creates a pipe: the end to read from, and the end to write to.
pub(crate) fn pipe() -> Result<(File, File)> {
    let (from, to) = unistd::pipe2(OFlag::O_CLOEXEC).stage("pipe")?;
    Ok((from.into(), to.into()))
}
