//! The place at which a program fails.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended};
use profiler_proto::v1::{ProfileReport, SourceFile};
use runner_protocol::{Breach, Ending, Faulted, MAX_STACK_CALLS, Response, Stack, StackCall};

fn located(sizes: &[u64]) -> Draft {
    asking(over(sizes), |job| job.fault_location = true)
}

/// A program that ends in this way from size 1,000 on.
fn failing_from_1000(ending: Ending) -> Fake {
    Fake::new(move |n| match n {
        1_000.. => Some(ended(ending, BASE_NS, BASE_RSS)),
        n => Some(well(n)),
    })
}

async fn reported(draft: Draft, backend: Fake) -> ProfileReport {
    profile(draft, backend).await.report().clone()
}

#[tokio::test]
async fn crash_has_the_calls_at_the_smallest_size() {
    let crash = || failing_from_1000(Ending::Signaled(11));
    let fault = reported(located(&[1, 1_000, 5_000]), crash()).await.fault.expect("a fault");
    assert_eq!((fault.size, fault.signal.as_str()), (Some(1_000), "SIGSEGV"));
    let calls: Vec<_> = fault.calls.iter().map(|it| (it.function.as_str(), it.line)).collect();
    assert_eq!(calls, [("work(int)", 7), ("main", 12)]);
    let unasked = asking(located(&[1, 1_000]), |job| job.fault_location = false);
    assert_eq!(reported(unasked, crash()).await.fault, None);
}

#[tokio::test]
async fn exit_code_has_no_place() {
    let report = reported(located(&[1, 1_000]), failing_from_1000(Ending::Exited(3))).await;
    assert_eq!(report.fault, None);
}

#[tokio::test]
async fn forged_or_lost_answer_is_no_error() {
    let call = || StackCall { function: "f".into(), file: String::new(), line: 1, times: u32::MAX };
    let calls: Vec<_> = (0..10 * MAX_STACK_CALLS).map(|_| call()).collect();
    let forged = move |ending| Faulted {
        execution: ended(ending, BASE_NS, BASE_RSS),
        stack: Some(Stack { calls: calls.clone(), is_cut: true }),
    };
    let answer = |faulted: Faulted| {
        failing_from_1000(Ending::Signaled(11)).bending(move |response| match response {
            Response::Faulted(_) => Some(Response::Faulted(faulted.clone())),
            other => Some(other),
        })
    };
    let long = reported(located(&[1, 1_000]), answer(forged(Ending::Signaled(-7)))).await;
    assert_eq!(long.fault.expect("a fault").calls.len(), MAX_STACK_CALLS);
    let other = answer(forged(Ending::Stopped(Breach::Resident(1))));
    assert_eq!(reported(located(&[1, 1_000]), other).await.fault, None);
    let lost = failing_from_1000(Ending::Signaled(11))
        .bending(|response| Some(response).filter(|it| !matches!(it, Response::Faulted(_))));
    let report = reported(located(&[1, 1_000]), lost).await;
    assert_eq!((report.fault, report.sizes.len()), (None, 2));
}

#[tokio::test]
async fn call_names_a_file_of_the_program() {
    let crash = failing_from_1000(Ending::Signaled(11)).bending(|mut response| {
        if let Response::Faulted(Faulted { stack: Some(stack), .. }) = &mut response {
            let call = |file: &str| StackCall { file: file.into(), ..stack.calls[0].clone() };
            stack.calls = vec![call("/etc/passwd"), call("util.cpp"), call("")];
        }
        Some(response)
    });
    let mut draft = located(&[1_000]);
    let code = draft.request.code.as_mut().expect("a program");
    code.files.push(SourceFile { path: "util.cpp".into(), text: "int f();".into() });
    let calls = reported(draft, crash).await.fault.expect("a fault").calls;
    assert_eq!(calls.iter().map(|call| call.file.as_str()).collect::<Vec<_>>(), ["util.cpp", ""]);
}

#[tokio::test]
async fn program_whose_crash_is_located_needs_no_other_sizes() {
    for is_located in [true, false] {
        let draft = asking(over(&[1_000]), |job| job.fault_location = is_located);
        let report = reported(draft, failing_from_1000(Ending::Signaled(11))).await;
        let growth = report.growth.expect("growth");
        let classes = [growth.time, growth.memory].into_iter().flatten();
        assert_eq!(classes.flat_map(|class| class.remedies).next().is_none(), is_located);
    }
}
