//! Cache of binaries in a job: what is kept, and when it is used again.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use crate::pipeline::harness::{asking, linear, over, with_compiler};
use profiler_core::Profiler;
use profiler_core::build::BinaryCache;
use profiler_core::job::{Draft, Job};
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::Fake;
use profiler_proto::v1::SourceFile;
use runner_protocol::{Compiled, Variant};
use std::sync::Arc;

/// Whether each of `builds`, in turn, came from the same cache.
async fn cached(backend: Fake, builds: &[(&Draft, Variant)]) -> Vec<bool> {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = Some(BinaryCache::in_folder(folder.path()));
    let profiler = Profiler::new(Pool::new(Arc::new(backend), 0), cache);
    let mut all = Vec::new();
    for (draft, variant) in builds {
        let job = Job::try_from((*draft).clone()).expect("a valid draft");
        let mut sandbox = profiler.pool.acquire().await.expect("a sandbox");
        let obtained = profiler.builder.obtain(&job, &mut sandbox, *variant).await;
        sandbox.end().await;
        all.push(obtained.expect("a build").cached);
    }
    all
}

#[tokio::test]
async fn same_build_is_compiled_once() {
    let plain = over(&[1]);
    let other = asking(plain.clone(), |job| {
        job.code.get_or_insert_default().compiler_flags = vec!["-O3".into()];
    });
    let [of_plain, of_other] = [(&plain, Variant::Plain), (&other, Variant::Plain)];
    let profiled = (&plain, Variant::Gprof);
    let builds = [of_plain, of_other, profiled, of_plain, of_other, profiled];
    assert_eq!(cached(linear(), &builds).await, [false, false, false, true, true, true]);
}

#[tokio::test]
async fn files_make_another_build() {
    let with_header = |text: &str| {
        let text = text.to_owned();
        asking(over(&[1]), move |job| {
            let file = SourceFile { path: "a.h".into(), text: text.clone() };
            job.code.get_or_insert_default().files = vec![file];
        })
    };
    let drafts = [over(&[1]), with_header("1"), with_header("2"), with_header("1")];
    let builds: Vec<_> = drafts.iter().map(|draft| (draft, Variant::Plain)).collect();
    assert_eq!(cached(linear(), &builds).await, [false, false, false, true]);
}

#[tokio::test]
async fn failing_source_is_compiled_again() {
    let draft = Draft { source: b"#error".into(), ..over(&[1]) };
    assert_eq!(cached(linear(), &[(&draft, Variant::Plain); 2]).await, [false, false]);
}

#[tokio::test]
async fn truncated_compiler_output_is_not_kept() {
    let cut = |compiled: &mut Compiled| compiled.truncated = true;
    let backend = with_compiler(|_| true, cut);
    assert_eq!(cached(backend, &[(&over(&[1]), Variant::Plain); 2]).await, [false, false]);
}

#[tokio::test]
async fn binary_too_large_is_not_kept() {
    let huge = |compiled: &mut Compiled| {
        compiled.binary =
            compiled.binary.map(|binary| runner_protocol::Binary { bytes: 1 << 30, ..binary });
    };
    let backend = with_compiler(|_| true, huge);
    assert_eq!(cached(backend, &[(&over(&[1]), Variant::Plain); 2]).await, [false, false]);
}
