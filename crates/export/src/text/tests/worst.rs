use crate::text::worst::{again, classes, evidence, is_worse, sentence};
use profiler_growth::Class;
use profiler_proto::v1::{
    FailedInputs, GrowthClassification, InputSpec, RandomCosts, RandomInstructions, SearchEnd,
    SearchWay, SearchWayKind, SlowLine, WorstGoal, WorstInput, WorstPoint,
};

fn class(class: Option<Class>, runner_up: Option<Class>, confidence: f64) -> GrowthClassification {
    GrowthClassification {
        function: class.map(Into::into),
        runner_up: runner_up.map(Into::into),
        confidence: Some(confidence),
        ..GrowthClassification::default()
    }
}

fn found() -> WorstInput {
    let random = || Some(RandomInstructions { median: 40_000, most: 41_000 });
    WorstInput {
        measured_size: Some(1000),
        searched_size: 125,
        instructions: Some(1_234_567),
        random: random(),
        random_growth: Some(class(Some(Class::Linearithmic), None, 0.93)),
        worst_growth: Some(class(Some(Class::Quadratic), None, 0.99)),
        looks: vec!["a: rising".into(), "k: the largest allowed".into()],
        spec: Some(InputSpec::default()),
        input: b"1000\n1 2 3\n".into(),
        input_bytes: 11,
        line: Some(SlowLine {
            file: String::new(),
            line: 2,
            function: "sort".into(),
            size: 1000,
            worst: 1_000_000,
            random: 20_000,
        }),
        points: vec![
            WorstPoint {
                size: 500,
                random: random(),
                instructions: Some(300_000),
                ..WorstPoint::default()
            },
            WorstPoint { size: 1000, ..WorstPoint::default() },
        ],
        executions: 210,
        searched_executions: 160,
        seconds: 3.21,
        seed: 5,
        end: SearchEnd::NothingBetter.into(),
        ..WorstInput::default()
    }
}

#[test]
fn worst_input_has_its_classes_its_looks_and_its_line() {
    assert_eq!(
        sentence(&found()),
        "n log n on random input, n² on the worst (confidence 0.93); the worst input found \
         executes 1 234 567 instructions at n = 1000, 30.9 times the median of random inputs \
         (40 000)"
    );
    let text = evidence(&found(), "int main() {\n    if (a < b)\n", "swiftprof input w.json");
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "looks:  a: rising; k: the largest allowed",
            "  | 1000",
            "  | 1 2 3",
            "again: swiftprof input w.json",
            "line 2: 1 000 000 instructions at n = 1000, 20 000 on a random input: if (a < b)",
            "         n      random (median)                worst",
            "       500               40 000              300 000",
            "      1000                    –                    –",
            "160 inputs searched at n = 125 in 3.2 s with seed 5, 210 runs in all; the search ended \
             because it found no worse input",
        ]
    );
}

#[test]
fn each_way_has_its_effort_and_its_result() {
    let way = |kind: SearchWayKind, inputs, cost, records| SearchWay {
        kind: kind.into(),
        inputs,
        seconds: 0.25 * f64::from(inputs),
        cost,
        records,
    };
    let ways = vec![
        way(SearchWayKind::Random, 12, Some(9000), 1),
        way(SearchWayKind::Mutation, 2, None, 0),
    ];
    let text = evidence(&WorstInput { ways, ..found() }, "", "");
    let expected = "\nrandom: 12 inputs in 3.0 s, highest cost 9 000, 1 record; \
                    mutation: 2 inputs in 0.5 s, none ended OK, 0 records";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn ratio_is_net_of_the_start_up() {
    let (ratio, start_up_instructions) = (Some(60.74), Some(20_000));
    let said = sentence(&WorstInput { ratio, start_up_instructions, ..found() });
    let net = "60.7 times the median of random inputs (40 000), both without the start-up of \
               20 000";
    assert!(said.ends_with(net), "{said}");
    // Whole counts that are almost equal hide nothing.
    let found = WorstInput { ratio, instructions: Some(41_600), ..found() };
    assert!(is_worse(&found));
}

#[test]
fn worst_seed_of_a_generator_is_named() {
    let mut found = WorstInput {
        generator_seed: Some(4711),
        spec: None,
        looks: vec!["seed 4711 of the generator".into()],
        ratio: Some(1.8),
        random_growth: None,
        ..found()
    };
    assert_eq!(
        sentence(&found),
        "worst of 160 seeds of the generator: seed 4711 executes 1 234 567 instructions at n = \
         1000, 1.8 times the median seed (40 000)"
    );
    let text = evidence(&found, "", &again(&found));
    let expected = "looks:  seed 4711 of the generator\n  | 1000\n  | 1 2 3\n\
                    again: swiftprof input with --n 1000 and --seed 4711 makes it\n";
    assert!(text.starts_with(expected), "{text}");
    found.ratio = Some(1.05);
    assert!(sentence(&found).starts_with("no input found that costs clearly more"));
}

#[test]
fn undecided_class_has_its_own_confidence() {
    let random_growth = Some(class(None, Some(Class::Linearithmic), 0.71));
    let said = sentence(&WorstInput { random_growth, ..found() });
    let expected = "perhaps n log n (0.71) on random input, n² (0.99) on the worst; ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn worst_input_found_at_one_size_says_so() {
    let said = sentence(&WorstInput { random_growth: None, ..found() });
    assert!(said.starts_with("found at this n only: "), "{said}");
}

#[test]
fn search_that_found_nothing_worse_names_no_class() {
    let found = WorstInput { instructions: Some(41_600), ..found() };
    assert_eq!(
        sentence(&found),
        "no input found that costs clearly more than random (160 tried); that proves nothing"
    );
    assert!(!is_worse(&found) && classes(&found).is_none());
}

#[test]
fn another_goal_has_its_own_words() {
    let costs = RandomCosts { median: 4096, most: 8192 };
    let of = |goal: WorstGoal| {
        sentence(&WorstInput {
            goal: goal.into(),
            goal_line: 7,
            instructions: None,
            random: None,
            cost: Some(40_960),
            random_cost: Some(costs),
            ..found()
        })
    };
    for (goal, words) in [
        (WorstGoal::Memory, "makes it hold 40 960 bytes at n = 1000, 10.0 times"),
        (WorstGoal::Allocations, "makes it allocate 40 960 times at n = 1000"),
        (WorstGoal::Line, "executes 40 960 instructions of line 7 at n = 1000"),
    ] {
        assert!(of(goal).contains(words), "{}", of(goal));
    }
}

#[test]
fn problem_is_said_first_if_nothing_is_known() {
    let problem = "its instructions cannot be counted: it starts threads".to_owned();
    let nothing = WorstInput { problem: problem.clone(), ..WorstInput::default() };
    assert_eq!(sentence(&nothing), format!("cannot tell: {problem}"));
    let problem = "the search was stopped".to_owned();
    let stopped = WorstInput { problem: problem.clone(), measured_size: None, ..found() };
    assert_eq!(
        sentence(&stopped),
        "cannot tell: the search was stopped; the worst input so far executes 1 234 567 \
         instructions at n = 125, the median random one 40 000"
    );
    let uncertain = sentence(&WorstInput { problem: problem.clone(), ..found() });
    assert!(uncertain.ends_with(&format!("(but {problem})")), "{uncertain}");
}

#[test]
fn program_text_reaches_the_terminal_without_commands() {
    let found = WorstInput {
        input: b"\x1b[2J\n".into(),
        looks: vec!["\x1b[2J".into()],
        problem: "\x1b[2J".into(),
        failures: Some(FailedInputs { ended: "\x1b[2J".into(), ..FailedInputs::default() }),
        ..found()
    };
    let text = sentence(&found) + &evidence(&found, "\x1b[2J\n\x1b[2J", "\x1b[2J");
    assert!(!text.contains('\x1b'), "{text:?}");
}
