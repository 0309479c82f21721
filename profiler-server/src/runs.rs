//! The live runs, from their acceptance until their last event is stored.
//!
//! # The life of a run
//!
//! ```text
//!   a job ──▶ refused (nothing is stored)
//!       │
//!       │ accepted: the row is stored
//!       ▼
//!   ┌────────┐ its turn ┌─────────┐ a report ┌──────────┐
//!   │ QUEUED │─────────▶│ RUNNING │─────────▶│ FINISHED │──┐
//!   └────────┘          └─────────┘          └──────────┘  │ retention
//!       │                    │                             ├───────────▶ deleted
//!       │ an error           │ an error   ┌────────┐       │
//!       └────────────────────┴───────────▶│ FAILED │───────┘
//!                                         └────────┘
//! ```
//!
//! **Accepted or refused.** The [owner](owner) looks up the request ID first. A known request ID
//! attaches the call to its run, so a repeated submission needs neither room nor a sandbox. A new
//! run needs a healthy pool, a healthy store and a position in the [fair queue](fair_queue). A run
//! is accepted once its row is stored; before that the call gets a [`Refusal`] and nothing remains.
//!
//! **Queued.** The run has a task and a position in the fair queue. The position belongs to the
//! task, not to the call that submitted the run. The first event, `accepted`, names the position.
//! The next runs of the queue may build ahead of their turns. A queued run can end without a turn,
//! for example when it is cancelled, or when its program does not compile.
//!
//! **Running.** The run is one of the first `concurrency` runs of the queue. The task drives the
//! core; the [event recorder](event_recorder) stores each event and then publishes the progress.
//!
//! **Finished or failed.** Exactly one last event ends a run: `finished` with a report, or `failed`
//! with an error code and the sizes measured so far. The causes of an early end are:
//!
//! | cause | error code |
//! |---|---|
//! | `CancelRun`, or the [disconnect policy](disconnect_policy) after the last call | `cancelled` |
//! | the deadline of the submitting call, or of a detached run | `deadline` |
//! | the quota `run_sec` | `deadline` |
//! | the drain limit passed at shutdown | `interrupted` |
//! | the server was killed after the run had begun, or the task of the run panicked | `interrupted`
//! | | the store failed for too long | `internal` |
//! | an error that the core reports | the code of the error |
//!
//! A server that was killed, or that drained for as long as it may, leaves live rows in the
//! database. The next server ends those that had begun as `interrupted` when it opens the
//! [store](crate::store), before it answers any call. Those that only waited [wait again](owner).
//!
//! # Invariants
//!
//! - An event is stored before anybody receives it or its number.
//! - The number of an event is never used twice.
//! - A run is never begun twice. After a crash, the same request ID leads to the interrupted run.
//! - One task owns the live runs, and another owns the store. Everything else sends them commands.
//! - The IDs of runs increase: a new run has a greater ID than every stored run.
//! - A run leaves the queue when its task ends, and for no other reason.

mod disconnect_policy;
mod event_recorder;
mod fair_queue;
mod hour;
mod live_run;
mod live_runs;
mod owner;
mod queue_state;
mod refusal;
mod run_id;
mod submission;

#[cfg(test)]
mod tests;

pub use disconnect_policy::{DETACHED_LIMIT, GRACE};
#[cfg(feature = "fleet")]
pub(crate) use disconnect_policy::{Hold, Holders};
pub(crate) use event_recorder::Progress;
#[cfg(feature = "fleet")]
pub(crate) use hour::Hour;
pub(crate) use live_run::Attachment;
#[cfg(feature = "fleet")]
pub(crate) use live_run::end_after;
pub(crate) use live_runs::LiveRuns;
pub(crate) use queue_state::PoolQueue;
pub(crate) use refusal::{Refusal, Taken};
pub(crate) use submission::Submission;
#[cfg(feature = "fleet")]
pub(crate) use {owner::Command, queue_state::QueueState, refusal::fleet_fault, run_id::RunIds};
