//! Compiles the source. The compiler is as untrusted as a program, and is confined like one.

mod source_files;

pub(crate) use source_files::own_files;

use crate::confine::landlock::Role;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Scratch, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use profiler_decode::SOURCE_FILE;
use profiler_decode::elf::segment_bytes;
use runner_protocol::{
    Binary, Compile, Compiled, Ending, Execution, LINE_FLAGS, Limits, MAX_DEPENDENCIES_BYTES,
    MAX_DIAGNOSTIC_BYTES, PRECOMPILED_DEPENDENCIES, PRECOMPILED_DIR, SCRATCH_DIR, Variant,
    header_flags, header_folder,
};
use source_files::SourceFiles;
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

pub(crate) const COMPILER: &str = "/usr/bin/g++";
/// The binary's name while it is linked.
const BINARY: &str = "main.out";
/// The file in scratch to which g++ adds the files that it reads. A program's files have no colon
/// in their names.
const DEPENDENCIES: &str = "main.out:dependencies";
/// The variable by which g++ lists the files that it reads, those of the system included, without a
/// flag in its command.
const LIST_DEPENDENCIES: &str = "SUNPRO_DEPENDENCIES";
/// Flags that the gprof variant adds: lines, counts, and addresses that gprof can read.
const GPROF_FLAGS: [&str; 3] = ["-g", "-pg", "-no-pie"];
/// The hook, which is linked before the C library in the allocations variant: the file that is
/// compiled, and the file that it includes.
const HOOK: [(&str, &str); 2] = [
    ("allocations.cpp", include_str!("../../../hook/allocations.cpp")),
    ("left.hpp", include_str!("../../../hook/left.hpp")),
];
const HOOK_OBJECT: &str = "allocations.o";
/// Flags of the hook. The program's own flags could break it.
const HOOK_FLAGS: [&str; 7] = [
    "-c",
    "-O2",
    "-std=c++17",
    "-fPIC",
    "-fno-omit-frame-pointer",
    "-fno-builtin",
    "-ftls-model=initial-exec",
];
/// Flags that the allocations variant adds: line information in a format that all tools of binutils
/// read correctly, frame pointers, load addresses that equal those in the file, and the hook.
const ALLOCATIONS_FLAGS: [&str; 5] =
    ["-g", "-gdwarf-4", "-fno-omit-frame-pointer", "-no-pie", HOOK_OBJECT];
/// Flags that the sanitized variant adds. The sanitizers' runtimes are linked statically, because
/// the root of programs has no copies of their libraries. The macro makes an access between the
/// size and the capacity of a vector an error.
const SANITIZED_FLAGS: [&str; 9] = [
    "-O1",
    "-gdwarf-4",
    "-g1",
    "-fno-omit-frame-pointer",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=undefined",
    "-static-libasan",
    "-static-libubsan",
    "-D_GLIBCXX_SANITIZE_VECTOR",
];
/// The flag that the allocations variant and the sanitized variant leave out: a statically linked
/// malloc cannot be replaced.
const STATIC: &str = "-static";
/// Prefix of the flags that the plain and the sanitized variant leave out. They select a format of
/// debug information that excludes DWARF lines.
const STABS: &str = "-gstabs";
/// The source of the empty variant.
const EMPTY: &[u8] = b"int main() {}\n";
/// Longest version that is kept, in bytes.
const MAX_VERSION_BYTES: usize = 64;

/// Compiles the source that the host has put into the sandbox.
pub(crate) fn compile(runner: &mut Runner, request: &Compile) -> Result<Compiled> {
    if runner.compiler.is_none() {
        runner.compiler = Some(version(runner, &request.limits)?);
    }
    let compiler = runner.compiler.clone().unwrap_or_default();
    let source = Path::new(SCRATCH_DIR).join(SOURCE_FILE);
    let mut copy = files::create(&source, 0o644).stage("place the source")?;
    match request.variant {
        Variant::Empty => copy.write_all(EMPTY).stage("place the source")?,
        Variant::Plain | Variant::Gprof | Variant::Allocations | Variant::Sanitized => {
            place(WorkFile::SOURCE, &mut copy)?;
        }
        Variant::Interactor => place(WorkFile::INTERACTOR, &mut copy)?,
    }
    drop(copy);

    let mut argv = vec!["g++".to_owned()];
    argv.extend(request.flags.iter().cloned());
    let added = match request.variant {
        Variant::Gprof => &GPROF_FLAGS[..],
        Variant::Plain => {
            argv.retain(|flag| !flag.starts_with(STABS));
            &LINE_FLAGS
        }
        Variant::Allocations => {
            let (command, execution) = compile_hook(runner, &request.limits)?;
            if execution.ending != Ending::Exited(0) {
                files::remove(&source).stage("remove the source")?;
                return compiled(command, compiler, execution, None, Vec::new());
            }
            argv.retain(|flag| flag != STATIC);
            &ALLOCATIONS_FLAGS
        }
        Variant::Sanitized => {
            argv.retain(|flag| flag != STATIC && !flag.starts_with(STABS));
            &SANITIZED_FLAGS
        }
        Variant::Empty | Variant::Interactor => &[],
    };
    let has_files = !matches!(request.variant, Variant::Empty | Variant::Interactor);
    let files = if has_files { SourceFiles::place()? } else { SourceFiles::default() };
    argv.extend(added.iter().copied().map(String::from));
    argv.push(SOURCE_FILE.into());
    argv.extend(files.compiled());
    argv.extend(["-o", BINARY].map(String::from));
    let command = argv.join(" ");
    let (header, scratch) = (precompiled(request), Scratch::Emptied);
    let env = header.iter().map(|dir| ("CPLUS_INCLUDE_PATH", dir.to_string_lossy().into()));
    let env = env.collect();
    let made = start(runner, argv, env, scratch, &request.limits, |execution| {
        let binary = match execution.ending {
            Ending::Exited(0) => keep(request.variant)?,
            _ => None,
        };
        let read = binary.and_then(|_| dependencies(header.as_deref())).unwrap_or_default();
        // The source belongs to the runner, so nobody else can remove it.
        files::remove(&source).stage("remove the source")?;
        files.remove()?;
        Ok((binary, read))
    })?;
    let (execution, (binary, read)) = made;
    compiled(command, compiler, execution, binary, read)
}

/// Returns the result of the command whose diagnostics were written last.
fn compiled(
    command: String,
    compiler: String,
    execution: Execution,
    binary: Option<Binary>,
    dependencies: Vec<u8>,
) -> Result<Compiled> {
    let output = WorkFile::STDERR.open()?;
    let truncated =
        output.metadata().stage("read the diagnostics")?.len() > MAX_DIAGNOSTIC_BYTES as u64;
    let output = files::read_at_most(output, MAX_DIAGNOSTIC_BYTES).stage("read the diagnostics")?;
    Ok(Compiled { command, compiler, execution, output, truncated, binary, dependencies })
}

/// Compiles the hook. Returns the command and how it ended.
fn compile_hook(runner: &Runner, limits: &Limits) -> Result<(String, Execution)> {
    let path = |name| Path::new(SCRATCH_DIR).join(name);
    for (name, text) in HOOK {
        let mut file = files::create(&path(name), 0o644).stage("place the hook")?;
        file.write_all(text.as_bytes()).stage("place the hook")?;
    }
    let [(source, _), _] = HOOK;
    let argv = ["g++"].into_iter().chain(HOOK_FLAGS).chain([source, "-o", HOOK_OBJECT]);
    let argv: Vec<_> = argv.map(String::from).collect();
    let command = argv.join(" ");
    let (execution, ()) = start(runner, argv, Vec::new(), Scratch::Kept, limits, |_| {
        HOOK.iter().try_for_each(|(name, _)| files::remove(&path(name)).stage("remove the hook"))
    })?;
    Ok((command, execution))
}

fn place(source: WorkFile, copy: &mut File) -> Result<()> {
    io::copy(&mut source.open()?, copy).map(drop).stage("place the source")
}

/// Runs the compiler with stdout and stderr in one file. A step before the compilation itself keeps
/// scratch, because the compilation needs the step's files.
fn start<T>(
    runner: &Runner,
    argv: Vec<String>,
    mut env: Vec<(&str, String)>,
    scratch: Scratch,
    limits: &Limits,
    read_back: impl FnOnce(&Execution) -> Result<T>,
) -> Result<(Execution, T)> {
    let stdin = File::open("/dev/null").stage("open /dev/null")?;
    let output = files::output(WorkFile::STDERR)?;
    let both = output.try_clone().stage("share the output")?;
    env.push((LIST_DEPENDENCIES, DEPENDENCIES.into()));
    let (path, role) = (COMPILER.into(), Role::Compiler);
    let spec = Spec { path, argv, env, limits: Some(limits), role, ..Spec::default() };
    let place = Place { stdio: Some([stdin, both, output]), scratch, ..Place::default() };
    run_program(runner, &spec, &place, limits, read_back)
}

fn version(runner: &Runner, limits: &Limits) -> Result<String> {
    let argv = ["g++", "-dumpfullversion"].map(String::from).into();
    let (_, text) = start(runner, argv, Vec::new(), Scratch::Kept, limits, |_| {
        let output = WorkFile::STDERR.open()?;
        files::read_at_most(output, MAX_VERSION_BYTES).stage("read the version")
    })?;
    Ok(String::from_utf8_lossy(&text).trim().to_owned())
}

/// Returns the folder of the header that was precompiled for these flags, if there is one. With
/// another header g++ may generate different code. Line information makes no difference. The empty
/// program includes no header.
fn precompiled(request: &Compile) -> Option<PathBuf> {
    let can_use_it = matches!(request.variant, Variant::Plain | Variant::Interactor);
    let flags = header_flags(&request.flags).filter(|_| can_use_it && request.may_use_header)?;
    let dir = Path::new(PRECOMPILED_DIR).join(header_folder(&flags));
    dir.is_dir().then_some(dir)
}

/// Returns the list of the files that the compilation and the header in the folder `header` were
/// made from; `None` if a list is missing or too long.
fn dependencies(header: Option<&Path>) -> Option<Vec<u8>> {
    let mut lists = vec![files::from_scratch(DEPENDENCIES)?];
    if let Some(header) = header {
        lists.push(File::open(header.join(PRECOMPILED_DEPENDENCIES)).ok()?);
    }
    let mut all = Vec::new();
    for list in lists {
        all.extend(files::read_at_most(list, MAX_DEPENDENCIES_BYTES).ok()?);
        all.push(b'\n');
    }
    (all.len() <= MAX_DEPENDENCIES_BYTES).then_some(all)
}

/// Moves the binary from scratch to a folder that the program cannot write.
fn keep(variant: Variant) -> Result<Option<Binary>> {
    let Some(mut made) = files::from_scratch(BINARY) else {
        return Ok(None);
    };
    let Some(segment_bytes) = segment_bytes(&made) else {
        return Ok(None);
    };
    made.rewind().stage("read the binary")?;
    files::forget_answers(variant)?;
    let path = files::binary(variant);
    let _ = fs::remove_file(&path);
    let mut kept = files::create(&path, files::EXECUTABLE).stage("keep the binary")?;
    let bytes = io::copy(&mut made, &mut kept).stage("keep the binary")?;
    kept.set_permissions(fs::Permissions::from_mode(files::EXECUTABLE)).stage("keep the binary")?;
    Ok(Some(Binary { bytes, segment_bytes }))
}
