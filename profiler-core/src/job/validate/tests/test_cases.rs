//! Checks of test cases, and of what judges their answers.

use super::*;
use profiler_proto::v1::{InputExperiment, TestOrder};

fn checked_by(code_cpp: &str, testlib_h: &str) -> Draft {
    let [code_cpp, testlib_h] = [code_cpp, testlib_h].map(String::from);
    let checker = v1::CheckerProgram { code_cpp, testlib_h, ..v1::CheckerProgram::default() };
    asking(good(), |job| {
        job.test_cases = vec![TestCase::default()];
        job.checker_program = Some(checker);
    })
}

#[test]
fn header_becomes_a_part_of_the_checker() {
    let checker = job(checked_by("#include \"testlib.h\"\nint main() {}", "int f();")).checker;
    let checker = checker.unwrap();
    let source = "#line 1 \"testlib.h\"\nint f();\n#line 2 \"main.cpp\"\nint main() {}";
    assert_eq!(String::from_utf8(checker.source).unwrap(), source);
}

#[test]
fn header_decides_the_default_flags_of_a_checker() {
    let flags = |header: &str, given: &[&str]| {
        let draft = asking(checked_by("int main() {}", header), |job| {
            let checker = job.checker_program.as_mut().unwrap();
            checker.compiler_flags = given.iter().map(|&flag| flag.into()).collect();
        });
        job(draft).checker.unwrap().flags.join(" ")
    };
    assert_eq!(flags("", &[]), "-O2 -std=c++17");
    assert_eq!(flags("int f();", &[]), "-O1 -std=c++17 -fwhole-program");
    assert_eq!(flags("int f();", &["-O3"]), "-O3");
}

#[test]
fn bad_checker_is_named() {
    let long = "/".repeat(MAX_SOURCE_BYTES + 1);
    let fields = ["checker_program.testlib_h", "checker_program.code_cpp"];
    assert_eq!(bad_fields(checked_by(" ", &long)), fields);
    let excluded: [fn(&mut v1::Job); 3] = [
        |job| job.test_cases.clear(),
        |job| job.checker = Checker::Exact.into(),
        |job| job.test_cases[0].output_words_sha256 = vec![7; SHA256_BYTES],
    ];
    for bad in excluded {
        assert_eq!(bad_fields(asking(checked_by("int main() {}", ""), bad)), ["checker_program"]);
    }
}

#[test]
fn outputs_at_sizes_need_a_checker_and_no_test_cases() {
    let draft = asking(checked_by("int main() {}", ""), |job| {
        job.test_cases.clear();
        job.check_sizes = true;
        let code_cpp = "int main() { return 2; }".into();
        job.reference = Some(v1::OtherProgram { code_cpp, ..v1::OtherProgram::default() });
    });
    let accepted = job(draft.clone());
    assert_eq!(accepted.reference.unwrap().source, b"int main() { return 2; }");
    let without = |ask: fn(&mut v1::Job)| bad_fields(asking(draft.clone(), ask));
    let unjudged = |job: &mut v1::Job| (job.checker_program, job.reference) = (None, None);
    assert_eq!(bad_fields(asking(draft.clone(), unjudged)), ["check_sizes"]);
    assert_eq!(without(|job| job.check_sizes = false), ["checker_program", "reference"]);
    let empty = |job: &mut v1::Job| job.reference = Some(v1::OtherProgram::default());
    assert_eq!(without(empty), ["reference.code_cpp"]);
}

#[test]
fn outputs_at_sizes_are_compared_by_a_named_checker_or_with_a_reference() {
    let draft = asking(good(), |job| {
        job.check_sizes = true;
        (job.checker, job.tolerance) = (Checker::Numbers.into(), Some(0.5));
    });
    let accepted = job(draft.clone());
    assert_eq!((accepted.options.checker, accepted.checker), (Checker::Numbers, None));
    let without = |ask: fn(&mut v1::Job)| bad_fields(asking(draft.clone(), ask));
    assert_eq!(without(|job| job.check_sizes = false), ["checker"]);
    let words = asking(checked_by("", ""), |job| {
        (job.checker_program, job.check_sizes) = (None, true);
        let code_cpp = "int main() {}".into();
        job.reference = Some(v1::OtherProgram { code_cpp, ..v1::OtherProgram::default() });
    });
    assert!(job(words).options.check_sizes);
}

#[test]
fn validator_needs_inputs_to_check() {
    let validator =
        || v1::CheckerProgram { code_cpp: "int main() {}".into(), ..v1::CheckerProgram::default() };
    let draft = |ask: fn(&mut v1::Job)| {
        asking(asking(good(), |job| job.validator_program = Some(validator())), ask)
    };
    let refused = Job::try_from(draft(|_| {})).unwrap_err().to_string();
    assert_eq!(refused, "validator_program: requires test cases, inputs or an input spec");
    let with_cases = draft(|job| job.test_cases = vec![TestCase::default()]);
    assert_eq!(job(with_cases).validator.unwrap().source, b"int main() {}");
    let with_inputs = draft(|job| job.inputs = inputs(vec![(1, vec![]), (2, vec![])]));
    assert!(job(with_inputs).validator.is_some());
    let empty = draft(|job| {
        job.test_cases = vec![TestCase::default()];
        job.validator_program = Some(v1::CheckerProgram::default());
    });
    assert_eq!(bad_fields(empty), ["validator_program.code_cpp"]);
}

#[test]
fn test_cases_may_be_long_but_not_all_of_them() {
    let with_tests = |of: &[(usize, usize)]| {
        let case = |&(input, output): &(usize, usize)| TestCase {
            input: "1".repeat(input),
            output: "1".repeat(output),
            ..TestCase::default()
        };
        asking(good(), |job| job.test_cases = of.iter().map(case).collect())
    };
    let (input, output) = (MAX_INPUT_BYTES, MAX_ANSWER_BYTES);
    assert_eq!(job(with_tests(&[(input, output), (0, output)])).test_cases.len(), 2);
    let fields = ["test_cases[0].output", "test_cases[1].input"];
    assert_eq!(bad_fields(with_tests(&[(0, output + 1), (input + 1, 0)])), fields);
    assert_eq!(
        Job::try_from(with_tests(&[(input, output), (input, 1)])).unwrap_err().to_string(),
        "test_cases: must have at most 50331648 bytes in total, not 50331649"
    );
}

#[test]
fn tolerance_is_that_of_numbers() {
    let with = |error: f64, checker: Checker| {
        asking(good(), |job| {
            job.test_cases = vec![TestCase::default()];
            job.checker = checker.into();
            job.relative_tolerance = Some(error);
        })
    };
    assert_eq!(job(with(0.5, Checker::Numbers)).options.tolerance.relative.to_string(), "0.5");
    for bad in [with(1.5, Checker::Numbers), with(0.5, Checker::Words)] {
        assert_eq!(bad_fields(bad), ["relative_tolerance"]);
    }
}

/// A valid job for whose program only the verdict counts.
fn judged_alone() -> Draft {
    asking(good(), |job| {
        job.test_cases = vec![TestCase::default()];
        job.reward = true;
    })
}

#[test]
fn verdict_alone_needs_no_size() {
    let all = asking(judged_alone(), |job| job.test_order = TestOrder::All.into());
    for (draft, order) in [(judged_alone(), TestOrder::First), (all, TestOrder::All)] {
        let job = job(draft);
        assert_eq!((job.sizes.promised(), job.options.test_order), (Some(0), order));
        assert!(job.inputs == Inputs::Size && job.is_brief());
        assert_eq!(job.options.input_experiment, InputExperiment::Off);
    }
}

/// Changes a job.
type Change = fn(&mut v1::Job);

#[test]
fn verdict_alone_excludes_every_measurement() {
    let excluded: [(&str, Change); 12] = [
        ("cannot be used with debug", |job| job.debug = true),
        ("cannot be used with instructions", |job| job.instructions = true),
        ("cannot be used with raw_samples", |job| job.raw_samples = true),
        ("cannot be used with allocations", |job| job.allocations = true),
        ("cannot be used with repetitions", |job| job.repetitions = Some(3)),
        ("cannot be used with worst", |job| job.worst = Some(WorstSearch::default())),
        ("cannot be used with advice", |job| job.advice = true),
        ("cannot be used with against", |job| {
            let code_cpp = "int main() {}".into();
            job.against = Some(v1::OtherProgram { code_cpp, ..v1::OtherProgram::default() });
        }),
        ("cannot be used with precision", |job| job.precision = Some(0.1)),
        ("cannot be used with growth FULL", |job| job.growth = v1::Growth::Full.into()),
        ("cannot be used with the schedule AUTO", |job| {
            job.input_sizes.clear();
            job.schedule = v1::Schedule::Auto.into();
        }),
        ("requires test cases", |job| job.test_cases.clear()),
    ];
    for (problem, ask) in excluded {
        let bad = Job::try_from(asking(judged_alone(), ask)).unwrap_err().to_string();
        assert!(bad.contains(&format!("reward: {problem}")), "{problem}: {bad}");
    }
}

#[test]
fn digest_stands_for_an_expected_output() {
    let with_digest = |bytes: usize, output: &str, checker: Checker| {
        let case = TestCase {
            output: output.into(),
            output_words_sha256: vec![7; bytes],
            ..TestCase::default()
        };
        asking(good(), |job| {
            job.test_cases = vec![TestCase::default(), case];
            job.checker = checker.into();
        })
    };
    let field = "test_cases[1].output_words_sha256";
    for checker in [Checker::Unspecified, Checker::Words] {
        assert_eq!(job(with_digest(32, "", checker)).test_cases.len(), 2);
        assert_eq!(bad_fields(with_digest(31, "", checker)), [field]);
        assert_eq!(bad_fields(with_digest(32, "1", checker)), [field]);
    }
    assert_eq!(
        Job::try_from(with_digest(32, "", Checker::Exact)).unwrap_err().to_string(),
        "test_cases: output_words_sha256 requires the checker WORDS"
    );
}
