//! Binaries that were compiled before, on disk: the same source with the same flags is compiled once.
//!
//! An entry is called by a digest over everything that can change its bytes, and holds a digest over
//! its own. What a hostile compile can put into one comes back for the same source alone. Entries are
//! written under another name and moved, so processes can share the folder without a lock.

use crate::assemble::hex;
use crate::compile;
use crate::error::SandboxFault;
use crate::folders;
use crate::job::Job;
use crate::limits::{ANSWER_MARGIN, COMPILE_WALL, MIB};
use crate::sandbox::{Pool, Sandbox, unexpected};
use runner_protocol::{Compile, Compiled, File, Request, Response, SOURCES, Variant};
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::mem;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::time::SystemTime;
use tokio::task::spawn_blocking;

/// Most bytes of all entries together.
const MAX_BYTES: u64 = 256 * MIB;
/// Most entries.
const MAX_ENTRIES: usize = 1024;
/// Largest binary that is kept, in bytes: a static program with its debug information.
const MAX_BINARY_BYTES: u64 = 16 * MIB;
/// Only the user may enter.
const PRIVATE: u32 = 0o700;
/// What makes g++ write other bytes at another time.
const CHANGING: [&[u8]; 3] = [b"__DATE__", b"__TIME__", b"__TIMESTAMP__"];
/// The end of a flag that makes g++ write other bytes on another processor.
const OF_THIS_PROCESSOR: &str = "=native";

/// Binaries on disk. Clones share them.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
    /// Most entries, and most bytes of all of them.
    most: (usize, u64),
}

/// What can change a binary's bytes.
#[derive(Debug, Clone, Copy)]
struct Ingredients<'a> {
    toolchain: &'a str,
    flags: &'a [String],
    variant: Variant,
    source: &'a [u8],
}

/// The name of an entry.
type Key = [u8; 32];

impl Ingredients<'_> {
    /// The digest over all of them, each with its length; `None` where the bytes depend on more.
    fn key(&self) -> Option<Key> {
        let source = if self.variant == Variant::Empty { &[] } else { self.source };
        let variant = format!("{:?}", self.variant);
        // The sources of the runner say what it adds to the flags.
        let fixed = [SOURCES, self.toolchain, &variant].map(str::as_bytes);
        let texts = fixed.into_iter().chain([source]);
        let texts = texts.chain(self.flags.iter().map(String::as_bytes));
        let mut hash = Sha256::new();
        for text in texts.clone() {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let changing = |text: &[u8]| {
            CHANGING.iter().any(|name| text.windows(name.len()).any(|found| found == *name))
        };
        let native = self.flags.iter().any(|flag| flag.ends_with(OF_THIS_PROCESSOR));
        (!native && !texts.into_iter().any(changing)).then(|| hash.finalize().into())
    }
}

impl Cache {
    /// The user's own: where it is on this host.
    pub fn of_user() -> Option<Self> {
        folders::cache().map(|folder| Self::at(folder.join("binaries")))
    }

    /// One in a folder that may not be there yet.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), most: (MAX_ENTRIES, MAX_BYTES) }
    }

    /// What was kept, which is then the last to go. One that is broken is removed.
    fn find(&self, key: &Key) -> Option<(Compiled, Vec<u8>)> {
        let path = self.folder.join(hex(key));
        let bytes = fs::read(&path).ok()?;
        let entry = parsed(key, &bytes);
        let used = match entry {
            Some(_) => fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now())),
            None => fs::remove_file(path),
        };
        // Somebody else may have removed it meanwhile.
        let _ = used;
        entry
    }

    /// Keeps a binary; others go, if there are too many.
    fn keep(&self, key: &Key, compiled: &Compiled, binary: &[u8]) -> io::Result<()> {
        let entry = entry(key, compiled, binary).map_err(io::Error::other)?;
        DirBuilder::new().recursive(true).mode(PRIVATE).create(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&entry)?;
        file.persist(self.folder.join(hex(key)))?;
        self.shrink()
    }

    /// Removes what was not used for the longest time, until the rest is within bounds.
    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for file in fs::read_dir(&self.folder)?.flatten() {
            // Somebody else may remove one at the same time.
            if let Ok(meta) = file.metadata() {
                files.push((meta.modified()?, meta.len(), file.path()));
            }
        }
        files.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (at, (_, length, path)) in files.iter().enumerate() {
            bytes += length;
            if at >= self.most.0 || bytes > self.most.1 {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}

/// An entry: the digest of its name and the rest; the length of what g++ said; that; the binary.
fn entry(key: &Key, compiled: &Compiled, binary: &[u8]) -> Result<Vec<u8>, SandboxFault> {
    let fault = SandboxFault::failed("describe a binary");
    let mut rest = Vec::new();
    runner_protocol::write_frame(&mut rest, compiled).map_err(|error| fault(&error))?;
    rest.extend(binary);
    Ok([digest(key, &rest).as_slice(), &rest].concat())
}

fn parsed(key: &Key, bytes: &[u8]) -> Option<(Compiled, Vec<u8>)> {
    let (told, mut rest) = bytes.split_at_checked(mem::size_of::<Key>())?;
    if told != digest(key, rest) {
        return None;
    }
    let compiled = runner_protocol::read_frame(&mut rest).ok()??;
    Some((compiled, rest.to_vec()))
}

fn digest(key: &Key, rest: &[u8]) -> Key {
    Sha256::new().chain_update(key).chain_update(rest).finalize().into()
}

/// A job's build, ready to be run in `sandbox`: from the pool's cache, else compiled there and kept.
/// Says whether it was there.
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
    // Meanwhile, for the look costs a part of the compile; what it cannot see is kept under the name of
    // a toolchain that nobody has any more.
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
    let limits = compile::limits();
    let request = Request::Compile(Compile { variant, flags: flags.into(), limits });
    match sandbox.channel.ask(&request, COMPILE_WALL + ANSWER_MARGIN).await? {
        Response::Compiled(compiled) => {
            sandbox.builds_bytes += compiled.binary.map_or(0, |made| made.bytes);
            Ok(compiled)
        }
        other => Err(unexpected(&other)),
    }
}

/// Keeps what was compiled, unless what g++ said was cut. A cache that fails costs no job.
async fn keep(
    cache: Cache,
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

#[cfg(test)]
mod tests;
