//! Builds of jobs, ready to run: from the cache, or else compiled in the sandbox.

use super::cache::{BinaryCache, Entry, Ingredients, Key, MAX_BINARY_BYTES};
use super::compiler::CompileLimits;
use crate::error::SandboxFault;
use crate::job::{Job, compiled, without_macros};
use crate::limits::{ANSWER_MARGIN, JUDGE_TIMEOUT};
use crate::sandbox::{Backend, FilesRead, Sandbox};
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

/// Texts of sources and flags by which a compilation can depend on files that g++ does not list:
/// those of which it asks only whether they exist or how old they are. `##` can make such a word.
const UNLISTED: [&[u8]; 4] = [b"##", b"has_include", b"has_embed", b"dependency"];

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
        let ingredients = Ingredients { flags: &flags, variant, source, files };
        let mut toolchain = sandbox.toolchain.clone();
        let mut key = toolchain.as_deref().and_then(|toolchain| ingredients.key(toolchain));
        let (mut found, is_unchanged) = self.find(key).await;
        let is_current = is_unchanged || self.backend.is_current(toolchain.as_deref()).await;
        if !is_current {
            // The sandbox has the host's files, but the precompiled headers of an older toolchain.
            toolchain = self.backend.toolchain().await;
            key = toolchain.as_deref().and_then(|toolchain| ingredients.key(toolchain));
            found = self.find(key).await.0;
        }
        if let Some(Entry { compiled, binary, .. }) = found {
            sandbox.channel.put(File::Binary(variant), &binary).await?;
            sandbox.builds_bytes += binary.len() as u64;
            if !is_unchanged {
                self.keep(toolchain.zip(key), compiled.clone(), binary, true).await;
            }
            return Ok(Obtained { compiled, cached: true });
        }
        let compiled = self.compile(job, sandbox, variant, is_current).await?;
        // The toolchain may have changed during the compilation.
        if let Some(made) = compiled.binary.filter(|made| made.bytes <= MAX_BINARY_BYTES)
            && !compiled.truncated
            && self.cache.is_some()
            && key.is_some()
            && self.backend.toolchain().await == toolchain
        {
            let binary = sandbox.channel.fetch(variant, made.bytes).await?;
            let mut compiled = compiled.clone();
            if ingredients.name_any(&UNLISTED) {
                compiled.dependencies.clear();
            }
            self.keep(toolchain.zip(key), compiled, binary, false).await;
        }
        Ok(Obtained { compiled, cached: false })
    }

    /// Finds a cached binary, and whether everything that its compilation read is unchanged.
    async fn find(&self, key: Option<Key>) -> (Option<Entry>, bool) {
        let Some((cache, key)) = self.cache.clone().zip(key) else { return (None, false) };
        let find = move || {
            let found = cache.find(&key)?;
            let is_unchanged = found.read.as_ref().is_some_and(FilesRead::are_unchanged);
            Some((found, is_unchanged))
        };
        let found = spawn_blocking(find).await.ok().flatten();
        found.map_or((None, false), |(found, is_unchanged)| (Some(found), is_unchanged))
    }

    /// Caches a binary that a toolchain would make now, with what its compilation read. One that
    /// `is_cached` already is written again only to add the latter. A failure never fails the job.
    async fn keep(
        &self,
        of: Option<(String, Key)>,
        compiled: Compiled,
        binary: Vec<u8>,
        is_cached: bool,
    ) {
        let Some((cache, (toolchain, key))) = self.cache.clone().zip(of) else { return };
        let read = self.backend.files_read(&toolchain, &compiled.dependencies).await;
        if is_cached && read.is_none() {
            return;
        }
        let entry = Entry { compiled, read, binary };
        let kept = spawn_blocking(move || cache.keep(&key, &entry)).await;
        if let Err(error) = kept.unwrap_or_else(|panic| Err(io::Error::other(panic))) {
            tracing::debug!(target: "Profiler", %error, "a binary was not cached");
        }
    }

    async fn compile(
        &self,
        job: &Job,
        sandbox: &mut Sandbox,
        variant: Variant,
        may_use_header: bool,
    ) -> Result<Compiled, SandboxFault> {
        let (flags, source, _) = ingredients(job, variant);
        let file = if variant == Variant::Interactor { File::Interactor } else { File::Source };
        sandbox.channel.put(file, source).await?;
        let limits = self.limits.for_runner();
        let flags = flags.into_owned();
        let request = Compile { variant, flags: flags.clone(), limits, may_use_header };
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
        dependencies: Vec::new(),
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

#[cfg(test)]
mod tests;
