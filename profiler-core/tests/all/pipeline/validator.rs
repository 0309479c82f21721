//! Validators: programs that check the inputs of a task.

use crate::pipeline::harness::{Told, asking, inputs, linear, over, profile};
use crate::pipeline::input_candidates::line;
use profiler_core::job::Draft;
use profiler_core::limits::JUDGE_TIMEOUT;
use profiler_core::sandbox::fake::{DOES_NOT_COMPILE, Fake, ended};
use profiler_proto::v1::{CheckerProgram, Outcome, TestCase, TestOrder, Warning, WarningCode};
use runner_protocol::{Breach, Ending, Request, Response, WordDigest};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A flag of the validator that no other program has.
const FLAG: &str = "-O0";
const VALID: (Ending, &str) = (Ending::Exited(0), "");
const INVALID: (Ending, &str) = (Ending::Exited(3), "FAIL Expected integer\nmore");

/// The same draft with a validator of this source.
fn validated(draft: Draft, source: &str) -> Draft {
    asking(draft, |job| {
        let (code_cpp, compiler_flags) = (source.into(), vec![FLAG.into()]);
        let validator = CheckerProgram { code_cpp, compiler_flags, ..CheckerProgram::default() };
        job.validator_program = Some(validator);
    })
}

/// A validated draft with test cases that a right program passes.
fn with_cases(count: usize, order: TestOrder) -> Draft {
    let case = TestCase { input: "1\n".into(), output: "7".into(), ..TestCase::default() };
    let draft = asking(over(&[1]), |job| {
        job.test_cases = vec![case; count];
        job.test_order = order.into();
    });
    validated(draft, "int main() {}")
}

/// A right program. The runs of its validator end so, one after the other; the last ending repeats.
fn checked(endings: &'static [(Ending, &'static str)]) -> Fake {
    let [sandbox, runs] = [usize::MAX, 0].map(AtomicUsize::new);
    linear().bending_in(move |number, mut response| {
        match &mut response {
            Response::Compiled(compiled) if compiled.command.contains(FLAG) => {
                sandbox.store(number, Ordering::SeqCst);
            }
            Response::Batch(ran) if sandbox.load(Ordering::SeqCst) == number => {
                let at = runs.fetch_add(1, Ordering::SeqCst).min(endings.len() - 1);
                let (ending, message) = endings[at];
                ran.repetitions = vec![ended(ending, 1_000_000, 0)];
                ran.written.stderr_tail = message.into();
            }
            Response::Batch(ran) => ran.written.stdout_words_sha256 = WordDigest::of(b"7"),
            _ => {}
        }
        Some(response)
    })
}

/// A right program. The sandbox of its validator is lost at its first run.
fn losing() -> Fake {
    let sandbox = AtomicUsize::new(usize::MAX);
    linear().bending_in(move |number, mut response| {
        match &mut response {
            Response::Compiled(compiled) if compiled.command.contains(FLAG) => {
                sandbox.store(number, Ordering::SeqCst);
            }
            Response::Batch(_) if sandbox.load(Ordering::SeqCst) == number => return None,
            Response::Batch(ran) => ran.written.stdout_words_sha256 = WordDigest::of(b"7"),
            _ => {}
        }
        Some(response)
    })
}

/// Number of runs of the validator.
fn checks(told: &Told) -> usize {
    let limit = JUDGE_TIMEOUT.as_nanos();
    let is_check = |request: &&Request| matches!(request, Request::Run(run) if u128::from(run.limits.time_ns) == limit);
    told.heard.iter().filter(is_check).count()
}

/// Messages of the warnings about inputs and the validator.
fn warnings(told: &Told) -> Vec<&str> {
    use WarningCode::{InvalidInput, ValidatorFailed};
    let is_ours = |it: &&Warning| matches!(it.code(), InvalidInput | ValidatorFailed);
    told.report().warnings.iter().filter(is_ours).map(|it| it.message.as_str()).collect()
}

fn correct(told: &Told) -> Vec<Option<bool>> {
    told.report().test_cases.iter().map(|case| case.correct).collect()
}

#[tokio::test]
async fn test_case_with_an_invalid_input_is_not_run_and_the_others_are() {
    let told = profile(with_cases(3, TestOrder::First), checked(&[VALID, INVALID, VALID])).await;
    assert_eq!(correct(&told), [Some(true), None, Some(true)]);
    let why = "its input is invalid: FAIL Expected integer";
    let case = &told.report().test_cases[1];
    assert_eq!((case.outcome(), case.reason.as_str()), (Outcome::NotRun, why));
    assert_eq!(told.warnings(), ["invalid_input"]);
    assert_eq!(warnings(&told), [format!("test 2 was not run, because {why}")]);
    let runs = told.heard.iter().filter(|it| matches!(it, Request::Run(_))).count();
    assert_eq!((checks(&told), runs, told.alive), (3, 5, 0));
    assert_eq!(told.report().sizes[0].outcome(), Outcome::NotRun);
    assert_eq!(told.time_growth().undecided_reason, "not every test case has a verdict");
}

#[tokio::test]
async fn validator_is_compiled_once_and_valid_inputs_change_nothing() {
    for order in [TestOrder::First, TestOrder::After] {
        let told = profile(with_cases(2, order), checked(&[VALID])).await;
        assert_eq!((correct(&told), checks(&told)), (vec![Some(true); 2], 2));
        let is_its = |it: &&Request| matches!(it, Request::Compile(it) if it.flags == [FLAG]);
        assert_eq!(told.heard.iter().filter(is_its).count(), 1);
        assert!(warnings(&told).is_empty());
        assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
    }
}

#[tokio::test]
async fn rejection_without_a_message_has_the_exit_code() {
    let told = profile(with_cases(1, TestOrder::After), checked(&[(Ending::Exited(1), "")])).await;
    let why = "its input is invalid: the validator ended with exit code 1";
    assert_eq!(told.report().test_cases[0].reason, why);
    assert_eq!((told.runtimes_ms().len(), told.alive), (1, 0));
}

#[tokio::test]
async fn validator_that_fails_is_named_and_checks_nothing_more() {
    let failures: [(&'static [_], _); 3] = [
        (&[(Ending::Signaled(11), "")], "SIGSEGV"),
        (&[(Ending::Exited(77), "odd")], "exit code 77"),
        (&[(Ending::Stopped(Breach::Time(10_000_000_000)), "")], "TIME_LIMIT"),
    ];
    for (endings, why) in failures {
        let told = profile(with_cases(3, TestOrder::First), checked(endings)).await;
        assert_eq!(correct(&told), [Some(true); 3]);
        let said =
            "inputs are not checked from the input of test 1 on, because the validator ended";
        assert_eq!(warnings(&told), [format!("{said} with {why}")]);
        assert_eq!((checks(&told), told.runtimes_ms().len(), told.alive), (1, 1, 0));
    }
}

#[tokio::test]
async fn validator_whose_sandbox_is_lost_is_named_and_the_job_goes_on() {
    let told = profile(with_cases(2, TestOrder::First), losing()).await;
    assert_eq!(correct(&told), [Some(true); 2]);
    let said = "inputs are not checked from the input of test 1 on, because the validator has no \
                sandbox: lost the sandbox: the channel to the runner ended";
    assert_eq!(warnings(&told), [said]);
    assert_eq!((checks(&told), told.runtimes_ms().len(), told.alive), (1, 1, 0));
}

#[tokio::test]
async fn inputs_are_checked_too_if_only_the_verdict_counts() {
    let draft = asking(with_cases(2, TestOrder::First), |job| job.reward = true);
    let told = profile(draft, checked(&[VALID, INVALID])).await;
    assert_eq!((correct(&told), checks(&told)), (vec![Some(true), None], 2));
    assert_eq!((told.report().sizes.len(), told.alive), (0, 0));
}

#[tokio::test]
async fn validator_that_does_not_compile_is_named_once() {
    for order in [TestOrder::First, TestOrder::After] {
        let draft = validated(with_cases(2, order), DOES_NOT_COMPILE);
        let told = profile(draft, checked(&[VALID])).await;
        assert_eq!((correct(&told), checks(&told)), (vec![Some(true); 2], 0));
        let said = warnings(&told);
        let [warning] = &said[..] else { panic!("{said:?}") };
        let expected = "no input is checked, because the validator does not compile: ";
        assert!(warning.starts_with(expected), "{warning}");
        assert_eq!(told.alive, 0);
    }
}

#[tokio::test]
async fn input_of_a_spec_that_is_invalid_ends_the_job_before_anything_is_measured() {
    let described = |specs| asking(over(&[1, 5, 9]), |job| job.input_specs = specs);
    let one = described(vec![line("", "n")]);
    let told = profile(validated(one.clone(), "int main() {}"), checked(&[VALID, INVALID])).await;
    let why = "is invalid: FAIL Expected integer";
    assert_eq!(told.error(), format!("invalid_input: the input of n = 9 {why}"));
    assert_eq!((checks(&told), told.report().sizes.len(), told.alive), (2, 0, 0));
    let told = profile(validated(one, "int main() {}"), checked(&[VALID])).await;
    assert_eq!((checks(&told), told.runtimes_ms().len(), told.alive), (2, 3, 0));
    let two = described(vec![line("short", "n"), line("long", "2 * n")]);
    let told = profile(validated(two, "int main() {}"), checked(&[VALID, INVALID])).await;
    assert_eq!(told.error(), format!("invalid_input: the input of n = 1, long {why}"));
}

#[tokio::test]
async fn answers_are_known_even_if_the_input_of_a_size_is_invalid() {
    let draft = asking(with_cases(1, TestOrder::First), |job| {
        job.input_specs = vec![line("", "n")];
    });
    let told = profile(draft, checked(&[VALID, INVALID])).await;
    assert!(told.error().starts_with("invalid_input: the input of n = 1 "), "{}", told.error());
    assert_eq!((correct(&told), told.alive), (vec![Some(true)], 0));
}

#[tokio::test]
async fn every_given_input_is_checked_and_the_default_one_is_not() {
    let draft = asking(over(&[1, 2, 3]), |job| job.inputs = inputs([(1, "1"), (2, "x"), (3, "3")]));
    let told = profile(validated(draft, "int main() {}"), checked(&[VALID, INVALID])).await;
    let why = "the input of n = 2 is invalid: FAIL Expected integer";
    assert_eq!((told.error(), checks(&told)), (format!("invalid_input: {why}"), 2));
    let told = profile(with_cases(1, TestOrder::First), checked(&[VALID])).await;
    assert_eq!((checks(&told), told.runtimes_ms().len()), (1, 1));
}
