//! A build of a job, ready to be run: from the cache, else compiled in the sandbox and kept.

use super::cache::{BinaryCache, Ingredients, Key, MAX_BINARY_BYTES};
use super::compiler;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::limits::{ANSWER_MARGIN, COMPILE_WALL};
use crate::sandbox::{Pool, Sandbox};
use runner_protocol::{Compile, Compiled, File, Variant};
use std::io;
use tokio::task::spawn_blocking;

/// A job's build, ready to be run in `sandbox`: from the pool's cache, else compiled there and
/// kept. Says whether it was there.
pub async fn obtain(
    job: &Job,
    pool: &Pool,
    sandbox: &mut Sandbox,
    variant: Variant,
) -> Result<(Compiled, bool), SandboxFault> {
    let (flags, source) = ingredients(job, variant);
    let key = sandbox
        .toolchain
        .as_ref()
        .and_then(|toolchain| Ingredients { toolchain, flags, variant, source }.key());
    let cache = pool.cache().cloned().zip(key);
    if let Some((cache, key)) = cache.clone() {
        let found = spawn_blocking(move || cache.find(&key)).await;
        if let Ok(Some((compiled, binary))) = found {
            sandbox.channel.put(File::Binary(variant), &binary).await?;
            sandbox.builds_bytes += binary.len() as u64;
            return Ok((compiled, true));
        }
    }
    let Some((cache, key)) = cache else {
        return Ok((compile(job, sandbox, variant).await?, false));
    };
    // Meanwhile, for the look costs a part of the compile; what it cannot see is kept under the
    // name of a toolchain that nobody has any more.
    let started_with = sandbox.toolchain.clone();
    let compiled = compile(job, sandbox, variant);
    let (compiled, now) = tokio::join!(compiled, pool.backend().toolchain());
    let compiled = compiled?;
    if now == started_with {
        keep(cache, key, sandbox, variant, &compiled).await?;
    }
    Ok((compiled, false))
}

/// What a build is made of: an interactor has flags and a source of its own.
fn ingredients(job: &Job, variant: Variant) -> (&[String], &[u8]) {
    match &job.interactor {
        Some(other) if variant == Variant::Interactor => (&other.flags, &other.source),
        _ => (&job.flags, &job.source),
    }
}

async fn compile(
    job: &Job,
    sandbox: &mut Sandbox,
    variant: Variant,
) -> Result<Compiled, SandboxFault> {
    let (flags, source) = ingredients(job, variant);
    let file = if variant == Variant::Interactor { File::Interactor } else { File::Source };
    sandbox.channel.put(file, source).await?;
    let limits = compiler::limits();
    let request = Compile { variant, flags: flags.into(), limits };
    let compiled = sandbox.channel.ask(request, COMPILE_WALL + ANSWER_MARGIN).await?;
    sandbox.builds_bytes += compiled.binary.map_or(0, |made| made.bytes);
    Ok(compiled)
}

/// Keeps what was compiled, unless what g++ said was cut. A cache that fails costs no job.
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
