//! The compile step: diagnostics, the second try, and programs that are never started.

use crate::pipeline::harness::*;
use crate::pipeline::summary::summary;
use async_trait::async_trait;
use insta::assert_snapshot;
use profiler_core::Profiler;
use profiler_core::error::SandboxFault;
use profiler_core::job::{DEFAULT_FLAGS, Draft, Job};
use profiler_core::sandbox::fake::Fake;
use profiler_core::sandbox::{Backend, Pool, Sandbox};
use profiler_proto::v1::Growth;
use runner_protocol::{Binary, Compiled, Ending, Request, Response, Variant};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

/// Larger than every program's memory limit here.
const GIB: u64 = 1 << 30;

fn dies(compiled: &mut Compiled) {
    compiled.execution.ending = Ending::Signaled(11);
    compiled.binary = None;
}

#[tokio::test]
async fn segments_that_do_not_fit_are_not_started() {
    let huge = |compiled: &mut Compiled| {
        compiled.binary = Some(Binary { bytes: 16_384, segment_bytes: GIB });
    };
    let told = profile(over(&[1, 2]), with_compiler(|_| true, huge)).await;
    assert_snapshot!(summary(&told));
}

#[tokio::test]
async fn program_that_does_not_compile() {
    let draft = Draft { source: b"#error".into(), ..over(&[1]) };
    assert_snapshot!(summary(&profile(draft, linear()).await));
}

#[tokio::test]
async fn compiler_that_dies_once_is_started_again() {
    let told = profile(over(&[1]), with_compiler(|nth| nth == 1, dies)).await;
    assert_snapshot!(summary(&told));
}

#[tokio::test]
async fn compiler_that_died_is_started_again_in_another_sandbox() {
    let started = Arc::new(AtomicUsize::new(0));
    let count = started.clone();
    let dying = linear().bending(move |mut response| {
        match &mut response {
            Response::Hello(_) => drop(count.fetch_add(1, Ordering::SeqCst)),
            Response::Compiled(compiled) => dies(compiled),
            _ => {}
        }
        Some(response)
    });
    // A job that counts starts one more sandbox.
    profile(asking(over(&[1]), |job| job.growth = Growth::Timed.into()), dying).await;
    assert_eq!(started.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn compiler_that_dies_again_ends_the_run() {
    let told = profile(over(&[1]), with_compiler(|_| true, dies)).await;
    assert_eq!(told.error(), "compile: the compiler was ended by SIGSEGV");
}

#[tokio::test]
async fn sandbox_lost_while_compiling_is_replaced() {
    let told = profile(over(&[1]), losing_compiler(|nth| nth == 1)).await;
    assert_eq!(told.kinds(), ["compiled", "size_measured", "finished"]);
}

#[tokio::test]
async fn two_sandboxes_lost_while_compiling_end_the_run() {
    let told = profile(over(&[1]), losing_compiler(|_| true)).await;
    assert_eq!(told.error(), "internal: lost the sandbox: the channel to the runner ended");
}

fn with_flags(flags: impl Into<Vec<String>>) -> Draft {
    asking(over(&[1]), |job| job.code.get_or_insert_default().compiler_flags = flags.into())
}

#[tokio::test]
async fn flags_that_make_figures_incomparable_are_a_warning() {
    let told = profile(with_flags(["-O2", "-march=native"].map(String::from)), linear()).await;
    assert_eq!(told.warnings(), ["incomparable_flag"]);
}

#[tokio::test]
async fn no_macro_reaches_the_empty_program() {
    let slow = "-Dmain()=main(){for(volatile/**/int/**/i=0;i<1000000;++i);}int/**/zz()";
    let flags = ["-O1", slow, "-UNDEBUG"].map(String::from);
    let told = profile(with_flags(flags.clone()), linear()).await;
    let compiled = told.heard.iter().filter_map(|request| match request {
        Request::Compile(compile) => Some((compile.variant, &compile.flags[..])),
        _ => None,
    });
    let built: Vec<_> = compiled.take(2).collect();
    assert_eq!(built, [(Variant::Plain, &flags[..]), (Variant::Empty, &flags[..1])]);
}

/// The builds of a job's program, in order; the empty program is another one's.
async fn builds(draft: Draft) -> Vec<Variant> {
    let told = profile(draft, linear()).await;
    let compiled = told.heard.iter().filter_map(|request| match request {
        Request::Compile(compile) if compile.variant != Variant::Empty => Some(compile.variant),
        _ => None,
    });
    compiled.collect()
}

#[tokio::test]
async fn program_is_compiled_once_unless_a_job_asks_for_what_another_build_gives() {
    let sizes = over(&[1_000, 2_000, 4_000, 8_000]);
    let debug = asking(sizes.clone(), |job| job.debug = true);
    let counted = asking(sizes.clone(), |job| job.instructions = true);
    let allocations = asking(sizes.clone(), |job| job.allocations = true);
    let full = asking(sizes.clone(), |job| job.growth = Growth::Full.into());
    for draft in [sizes, debug, counted] {
        assert_eq!(Box::pin(builds(draft)).await, [Variant::Plain]);
    }
    for draft in [allocations, full] {
        assert_eq!(Box::pin(builds(draft)).await, [Variant::Plain, Variant::Allocations]);
    }
}

/// A backend that sends the flags of noted compilations.
struct Noting(Fake, mpsc::Sender<Vec<String>>);

#[async_trait]
impl Backend for Noting {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        self.0.start().await
    }

    fn not_enforced(&self) -> Vec<String> {
        self.0.not_enforced()
    }

    fn note_compilation(&self, flags: &[String]) {
        let _ = self.1.send(flags.to_vec());
    }
}

#[tokio::test]
async fn compilation_that_can_use_a_header_is_noted() {
    let (sender, noted) = mpsc::channel();
    let profiler = Profiler::new(Pool::new(Arc::new(Noting(linear(), sender)), 0), None);
    let header = "#include <bits/stdc++.h>\n";
    for (source, variant) in [
        (header, Variant::Plain),
        (header, Variant::Empty),
        (header, Variant::Gprof),
        ("#include <vector>\n", Variant::Plain),
        ("#include <bits/stdc++.h>\n#error", Variant::Plain),
    ] {
        let draft = Draft { source: source.into(), ..over(&[1]) };
        let job = Job::try_from(draft).expect("a valid draft");
        let mut sandbox = profiler.pool.acquire().await.expect("a sandbox");
        profiler.builder.obtain(&job, &mut sandbox, variant).await.expect("a build");
        sandbox.end().await;
    }
    let noted: Vec<_> = noted.try_iter().collect();
    assert_eq!(noted, [DEFAULT_FLAGS]);
}
