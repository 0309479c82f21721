//! The builds that every job needs: the program, and the interactor if there is one.

use super::builder::{Builder, Obtained};
use super::compiler::{self, CompileLimits};
use crate::error::SandboxFault;
use crate::job::Job;
use crate::sandbox::{Pool, Sandbox};
use profiler_proto::v1::CompileStep;
use runner_protocol::{Binary, Hello, Variant};
use std::env::consts::ARCH;

/// Maximum number of times that a program is compiled. The second time follows if the compiler died
/// or its sandbox was lost.
const COMPILE_TRIES: u32 = 2;

/// The processor of programs that callers have compiled.
const PROGRAM_ARCH: &str = "x86_64";

/// A compiled program.
pub(crate) struct BuiltProgram {
    /// The compile step for the report.
    pub(crate) step: CompileStep,
    /// The binary, or why there is none.
    pub(crate) binary: Result<Binary, String>,
}

impl BuiltProgram {
    fn new(Obtained { compiled, cached }: &Obtained, limits: CompileLimits) -> Self {
        let (step, binary) = compiler::step_and_binary(compiled, limits);
        Self { step: CompileStep { cached: *cached, ..step }, binary }
    }
}

/// Refuses a sandbox that lacks a tool that every job needs.
pub(crate) fn check_tools(hello: &Hello) -> Result<(), SandboxFault> {
    if hello.missing_tools.is_empty() {
        return Ok(());
    }
    let missing = hello.missing_tools.join(", ");
    Err(SandboxFault::Unsupported(format!(
        "the sandbox lacks {missing}: install g++, binutils and time; on Debian: \
         apt-get install g++ binutils time"
    )))
}

/// Compiles the program, or places the caller's own. If the compiler died or the sandbox was lost,
/// tries once more in another sandbox.
pub(crate) async fn build_program(
    job: &Job,
    builder: &Builder,
    pool: &Pool,
    sandbox: &mut Sandbox,
) -> Result<BuiltProgram, SandboxFault> {
    check_tools(&sandbox.hello)?;
    if !job.program.is_empty() && ARCH != PROGRAM_ARCH {
        return Err(SandboxFault::Unsupported(format!(
            "a compiled program is for {PROGRAM_ARCH}, and this host is {ARCH}"
        )));
    }
    let limits = builder.limits;
    let mut tries = 1;
    loop {
        match builder.obtain(job, sandbox, Variant::Plain).await {
            Ok(built) if compiler::died(&built.compiled, limits) && tries < COMPILE_TRIES => {}
            Err(SandboxFault::Lost(_) | SandboxFault::Silent(_)) if tries < COMPILE_TRIES => {}
            other => return Ok(BuiltProgram::new(&other?, limits)),
        }
        tries += 1;
        *sandbox = pool.acquire().await?;
    }
}

/// Compiles the job's interactor, once more if the compiler died. `None` if the job has no
/// interactor.
pub(crate) async fn build_interactor(
    job: &Job,
    builder: &Builder,
    sandbox: &mut Sandbox,
) -> Result<Option<BuiltProgram>, SandboxFault> {
    if job.interactor.is_none() {
        return Ok(None);
    }
    let limits = builder.limits;
    let mut tries = 1;
    loop {
        let built = builder.obtain(job, sandbox, Variant::Interactor).await?;
        if tries == COMPILE_TRIES || !compiler::died(&built.compiled, limits) {
            let built = BuiltProgram::new(&built, limits);
            let why = |failure| format!("the interactor does not compile: {failure}");
            return Ok(Some(BuiltProgram { binary: built.binary.map_err(why), ..built }));
        }
        tries += 1;
    }
}
