//! Test cases in JSON Lines: an object on each line.

use crate::content;
use crate::error::Error;
use profiler_core::error::Violations;
use profiler_core::limits::MAX_TEST_CASES;
use profiler_export::readable;
use profiler_proto::file::BYTE_ORDER_MARK;
use profiler_proto::task::{MAX_TASK_BYTES, test_case};
use profiler_proto::v1::TestCase;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::fs;
use std::path::Path;

/// Allowed content of a line.
const ALLOWED: &str = "a line must be an object with input, and either output or \
                       output_words_sha256; explanation is ignored";

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    input: String,
    output: Option<String>,
    output_words_sha256: Option<String>,
    /// An explanation, as tasks of SwiftSolve have it.
    #[serde(rename = "explanation")]
    _explanation: Option<IgnoredAny>,
}

pub(super) fn read(path: &Path) -> Result<Vec<TestCase>, Error> {
    let name = || path.display().to_string();
    let limit = usize::try_from(MAX_TASK_BYTES).unwrap_or(usize::MAX);
    let text = content::text(content::read(path, limit)?, limit);
    let text = text.map_err(|problem| Error::wrong(name(), problem))?;
    let lines = numbered(&text);
    let count = lines.clone().count();
    if !(1..=MAX_TEST_CASES).contains(&count) {
        let problem = format!("must have 1 to {MAX_TEST_CASES} lines, not {count}: {ALLOWED}");
        return Err(Error::wrong(name(), problem));
    }
    let (mut cases, mut bad) = (Vec::new(), Violations::default());
    for (line, number) in lines {
        match case(line) {
            Ok(case) => cases.push(case),
            Err(problem) => bad.add(name(), format!("line {number}{problem}")),
        }
    }
    Ok(bad.or(cases)?)
}

/// Returns the number of the line with a test case, from the index of the test case.
pub(super) fn line_of(path: &Path, index: usize) -> Option<usize> {
    let text = fs::read_to_string(path).ok()?;
    numbered(&text).nth(index).map(|(_, number)| number)
}

/// Returns the lines that are not blank, each with its number.
fn numbered(text: &str) -> impl Iterator<Item = (&str, usize)> + Clone {
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
    text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty())
}

/// Reads a line, or describes the problem after the number of the line.
fn case(line: &str) -> Result<TestCase, String> {
    let Line { input, output, output_words_sha256, .. } =
        serde_json::from_str(line).map_err(|error| {
            let place = format!(" at line {} column {}", error.line(), error.column());
            let said = error.to_string();
            let said = readable(said.strip_suffix(&place).unwrap_or(&said));
            format!(", column {}: {said}; {ALLOWED}", error.column())
        })?;
    test_case(input, output, output_words_sha256.as_deref())
        .map_err(|problem| format!(": {problem}"))
}
