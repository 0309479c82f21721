//! Samples of tasks as their statements show them. In `samples`, a file has samples and the spec that
//! must be proposed for them, or words that the refusal must have. In `statements`, a file has many
//! samples of one shape, each with the reading that is right.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod properties;

use profiler_infer::limits::MAX_PROPOSALS;
use profiler_infer::{Refusal, accept, infer};
use profiler_input::{Recipe, Scope};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Case {
    name: String,
    samples: Vec<String>,
    /// The spec of the likeliest reading.
    spec: Option<String>,
    /// Words that other readings must have.
    others: Vec<String>,
    /// Words that the assumptions must have.
    assumed: Vec<String>,
    /// Words that the refusal must have.
    refusal: Vec<String>,
}

fn read(path: &Path) -> Case {
    let text = fs::read_to_string(path).unwrap();
    let mut case = Case { name: path.display().to_string(), ..Case::default() };
    for section in text.split("=== ").skip(1) {
        let (heading, body) = section.split_once('\n').unwrap();
        let words = || body.lines().map(str::to_owned).collect();
        match heading {
            "sample" => case.samples.push(body.to_owned()),
            "expect" => case.spec = Some(body.to_owned()),
            "others" => case.others = words(),
            "assume" => case.assumed = words(),
            "refuse" => case.refusal = words(),
            other => panic!("{}: {other}", path.display()),
        }
    }
    case
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
    let lacks = |text: &str, words: &[String]| {
        let silent: Vec<_> = words.iter().filter(|word| !text.contains(*word)).collect();
        (!silent.is_empty()).then(|| format!("{text}--- without {silent:?}"))
    };
    match (infer(&samples), &case.spec) {
        (Ok(inferred), Some(spec)) => {
            let yaml = &inferred.proposal.yaml;
            let others: String = inferred.others.iter().map(|one| one.yaml.as_str()).collect();
            let other = (yaml != spec).then(|| format!("{yaml}--- instead of\n{spec}"));
            other
                .or_else(|| lacks(&others, &case.others))
                .or_else(|| lacks(&inferred.proposal.assumptions.join("\n"), &case.assumed))
        }
        (Ok(inferred), None) => Some(format!("{}--- is no refusal", inferred.proposal.yaml)),
        (Err(refusal), Some(_)) => Some(format!("refused: {refusal}")),
        (Err(refusal), None) => lacks(&refusal.to_string(), &case.refusal),
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

/// The samples of `statements` that are marked as right are read right, and the others are not.
#[test]
fn statements_are_read_right_at_the_first_try() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/statements");
    let (mut all, mut right, mut wrong) = (0, 0, Vec::new());
    for file in fs::read_dir(root).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        for section in text.split("=== ").skip(1) {
            let (heading, sample) = section.split_once('\n').unwrap();
            let (marked, expected) = heading.split_once(": ").unwrap();
            let read = infer(&[sample]).map_or_else(|it| it.to_string(), |it| it.proposal.summary);
            all += 1;
            right += usize::from(read == expected);
            if (read == expected) != (marked == "right") {
                wrong.push(format!("{marked}: {expected}\n{sample}--- is read as {read}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(right * 10 >= all * 9 && all >= 60, "{right} of {all}");
}

#[test]
fn proposals_are_few_and_differ() {
    let inferred = infer(&["2 2\n5 5\n7 9\n4 4\n"]).unwrap();
    let mut specs: Vec<&str> = inferred.others.iter().map(|one| one.yaml.as_str()).collect();
    specs.push(&inferred.proposal.yaml);
    assert!(specs.len() > 2 && specs.len() <= MAX_PROPOSALS, "{specs:#?}");
    specs.sort_unstable();
    specs.dedup();
    assert_eq!(specs.len(), inferred.others.len() + 1);
}

#[test]
fn order_of_samples_does_not_matter() {
    let (small, large) = ("2 1\n1 2\n", "5 6\n1 2\n2 3\n4 5\n1 3\n3 4\n5 1\n");
    let read = |samples: [&str; 2]| infer(&samples).unwrap().proposal.yaml;
    assert_eq!(read([small, large]), read([large, small]));
}

#[test]
fn sample_of_no_reading_is_refused_at_the_word_where_all_fail() {
    let refused = |sample| infer(&["2\n5 7\n", sample]).unwrap_err();
    for (sample, line, word) in [
        ("3\n1 2 x y z 4 5\n", 2, "x"),
        ("2\n5 7\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", 3, "3"),
        ("2\n1 2 3 4 5 6 a\n", 2, "a"),
    ] {
        let place = Refusal::Unknown { number: 2, line, word: word.into() };
        assert_eq!(refused(sample), place, "{sample}");
    }
}

/// Text that a proposal writes has the layout of the samples: the spec reads it, and reading it
/// again gives no other spec.
#[test]
fn proposals_write_what_they_accept() {
    for case in cases() {
        let samples: Vec<&str> = case.samples.iter().map(String::as_str).collect();
        let Ok(inferred) = infer(&samples) else { continue };
        let proposal = inferred.proposal;
        for sample in samples {
            accept(&proposal.spec, sample).unwrap();
        }
        for n in [4, 9, 25] {
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
        let Ok(inferred) = infer(&samples) else { continue };
        let proposal = inferred.proposal;
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
        if let Ok(inferred) = infer(&[&sample]) {
            for proposal in inferred.others.iter().chain([&inferred.proposal]) {
                prop_assert_eq!(accept(&proposal.spec, &sample), Ok(()));
            }
        }
    }

    #[test]
    fn no_text_makes_it_fail(sample in "\\PC{0,60}") {
        let _ = infer(&[&sample, &sample]);
    }
}
