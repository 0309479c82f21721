//! The builds that a job cannot do without: the program and its interactor.

use super::compiler;
use super::obtain::obtain;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::report::CompileStep;
use crate::sandbox::{Borrowed, Pool, Sandbox};
use runner_protocol::{Binary, Compiled, Variant};

/// How often the compiler is started: once more if it died or its sandbox was lost.
const COMPILE_TRIES: u32 = 2;

/// A program, compiled.
pub(crate) struct BuiltProgram {
    /// What compiling cost.
    pub(crate) step: CompileStep,
    /// The binary, or why there is none.
    pub(crate) binary: Result<Binary, String>,
}

impl BuiltProgram {
    fn new(compiled: &Compiled, cached: bool) -> Self {
        let step = CompileStep { cached, ..compiler::step(compiled) };
        let binary = compiled.binary.ok_or_else(|| compiler::failure(compiled, &step));
        Self { step, binary }
    }
}

/// Compiles the program, once more in another sandbox if the compiler died or the sandbox was lost.
pub(crate) async fn build_program(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Borrowed,
) -> Result<BuiltProgram, SandboxFault> {
    let mut tries = 1;
    loop {
        match obtain(job, pool, sandbox, Variant::Plain).await {
            Ok((compiled, _)) if compiler::died(&compiled) && tries < COMPILE_TRIES => {}
            Err(SandboxFault::Lost(_) | SandboxFault::Silent(_)) if tries < COMPILE_TRIES => {}
            other => {
                let (compiled, cached) = other?;
                return Ok(BuiltProgram::new(&compiled, cached));
            }
        }
        tries += 1;
        *sandbox = pool.acquire().await?;
    }
}

/// Compiles the job's interactor, once more if the compiler died; `None` without one.
pub(crate) async fn build_interactor(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Sandbox,
) -> Result<Option<BuiltProgram>, SandboxFault> {
    if job.interactor.is_none() {
        return Ok(None);
    }
    let mut tries = 1;
    loop {
        let (compiled, cached) = obtain(job, pool, sandbox, Variant::Interactor).await?;
        if tries == COMPILE_TRIES || !compiler::died(&compiled) {
            let built = BuiltProgram::new(&compiled, cached);
            let why = |failure| format!("the interactor does not compile: {failure}");
            return Ok(Some(BuiltProgram { binary: built.binary.map_err(why), ..built }));
        }
        tries += 1;
    }
}
