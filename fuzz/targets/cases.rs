//! A file of test cases, as an archive and as JSON Lines: accepted cases are within the limits, and
//! a refusal has no character that acts on a terminal.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_cases::{line_of, read};
use profiler_core::limits::{MAX_TEST_CASES, MAX_TESTS_BYTES};
use std::fs;

/// Extensions of the formats, and whether each test case is on a line of its own.
const FORMATS: [(&str, bool); 2] = [("zip", false), ("jsonl", true)];

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let folder = tempfile::tempdir().expect("a folder can be made");
    for (extension, has_lines) in FORMATS {
        let file = folder.path().join("tests").with_extension(extension);
        fs::write(&file, bytes).expect("a file can be written");
        match read(&file) {
            Ok(cases) => {
                assert!((1..=MAX_TEST_CASES).contains(&cases.len()), "{}", cases.len());
                let lengths = cases.iter().map(|case| case.input.len() + case.output.len());
                assert!(lengths.sum::<usize>() <= MAX_TESTS_BYTES);
                assert_eq!(line_of(&file, cases.len() - 1).is_some(), has_lines);
                assert_eq!(line_of(&file, cases.len()), None);
            }
            Err(error) => {
                let said = error.to_string();
                let acts = |c: char| c.is_control() && c != '\n' && c != '\t';
                assert!(!said.is_empty() && !said.contains(acts), "{said:?}");
            }
        }
    }
    Corpus::Keep
});
