use super::*;
use profiler_core::measure::stress::TestInput;
use profiler_core::report::Verdict as Judged;
use profiler_proto::v1::{Evidence, KilledBy, LineCoverage, LineRange, Outcome};
use profiler_search::Genome;
use runner_protocol::{Sample, Written};
use std::collections::BTreeMap;

/// An answer. Two answers with the same length count as the same words.
fn given(outcome: Outcome, stdout: &str) -> Answer {
    let evidence = Evidence {
        killed_by: KilledBy::Itself.into(),
        signal: (outcome != Outcome::Ok).then(|| "SIGSEGV".into()),
        ..Evidence::default()
    };
    let written = Written {
        stdout_bytes: stdout.len() as u64,
        stdout_words_sha256: [u8::try_from(stdout.len()).unwrap(); 32],
        stdout_head: stdout.into(),
        ..Written::default()
    };
    Answer { verdict: Judged { outcome, evidence }, written, sample: Sample::default() }
}

/// A difference at size n, where each program repeats its answer.
fn differs(n: u64, answers: [Answer; 2]) -> Found {
    let (genome, bytes) = (Genome::declared(0, 17), b"3\n1 2 3\n".into());
    let input = TestInput { n, candidate: 0, genome, is_edited: false, bytes };
    let (complaint, answers) = (Complaint::Differ, Vec::from(answers));
    let again = answers.clone();
    Found {
        difference: Difference { complaint, input, number: 7, answers, again },
        name: Some("sorted".into()),
        command: Some("swiftprof input spec.yaml --n 3 --seed 17".into()),
        file: None,
    }
}

fn found() -> Found {
    differs(3, ["4\n5\n", "4\n6\n"].map(|stdout| given(Outcome::Ok, stdout)))
}

fn result(found: Option<Found>, because: Option<&str>) -> CheckResult {
    CheckResult {
        programs: vec!["fast.cpp".into(), "slow.cpp".into()],
        verdict: match (because, &found) {
            (Some(_), _) => Verdict::Unknown,
            (None, Some(_)) => Verdict::Different,
            (None, None) => Verdict::Same,
        },
        unknown_because: because.map(Into::into),
        inputs: 52,
        sanitized: 0,
        coverage: None,
        seconds: 1.25,
        ended_by: Ended::Searched(StressEnd::Inputs),
        agreed: [(0, 1), (1, 9), (2, 35), (4, 2)].into(),
        is_unbounded: true,
        found,
    }
}

fn lines(result: &CheckResult) -> Vec<String> {
    text(result, &Palette::default()).lines().map(Into::into).collect()
}

#[test]
fn difference_at_zero_asks_whether_the_task_allows_it() {
    let answers = || ["4", "44"].map(|stdout| given(Outcome::Ok, stdout));
    let asks = |n| text(&result(Some(differs(n, answers())), None), &Palette::default());
    assert!(asks(0).contains("\nDoes the task allow n = 0? If not, list"), "{}", asks(0));
    assert!(!asks(1).contains("Does the task allow"), "{}", asks(1));
}

#[test]
fn difference_at_a_large_size_asks_whether_the_task_allows_it() {
    let answers = || ["4", "44"].map(|stdout| given(Outcome::Ok, stdout));
    let large = result(Some(differs(58, answers())), None);
    let asked = text(&large, &Palette::default());
    assert!(asked.contains("\nDoes the task allow n = 58? If not, give the largest"), "{asked}");
    let bounded = text(&CheckResult { is_unbounded: false, ..large }, &Palette::default());
    assert!(!bounded.contains("Does the task allow"), "{bounded}");
}

#[test]
fn chosen_values_have_no_seed_and_no_command() {
    let mut edited = found();
    edited.difference.input.is_edited = true;
    edited.command = None;
    let mut result = result(Some(edited), None);
    let said = text(&result, &Palette::default());
    assert!(said.contains("differ at n = 3 (candidate \"sorted\"), after 7"), "{said}");
    assert!(said.contains("  to save the input, give -o FILE\n"), "{said}");
    result.found.as_mut().unwrap().file = Some("out/3.in".into());
    let said = text(&result, &Palette::default());
    assert!(said.contains("  saved in out/3.in\n") && !said.contains("give -o"), "{said}");
}

#[test]
fn difference_has_its_input_and_both_answers() {
    assert_eq!(
        lines(&result(Some(found()), None)),
        [
            "fast.cpp and slow.cpp differ at n = 3 (seed 17, candidate \"sorted\"), after 7 of 52 inputs",
            "this is the smallest n tried with a difference; inputs that agreed: 1 at n = 0, \
             9 at n = 1, 35 at n = 2; --inputs ended the search",
            "",
            "input:",
            "  | 3",
            "  | 1 2 3",
            "  again: swiftprof input spec.yaml --n 3 --seed 17",
            "",
            "fast.cpp answers:",
            "  | 4",
            "  | 5",
            "slow.cpp answers:",
            "  | 4",
            "  | 6",
            "word 2 is 5 in fast.cpp, and 6 in slow.cpp",
        ]
    );
}

#[test]
fn crash_is_named_with_its_evidence() {
    let answers = [Outcome::RuntimeError, Outcome::Ok].map(|outcome| given(outcome, ""));
    let crashed = Found { name: None, ..differs(0, answers) };
    let text = lines(&result(Some(crashed), None));
    assert_eq!(text[0], "fast.cpp and slow.cpp differ at n = 0 (seed 17), after 7 of 52 inputs");
    assert_eq!(text[1], "no smaller n was tried; --inputs ended the search");
    let answers = ["fast.cpp ends with RUNTIME_ERROR, SIGSEGV", "slow.cpp answers nothing"];
    assert_eq!(text[text.len() - 2..], answers);
}

#[test]
fn two_failures_are_no_difference() {
    let verdict = Verdict::BothFail;
    let failed = CheckResult { verdict, ..result(Some(found()), None) };
    assert!(sentence(&failed).starts_with("fast.cpp and slow.cpp both fail at n = 3 (seed 17"));
}

#[test]
fn answer_that_changes_after_a_difference_ends_the_search() {
    let ended_by = Ended::Searched(StressEnd::NotRepeated);
    let text = lines(&CheckResult { ended_by, ..result(Some(found()), None) });
    assert!(text[0].contains(" differ at n = 3 "), "{text:?}");
    assert!(text[1].ends_with("; the search ended where a program did not repeat its answer"));
}

#[test]
fn agreement_names_what_was_tried() {
    assert_eq!(
        lines(&result(None, None)),
        [
            "fast.cpp and slow.cpp agree on 52 inputs with n from 0 to 4, in 1.2 s",
            "inputs that agreed: 1 at n = 0, 9 at n = 1, 35 at n = 2, 2 at n = 4; \
             --inputs ended the search",
        ]
    );
    let unreached = vec![LineRange { first: 7, last: 9, ..LineRange::default() }];
    let coverage = LineCoverage { inputs: 20, unreached, ..LineCoverage::default() };
    let missed = CheckResult { coverage: Some(coverage), ..result(None, None) };
    let last = "none of the 20 inputs counted by line reached lines 7 to 9";
    assert_eq!(lines(&missed).last().map(String::as_str), Some(last));
    let agreed = (0..20).map(|n: u32| (n.into(), n + 3)).collect();
    let many = CheckResult { agreed, ..result(None, None) };
    assert!(lines(&many)[1].starts_with("inputs that agreed: 3 to 22 at each of 20 sizes;"));
}

#[test]
fn undecided_check_says_why() {
    let stopped = result(None, Some("stopped by Ctrl-C"));
    let said = "cannot tell: stopped by Ctrl-C; no difference among 52 inputs with n from 0 to 4, \
                in 1.2 s";
    assert_eq!(sentence(&stopped), said);
    let refused = CheckResult { inputs: 0, agreed: BTreeMap::new(), ..result(None, Some("x")) };
    assert_eq!(lines(&refused), ["cannot tell: x"]);
    let mut changes = found();
    changes.difference.again[0] = given(Outcome::Ok, "7\n");
    let text = lines(&result(Some(changes), Some("fast.cpp does not repeat")));
    assert!(text[0].starts_with("cannot tell: fast.cpp does not repeat, at n = 3 (seed 17"));
    assert!(text.windows(2).any(|two| two == ["fast.cpp, run again, answers:", "  | 7"]));
}
