//! The limits of calls.

use profiler_core::limits::MAX_INPUTS_BYTES;
use std::time::Duration;

/// Maximum size of a received message, in bytes. It has a margin over a job, so that an error about
/// a source or an input that is slightly too large can name its field.
pub const MAX_MESSAGE_BYTES: usize = MAX_INPUTS_BYTES + (16 << 20);
/// Maximum size of a message to the health service, in bytes. It has a name, and needs no identity.
pub(crate) const MAX_HEALTH_MESSAGE_BYTES: usize = 1 << 10;
/// Maximum size of a message to the reflection service, in bytes. It has names, and needs no
/// identity.
pub(crate) const MAX_REFLECTION_MESSAGE_BYTES: usize = 4 << 10;
/// Time from the headers of a call until its message has arrived. The largest message arrives in
/// time at 2.3 Mbit/s.
pub(crate) const ARRIVAL_LIMIT: Duration = Duration::from_secs(300);
/// Maximum number of elements of all repeated fields of one message together. Test cases do not
/// count, because they have a limit of their own. Unknown fields count too. An element takes less
/// than 0.5 KiB, however it is nested, so all take less than 1 MiB.
pub(crate) const MAX_MESSAGE_ELEMENTS: usize = 2048;
/// Maximum length of a text field that does not hold a file, in bytes. Refusals may quote such
/// fields.
pub(crate) const MAX_TEXT_FIELD_BYTES: usize = 4 << 10;
/// Maximum number of messages around a value, not counting the outermost one. A job has at most
/// ten, and prost decodes at most 100.
pub(crate) const MAX_NESTED_MESSAGES: usize = 32;
/// Maximum number of calls of one connection at a time. One caller cannot have as many watches, so
/// there is always room for its other calls, such as a cancellation.
pub(crate) const MAX_CALLS_PER_CONNECTION: u32 = 8192;
/// Maximum number of calls that watch runs at a time, shared by the callers. Each connection
/// buffers the events that its caller has not read.
pub(crate) const MAX_WATCHES: usize = 8192;
/// Memory of answers that are not yet sent, in MiB, shared by the callers.
pub(crate) const MAX_UNSENT_MIB: u32 = 256;
/// Maximum part of [`MAX_UNSENT_MIB`] that one caller has. Its other answers wait.
pub(crate) const MAX_OWN_UNSENT_MIB: u32 = 64;
/// Part of [`MAX_UNSENT_MIB`] that the stored events of one answer take, read and encoded. They are
/// a report with all its samples, or short.
pub(crate) const UNSENT_EVENTS_MIB: u32 = 4;
/// Part of [`MAX_UNSENT_MIB`] that the runs of one answer of `ListRuns` take, read and encoded.
/// Each has two texts of its job.
pub(crate) const UNSENT_RUNS_MIB: u32 = 2;
const _: () = assert!(
    MAX_PAGE_RUNS as usize * 2 * 2 * MAX_TEXT_FIELD_BYTES <= (UNSENT_RUNS_MIB as usize) << 20
);
/// Part of [`MAX_UNSENT_MIB`] that a document takes.
pub(crate) const UNSENT_DOCUMENT_MIB: u32 = 48;
const _: () = assert!(profiler_export::MAX_BYTES >> 20 <= UNSENT_DOCUMENT_MIB as usize);
/// Time after which a caller that takes nothing of an answer gets no more of it.
pub(crate) const SLOW_WATCHER_LIMIT: Duration = Duration::from_secs(30);
/// Maximum number of documents that are exported at a time, one of each caller. Each can have
/// [`profiler_export::MAX_BYTES`].
pub(crate) const MAX_EXPORTS: u32 = 4;
/// Maximum number of inferences at a time. Each takes one thread.
pub(crate) const MAX_INFERENCES: usize = 2;
/// Maximum number of inferences that wait, shared by the callers. The bytes of their samples count
/// among those of arriving messages.
pub(crate) const MAX_WAITING_INFERENCES: usize = 1024;
/// Maximum number of runs in one answer of `ListRuns`.
pub(crate) const MAX_PAGE_RUNS: u32 = 100;
