//! Outputs that differ, and what judges them.

use super::*;

/// Two runs like those of [`runs`], which write these words at each size.
fn writing(factor: f64, words: [&str; 3]) -> Program {
    let mut program = runs(factor, 0.005);
    for report in &mut program.reports {
        for (size, words_sha256) in report.sizes.iter_mut().zip(words) {
            let words_sha256 = words_sha256.into();
            size.stdout = Some(v1::Output { words_sha256, ..v1::Output::default() });
        }
    }
    program
}

#[test]
fn program_that_writes_something_else_is_not_faster() {
    let (honest, wrong) = (writing(1.0, ["a", "b", "c"]), writing(0.1, ["a", "b", "x"]));
    let comparison = compared(&honest, &wrong);
    assert_eq!(
        (comparison.verdict, comparison.other_output_at),
        (Verdict::OtherOutput, Some(100_000))
    );
    assert_eq!(comparison.geometric_mean, None);
    let verdicts: Vec<_> = comparison.sizes.iter().map(|size| size.verdict).collect();
    assert_eq!(verdicts, [Verdict::Unknown, Verdict::Unknown, Verdict::OtherOutput]);
    assert_eq!(
        sentence(&comparison),
        "B writes a different output than A at n = 100000, so neither is called faster"
    );
    let comparison = compare_programs(&honest, &wrong, Outputs::Any, flag);
    assert_eq!((comparison.verdict, comparison.other_output_at), (Verdict::Faster, None));
    assert_eq!(comparison.sizes[2].same_output, Some(false));
}

#[test]
fn outputs_are_compared_if_they_are_known() {
    let honest = || writing(1.0, ["a", "b", "c"]);
    let varying = |factor| {
        let mut program = writing(factor, ["a", "b", "c"]);
        program.reports[1].sizes[2].stdout.as_mut().unwrap().varies = true;
        program
    };
    for (a, b, same) in [
        (honest(), writing(0.5, ["a", "b", "c"]), Some(true)),
        (honest(), writing(0.5, ["a", "b", ""]), None),
        (honest(), runs(0.5, 0.005), None),
        (honest(), varying(0.5), Some(false)),
        (varying(1.0), varying(0.5), None),
    ] {
        let comparison = compared(&a, &b);
        let verdict = if same == Some(false) { Verdict::OtherOutput } else { Verdict::Faster };
        assert_eq!((comparison.verdict, comparison.sizes[2].same_output), (verdict, same));
    }
    let mut longer = writing(0.5, ["a", "b", "x"]);
    longer.reports[0].sizes[2].input_bytes = Some(9);
    let comparison = compared(&honest(), &longer);
    assert_eq!((comparison.verdict, comparison.uncompared_at), (Verdict::Faster, Some(100_000)));
    assert_eq!(comparison.warnings, ["the outputs at n = 100000 were not compared"]);
    let mut unequal = writing(0.5, ["a", "b", "c"]);
    unequal.reports[1] = writing(0.5, ["a", "b", "x"]).reports.remove(0);
    assert_eq!(verdict(&honest(), &unequal), Verdict::OtherOutput);
}

#[test]
fn programs_on_different_inputs_are_not_compared() {
    let fed = |factor, input: &str| {
        let mut program = writing(factor, ["a", "b", "c"]);
        for report in &mut program.reports {
            report.sizes[1].input_sha256 = input.into();
        }
        program
    };
    let told = compared(&fed(1.0, "01"), &fed(0.1, "02"));
    assert_eq!(
        sentence(&told),
        "no verdict: A and B were measured on different inputs at n = 10000. Measure both on the \
         same inputs."
    );
    assert!(told.sizes.iter().all(|size| size.verdict == Verdict::Unknown), "{told:?}");
    for other in ["01", ""] {
        assert_eq!(verdict(&fed(1.0, "01"), &fed(0.1, other)), Verdict::Faster);
    }
}

#[test]
fn program_that_is_wrong_on_a_test_case_is_not_faster() {
    let (honest, mut wrong) = (writing(1.0, ["a", "b", "c"]), writing(0.1, ["a", "b", "c"]));
    let (right, not_run) = (v1::TestVerdict::Accepted, v1::TestVerdict::NotRun);
    for (judged, is_wrong, said) in [
        (v1::TestVerdict::WrongAnswer, true, "B is wrong on 1 of 2 tests"),
        (not_run, false, "B has no verdict: 1 of 2 tests ran, and their answers are correct"),
    ] {
        wrong.reports[1].test_cases = [right, judged]
            .map(|it| v1::TestCaseResult { verdict: it.into(), ..Default::default() })
            .into();
        let comparison = compared(&honest, &wrong);
        let told = (comparison.verdict, comparison.wrong_answer);
        assert_eq!(told, (Verdict::Unknown, is_wrong));
        let expected = format!("no verdict: {said}");
        assert_eq!(sentence(&comparison), expected);
        let text = text(&comparison, &TextOptions::default());
        assert_eq!(text.starts_with(&expected), is_wrong, "{text}");
    }
}

/// The same program with judgements of a checker at each size, in its first run.
fn judged(mut program: Program, correct: [Option<bool>; 3]) -> Program {
    for (size, correct) in program.reports[0].sizes.iter_mut().zip(correct) {
        let message = if correct == Some(false) { "the sum is 6" } else { "" };
        size.output_check = Some(Box::new(v1::TestCaseResult {
            correct,
            checker_message: message.into(),
            reason: if correct.is_none() { "the checker died".into() } else { String::new() },
            ..v1::TestCaseResult::default()
        }));
    }
    program
}

#[test]
fn programs_with_different_right_answers_are_compared() {
    let right = [Some(true); 3];
    let one = judged(writing(1.0, ["a", "b", "c"]), right);
    let other = judged(writing(0.1, ["a", "y", "x"]), right);
    let comparison = compared(&one, &other);
    assert_eq!((comparison.verdict, comparison.other_output_at), (Verdict::Faster, None));
    assert_eq!(comparison.uncompared_at, None);
    let said = "the programs write different right answers at 2 of 3 sizes";
    assert_eq!(comparison.warnings, [said]);
    let mut at_times_wrong = other.clone();
    let unjudged = at_times_wrong.reports[1].sizes[2].stdout.as_mut().unwrap();
    unjudged.words_sha256 = "42".into();
    assert_eq!(compared(&one, &at_times_wrong).other_output_at, Some(100_000));
    let varying = judged(runs(0.1, 0.005), right);
    assert_eq!(compared(&one, &varying).uncompared_at, None, "accepted, so not in doubt");
}

#[test]
fn program_that_the_checker_rejects_is_wrong_and_not_faster() {
    let honest = judged(writing(1.0, ["a", "b", "c"]), [Some(true); 3]);
    let wrong = judged(writing(0.1, ["a", "b", "x"]), [Some(true), Some(true), Some(false)]);
    for (a, b, name) in [(&honest, &wrong, "B"), (&wrong, &honest, "A")] {
        for outputs in [Outputs::Agree, Outputs::Any] {
            let comparison = compare_programs(a, b, outputs, flag);
            assert_eq!(comparison.verdict, Verdict::Unknown);
            assert!(comparison.wrong_answer);
            let said = format!("no verdict: {name} is wrong at n = 100000: the sum is 6");
            let text = text(&comparison, &TextOptions::default());
            assert!(text.starts_with(&said), "{text}");
            assert!(!text.contains("faster"), "{text}");
        }
    }
}

#[test]
fn outputs_that_nobody_judged_must_be_the_same() {
    let one = judged(writing(1.0, ["a", "b", "c"]), [Some(true); 3]);
    let open = judged(writing(0.1, ["a", "b", "x"]), [Some(true), Some(true), None]);
    let comparison = compared(&one, &open);
    assert_eq!(
        (comparison.verdict, comparison.other_output_at),
        (Verdict::OtherOutput, Some(100_000))
    );
    let why = "the output of B at n = 100000 is not judged, because the checker died";
    assert_eq!(comparison.warnings, [why]);
    let same = judged(writing(0.1, ["a", "b", "c"]), [None; 3]);
    assert_eq!(verdict(&one, &same), Verdict::Faster);
}
