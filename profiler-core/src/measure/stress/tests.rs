use super::*;
use crate::measure::program_session::tests::started;
use crate::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use inputs::tests::{numbers, series};
use profiler_input::InputSpec;
use profiler_proto::v1::Outcome;
use runner_protocol::{Ending, Execution, Made, Response, Written};
use std::sync::atomic::{AtomicU64, Ordering};

/// A program that writes how many nanoseconds it took. An input of size n has 2n bytes.
fn program(model: impl Fn(u64) -> Execution + Send + Sync + 'static) -> Fake {
    Fake::new(move |bytes| Some(model(bytes / 2))).bending(|answer| match answer {
        Response::Batch(mut batch) => {
            let text = batch.repetitions[0].sample.wall_ns.to_string();
            let mut stdout_words_sha256 = [0; 32];
            stdout_words_sha256[..text.len()].copy_from_slice(text.as_bytes());
            batch.written = Written {
                stdout_bytes: text.len() as u64,
                stdout_words_sha256,
                stdout_head: text.into(),
                ..Written::default()
            };
            Some(Response::Batch(batch))
        }
        other => Some(other),
    })
}

/// An honest program.
fn honest() -> Fake {
    program(|n| ok(BASE_NS + n, BASE_RSS))
}

/// Runs a search over n in 0..=5, and returns its end and its findings.
async fn search(programs: [Fake; 2], inputs: u32, time: Duration) -> (StressEnd, StressTest) {
    let series = series(vec![numbers("", "n", 9)], &TriedSizes::UpTo(5)).unwrap();
    let mut test = StressTest::new(series, StressBudget { inputs, time });
    let [one, two] = programs;
    let (mut one, mut two) = (started(one).await, started(two).await);
    let mut told = 0;
    let end = test.run([&mut one, &mut two], |_, _| told += 1).await.unwrap();
    assert_eq!(told, test.tried);
    (end, test)
}

const LONG: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn equal_programs_have_no_difference() {
    let (end, test) = search([honest(), honest()], 30, LONG).await;
    assert_eq!((end, test.difference, test.tried), (StressEnd::Inputs, None, 30));
    assert_eq!(test.agreed.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5]);
    assert_eq!(test.agreed.values().sum::<u32>(), 30);
}

#[tokio::test]
async fn smaller_sizes_are_tried_after_a_difference() {
    let wrong = program(|n| ok(BASE_NS + n.min(2), BASE_RSS));
    let (end, test) = search([wrong, honest()], 60, LONG).await;
    let found = test.difference.as_ref().unwrap();
    assert_eq!((found.input.n, found.input.genome.seed, found.number), (3, 7, 4));
    assert_eq!(found.unrepeated(), None);
    assert_eq!(found.answers[0].first_difference(&found.answers[1]).unwrap().number, 1);
    let agreed = &test.agreed;
    assert_eq!(agreed.keys().copied().collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((end, agreed[&0], agreed[&1]), (StressEnd::Inputs, 1, 9));
}

#[tokio::test]
async fn search_is_over_at_the_smallest_size() {
    let wrong = program(|n| ok(BASE_NS + n + 1, BASE_RSS));
    let (end, test) = search([honest(), wrong], 60, LONG).await;
    assert_eq!((end, test.tried), (StressEnd::NoMoreInputs, 1));
    assert_eq!(test.difference.as_ref().unwrap().input.n, 0);
}

#[tokio::test]
async fn crash_is_a_difference() {
    let crashes = program(|n| {
        if n < 2 {
            return ok(BASE_NS + n, BASE_RSS);
        }
        ended(Ending::Signaled(11), BASE_NS + n, BASE_RSS)
    });
    let (_, test) = search([honest(), crashes], 20, LONG).await;
    let found = test.difference.as_ref().unwrap();
    assert_eq!(found.input.n, 2);
    assert_eq!(found.answers[1].verdict.outcome, Outcome::RuntimeError);
}

#[tokio::test]
async fn answer_that_changes_is_no_difference() {
    let runs = AtomicU64::new(0);
    let changes =
        program(move |_| ok(BASE_NS + 10 + runs.fetch_add(1, Ordering::SeqCst), BASE_RSS));
    let (end, test) = search([honest(), changes], 20, LONG).await;
    assert_eq!((end, test.tried), (StressEnd::NotRepeated, 1));
    assert_eq!(test.difference.as_ref().unwrap().unrepeated(), Some(1));
}

/// The program is wrong at n = 4 and more. From then on its answers change at n = 1.
#[tokio::test]
async fn values_of_the_input_found_become_smaller() {
    let wrong = program(|n| ok(BASE_NS + n.min(2), BASE_RSS));
    let (_, test) = search([wrong, honest()], 60, LONG).await;
    let found = test.difference.unwrap().input;
    assert_eq!(String::from_utf8(found.bytes).unwrap(), "1 1 1\n");
    assert!(found.is_edited);
}

/// A program that is too slow for a large size does not differ there.
#[tokio::test]
async fn second_program_may_fail_at_a_large_size() {
    let slow = program(|n| match n {
        0..20 => ok(BASE_NS + n, BASE_RSS),
        _ => ended(Ending::Signaled(11), BASE_NS + n, BASE_RSS),
    });
    let series = series(vec![numbers("", "n", 9)], &TriedSizes::UpToAndBeyond(5)).unwrap();
    let mut test = StressTest::new(series, StressBudget { inputs: 200, time: LONG });
    let (mut one, mut two) = (started(honest()).await, started(slow).await);
    test.run([&mut one, &mut two], |_, _| ()).await.unwrap();
    assert_eq!(test.difference, None);
    assert!(test.agreed.keys().any(|n| *n > 5), "{:?}", test.agreed);
}

#[tokio::test]
async fn repeated_difference_outlives_one_that_is_not_repeated() {
    let later = AtomicU64::new(0);
    let wrong = program(move |n| {
        if n >= 4 {
            later.fetch_max(1, Ordering::SeqCst);
        }
        let changes = n == 1 && later.load(Ordering::SeqCst) > 0;
        let answer = if changes { 9 + later.fetch_add(1, Ordering::SeqCst) } else { n.min(3) };
        ok(BASE_NS + answer, BASE_RSS)
    });
    let (end, test) = search([wrong, honest()], 60, LONG).await;
    let found = test.difference.as_ref().unwrap();
    assert_eq!((end, found.input.n), (StressEnd::NotRepeated, 4));
    assert_eq!((found.unrepeated(), test.tried > found.number), (None, true));
}

/// Judge of a program alone.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Judge {
    Checker,
    Sorted,
    Sanitizers,
}

/// Runs a search of one program over n in 0..=5. `other` is the checker, or the build with
/// sanitizers.
async fn search_alone(one: Fake, by: Judge, other: Fake) -> (StressEnd, StressTest) {
    let series = series(vec![numbers("", "n", 9)], &TriedSizes::UpTo(5)).unwrap();
    let mut test = StressTest::new(series, StressBudget { inputs: 30, time: LONG });
    let (mut one, mut other) = (started(one).await, started(other).await);
    let (mut checker, mut sanitized) = (None, None);
    match by {
        Judge::Checker => checker = Some(&mut other),
        Judge::Sanitizers => sanitized = Some(&mut other),
        Judge::Sorted => {}
    }
    let must_sort = by == Judge::Sorted;
    let generators = Vec::new();
    let alone = Contestants { programs: vec![&mut one], checker, sanitized, must_sort, generators };
    let end = test.run(alone, |_, _| ()).await.unwrap();
    (end, test)
}

fn complaint(test: &StressTest) -> (u64, Complaint) {
    let found = test.difference.as_ref().unwrap();
    assert_eq!((found.answers.len(), found.unrepeated()), (1, None));
    (found.input.n, found.complaint.clone())
}

#[tokio::test]
async fn checker_judges_a_program_alone() {
    let rejects = honest().bending(|mut response| {
        if let Response::Checked(checked) = &mut response {
            checked.execution = ended(Ending::Exited(1), BASE_NS, BASE_RSS);
            checked.message = b"wrong answer 1 is missing\n".into();
        }
        Some(response)
    });
    let (_, test) = search_alone(honest(), Judge::Checker, rejects).await;
    let rejected = Complaint::Rejected("wrong answer 1 is missing".into());
    assert_eq!(complaint(&test), (0, rejected));
    let (_, accepted) = search_alone(honest(), Judge::Checker, honest()).await;
    assert_eq!((accepted.difference, accepted.tried), (None, 30));
}

#[tokio::test]
async fn failing_checker_ends_the_search() {
    let fails = honest().bending(|mut response| {
        if let Response::Checked(checked) = &mut response {
            checked.execution = ended(Ending::Exited(3), BASE_NS, BASE_RSS);
        }
        Some(response)
    });
    let (end, test) = search_alone(honest(), Judge::Checker, fails).await;
    assert_eq!(end, StressEnd::NotJudged);
    let why = "the checker ended with exit code 3";
    assert_eq!((test.unable.as_deref(), test.tried), (Some(why), 1));
}

/// A program that always writes `text`.
fn writing(text: &'static [u8]) -> Fake {
    Fake::costing(0, 0).bending(move |mut response| {
        match &mut response {
            Response::Batch(batch) => batch.written.stdout_bytes = text.len() as u64,
            Response::Fetched(piece) => *piece = text.into(),
            _ => {}
        }
        Some(response)
    })
}

#[tokio::test]
async fn only_unsorted_output_is_a_fault() {
    let (_, sorted) = search_alone(writing(b"2 10\n"), Judge::Sorted, honest()).await;
    assert_eq!((sorted.difference, sorted.tried), (None, 30));
    let (_, unsorted) = search_alone(writing(b"10 2\n"), Judge::Sorted, honest()).await;
    let rejected = Complaint::Rejected("the output is not sorted".into());
    assert_eq!(complaint(&unsorted), (0, rejected));
}

#[tokio::test]
async fn sanitizer_finds_an_error_that_the_answer_hides() {
    let sanitized = Fake::new(|bytes| {
        let ends = Ending::Exited(1);
        Some(if bytes / 2 < 3 { ok(BASE_NS, BASE_RSS) } else { ended(ends, BASE_NS, BASE_RSS) })
    });
    let (_, test) = search_alone(honest(), Judge::Sanitizers, sanitized).await;
    let (n, Complaint::Sanitizer(finding)) = complaint(&test) else { panic!("a finding") };
    assert_eq!((n, finding.kind.as_str(), finding.line), (3, "heap-buffer-overflow", 3));
    assert!(test.sanitized() > 0);
}

#[tokio::test]
async fn sanitized_run_that_fails_without_a_finding_does_not_count() {
    let fails = program(|_| ended(Ending::Exited(1), BASE_NS, BASE_RSS));
    let (_, test) = search_alone(honest(), Judge::Sanitizers, fails).await;
    assert_eq!((test.difference.is_none(), test.sanitized()), (true, 0));
    let (_, test) = search_alone(honest(), Judge::Sanitizers, honest()).await;
    assert!(test.sanitized() > 0);
}

/// Runs a search whose inputs the generator of `maker` makes: n equal digits. Both programs differ
/// if `wrong`.
async fn search_generated(wrong: bool, maker: Fake) -> (StressEnd, StressTest) {
    let generated = InputSpec { generator: "int main() {}".into(), ..InputSpec::default() };
    let series = series(vec![generated], &TriedSizes::UpToAndBeyond(6)).unwrap();
    let mut test = StressTest::new(series, StressBudget { inputs: 30, time: LONG });
    let other = program(move |n| ok(BASE_NS + if wrong { n.min(1) } else { n }, BASE_RSS));
    let (mut one, mut two) = (started(honest()).await, started(other).await);
    let mut maker = started(maker).await;
    let contestants =
        Contestants { generators: vec![Some(&mut maker)], ..[&mut one, &mut two].into() };
    let end = test.run(contestants, |_, _| ()).await.unwrap();
    (end, test)
}

/// A generator whose runs at n bytes end as `change` says.
fn maker(change: impl Fn(u64, &mut Made) + Send + Sync + 'static) -> Fake {
    honest().bending(move |mut response| {
        if let Response::Made(made) = &mut response {
            change(made.written.stdout_bytes, made);
        }
        Some(response)
    })
}

#[tokio::test]
async fn generator_makes_the_inputs() {
    let (_, test) = search_generated(false, maker(|_, _| ())).await;
    assert_eq!((&test.difference, test.tried), (&None, 30));
    let sizes: Vec<_> = test.agreed.keys().copied().collect();
    assert_eq!(sizes[..6], [1, 2, 3, 4, 5, 6], "n = 0 is not tried");
    assert!(sizes.len() > 6, "some are large");

    let (_, test) = search_generated(true, maker(|_, _| ())).await;
    let found = test.difference.unwrap().input;
    // 7 is the first seed, and the fake's generator repeats its first digit.
    assert_eq!((found.n, found.genome.seed, &found.bytes[..]), (4, 7, &b"7777"[..]));
    assert!(found.is_declared(), "the values stay as the seed makes them");
}

#[tokio::test]
async fn generator_that_fails_ends_the_search_unless_the_size_is_large() {
    let fails_from = |least| {
        maker(move |bytes, made| {
            if bytes >= least {
                made.execution.ending = Ending::Exited(1);
            }
        })
    };
    let (end, test) = search_generated(false, fails_from(3)).await;
    let why = "the generator ended with exit code 1 at n = 3";
    assert_eq!((end, test.unable.as_deref(), test.tried), (StressEnd::NotGenerated, Some(why), 2));
    let (_, test) = search_generated(false, fails_from(7)).await;
    assert_eq!((test.unable, test.tried, test.agreed.len()), (None, 30, 6));
}

#[tokio::test]
async fn time_ends_a_search() {
    let (end, test) = search([honest(), honest()], 20, Duration::ZERO).await;
    assert_eq!((end, test.tried), (StressEnd::Time, 0));
}
