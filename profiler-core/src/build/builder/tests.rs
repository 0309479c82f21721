use super::*;
use crate::job::Draft;
use crate::sandbox::Instance;
use crate::sandbox::fake::{Fake, Heard};
use crate::sandbox::native::Native;
use async_trait::async_trait;
use profiler_test_support::require::or_skip;
use runner_protocol::{Request, Response};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// A host with one header, which every compilation reads.
struct Host {
    fake: Fake,
    header: PathBuf,
    /// The identity of the toolchain.
    toolchain: Mutex<&'static str>,
    /// Number of times that everything was compared.
    compared: AtomicUsize,
}

#[async_trait]
impl Backend for Host {
    fn name(&self) -> &'static str {
        self.fake.name()
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        let toolchain = self.toolchain.lock().expect("no panic").to_string();
        Ok(Sandbox { toolchain: Some(toolchain), ..self.fake.start().await? })
    }

    fn not_enforced(&self) -> Vec<String> {
        self.fake.not_enforced()
    }

    async fn is_current(&self, toolchain: Option<&str>) -> bool {
        self.compared.fetch_add(1, Ordering::SeqCst);
        self.toolchain().await.as_deref() == toolchain
    }

    async fn toolchain(&self) -> Option<String> {
        Some(self.toolchain.lock().expect("no panic").to_string())
    }

    async fn files_read(&self, _toolchain: &str, dependencies: &[u8]) -> Option<FilesRead> {
        let header = self.header.to_str()?;
        (!dependencies.is_empty()).then(|| FilesRead::as_now([header]))
    }
}

struct Fixture {
    host: Arc<Host>,
    builder: Builder,
    heard: Heard,
    folder: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let (folder, heard) = (tempfile::tempdir().expect("a folder"), Heard::default());
        let (header, toolchain) = (folder.path().join("a.h"), Mutex::new("old"));
        std::fs::write(&header, "1").expect("a header");
        let fake = Fake::costing(0, 0).recording(heard.clone()).bending(|mut response| {
            if let Response::Compiled(compiled) = &mut response {
                compiled.dependencies = b"main.o:\n".into();
            }
            Some(response)
        });
        let host = Arc::new(Host { fake, header, toolchain, compared: AtomicUsize::new(0) });
        let cache = Some(BinaryCache::in_folder(folder.path().join("binaries")));
        Self { builder: Builder::new(host.clone(), cache), host, heard, folder }
    }

    /// Returns whether a build in `sandbox` comes from the cache, and how often everything was
    /// compared for it.
    async fn build(&self, sandbox: &mut Sandbox) -> (bool, usize) {
        self.build_of("int main() {}", sandbox).await
    }

    async fn build_of(&self, source: &str, sandbox: &mut Sandbox) -> (bool, usize) {
        let job = Job::try_from(Draft::new("test", source)).expect("a valid draft");
        let before = self.host.compared.load(Ordering::SeqCst);
        let built = self.builder.obtain(&job, sandbox, Variant::Plain).await.expect("a build");
        (built.cached, self.host.compared.load(Ordering::SeqCst) - before)
    }

    /// Writes the header in place.
    fn edit(&self, text: &str) {
        std::fs::write(self.folder.path().join("a.h"), text).expect("written");
    }

    /// Returns whether each compilation so far was allowed to use a header.
    fn used_header(&self) -> Vec<bool> {
        let heard = self.heard.lock().expect("no panic");
        let compilations = heard.iter().filter_map(|request| match request {
            Request::Compile(compile) => Some(compile.may_use_header),
            _ => None,
        });
        compilations.collect()
    }
}

#[tokio::test]
async fn binary_is_reused_without_comparing_everything_while_what_it_read_is_unchanged() {
    let host = Fixture::new();
    let mut sandbox = host.host.start().await.expect("a sandbox");
    assert_eq!(host.build(&mut sandbox).await, (false, 1), "compiled");
    assert_eq!(host.build(&mut sandbox).await, (true, 0));
    host.edit("changed");
    assert_eq!(host.build(&mut sandbox).await, (true, 1), "the toolchain is the same");
    assert_eq!(host.build(&mut sandbox).await, (true, 0), "the entry has the new facts");
    sandbox.end().await;
}

#[tokio::test]
async fn binary_of_a_source_that_can_read_unlisted_files_is_compared_with_everything() {
    let host = Fixture::new();
    let mut sandbox = host.host.start().await.expect("a sandbox");
    for text in [
        "a##b",
        "__has_\\\ninclude(<a.h>)",
        "__has_include(<a.h>)",
        "__has_embed(<a>)",
        "GCC dependency",
    ] {
        let source = format!("int main() {{}} // {text}");
        assert_eq!(host.build_of(&source, &mut sandbox).await, (false, 1), "{text}");
        assert_eq!(host.build_of(&source, &mut sandbox).await, (true, 1), "{text}");
    }
    sandbox.end().await;
}

#[tokio::test]
async fn sandbox_from_before_an_upgrade_uses_no_old_binary_and_no_old_header() {
    let host = Fixture::new();
    let mut sandbox = host.host.start().await.expect("a sandbox");
    assert_eq!(host.build(&mut sandbox).await, (false, 1));
    host.edit("changed");
    *host.host.toolchain.lock().expect("no panic") = "new";
    assert_eq!(host.build(&mut sandbox).await, (false, 1), "compiled by the new one");
    assert_eq!(host.used_header(), [true, false]);
    assert_eq!(host.build(&mut sandbox).await, (true, 1), "the new one's binary");
    let mut newer = host.host.start().await.expect("a sandbox");
    assert_eq!(host.build(&mut newer).await, (true, 0));
    tokio::join!(sandbox.end(), newer.end());
}

/// The flag has no precompiled header, so g++ reads the library itself.
#[tokio::test]
async fn entry_lists_what_this_hosts_compiler_has_read() {
    let started = async {
        let native = Native::new(Instance::fresh()).await?;
        let sandbox = native.start().await?;
        Ok::<_, SandboxFault>((Arc::new(native), sandbox))
    };
    let Some((native, mut sandbox)) = or_skip("native", started.await) else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let cache = BinaryCache::in_folder(folder.path().join("binaries"));
    let builder = Builder::new(native.clone(), Some(cache));
    let mut draft = Draft::new("test", "#include <vector>\nint main() {}\n");
    draft.request.code.get_or_insert_default().compiler_flags = vec!["-fno-plt".into()];
    let job = Job::try_from(draft).expect("a valid draft");
    let built = builder.obtain(&job, &mut sandbox, Variant::Plain).await.expect("a build");
    let list = String::from_utf8_lossy(&built.compiled.dependencies);
    assert!(list.contains("/bits/stl_vector.h"), "{list}");
    let toolchain = sandbox.toolchain.clone().expect("an identity");
    if native.files_read(&toolchain, b"main.o:\n").await.is_some() {
        let (variant, files) = (Variant::Plain, &[][..]);
        let of = Ingredients { flags: &job.flags, variant, source: &job.source, files };
        assert!(builder.find(of.key(&toolchain)).await.1, "a cached binary with a list");
    } else {
        println!("g++ has just changed, or is on a file system that may be shared");
    }
    sandbox.end().await;
}
