//! Proposes a spec for sample inputs.

use crate::args::InputArgs;
use crate::exit::{Exit, Failure};
use crate::job_request;
use crate::output;
use crate::stderr::tell;
use profiler_infer::limits::MAX_SAMPLE_BYTES;
use profiler_infer::{Proposal, Refusal};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Prints the proposed spec, or says why there is no spec.
pub(super) fn infer(args: &InputArgs) -> Result<Exit, Failure> {
    match readings(&args.infer)? {
        Ok(readings) => {
            let chosen = chosen(&readings, args.reading)?.unwrap_or(0);
            output::print(&document(&readings, chosen, None))?;
            Ok(Exit::Done)
        }
        Err(refusal) => Ok(refuse(&refusal, &args.infer)),
    }
}

/// Infers the readings of the samples in the files, the likeliest first, or the reason why there is
/// none.
pub(super) fn readings(paths: &[PathBuf]) -> Result<Result<Vec<Proposal>, Refusal>, Failure> {
    let samples: Vec<String> = paths.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
    let inferred = profiler_infer::infer(&samples);
    Ok(inferred.map(|it| [it.proposal].into_iter().chain(it.others).collect()))
}

/// The index of the reading that `--reading` names, if it is given.
pub(super) fn chosen(
    readings: &[Proposal],
    number: Option<usize>,
) -> Result<Option<usize>, Failure> {
    match number {
        Some(number) if number == 0 || number > readings.len() => {
            let problem = format!("must be from 1 to {}, not {number}", readings.len());
            Err(Failure::argument("--reading", problem))
        }
        number => Ok(number.map(|number| number - 1)),
    }
}

/// Says why there is no spec.
pub(super) fn refuse(refusal: &Refusal, paths: &[PathBuf]) -> Exit {
    tell(format_args!("swiftprof: {}", refusal_text(refusal, paths)));
    Exit::CannotTell
}

fn read(path: &Path) -> Result<String, Failure> {
    String::from_utf8(job_request::read(path, MAX_SAMPLE_BYTES)?)
        .map_err(|_| Failure::argument("--infer", format!("{} is not text", path.display())))
}

/// Renders the chosen reading as a file, with its assumptions, the other readings, and the verdict
/// of a program.
pub(super) fn document(readings: &[Proposal], chosen: usize, verdict: Option<&str>) -> String {
    let mut text = verdict.map_or_else(String::new, |verdict| format!("# {verdict}\n"));
    let reading = &readings[chosen];
    if !reading.assumptions.is_empty() {
        text.push_str("# Assumed from the samples; change what is wrong:\n");
    }
    for assumption in &reading.assumptions {
        let _ = writeln!(text, "# - {assumption}");
    }
    if readings.len() > 1 {
        text.push_str("# Other readings of the samples, which --reading NUMBER writes:\n");
    }
    for (number, other) in (1..).zip(readings).filter(|(number, _)| *number != chosen + 1) {
        let _ = writeln!(text, "# {number}: {}", other.summary);
    }
    text + &reading.yaml
}

/// Renders a refusal with the names of files instead of their numbers.
fn refusal_text(refusal: &Refusal, paths: &[PathBuf]) -> String {
    let path = |number: usize| paths.get(number.wrapping_sub(1)).map(|path| path.display());
    match refusal {
        Refusal::Sample { number, line, problem } => match (path(*number), line) {
            (Some(path), 0) => format!("{path}: {problem}"),
            (Some(path), line) => format!("{path}: line {line}: {problem}"),
            (None, _) => refusal.to_string(),
        },
        Refusal::Unknown { number, .. } | Refusal::Differ(number) => match path(*number) {
            Some(path) => format!("{path}: {refusal}"),
            None => refusal.to_string(),
        },
        Refusal::TooMany => refusal.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::file::{self, Format};

    fn of(sample: &str) -> Vec<Proposal> {
        let inferred = profiler_infer::infer(&[sample]).unwrap();
        [inferred.proposal].into_iter().chain(inferred.others).collect()
    }

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
            let readings = of(sample);
            for (chosen, reading) in readings.iter().enumerate() {
                let text = document(&readings, chosen, Some("confirmed"));
                let read = file::parse(&text, Format::Yaml).unwrap().remove(0);
                assert_eq!(read, reading.spec, "{sample}");
                assert!(!reading.assumptions.is_empty(), "{sample}");
            }
        }
    }

    #[test]
    fn other_readings_are_comments_with_their_numbers() {
        let readings = of("3 3\n4 9 4\n");
        assert!(readings.len() > 1);
        let others = |chosen| -> Vec<String> {
            let text = document(&readings, chosen, None);
            let after = text.split_once("--reading NUMBER writes:\n").unwrap().1;
            after.lines().take_while(|line| line.starts_with("# ")).map(str::to_owned).collect()
        };
        let line = |index: usize| format!("# {}: {}", index + 1, readings[index].summary);
        let all: Vec<String> = (0..readings.len()).map(line).collect();
        assert_eq!(others(0), all[1..]);
        assert_eq!(others(all.len() - 1), all[..all.len() - 1]);
    }

    #[test]
    fn reading_is_one_of_those_that_are_there() {
        let readings = of("3 3\n4 9 4\n");
        assert_eq!(chosen(&readings, None).unwrap(), None);
        assert_eq!(chosen(&readings, Some(2)).unwrap(), Some(1));
        for number in [0, readings.len() + 1] {
            let said = chosen(&readings, Some(number)).unwrap_err().to_string();
            assert!(said.contains(&format!("from 1 to {}", readings.len())), "{said}");
        }
    }

    #[test]
    fn refusal_names_the_file() {
        let refusal = profiler_infer::infer(&["3\n1 2 x y z 4 5\n"]).unwrap_err();
        let said = refusal_text(&refusal, &["a.txt".into()]);
        assert!(said.starts_with("a.txt: ") && said.contains("`x` on line 2"), "{said}");
    }
}
