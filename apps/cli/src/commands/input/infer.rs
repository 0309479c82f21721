//! Proposes a spec for sample inputs.

use crate::exit::{Exit, Failure};
use crate::job_request;
use crate::output;
use crate::stderr::tell;
use profiler_infer::limits::MAX_SAMPLE_BYTES;
use profiler_infer::{Proposal, Refusal};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Prints the proposed spec, or says why there is no spec.
pub(super) fn infer(paths: &[PathBuf]) -> Result<Exit, Failure> {
    match inferred(paths)? {
        Ok(proposal) => {
            output::print(&document(&proposal, None))?;
            Ok(Exit::Done)
        }
        Err(refusal) => Ok(refuse(&refusal, paths, &[])),
    }
}

/// Infers the spec of the samples in the files, or the reason why there is no spec.
pub(super) fn inferred(paths: &[PathBuf]) -> Result<Result<Proposal, Refusal>, Failure> {
    let samples: Vec<String> = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    Ok(profiler_infer::infer(&samples))
}

/// Says why there is no spec. `verdicts` has the verdict on each reading, if there are several.
pub(super) fn refuse(refusal: &Refusal, paths: &[PathBuf], verdicts: &[String]) -> Exit {
    tell(format_args!("{}", complaint(&refusal_text(refusal, paths, verdicts))));
    Exit::CannotTell
}

/// Indents all lines after the first, so that a message of several lines looks like one message.
fn complaint(text: &str) -> String {
    let indented = |line: &str| if line.is_empty() { String::new() } else { format!("  {line}") };
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    rest.lines().fold(format!("swiftprof: {first}"), |said, line| said + "\n" + &indented(line))
}

fn read(path: &Path) -> Result<String, Failure> {
    String::from_utf8(job_request::read(path, MAX_SAMPLE_BYTES)?)
        .map_err(|_| Failure::argument("--infer", format!("{} is not text", path.display())))
}

/// Renders the spec as a file, with the assumptions and the verdict of a program.
pub(super) fn document(proposal: &Proposal, verdict: Option<&str>) -> String {
    let mut text = verdict.map_or_else(String::new, |verdict| format!("# {verdict}\n"));
    if !proposal.assumptions.is_empty() {
        text.push_str("# Assumed from the samples; change what is wrong:\n");
    }
    for assumption in &proposal.assumptions {
        let _ = writeln!(text, "# - {assumption}");
    }
    text + &proposal.yaml
}

/// Renders a refusal with the names of files instead of their numbers, and each reading as a spec.
fn refusal_text(refusal: &Refusal, paths: &[PathBuf], verdicts: &[String]) -> String {
    let path = |number: usize| paths.get(number.wrapping_sub(1)).map(|path| path.display());
    match refusal {
        Refusal::Sample { number, line, problem } => match (path(*number), line) {
            (Some(path), 0) => format!("{path}: {problem}"),
            (Some(path), line) => format!("{path}: line {line}: {problem}"),
            (None, _) => refusal.to_string(),
        },
        Refusal::Unknown(number) | Refusal::Differ(number) => match path(*number) {
            Some(path) => format!("{path}: {refusal}"),
            None => refusal.to_string(),
        },
        Refusal::Ambiguous { readings, .. } => {
            let mut text = refusal.to_string();
            for (at, reading) in readings.iter().enumerate() {
                let verdict = verdicts.get(at).map_or_else(String::new, |it| format!(": {it}"));
                let _ =
                    write!(text, "\n\n# reading {}{verdict}\n{}", at + 1, reading.yaml.trim_end());
            }
            text
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::file::{self, Format};

    /// The printed spec is the one that was checked against the sample.
    #[test]
    fn printed_spec_is_the_proposed_one() {
        for sample in [
            "5\n3 1 4 1 5\n",
            "4 5\n1 2 7\n2 3 1\n1 3 9\n3 4 2\n2 4 8\n",
            "3 4\n..#.\n#.\\\"\n..#.\n",
            "2\n3\n1 5 2\n4\n8 8 1 3\n",
            "5 6\n7 2 9 4 7\n1 3 10\n2 1 4\n1 5 6\n2 2 5\n2 3 3\n1 1 8\n",
        ] {
            let proposal = profiler_infer::infer(&[sample]).unwrap();
            let read = file::parse(&document(&proposal, Some("confirmed")), Format::Yaml)
                .unwrap()
                .remove(0);
            assert_eq!(read, proposal.spec, "{sample}");
            assert!(!proposal.assumptions.is_empty(), "{sample}");
        }
    }

    #[test]
    fn refusal_is_one_message() {
        let refusal = profiler_infer::infer(&["3 3\n4 9 4\n"]).unwrap_err();
        let verdicts = ["not confirmed: P.cpp asks for more".to_owned()];
        let said = complaint(&refusal_text(&refusal, &[], &verdicts));
        let lines: Vec<&str> = said.lines().collect();
        assert!(lines[0].starts_with("swiftprof: the samples can be read in 2 ways"), "{said}");
        assert!(lines[1..].iter().all(|line| line.is_empty() || line.starts_with("  ")), "{said}");
        assert_eq!(lines[2], "  # reading 1: not confirmed: P.cpp asks for more");
        assert!(lines.contains(&"  # reading 2"), "{said}");
        let one = Refusal::NothingGrows;
        assert_eq!(complaint(&refusal_text(&one, &[], &[])), format!("swiftprof: {one}"));
    }
}
