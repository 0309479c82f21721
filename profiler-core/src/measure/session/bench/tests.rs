use super::*;
use crate::sandbox::fake::{BASE_NS, DOES_NOT_COMPILE, Fake, Heard, INSTRUCTIONS_PER_NS, ended};
use runner_protocol::{Ending, Hello, Request, Response};

#[tokio::test]
async fn session_returns_the_requested_number_of_samples() {
    let mut session = BenchSession::start(&Fake::costing(7, 0), None).await.unwrap();
    session.compile("int main() {}").await.unwrap();
    let samples = session.time(1000, 3).await.unwrap();
    assert_eq!(samples.iter().map(|s| s.wall_ns).collect::<Vec<_>>(), [BASE_NS + 7000; 3]);
    session.end().await;
}

#[tokio::test]
async fn sandbox_without_a_tool_that_jobs_need_is_refused() {
    let bare = Fake::costing(7, 0).bending(|answer| match answer {
        Response::Hello(hello) => {
            let missing_tools = vec!["/usr/bin/time".into()];
            Some(Response::Hello(Hello { missing_tools, ..hello }))
        }
        other => Some(other),
    });
    let refused = BenchSession::start(&bare, None).await.err().unwrap().to_string();
    assert!(refused.contains("the sandbox lacks /usr/bin/time: install"), "{refused}");
}

#[tokio::test]
async fn compile_error_is_reported() {
    let mut session = BenchSession::start(&Fake::costing(0, 0), None).await.unwrap();
    let fault = session.compile(DOES_NOT_COMPILE).await.unwrap_err();
    assert!(fault.to_string().contains("#error"), "{fault}");
}

#[tokio::test]
async fn failed_program_gives_no_samples() {
    let crash = Fake::new(|_| Some(ended(Ending::Signaled(11), 0, 0)));
    let mut session = BenchSession::start(&crash, None).await.unwrap();
    assert!(session.time(1, 1).await.is_err());
}

/// Two processors; the second one measures.
fn cores(test: &str) -> Cores {
    Cores::divide(&[vec![0], vec![1]], 1)
        .with_addresses(format!("test/{}/session-{test}/", std::process::id()))
}

#[tokio::test]
async fn program_is_pinned_and_the_runner_avoids_its_core() {
    let (heard, cores) = (Heard::default(), cores("pinned"));
    let backend = Fake::costing(7, 0).recording(heard.clone());
    let mut session = BenchSession::start(&backend, Some(&cores)).await.unwrap();
    session.compile("int main() {}").await.unwrap();
    session.time(1000, 2).await.unwrap();
    session.end().await;
    let heard = heard.lock().unwrap();
    assert_eq!(heard[0], Request::KeepTo(vec![0]));
    assert!(matches!(&heard[2], Request::Run(run) if run.core == Some(1)), "{heard:#?}");
}

#[tokio::test]
async fn session_holds_its_processor_until_it_ends() {
    let (backend, cores) = (Fake::costing(7, 0), cores("holds"));
    let session = BenchSession::start(&backend, Some(&cores)).await.unwrap();
    let next = async {
        BenchSession::start(&backend, Some(&cores)).await.unwrap().reservation.unwrap().core()
    };
    tokio::pin!(next);
    assert!(futures::poll!(&mut next).is_pending());
    session.end().await;
    assert_eq!(next.await, Some(1));
}

#[tokio::test]
async fn session_counts_with_the_given_counter() {
    let mut session = BenchSession::start(&Fake::costing(7, 0), None).await.unwrap();
    session.place_counter(b"counter").await.unwrap();
    let counted = session.count(1000).await.unwrap();
    assert_eq!(counted.instructions, Ok((BASE_NS + 7000) * INSTRUCTIONS_PER_NS));
}

#[tokio::test]
async fn runner_that_answers_something_else_is_lost() {
    let confused = Fake::costing(7, 0).bending(|answer| match answer {
        hello @ Response::Hello(_) => Some(hello),
        _ => Some(Response::Fetched(Vec::new())),
    });
    let mut session = BenchSession::start(&confused, None).await.unwrap();
    let faults = [
        session.compile("int main() {}").await.unwrap_err(),
        session.time(1, 1).await.unwrap_err(),
        session.count(1).await.unwrap_err(),
    ];
    let unexpected = SandboxFault::Lost("unexpected Fetched from the runner".into());
    assert!(faults.iter().all(|fault| *fault == unexpected), "{faults:#?}");
}
