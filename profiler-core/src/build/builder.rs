//! Builds of jobs, ready to run: from the cache, or else compiled in the sandbox.

use super::cache::{BinaryCache, Ingredients, Key, MAX_BINARY_BYTES};
use super::compiler::CompileLimits;
use crate::error::SandboxFault;
use crate::job::{Job, compiled, without_macros};
use crate::limits::{ANSWER_MARGIN, JUDGE_TIMEOUT};
use crate::sandbox::{Backend, Sandbox};
use profiler_decode::elf::segment_bytes;
use profiler_proto::v1::SourceFile;
use runner_protocol::{
    Binary, Compile, Compiled, Ending, Execution, File, ListedFile, PRECOMPILED_HEADER, Sample,
    Variant, bundled,
};
use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::spawn_blocking;

/// Makes the builds of jobs. Clones share the cache.
#[derive(Clone)]
pub struct Builder {
    backend: Arc<dyn Backend>,
    cache: Option<BinaryCache>,
    /// Time limits of the compiler.
    pub(crate) limits: CompileLimits,
    /// Time limit of one run of a checker, a validator or a generator that it builds.
    pub(crate) judge_timeout: Duration,
}

/// A build in a sandbox. It has no binary if the source does not compile.
#[derive(Debug)]
pub struct Obtained {
    /// The compiler's result.
    pub compiled: Compiled,
    /// Whether the binary comes from the cache.
    pub cached: bool,
}

impl Builder {
    /// A builder that compiles in sandboxes of `backend`. It keeps binaries in `cache`, if there is
    /// one.
    pub fn new(backend: Arc<dyn Backend>, cache: Option<BinaryCache>) -> Self {
        Self { backend, cache, limits: CompileLimits::default(), judge_timeout: JUDGE_TIMEOUT }
    }

    /// The same builder with other time limits of the compiler.
    #[must_use]
    pub fn with_limits(self, limits: CompileLimits) -> Self {
        Self { limits, ..self }
    }

    /// The same builder with another time limit of checkers and validators.
    #[must_use]
    pub fn with_judge_timeout(self, judge_timeout: Duration) -> Self {
        Self { judge_timeout, ..self }
    }

    /// The same builder for the jobs of `owner`.
    pub(crate) fn for_owner(&self, owner: &str) -> Self {
        let cache = self.cache.as_ref().map(|cache| cache.for_owner(owner));
        Self { cache, ..self.clone() }
    }

    /// Puts a build of `job` into `sandbox`. The build is the caller's, or comes from the cache,
    /// or is compiled in the sandbox and then cached.
    pub async fn obtain(
        &self,
        job: &Job,
        sandbox: &mut Sandbox,
        variant: Variant,
    ) -> Result<Obtained, SandboxFault> {
        if variant == Variant::Plain && !job.program.is_empty() {
            let compiled = place(&job.program, sandbox).await?;
            return Ok(Obtained { compiled, cached: false });
        }
        let (flags, source, files) = ingredients(job, variant);
        put_files(source, files, sandbox).await?;
        let key = sandbox.toolchain.as_ref().and_then(|toolchain| {
            Ingredients { toolchain, flags: &flags, variant, source, files }.key()
        });
        let cache = self.cache.clone().zip(key);
        if let Some((cache, key)) = cache.clone() {
            let found = spawn_blocking(move || cache.find(&key)).await;
            if let Ok(Some((compiled, binary))) = found {
                sandbox.channel.put(File::Binary(variant), &binary).await?;
                sandbox.builds_bytes += binary.len() as u64;
                return Ok(Obtained { compiled, cached: true });
            }
        }
        let Some((cache, key)) = cache else {
            let compiled = self.compile(job, sandbox, variant).await?;
            return Ok(Obtained { compiled, cached: false });
        };
        let compiled = self.compile(job, sandbox, variant).await?;
        // The toolchain may have changed since the sandbox started, also during the compile.
        if self.backend.toolchain().await == sandbox.toolchain {
            keep(cache, key, sandbox, variant, &compiled).await?;
        }
        Ok(Obtained { compiled, cached: false })
    }

    async fn compile(
        &self,
        job: &Job,
        sandbox: &mut Sandbox,
        variant: Variant,
    ) -> Result<Compiled, SandboxFault> {
        let (flags, source, _) = ingredients(job, variant);
        let file = if variant == Variant::Interactor { File::Interactor } else { File::Source };
        sandbox.channel.put(file, source).await?;
        let limits = self.limits.for_runner();
        let request = Compile { variant, flags: flags.clone().into_owned(), limits };
        let compiled = sandbox.channel.ask(request, self.limits.wall + ANSWER_MARGIN).await?;
        sandbox.builds_bytes += compiled.binary.map_or(0, |made| made.bytes);
        if compiled.binary.is_some() && can_use_header(variant, source) {
            self.backend.note_compilation(&flags);
        }
        Ok(compiled)
    }
}

/// Puts the files of a program into `sandbox`. Steps that name lines need their paths, even if the
/// binary is not compiled there.
pub(crate) async fn put_files(
    source: &[u8],
    files: &[SourceFile],
    sandbox: &mut Sandbox,
) -> Result<(), SandboxFault> {
    if files.is_empty() {
        return Ok(());
    }
    let compiled = compiled(source, files);
    let list = files.iter().zip(compiled).map(|(SourceFile { path, text }, is_compiled)| {
        ListedFile { path: path.clone(), bytes: text.len() as u64, is_compiled }
    });
    let texts: Vec<_> = files.iter().map(|file| file.text.as_str()).collect();
    sandbox.channel.put(File::Files, &bundled(&list.collect::<Vec<_>>(), &texts)).await
}

/// Puts a program that the caller has compiled into `sandbox`. Its compile step has no command.
async fn place(program: &[u8], sandbox: &mut Sandbox) -> Result<Compiled, SandboxFault> {
    sandbox.channel.put(File::Binary(Variant::Plain), program).await?;
    let bytes = program.len() as u64;
    sandbox.builds_bytes += bytes;
    let execution = Execution {
        ending: Ending::Exited(0),
        sample: Sample::default(),
        oom_kills: 0,
        output_full: false,
    };
    Ok(Compiled {
        command: String::new(),
        compiler: String::new(),
        execution,
        output: Vec::new(),
        truncated: false,
        binary: Some(Binary { bytes, segment_bytes: segment_bytes(program).unwrap_or(u64::MAX) }),
    })
}

/// Whether a precompiled header makes this build faster.
fn can_use_header(variant: Variant, source: &[u8]) -> bool {
    let name = PRECOMPILED_HEADER.as_bytes();
    let includes = || source.windows(name.len()).any(|text| text == name);
    matches!(variant, Variant::Plain | Variant::Interactor) && includes()
}

/// Returns the flags, the source and the other files of a build. An interactor has its own. The
/// runner has the source of the empty program, which macros must not change, because every net
/// figure depends on its time.
fn ingredients(job: &Job, variant: Variant) -> (Cow<'_, [String]>, &[u8], &[SourceFile]) {
    match (variant, &job.interactor) {
        (Variant::Interactor, Some(other)) => ((&other.flags).into(), &other.source, &[]),
        (Variant::Empty, _) => (without_macros(&job.flags).into(), &[], &[]),
        _ => ((&job.flags).into(), &job.source, &job.files),
    }
}

/// Puts what was compiled into the cache, unless g++'s output was cut or the binary is too large. A
/// cache failure never fails the job.
async fn keep(
    cache: BinaryCache,
    key: Key,
    sandbox: &mut Sandbox,
    variant: Variant,
    compiled: &Compiled,
) -> Result<(), SandboxFault> {
    let made = compiled.binary.filter(|made| made.bytes <= MAX_BINARY_BYTES);
    let Some(made) = made.filter(|_| !compiled.truncated) else {
        return Ok(());
    };
    let (binary, compiled) = (sandbox.channel.fetch(variant, made.bytes).await?, compiled.clone());
    let kept = spawn_blocking(move || cache.keep(&key, &compiled, &binary)).await;
    if let Err(error) = kept.unwrap_or_else(|panic| Err(io::Error::other(panic))) {
        tracing::debug!(target: "Profiler", %error, "a binary was not cached");
    }
    Ok(())
}
