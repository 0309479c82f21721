//! Test cases of a job, and the checker of the answers.

use crate::arguments::Arguments;
use profiler_proto::options::{JobOption, Kind, of_field};
use profiler_proto::v1::{CheckerProgram, Job, TestCase};
use serde_json::Value;

/// Argument with the test cases.
const TESTS: &str = "tests";
/// Argument with the checker, and field of a job with the checker's word.
const CHECKER: &str = "checker";
/// Character that each program in C++ has, and no word.
const BODY: char = '{';
/// Input of a test, and the expected output if there is one.
type Test = (String, Option<String>);
/// Shape of the test cases, in a refusal.
pub(crate) const TESTS_SHAPE: &str = r#"[{"input": "1 2\n", "output": "3\n"}]"#;

/// Sets the test cases and the checker that the arguments ask for. Returns the inputs of tests
/// without an expected output, which are no test cases.
pub(super) fn read_test_cases(job: &mut Job, arguments: &mut Arguments) -> Vec<String> {
    let (judged, unjudged): (Vec<_>, Vec<_>) =
        tests(arguments).into_iter().partition(|test| test.1.is_some());
    if !judged.is_empty() && !unjudged.is_empty() {
        arguments.refuse(TESTS, "must all have an output, or none");
    }
    let case = |(input, output): Test| TestCase {
        input,
        output: output.unwrap_or_default(),
        ..TestCase::default()
    };
    job.test_cases = judged.into_iter().map(case).collect();
    set_checker(job, arguments);
    unjudged.into_iter().map(|(input, _)| input).collect()
}

fn set_checker(job: &mut Job, arguments: &mut Arguments) {
    let Some(given) = arguments.text(CHECKER) else { return };
    let Some(JobOption { kind: Kind::Choice { values, set, .. }, .. }) = of_field(CHECKER) else {
        return;
    };
    if let Some(value) = values.iter().find(|value| value.word == given) {
        set(job, value.number);
    } else if given.contains(BODY) {
        job.checker_program = Some(CheckerProgram { code_cpp: given, ..CheckerProgram::default() });
    } else {
        let words: Vec<_> = values.iter().map(|value| value.word).collect();
        let problem = format!("must be one of {}, or a program in C++", words.join(", "));
        arguments.refuse(CHECKER, problem);
    }
}

/// Reads the tests. Each one that is wrong is named.
fn tests(arguments: &mut Arguments) -> Vec<Test> {
    let Some(given) = arguments.value(TESTS) else { return Vec::new() };
    let Value::Array(given) = given else {
        arguments.refuse(TESTS, format!("must be a list such as {TESTS_SHAPE}"));
        return Vec::new();
    };
    let read = given.iter().enumerate().filter_map(|(at, value)| {
        let test = test(value);
        if test.is_none() {
            let problem = "must be an object with two strings, input and output";
            arguments.refuse(&format!("{TESTS}[{at}]"), problem);
        }
        test
    });
    read.collect()
}

fn test(value: &Value) -> Option<Test> {
    let fields = value.as_object()?;
    let input = fields.get("input")?.as_str()?;
    let output = match fields.get("output") {
        Some(output) => Some(output.as_str()?.to_owned()),
        None => None,
    };
    (fields.len() == 1 + usize::from(output.is_some())).then(|| (input.into(), output))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::Failure;
    use crate::tool_result::object;
    use profiler_proto::v1::Checker;
    use serde_json::json;

    fn read(given: Value) -> Result<Job, Vec<String>> {
        let mut arguments = Arguments::new(object(given), &[TESTS, CHECKER]);
        let mut job = Job::default();
        read_test_cases(&mut job, &mut arguments);
        match arguments.end() {
            Ok(()) => Ok(job),
            Err(Failure::Arguments(problems)) => {
                Err(problems.iter().map(ToString::to_string).collect())
            }
            Err(Failure::Fault(cause)) => panic!("{cause}"),
        }
    }

    #[test]
    fn checker_is_a_word_or_a_program() {
        let tests = json!([{ "input": "1 2", "output": "3" }]);
        let job = read(json!({ "tests": tests, "checker": "numbers" })).unwrap();
        assert_eq!((job.test_cases[0].input.as_str(), job.checker()), ("1 2", Checker::Numbers));
        assert_eq!((job.test_cases[0].output.as_str(), job.checker_program), ("3", None));
        let code = "int main() { return 0; }";
        let job = read(json!({ "tests": tests, "checker": code })).unwrap();
        assert_eq!(job.checker_program.map(|it| it.code_cpp).as_deref(), Some(code));
        assert_eq!(job.checker, 0);
        assert_eq!(read(json!({})).unwrap(), Job::default());
    }

    #[test]
    fn wrong_test_case_and_unknown_checker_are_named() {
        let tests = json!([
            { "input": "1 2", "output": "3" },
            { "input": "1 2", "output": 3 },
            { "input": "1 2", "expected": "3" },
            { "input": "1 2", "output": "3", "name": "a" },
        ]);
        let shape = "must be an object with two strings, input and output";
        let mut said: Vec<_> = (1..=3).map(|at| format!("tests[{at}]: {shape}")).collect();
        let words = "words, exact, caseless, numbers";
        said.push(format!("checker: must be one of {words}, or a program in C++"));
        assert_eq!(read(json!({ "tests": tests, "checker": "number" })), Err(said));
        let mixed = json!([{ "input": "1" }, { "input": "2", "output": "2" }]);
        let said = "tests: must all have an output, or none".into();
        assert_eq!(read(json!({ "tests": mixed })), Err(vec![said]));
        let said = format!("tests: must be a list such as {TESTS_SHAPE}");
        assert_eq!(read(json!({ "tests": "1 2" })), Err(vec![said]));
    }
}
