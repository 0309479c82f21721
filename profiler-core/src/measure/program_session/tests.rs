use super::*;
use crate::job::Draft;
use crate::sandbox::Backend;
use crate::sandbox::fake::{BASE_NS, BASE_RSS, DOES_NOT_COMPILE, Fake, ended, ok};
use profiler_proto::v1::Outcome;
use runner_protocol::{Ending, Response};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A session of the program that `backend` models.
pub(in crate::measure) async fn started(backend: Fake) -> ProgramSession {
    let (mut session, builder) = start(backend, "int main() {}").await;
    session.compile(&builder).await.unwrap().unwrap();
    session
}

pub(in crate::measure) async fn start(backend: Fake, source: &str) -> (ProgramSession, Builder) {
    let draft = Draft::new("test", source);
    let backend: Arc<dyn Backend> = Arc::new(backend);
    let (pool, builder) = (Pool::new(backend.clone(), 0), Builder::new(backend, None));
    let session = ProgramSession::start(Job::try_from(draft).unwrap(), &pool).await.unwrap();
    (session, builder)
}

#[tokio::test]
async fn program_answers_every_input() {
    let backend = Fake::new(|bytes| {
        let crashes = bytes > 3;
        let crash = ended(Ending::Signaled(11), BASE_NS, BASE_RSS);
        Some(if crashes { crash } else { ok(BASE_NS, BASE_RSS) })
    });
    let alive = backend.alive();
    let mut session = started(backend).await;
    let [short, long] =
        [session.run(b"1\n").await.unwrap(), session.run(b"10 20\n").await.unwrap()];
    assert!(short.agrees_with(&session.run(b"2\n").await.unwrap()));
    assert_eq!(long.verdict.outcome, Outcome::RuntimeError);
    assert_eq!(long.verdict.evidence.signal.as_deref(), Some("SIGSEGV"));
    session.end().await;
    assert_eq!(alive.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn inputs_that_are_too_long_for_a_series_are_counted_one_by_one_and_not_by_line() {
    let mut session = started(Fake::costing(0, 0)).await;
    let (long, within) = (vec![b'1'; MAX_SERIES_BYTES], Duration::from_secs(1));
    let line = SourceLine { file: None, line: 1 };
    let inputs = [&long[..], &long, b"1\n"];
    assert_eq!(session.count_first(&inputs, within).await.unwrap().len(), 1);
    let lines = SeriesLines::Cost(line);
    let (counts, _) = session.count_series(&inputs, lines, within).await.unwrap();
    assert_eq!(counts, []);
    // Neither of the two calls made the next series shorter.
    assert_eq!(session.count_first(&[&b"1\n"[..]; 9], within).await.unwrap().len(), 9);
    session.end().await;
}

#[tokio::test]
async fn program_that_does_not_compile_says_why() {
    let (mut session, builder) = start(Fake::costing(0, 0), DOES_NOT_COMPILE).await;
    let refused = session.compile(&builder).await.unwrap().unwrap_err();
    assert!(refused.because.contains("#error"), "{}", refused.because);
    assert!(refused.step.error_text.contains("#error"), "{}", refused.step.error_text);
}

#[tokio::test]
async fn lost_sandbox_is_no_answer() {
    let dies = Fake::costing(0, 0).bending(|answer| match answer {
        Response::Batch(_) => None,
        other => Some(other),
    });
    let mut session = started(dies).await;
    assert!(matches!(session.run(b"1\n").await, Err(SandboxFault::Lost(_))));
}
