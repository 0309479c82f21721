//! `check_inputs`: shows the input that a spec makes, or what is wrong with the spec.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::read_specs;
use crate::session::Session;
use crate::tool_result::{Answer, clipped};
use profiler_core::limits::MAX_CANDIDATES;
use profiler_input::limits::MAX_N;
use profiler_input::{Plan, Problem, Scope};
use profiler_proto::file::Places;
use profiler_proto::v1::InputSpec;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Maximum number of bytes of an input that are shown.
const SHOWN_BYTES: usize = 2_048;
/// Answer about a spec with a generator, which needs a sandbox.
const GENERATED: &str = "a generator makes the input, and this tool runs nothing";
/// Maximum number of bytes that a call writes to know the lengths of its inputs. Those of longer
/// ones are estimated.
const MAX_WRITTEN_BYTES: u64 = 8 << 20;
/// Writes the beginning of each spec's input.
pub(super) async fn check_inputs(
    session: &Session,
    arguments: Arguments,
) -> Result<Answer, Failure> {
    session.in_turn(|| write_beginnings(arguments)).await?
}

fn write_beginnings(mut arguments: Arguments) -> Result<Answer, Failure> {
    arguments.need("n", "a whole number");
    let n = arguments.number("n", 0..=MAX_N);
    let n_max = arguments.number("n_max", 0..=MAX_N);
    arguments.need("input_spec", "a spec in YAML or JSON");
    let value = arguments.value("input_spec");
    arguments.end()?;
    let n = n.unwrap_or_default();
    let scope = Scope::of_size(n_max);
    let (specs, text) = match read_specs(value.unwrap_or_default()) {
        Ok(read) => read,
        Err(problems) => return Ok(wrong(&problems)),
    };
    if specs.len() > MAX_CANDIDATES {
        let problem = format!("must have at most {MAX_CANDIDATES} specs, not {}", specs.len());
        return Ok(wrong(&[problem]));
    }
    if specs.iter().any(|spec| !spec.generator.is_empty()) {
        let structured = json!({ "ok": false, "problems": [GENERATED] });
        let answer = Answer::new(GENERATED, structured);
        return Ok(answer.then("call profile or check with this input_spec"));
    }
    let places = Places::new(&text);
    let (mut inputs, mut problems, mut left) = (Vec::new(), Vec::new(), MAX_WRITTEN_BYTES);
    for (index, spec) in specs.iter().enumerate() {
        match written(spec, &scope, n, &mut left) {
            Ok(input) => inputs.push(input),
            Err(found) => problems.extend(found.iter().map(|problem| {
                let at = places.in_spec("", index, &problem.path).filter(|_| !text.is_empty());
                let at = at.map(|at| format!("{at}: ")).unwrap_or_default();
                format!("{at}{problem}")
            })),
        }
    }
    if !problems.is_empty() {
        return Ok(wrong(&problems));
    }
    let lengths: Vec<_> = inputs.iter().map(|input| input["bytes"].to_string()).collect();
    let summary =
        format!("the spec is right: the input of n = {n} has {} bytes", lengths.join(", "));
    let answer = Answer::new(&summary, json!({ "ok": true, "n": n, "inputs": inputs }));
    Ok(answer.then("call profile or check with this input_spec"))
}

/// Answers that a spec is wrong. The call itself is not an error, because this tool exists to find
/// that out.
fn wrong(problems: &[String]) -> Answer {
    let first = problems.first().map(String::as_str).unwrap_or_default();
    let summary = format!("the spec is wrong: {first}");
    Answer::new(&summary, json!({ "ok": false, "problems": problems })).then("correct the spec")
}

/// Returns the beginning of the input, or the problems of the spec. Takes what it writes from
/// `left`.
fn written(spec: &InputSpec, scope: &Scope, n: u64, left: &mut u64) -> Result<Value, Vec<Problem>> {
    let mut beginning = Beginning { shown: Vec::new(), bytes: 0, most: *left };
    match Plan::new(spec, scope)?.write(n, &mut beginning) {
        Err(profiler_input::Failure::Spec(problems)) => return Err(problems),
        // `Beginning` ends the writing on purpose.
        Ok(_) | Err(profiler_input::Failure::Write(_)) => {}
    }
    let is_longer = beginning.bytes > beginning.most;
    *left = left.saturating_sub(beginning.bytes);
    let text = String::from_utf8_lossy(&beginning.shown);
    Ok(json!({
        "name": spec.name,
        "bytes": beginning.bytes,
        "is_longer": is_longer,
        "beginning": clipped(&text, SHOWN_BYTES),
    }))
}

/// Keeps the first bytes and counts all of them, up to `most`.
#[derive(Debug)]
struct Beginning {
    shown: Vec<u8>,
    bytes: u64,
    most: u64,
}

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes > self.most {
            return Err(io::ErrorKind::StorageFull.into());
        }
        // One byte more than is shown makes `clipped` end the text with its mark.
        let room = (SHOWN_BYTES + 1).saturating_sub(self.shown.len());
        self.shown.extend_from_slice(&bytes[..room.min(bytes.len())]);
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::DEFAULT_ANSWER_LIMIT;
    use crate::tool_result::object;
    use profiler_client::Client;
    use tonic::transport::Endpoint;

    fn check(given: Value) -> Result<Answer, Failure> {
        write_beginnings(Arguments::new(object(given), &["input_spec", "n", "n_max"]))
    }

    const ARRAY: &str = "vars: [{name: a, array: {len: n, min: 1, max: n_max}}]
layout: [{line: {items: [n]}}, {line: {items: [a]}}]";

    #[test]
    fn beginning_of_an_input_is_shown() {
        let answer = check(json!({ "input_spec": ARRAY, "n": 3, "n_max": 9 })).unwrap();
        let input = &answer.structured["inputs"][0];
        let text = input["beginning"].as_str().unwrap();
        assert!(text.starts_with("3\n") && text.ends_with('\n'), "{text:?}");
        assert_eq!(input["bytes"], text.len());
        assert_eq!(answer.structured["ok"], true);
    }

    #[test]
    fn long_input_is_cut() {
        let answer = check(json!({ "input_spec": ARRAY, "n": 50_000_000, "n_max": 9 })).unwrap();
        let input = &answer.structured["inputs"][0];
        assert!(input["beginning"].as_str().is_some_and(|text| text.len() <= SHOWN_BYTES));
        assert_eq!(input["is_longer"], true);
    }

    #[test]
    fn specs_of_a_call_share_what_it_writes() {
        let spec = |name| {
            let array = json!({ "name": "a", "array": { "len": "n", "min": "1", "max": "9" } });
            json!({ "name": name, "vars": [array], "layout": [{ "line": { "items": ["a"] } }] })
        };
        let specs = |count| (0..count).map(|at| spec(format!("s{at}"))).collect::<Vec<_>>();
        let given = json!({ "input_spec": specs(MAX_CANDIDATES), "n": 2_000_000 });
        let answer = check(given).unwrap();
        let (_, lengths) = answer.summary.split_once(" has ").unwrap();
        let lengths = lengths.split(|it: char| !it.is_ascii_digit());
        let lengths: Vec<u64> = lengths.filter_map(|it| it.parse().ok()).collect();
        assert_eq!((lengths.len(), lengths[0]), (MAX_CANDIDATES, 4_000_000));
        assert!(lengths.iter().sum::<u64>() < 2 * MAX_WRITTEN_BYTES, "{lengths:?}");
        assert!(lengths.iter().all(|it| *it > SHOWN_BYTES as u64), "{lengths:?}");
        let answer = check(json!({ "input_spec": specs(MAX_CANDIDATES + 1), "n": 1 })).unwrap();
        assert!(answer.summary.contains("at most 8 specs, not 9"), "{answer:?}");
    }

    #[tokio::test]
    async fn inputs_are_written_beside_other_tasks() {
        let client = Client::over(Endpoint::from_static("http://nowhere").connect_lazy());
        let session = Session::new(client, DEFAULT_ANSWER_LIMIT);
        let given = object(json!({ "input_spec": ARRAY, "n": 50_000_000, "n_max": 9 }));
        let arguments = Arguments::new(given, &["input_spec", "n", "n_max"]);
        let mut call = Box::pin(check_inputs(&session, arguments));
        assert!(futures::poll!(&mut call).is_pending(), "another thread writes");
        assert_eq!(call.await.unwrap().structured["ok"], true);
    }

    #[test]
    fn wrong_spec_is_a_result_with_its_place() {
        let answer = check(json!({ "input_spec": ARRAY, "n": 3 })).unwrap();
        assert!(!answer.is_error);
        assert_eq!(answer.structured["ok"], false);
        assert!(answer.summary.contains("line 1, column 47: vars[0].array.max: "), "{answer:?}");
        let spec = json!({ "layout": [{ "lin": {} }] });
        let answer = check(json!({ "input_spec": spec, "n": 3 })).unwrap();
        assert!(answer.summary.contains("`lin` is not a field"), "{answer:?}");
    }

    #[test]
    fn generator_is_not_called_wrong() {
        let spec = json!({ "generator": "int main() {\n}" });
        let answer = check(json!({ "input_spec": spec, "n": 3 })).unwrap();
        assert_eq!(answer.structured["problems"], json!([GENERATED]));
        assert!(!answer.summary.contains("is wrong"), "{answer:?}");
    }

    #[test]
    fn missing_arguments_are_named() {
        let Err(Failure::Arguments(problems)) = check(json!({})) else { panic!("accepted") };
        assert_eq!(
            problems.iter().map(|it| it.argument.as_str()).collect::<Vec<_>>(),
            ["n", "input_spec"]
        );
    }
}
