use super::super::result::Again;
use super::*;
use profiler_proto::v1::{Evidence, KilledBy, Outcome};

fn given(outcome: Outcome, stdout: &str) -> Given {
    Given {
        outcome,
        evidence: Evidence { killed_by: KilledBy::Itself.into(), ..Evidence::default() },
        explained: "RUNTIME_ERROR, SIGSEGV".into(),
        stdout: stdout.into(),
        stdout_bytes: stdout.len() as u64,
        stderr_tail: String::new(),
    }
}

fn found() -> Found {
    Found {
        n: 3,
        seed: 17,
        candidate: 0,
        name: Some("sorted".into()),
        number: 7,
        input: "3\n1 2 3\n".into(),
        input_bytes: 8,
        command: Some("swiftprof input spec.yaml --n 3 --seed 17".into()),
        fast: given(Outcome::Ok, "4\n5\n"),
        slow: given(Outcome::Ok, "4\n6\n"),
        first_difference: Some(Words { word: 2, fast: Some("5".into()), slow: Some("6".into()) }),
        not_repeated: None,
    }
}

fn result(difference: Option<Found>, because: Option<&str>) -> CheckResult {
    let size = |n, agreed| Size { n, agreed };
    CheckResult {
        fast: "fast.cpp".into(),
        slow: "slow.cpp".into(),
        verdict: match (because, &difference) {
            (Some(_), _) => Verdict::Unknown,
            (None, Some(_)) => Verdict::Different,
            (None, None) => Verdict::Same,
        },
        unknown_because: because.map(Into::into),
        inputs: 52,
        seconds: 1.25,
        ended_by: Ended::Searched(StressEnd::Inputs),
        sizes: vec![size(0, 1), size(1, 9), size(2, 35), size(4, 2)],
        difference,
    }
}

fn lines(result: &CheckResult) -> Vec<String> {
    text(result, &Palette::default()).lines().map(Into::into).collect()
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
    let crashed = Found {
        n: 0,
        name: None,
        fast: given(Outcome::RuntimeError, ""),
        slow: given(Outcome::Ok, ""),
        first_difference: None,
        ..found()
    };
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
    let size = |n| Size { n, agreed: u32::try_from(n).unwrap() + 3 };
    let many = CheckResult { sizes: (0..20).map(size).collect(), ..result(None, None) };
    assert!(lines(&many)[1].starts_with("inputs that agreed: 3 to 22 at each of 20 sizes;"));
}

#[test]
fn undecided_check_says_why() {
    let stopped = result(None, Some("stopped by Ctrl-C"));
    let said = "cannot tell: stopped by Ctrl-C; no difference among 52 inputs with n from 0 to 4, \
                in 1.2 s";
    assert_eq!(sentence(&stopped), said);
    let refused = CheckResult { inputs: 0, sizes: Vec::new(), ..result(None, Some("x")) };
    assert_eq!(lines(&refused), ["cannot tell: x"]);
    let again = Again { program: "fast.cpp".into(), answer: given(Outcome::Ok, "7\n") };
    let changes = Found { not_repeated: Some(again), ..found() };
    let text = lines(&result(Some(changes), Some("fast.cpp does not repeat")));
    assert!(text[0].starts_with("cannot tell: fast.cpp does not repeat, at n = 3 (seed 17"));
    assert!(text.windows(2).any(|two| two == ["fast.cpp, run again, answers:", "  | 7"]));
}
