//! Folders of test cases, as people have them: `1.in` with `1.out`, `1.ans` or `1.a`.

use super::source::{read, with_extension};
use crate::exit::Failure;
use profiler_core::error::Violation;
use profiler_core::limits::{MAX_ANSWER_BYTES, MAX_INPUT_BYTES, MAX_TEST_CASES};
use profiler_proto::v1::TestCase;
use std::path::{Path, PathBuf};

/// Extension of an input.
const INPUT: &str = "in";
/// Extensions of the expected output.
const OUTPUTS: [&str; 3] = ["out", "ans", "a"];

/// Reads the test cases in a folder, in the order of their names: 2.in comes before 10.in. Names
/// all files that are wrong.
pub(super) fn read_tests(folder: &Path) -> Result<Vec<TestCase>, Failure> {
    let inputs = inputs(folder)?;
    let (mut cases, mut wrong) = (Vec::new(), Vec::new());
    for input in inputs {
        match case(&input)? {
            Ok(case) => cases.push(case),
            Err(violation) => wrong.push(violation),
        }
    }
    if wrong.is_empty() { Ok(cases) } else { Err(Failure::Arguments(wrong.into_iter().collect())) }
}

/// The paths of the inputs, in order.
fn inputs(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found = with_extension(folder, INPUT)?;
    if !(1..=MAX_TEST_CASES).contains(&found.len()) {
        let problem = format!(
            "must have 1 to {MAX_TEST_CASES} test cases with names such as 1.{INPUT} and 1.{}, not {}",
            OUTPUTS[0],
            found.len()
        );
        return Err(Failure::argument(folder.display().to_string(), problem));
    }
    found.sort_by_cached_key(|path| order(path));
    Ok(found)
}

/// Sort key that orders names by the numbers at their ends: a shorter number comes first.
fn order(path: &Path) -> (String, usize, String) {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let number = stem[word.len()..].trim_start_matches('0').to_owned();
    (word, number.len(), number)
}

/// The test case of an input, or what is wrong with it.
fn case(path: &Path) -> Result<Result<TestCase, Violation>, Failure> {
    let outputs = OUTPUTS.map(|extension| path.with_extension(extension));
    let Some(output) = outputs.iter().find(|output| output.is_file()) else {
        let [out, ans, a] = OUTPUTS;
        let problem = format!("must have an expected output: .{out}, .{ans} or .{a}");
        return Ok(Err(Violation { field: path.display().to_string(), problem }));
    };
    let [input, output] = [(path, MAX_INPUT_BYTES), (output.as_path(), MAX_ANSWER_BYTES)]
        .map(|(path, limit)| Ok::<_, Failure>(text(path, read(path, limit)?, limit)));
    let (input, output) = (input?, output?);
    Ok(input.and_then(|input| Ok(TestCase { input, output: output?, ..TestCase::default() })))
}

fn text(path: &Path, bytes: Vec<u8>, limit: usize) -> Result<String, Violation> {
    let wrong = |problem| Violation { field: path.display().to_string(), problem };
    if bytes.len() > limit {
        return Err(wrong(format!("must have at most {limit} bytes")));
    }
    String::from_utf8(bytes).map_err(|error| {
        wrong(format!("is not UTF-8 at byte {}", error.utf8_error().valid_up_to()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        folder
    }

    fn refused(files: &[(&str, &[u8])]) -> String {
        read_tests(folder(files).path()).unwrap_err().to_string()
    }

    #[test]
    fn cases_are_in_the_order_of_their_numbers() {
        let files: [(&str, &[u8]); 8] = [
            ("10.in", b"10"),
            ("10.out", b"x"),
            ("2.in", b"2"),
            ("2.ans", b"y"),
            ("01.in", b"1"),
            ("01.a", b"z"),
            ("notes.txt", b""),
            ("3.out", b""),
        ];
        let cases = read_tests(folder(&files).path()).unwrap();
        let pairs: Vec<_> =
            cases.iter().map(|it| (it.input.as_str(), it.output.as_str())).collect();
        assert_eq!(pairs, [("1", "z"), ("2", "y"), ("10", "x")]);
    }

    #[test]
    fn every_file_that_is_wrong_is_named() {
        let long = vec![b'1'; MAX_ANSWER_BYTES + 1];
        let said = refused(&[
            ("1.in", b"1"),
            ("2.in", b"1"),
            ("2.out", b"a\xff"),
            ("3.in", b"1"),
            ("3.out", &long),
            ("4.in", b"1"),
            ("4.out", b"1"),
        ]);
        let lines: Vec<_> = said.lines().map(|line| line.rsplit('/').next().unwrap()).collect();
        assert_eq!(
            lines,
            [
                "1.in: must have an expected output: .out, .ans or .a",
                "2.out: is not UTF-8 at byte 1",
                "3.out: must have at most 16777216 bytes",
            ]
        );
    }

    #[test]
    fn folder_without_test_cases_is_refused() {
        let said = refused(&[("1.txt", b"")]);
        assert!(said.contains("must have 1 to 10000 test cases"), "{said}");
    }
}
