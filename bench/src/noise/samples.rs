//! Raw samples of every program, idle and next to busy loops, in turn.

use crate::failure::Failure;
use crate::tools::busy_loops::{LOOPS, Load};
use crate::tools::programs::PROGRAMS;
use profiler_core::figures::Sample;
use profiler_core::measure::BenchSession;
use profiler_core::sandbox::Backend;
use profiler_core::sandbox::Cores;

/// Repetitions of one batch.
pub(crate) const BATCH: u32 = 60;
/// Batches of each program, idle and loaded.
pub(crate) const BATCHES: usize = 4;

/// One program's batches.
#[derive(Default)]
pub(crate) struct Batches {
    pub(crate) idle: Vec<Vec<Sample>>,
    pub(crate) loaded: Vec<Vec<Sample>>,
}

/// Every program's batches, at its middle size.
pub(crate) async fn collect(backend: &dyn Backend) -> Result<Vec<Batches>, Failure> {
    let mut sessions = Vec::new();
    for program in &PROGRAMS {
        let mut session = BenchSession::start(backend, Cores::of_this_host(1).as_ref()).await?;
        session.compile(program.source).await?;
        sessions.push(session);
    }
    let mut all: Vec<Batches> = PROGRAMS.iter().map(|_| Batches::default()).collect();
    for batch in 1..=BATCHES {
        eprintln!("{}: batch {batch} of {BATCHES}", backend.name());
        for ((session, program), kept) in sessions.iter_mut().zip(&PROGRAMS).zip(&mut all) {
            kept.idle.push(session.time(program.sizes[1], BATCH).await?);
        }
        let load = Load::start(LOOPS)?;
        for ((session, program), kept) in sessions.iter_mut().zip(&PROGRAMS).zip(&mut all) {
            kept.loaded.push(session.time(program.sizes[1], BATCH).await?);
        }
        drop(load);
    }
    for session in sessions {
        session.end().await;
    }
    Ok(all)
}
