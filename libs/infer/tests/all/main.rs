//! Samples of tasks as their statements show them. Each is a file: samples, and the spec that must
//! be proposed for them, or words that the refusal must have.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

use profiler_infer::{Refusal, accept, infer};
use profiler_input::{Recipe, Scope};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

struct Case {
    name: String,
    samples: Vec<String>,
    /// The spec, or the words of a refusal.
    expected: Result<String, Vec<String>>,
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).unwrap();
    let mut samples = Vec::new();
    let mut expected = None;
    for section in text.split("=== ").skip(1) {
        let (heading, body) = section.split_once('\n').unwrap();
        match heading {
            "sample" => samples.push(body.to_owned()),
            "expect" => expected = Some(Ok(body.to_owned())),
            "refuse" => expected = Some(Err(body.lines().map(str::to_owned).collect())),
            other => panic!("{}: {other}", path.display()),
        }
    }
    Case { name: path.display().to_string(), samples, expected: expected.unwrap() }
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples");
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in fs::read_dir(root).unwrap() {
        files
            .extend(fs::read_dir(folder.unwrap().path()).unwrap().map(|file| file.unwrap().path()));
    }
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn problem(case: &Case) -> Option<String> {
    let samples: Vec<&str> = case.samples.iter().map(String::as_str).collect();
    match (infer(&samples), &case.expected) {
        (Ok(proposal), Ok(yaml)) if proposal.yaml == *yaml => None,
        (Ok(proposal), Ok(yaml)) => Some(format!("{}--- instead of\n{yaml}", proposal.yaml)),
        (Ok(proposal), Err(words)) => Some(format!("{}--- and not {words:?}", proposal.yaml)),
        (Err(refusal), Ok(_)) => Some(format!("refused: {refusal}")),
        (Err(refusal), Err(words)) => {
            let said = match &refusal {
                Refusal::Ambiguous { readings, .. } => {
                    readings.iter().map(|one| &*one.yaml).collect()
                }
                other => other.to_string(),
            };
            let silent: Vec<_> = words.iter().filter(|word| !said.contains(*word)).collect();
            (!silent.is_empty()).then(|| format!("{said}--- without {silent:?}"))
        }
    }
}

#[test]
fn every_sample_is_read_right_or_refused() {
    let cases = cases();
    assert!(cases.len() >= 30, "{}", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| Some(format!("## {}\n{}", case.name, problem(case)?)))
        .collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn readings_that_are_not_shown_are_counted() {
    let refusal = infer(&["2 2\n5 5\n7 9\n4 4\n"]).unwrap_err();
    let said = refusal.to_string();
    let Refusal::Ambiguous { readings, count } = refusal else { panic!("{said}") };
    assert!(readings.len() == 6 && count > 6, "{said}");
    assert!(said.contains(&format!("in {count} ways")), "{said}");
    assert!(said.contains("these 6 likeliest specs"), "{said}");
}

/// Text that a proposal writes has the layout of the samples: the spec reads it, and reading it
/// again gives no other spec.
#[test]
fn proposals_write_what_they_accept() {
    for case in cases() {
        let samples: Vec<&str> = case.samples.iter().map(String::as_str).collect();
        let Ok(proposal) = infer(&samples) else { continue };
        for sample in samples {
            accept(&proposal.spec, sample).unwrap();
        }
        for n in [4, 9, 30] {
            let scope = Scope { size_variable: "n".into(), ..Scope::default() };
            let mut bytes = Vec::new();
            Recipe { spec: proposal.spec.clone(), scope, n }.write(&mut bytes).unwrap();
            let text = String::from_utf8(bytes).unwrap();
            let read = accept(&proposal.spec, &text);
            assert_eq!(read, Ok(()), "{} at {n}:\n{text}", case.name);
        }
    }
}

/// An input that lacks a line or a word, or has one more, is not accepted.
#[test]
fn cut_or_longer_sample_is_not_accepted() {
    let mut tried = 0;
    for case in cases() {
        let samples: Vec<&str> = case.samples.iter().map(String::as_str).collect();
        let Ok(proposal) = infer(&samples) else { continue };
        let lines: Vec<&str> = case.samples[0].lines().collect();
        let more = format!("{}1\n", case.samples[0]);
        assert!(accept(&proposal.spec, &more).is_err(), "{}:\n{more}", case.name);
        if lines.len() > 1 {
            let fewer = lines[..lines.len() - 1].join("\n");
            assert!(accept(&proposal.spec, &fewer).is_err(), "{}:\n{fewer}", case.name);
            let (first, last) = (lines[0], lines[lines.len() - 1]);
            for line in [first, last].iter().filter(|line| line.contains(' ')) {
                let cut = line.rsplit_once(' ').unwrap().0;
                let cut = case.samples[0].replacen(line, cut, 1);
                assert!(accept(&proposal.spec, &cut).is_err(), "{}:\n{cut}", case.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
}

fn any_sample() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        4 => (0..6_i64).prop_map(|number| number.to_string()),
        1 => any::<i64>().prop_map(|number| number.to_string()),
        1 => "[a-c#.]{1,4}",
    ];
    let line = prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "));
    prop::collection::vec(line, 1..8).prop_map(|lines| lines.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn proposed_spec_reads_the_sample(sample in any_sample()) {
        if let Ok(proposal) = infer(&[&sample]) {
            prop_assert_eq!(accept(&proposal.spec, &sample), Ok(()));
        }
    }

    #[test]
    fn no_text_makes_it_fail(sample in "\\PC{0,60}") {
        let _ = infer(&[&sample, &sample]);
    }
}
