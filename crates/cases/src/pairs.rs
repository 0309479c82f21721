//! Test cases whose inputs and outputs are files of their own: `1.in` with `1.out`, `1.ans` or
//! `1.a`.

use crate::content::text;
use crate::error::Error;
use profiler_core::error::Violations;
use profiler_core::limits::{MAX_ANSWER_BYTES, MAX_INPUT_BYTES, MAX_TEST_CASES, MAX_TESTS_BYTES};
use profiler_export::readable;
use profiler_proto::v1::TestCase;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Extension of an input.
const INPUT: &str = "in";
/// Extensions of the expected output.
const OUTPUTS: [&str; 3] = ["out", "ans", "a"];
/// Name that compilers give to a program.
const COMPILED: &str = "a.out";

/// Whether a file can belong to a test case.
pub(super) fn belongs(name: &Path) -> bool {
    is_input(name) || name.extension().is_some_and(|it| OUTPUTS.iter().any(|output| it == *output))
}

pub(super) fn is_input(name: &Path) -> bool {
    name.extension().is_some_and(|it| it == INPUT)
}

/// Reads the test cases among the files of a folder or archive, in the order of their names: 2.in
/// comes before 10.in. Names the files that are wrong. Of a file that is longer than the limit,
/// `read` returns one byte more.
pub(super) fn cases<T>(
    place: &Path,
    files: &BTreeMap<PathBuf, T>,
    mut read: impl FnMut(&Path, &T, usize) -> Result<Vec<u8>, Error>,
) -> Result<Vec<TestCase>, Error> {
    let (mut cases, mut bad, mut total) = (Vec::new(), Violations::default(), 0);
    let inputs = inputs(place, files)?;
    let kinds = inputs.iter().map(|(name, _)| kind(name)).collect();
    for name in files.keys().filter(|name| lacks_input(name, files, &kinds)) {
        bad.add(shown(place, name), format!("must have an input: .{INPUT}"));
    }
    for input in inputs {
        let outputs = OUTPUTS.map(|extension| input.0.with_extension(extension));
        let found: Vec<_> = outputs.iter().filter_map(|name| files.get_key_value(name)).collect();
        let &[output] = found.as_slice() else {
            let [out, ans, a] = OUTPUTS;
            let one = if found.is_empty() { "an" } else { "only one" };
            let problem = format!("must have {one} expected output: .{out}, .{ans} or .{a}");
            bad.add(shown(place, input.0), problem);
            continue;
        };
        let mut content = |(name, file): (&PathBuf, &T), limit| {
            let bytes = read(name, file, limit)?;
            total += bytes.len();
            Ok::<_, Error>(text(bytes, limit).map_err(|problem| (shown(place, name), problem)))
        };
        match (content(input, MAX_INPUT_BYTES)?, content(output, MAX_ANSWER_BYTES)?) {
            (Ok(input), Ok(output)) => {
                cases.push(TestCase { input, output, ..TestCase::default() });
            }
            (input, output) => {
                let faults = [input.err(), output.err()].into_iter().flatten();
                faults.for_each(|(field, problem)| bad.add(field, problem));
            }
        }
        if total > MAX_TESTS_BYTES {
            return Err(too_long(place));
        }
    }
    Ok(bad.or(cases)?)
}

/// The inputs, in order.
fn inputs<'f, T>(
    place: &Path,
    files: &'f BTreeMap<PathBuf, T>,
) -> Result<Vec<(&'f PathBuf, &'f T)>, Error> {
    let mut found: Vec<_> = files.iter().filter(|(name, _)| is_input(name)).collect();
    if !(1..=MAX_TEST_CASES).contains(&found.len()) {
        let problem = format!(
            "must have 1 to {MAX_TEST_CASES} test cases with names such as 1.{INPUT} and 1.{}, not {}",
            OUTPUTS[0],
            found.len()
        );
        return Err(Error::wrong(place.display().to_string(), problem));
    }
    found.sort_by_cached_key(|(name, _)| order(name));
    Ok(found)
}

/// Whether a file is the expected output of a test case whose input is missing: its name is like
/// that of one of the inputs, which are of these `kinds`. The program `a.out` belongs to no test
/// case.
fn lacks_input<T>(
    name: &Path,
    files: &BTreeMap<PathBuf, T>,
    kinds: &BTreeSet<(bool, String)>,
) -> bool {
    let is_program = name.file_name().is_some_and(|it| it == COMPILED);
    let has_input = files.contains_key(&name.with_extension(INPUT));
    !is_program && !has_input && kinds.contains(&kind(name))
}

/// Returns what names of one kind share: whether they end in a number, and the folder. Names with
/// numbers also share the word before it.
fn kind(name: &Path) -> (bool, String) {
    let (word, number) = parts(name);
    let folder = || name.parent().unwrap_or(name).to_string_lossy().into_owned();
    if number.is_empty() { (false, folder()) } else { (true, word) }
}

/// Splits a path without its extension before the number at its end.
fn parts(name: &Path) -> (String, String) {
    let stem = name.with_extension("").to_string_lossy().into_owned();
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let number = stem[word.len()..].to_owned();
    (word, number)
}

/// Sort key that orders names by the numbers at their ends: a shorter number comes first.
fn order(name: &Path) -> (String, usize, String) {
    let (word, number) = parts(name);
    let number = number.trim_start_matches('0').to_owned();
    (word, number.len(), number)
}

/// Returns the name of a file in messages.
pub(super) fn shown(place: &Path, name: &Path) -> String {
    readable(&place.join(name).display().to_string())
}

/// Returns the refusal of test cases that are too long together.
pub(super) fn too_long(place: &Path) -> Error {
    let problem = format!("must have at most {MAX_TESTS_BYTES} bytes of inputs and outputs");
    Error::wrong(place.display().to_string(), problem)
}
