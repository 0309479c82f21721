use super::super::result::RandomInstructions;
use super::*;
use crate::exit::Exit;
use profiler_proto::v1::InputSpec;

fn class(class: Option<&str>, likeliest: &str, confidence: f64) -> Verdict {
    Verdict {
        class: class.map(Into::into),
        likeliest: Some(likeliest.into()),
        confidence: Some(confidence),
        undecided: None,
    }
}

fn result() -> WorstResult {
    let random = || Some(RandomInstructions { median: 40_000, most: 41_000 });
    WorstResult {
        program: "sort.cpp".into(),
        n: 1000,
        searched_n: 125,
        measured_n: Some(1000),
        worst_instructions: Some(1_234_567),
        random_instructions: random(),
        ratio: Some(30.86),
        growth: Some(BothClasses {
            random: class(Some("n log n"), "n log n", 0.93),
            worst: class(Some("n²"), "n²", 0.99),
        }),
        input: Some(Found {
            n: 1000,
            looks: vec!["a: rising".into(), "k: the largest allowed".into()],
            input: "1000\n1 2 3\n".into(),
            input_bytes: 11,
            spec: InputSpec::default(),
            command: Some("swiftprof input worst.json --n 1000".into()),
            whole: Vec::new(),
        }),
        line: Some(SlowLine {
            line: 9,
            function: "sort".into(),
            source: "if (a < b)".into(),
            n: 1000,
            worst_instructions: 1_000_000,
            random_instructions: 20_000,
        }),
        sizes: vec![
            Size { n: 500, random_instructions: random(), worst_instructions: Some(300_000) },
            Size { n: 1000, random_instructions: None, worst_instructions: None },
        ],
        executions: 210,
        searched_executions: 160,
        seconds: 3.21,
        seed: 5,
        ended_by: "nothing_better",
        problem: None,
        failures: None,
        exit: Exit::Done,
    }
}

fn lines(result: &WorstResult) -> Vec<String> {
    text(result, &Palette::default()).lines().map(Into::into).collect()
}

#[test]
fn a_worst_input_has_its_classes_its_looks_and_its_line() {
    assert_eq!(
        lines(&result()),
        [
            "sort.cpp: n log n on random input, n² on the worst (confidence 0.93); the worst input \
             found executes 1 234 567 instructions at n = 1000, 30.9 times the median of random \
             inputs (40 000)",
            "looks:  a: rising; k: the largest allowed",
            "  | 1000",
            "  | 1 2 3",
            "again: swiftprof input worst.json --n 1000",
            "line 9: 1 000 000 instructions at n = 1000, 20 000 on a random input: if (a < b)",
            "         n      random (median)                worst",
            "       500               40 000              300 000",
            "      1000                    –                    –",
            "160 inputs searched at n = 125 in 3.2 s with seed 5, 210 runs in all; it ended because \
             nothing got better",
        ]
    );
}

#[test]
fn an_undecided_class_has_its_own_confidence() {
    let growth = BothClasses {
        random: class(None, "n log n", 0.71),
        worst: class(Some("n²"), "n²", 0.99),
    };
    let result = WorstResult { growth: Some(growth), ..result() };
    let said = sentence(&result);
    let expected = "sort.cpp: perhaps n log n (0.71) on random input, n² (0.99) on the worst; ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn what_was_found_at_one_size_says_so() {
    let result = WorstResult { growth: None, ratio: Some(1.04), ..result() };
    let said = sentence(&result);
    assert!(said.starts_with("sort.cpp: found at this n only: "), "{said}");
    assert!(said.contains("no more than random inputs, about (40 000)"), "{said}");
}

#[test]
fn a_problem_is_said_first_if_nothing_is_known() {
    let problem = Some("its instructions cannot be counted: it starts threads".to_owned());
    let nothing = WorstResult {
        problem: problem.clone(),
        measured_n: None,
        worst_instructions: None,
        random_instructions: None,
        ratio: None,
        growth: None,
        input: None,
        ..result()
    };
    assert_eq!(
        sentence(&nothing),
        "cannot tell: sort.cpp: its instructions cannot be counted: it starts threads"
    );
    let uncertain = sentence(&WorstResult { problem, ..result() });
    assert!(uncertain.ends_with("(but its instructions cannot be counted: it starts threads)"));
}
