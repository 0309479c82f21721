use super::*;
use profiler_export::Rightness;
use profiler_proto::v1::{
    ErrorCode, Figures, Headline, Host, InputCheck, InputUse, Interval, MemoryFigures, Outcome,
    Output, ProfileReport, SandboxError, SizeResult, TestCaseResult, TestVerdict, Warning,
    WarningCode,
};

fn size(size: u64, ms: f64) -> SizeResult {
    let interval = Some(Interval { low: ms * 0.999, high: ms, level: 0.95 });
    SizeResult {
        size,
        outcome: Outcome::Ok.into(),
        runtime_ms: Some(ms),
        peak_memory_mb: Some(3.5),
        memory: Some(MemoryFigures { cgroup_peak_mb: Some(3.9), ..MemoryFigures::default() }),
        figures: Some(Figures {
            headline: Some(Headline { ms, interval, known: true }),
            ..Figures::default()
        }),
        stdout: Some(Output { words_sha256: "a".into(), ..Output::default() }),
        ..SizeResult::default()
    }
}

/// Two runs that took nearly as long as each other.
fn runs(sizes: &[(u64, f64)]) -> Vec<Ending> {
    let report = |factor: f64| {
        let sizes = sizes.iter().map(|&(n, ms)| size(n, ms * factor)).collect();
        let host = Host { fingerprint: Some("one".into()), ..Host::default() };
        let report = ProfileReport { sizes, host: Some(host), ..ProfileReport::default() };
        Ending::Report(Box::new(report))
    };
    vec![report(1.0), report(1.001)]
}

fn ranking(programs: Vec<(&str, Vec<Ending>)>) -> Ranking {
    let programs = programs.into_iter().map(|(name, endings)| (name.to_owned(), endings));
    Ranking::of(programs, Outputs::Agree)
}

#[test]
fn fastest_comes_first() {
    let slow = runs(&[(10, 2.0), (100, 40.0)]);
    let fast = runs(&[(10, 2.0), (100, 10.0)]);
    let text = ranking(vec![("slow.cpp", slow), ("fast.cpp", fast)]).text(&TextOptions::default());
    assert_eq!(
        text,
        "program   at n  runtime ms  times  peak MiB  time grows like\n\
         fast.cpp   100      10.000      –      3.50  –\n\
         slow.cpp   100      40.000   4.00      3.50  –\n\n\
         fast.cpp is the fastest at n = 100"
    );
}

/// A schedule gives each program sizes of its own. At a size of one program alone, nothing compares
/// its output.
#[test]
fn programs_are_ranked_at_sizes_of_several_programs() {
    let honest = || ("honest", runs(&[(10, 4.0), (100, 40.0)]));
    let alone = || ("alone", runs(&[(10, 5.0), (4000, 1.0)]));
    let ranked = ranking(vec![honest(), alone()]);
    assert_eq!(ranked.verdict(), "honest is the fastest at n = 10");
    assert_eq!(ranked.programs.iter().map(|it| it.size).collect::<Vec<_>>(), [Some(10); 2]);
    let fast = ("fast", runs(&[(10, 1.0), (4000, 1.0)]));
    let verdict = ranking(vec![honest(), ("slow", runs(&[(10, 5.0), (4000, 9.0)])), fast]).verdict;
    assert_eq!(verdict, "fast is the fastest at n = 4000; honest was not measured there");
    let ranked = ranking(vec![honest(), ("other", runs(&[(20, 1.0)]))]);
    let said = "honest is first at n = 100, but was not compared there: no other program was \
                measured at that size. Measure all with the same --sizes";
    assert_eq!((ranked.verdict(), ranked.exit()), (said, Exit::CannotTell));
}

#[test]
fn failure_at_zero_alone_is_no_problem() {
    let problems = |failed: usize| {
        let mut endings = runs(&[(0, 1.0), (10, 2.0), (100, 40.0)]);
        let Ending::Report(report) = &mut endings[0] else { unreachable!() };
        report.sizes[failed].outcome = Outcome::RuntimeError.into();
        let ranking = ranking(vec![("a.cpp", endings)]);
        ranking.problems(true).map(|(_, problem)| problem.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(problems(0), [""; 0]);
    assert_eq!(problems(1), ["RUNTIME_ERROR at n = 10"]);
}

#[test]
fn ranking_can_be_a_document() {
    let (slow, fast) = (runs(&[(100, 40.0)]), runs(&[(100, 10.0)]));
    let ranking = ranking(vec![("a|b.cpp", slow), ("fast.cpp", fast)]);
    assert_eq!(
        ranking.markdown(),
        "| program | at n | runtime ms | times | peak MiB | time grows like |\n\
         | --- | --: | --: | --: | --: | --- |\n\
         | fast.cpp | 100 | 10.000 | – | 3.50 | – |\n\
         | a\\|b.cpp | 100 | 40.000 | 4.00 | 3.50 | – |\n\n\
         fast.cpp is the fastest at n = 100\n"
    );
    let csv = String::from_utf8(ranking.csv().unwrap()).unwrap();
    let header = "program,size,runtime_ms,times_the_first,peak_memory_mb,growth,verdict,problem,\
                  peak_is_lower_bound,wrong_test_cases,other_output_at,tests";
    assert_eq!(csv.lines().next(), Some(header));
    assert_eq!(csv.lines().nth(1), Some("fast.cpp,100,10.0,,3.5,,,,false,0,,"), "{csv}");
    assert!(ranking.json().unwrap().starts_with("{\n  \"programs\""));
}

#[test]
fn foreign_text_is_no_markdown() {
    let mut wrong = runs(&[(100, 1.0)]);
    for ending in &mut wrong {
        let (outcome, correct) = (Outcome::Ok.into(), Some(false));
        let case = TestCaseResult { outcome, correct, ..TestCaseResult::default() };
        let said = "test 1 printed \"<img src=x>\": see [this](http://a) @all `x`\n# no";
        let report = ending.report_mut().unwrap();
        report.test_cases = vec![case];
        report.warnings = vec![Warning::new(WarningCode::WrongAnswer, said)];
    }
    let error = SandboxError {
        code: ErrorCode::Compile.into(),
        message: "expected `;` before <b>".into(),
        ..SandboxError::default()
    };
    let broken = vec![Ending::Error(Box::new(error))];
    let programs = vec![("<b>.cpp", runs(&[(100, 2.0)])), ("a_b", wrong), ("c", broken)];
    let text = ranking(programs).markdown();
    let first = "`a_b: wrong on 1 of 1 test; first: test 1 printed \"<img src=x>\": see \
                 [this](http://a) @all 'x' # no`\n\n| program |";
    assert!(text.starts_with(first), "{text}");
    for line in ["\n| \\<b\\>.cpp | 100 |", "\n| a\\_b | 100 |", "\n\n\\<b\\>.cpp is the fastest"] {
        assert!(text.contains(line), "{text}");
    }
    assert!(text.contains("\n\n`c: compile: expected ';' before <b>`\n\n"), "{text}");
}

#[test]
fn peak_of_the_largest_process_is_marked() {
    let (mut slow, fast) = (runs(&[(100, 40.0)]), runs(&[(100, 10.0)]));
    slow[1].report_mut().unwrap().sizes[0].memory = None;
    let ranking = ranking(vec![("slow", slow), ("fast", fast)]);
    let text = ranking.text(&TextOptions::default());
    assert!(text.contains("≥ 3.50  –\n") && text.contains("  3.50  –\n"), "{text}");
    for text in [text, ranking.markdown()] {
        assert!(text.contains(AT_LEAST_NOTE), "{text}");
    }
    assert!(ranking.csv().unwrap().ends_with(b",true,0,,\n"));
}

#[test]
fn equal_programs_are_called_equal() {
    let verdict = ranking(vec![("a", runs(&[(100, 10.0)])), ("b", runs(&[(100, 10.01)]))]).verdict;
    assert_eq!(
        verdict,
        "no difference beyond chance at n = 100 between a and b (1.00 to 1.00 times as long)"
    );
}

/// The runs of `b` scatter by far more than the programs differ.
#[test]
fn verdict_about_runs_that_scatter_says_how_little_is_known() {
    let mut b = runs(&[(100, 19.0)]);
    b.extend(runs(&[(100, 40.0)]));
    b.drain(1..3);
    let verdict = ranking(vec![("a", runs(&[(100, 10.0)])), ("b", b)]).verdict;
    assert_eq!(
        verdict,
        "no difference beyond chance at n = 100 between a and b (0.55 to 13.70 times as long): \
         the runs scatter too much to tell more; use larger or more --sizes"
    );
}

#[test]
fn program_that_was_not_fed_what_it_reads_leaves_no_verdict() {
    let mut starved = runs(&[(100, 1.0)]);
    starved[0].report_mut().unwrap().input_check = Some(InputCheck {
        input_use: InputUse::Starved.into(),
        default_input: Some("100\n".into()),
        ..InputCheck::default()
    });
    let ranking = ranking(vec![("a", starved), ("b", runs(&[(100, 10.0)]))]);
    assert_eq!(ranking.exit(), Exit::CannotTell);
    let text = ranking.text(&TextOptions::default());
    assert!(text.contains("\na           –           –      –         –  –\n"), "{text}");
    assert!(
        text.ends_with(
            "a: was fed only \"100\\n\" and asked for more\nno verdict: not every program got its \
             input. Declare its input with --input-spec, or use --interactor if \
             it talks to a judge."
        ),
        "{text}"
    );
}

#[test]
fn program_without_figures_comes_last_with_the_reason() {
    let error = SandboxError {
        code: ErrorCode::Compile.into(),
        message: "1 error".into(),
        ..SandboxError::default()
    };
    let broken = vec![Ending::Error(Box::new(error))];
    let ranking = ranking(vec![("a", broken), ("b", runs(&[(100, 10.0)]))]);
    assert_eq!(ranking.exit(), Exit::Unsuccessful);
    let text = ranking.text(&TextOptions::default());
    assert!(text.contains("a: compile: 1 error"), "{text}");
    assert!(text.ends_with("b is the fastest at n = 100"), "{text}");
}

#[test]
fn ranking_fits_the_terminal() {
    let programs = vec![
        ("examples/tasks/quadratic.cpp", runs(&[(100_000, 40.0)])),
        ("examples/tasks/linear.cpp", runs(&[(100_000, 10.0)])),
    ];
    let ranking = ranking(programs);
    let shown = |width| {
        let text = ranking.text(&TextOptions { width: Some(width), ..TextOptions::default() });
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width, "{widest} columns:\n{text}");
        text
    };
    assert!(shown(60).contains("\nnot shown: peak MiB, times, time grows like; see --wide"));
    assert!(shown(80).contains("\nnot shown: peak MiB; see --wide\n"), "{}", shown(80));
    assert!(!shown(200).contains("not shown"));
}

#[test]
fn wrong_program_comes_last_and_none_is_the_fastest_of_different_ones() {
    let answered = |ms: f64, correct: bool, words: &str| {
        let mut endings = runs(&[(100, ms)]);
        for ending in &mut endings {
            let Ending::Report(report) = ending else { unreachable!("a report") };
            let outcome = Outcome::Ok.into();
            let case =
                TestCaseResult { outcome, correct: Some(correct), ..TestCaseResult::default() };
            report.test_cases = vec![case; 5];
            let problem = Warning::new(WarningCode::WrongAnswer, "test 1 printed 4, expected 3");
            report.warnings = vec![problem];
            let words_sha256 = words.into();
            report.sizes[0].stdout = Some(Output { words_sha256, ..Output::default() });
        }
        endings
    };
    let programs = |wrong: bool| {
        vec![("right.cpp", answered(40.0, true, "a")), ("other.cpp", answered(1.0, !wrong, "b"))]
    };
    let ranked = ranking(programs(true));
    assert_eq!(ranked.verdict(), "right.cpp is the fastest at n = 100 of those that are correct");
    let first = "other.cpp: wrong on 5 of 5 tests; first: test 1 printed 4, expected 3";
    let text = ranked.text(&TextOptions::default());
    assert!(text.starts_with(&format!("{first}\n\nprogram ")), "{text}");
    let document = ranked.markdown();
    assert!(document.starts_with(&format!("`{first}`\n\n| program |")), "{document}");
    assert_eq!(text.matches("wrong on").count(), 1, "{text}");
    assert_eq!(ranked.exit(), Exit::Unsuccessful);
    let ranked = ranking(programs(false));
    let said = "other.cpp and right.cpp write different words at n = 100, so none is called the \
                fastest. If the task has several right answers, use --checker or --any-output.";
    assert_eq!((ranked.verdict(), ranked.exit()), (said, Exit::Unsuccessful));
    let failed = ["right.cpp", "other.cpp"].map(|name| ranked.checks(name)[0].is_failure);
    assert_eq!(failed, [true; 2]);
    let ranked = ranking(vec![("wrong.cpp", answered(1.0, false, "b"))]);
    assert_eq!((ranked.verdict(), ranked.exit()), ("every program is wrong", Exit::Unsuccessful));
}

#[test]
fn program_without_a_verdict_is_between_right_and_wrong_ones() {
    let judged = |name, ms: f64, verdict: TestVerdict| {
        let mut endings = runs(&[(100, ms)]);
        for report in endings.iter_mut().filter_map(Ending::report_mut) {
            let case = TestCaseResult { verdict: verdict.into(), ..TestCaseResult::default() };
            report.test_cases = vec![case];
        }
        (name, endings)
    };
    let open = || {
        let (name, mut endings) = judged("open", 2.0, TestVerdict::NotRun);
        for report in endings.iter_mut().filter_map(Ending::report_mut) {
            report.sizes[0].outcome = Outcome::NotRun.into();
        }
        (name, endings)
    };
    let [right, wrong] = [TestVerdict::Accepted, TestVerdict::WrongAnswer];
    let ranked = ranking(vec![judged("wrong", 1.0, wrong), open(), judged("right", 3.0, right)]);
    let names: Vec<_> = ranked.programs.iter().map(|it| it.program.as_str()).collect();
    assert_eq!(names, ["right", "open", "wrong"]);
    let tests: Vec<_> = ranked.programs.iter().filter_map(|it| it.tests).collect();
    assert_eq!(tests, [Rightness::Correct, Rightness::NoVerdict, Rightness::Wrong]);
    assert_eq!(ranked.exit(), Exit::Unsuccessful);
    let text = ranked.text(&TextOptions::default());
    let first = "open: no verdict: 0 of 1 test ran\nwrong: wrong on 1 of 1 test\n\nprogram ";
    assert!(text.starts_with(first), "{text}");
    let ranked = ranking(vec![open(), judged("right", 3.0, right)]);
    let said = "right is the fastest at n = 100 of those that are correct";
    assert_eq!((ranked.verdict(), ranked.exit()), (said, Exit::CannotTell));
    let ranked = ranking(vec![open()]);
    let said = "no program that is correct ended OK at any size";
    assert_eq!((ranked.verdict(), ranked.exit()), (said, Exit::CannotTell));
}
