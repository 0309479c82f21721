//! The warnings of all jobs in numbers, the false alarms, and the programs that failed.

use super::finding::Finding;
use std::collections::BTreeMap;

/// Prints the table, the lists, and the number of false alarms as the last line. Each failure is a
/// job without a report.
pub(super) fn print(findings: &[Finding], failures: &[String]) {
    println!("| warning | jobs | accused |\n|---|---|---|");
    for (word, [jobs, accused]) in counts(findings) {
        println!("| {word} | {jobs} | {accused} |");
    }
    println!("\nFalse alarms:");
    for finding in findings {
        for (word, text) in &finding.alarms {
            println!("{}: {word}: {text}", finding.title);
        }
    }
    println!("\nNot OK at every size:");
    for finding in findings {
        if let Some(failure) = &finding.failure {
            println!("{}: {failure}", finding.title);
        }
    }
    println!("\nWithout a report: {}", failures.len());
    for failure in failures {
        println!("{failure}");
    }
    println!("\n{}", last_line(findings));
}

/// For each warning, the number of jobs that got it, and of those that it accused.
fn counts(findings: &[Finding]) -> BTreeMap<&'static str, [usize; 2]> {
    let mut counts: BTreeMap<_, [usize; 2]> = BTreeMap::new();
    for finding in findings {
        for &word in &finding.words {
            let [jobs, accused] = counts.entry(word).or_default();
            *jobs += 1;
            *accused += usize::from(finding.alarms.iter().any(|alarm| alarm.0 == word));
        }
    }
    counts
}

/// The number of jobs with a report, each of a program with one set of flags in one round, and of
/// those with a false alarm.
fn last_line(findings: &[Finding]) -> String {
    let alarms = findings.iter().filter(|finding| !finding.alarms.is_empty()).count();
    let plural = if alarms == 1 { "" } else { "s" };
    format!(
        "{} programs × flag sets × rounds, {alarms} false alarm{plural} (goal: at most 1 of 500)",
        findings.len()
    )
}

#[cfg(test)]
mod tests {
    use super::{Finding, counts, last_line};

    fn finding(words: &[&'static str], accusing: &[&'static str]) -> Finding {
        Finding {
            title: "sort, -O2".into(),
            words: words.iter().copied().collect(),
            alarms: accusing.iter().map(|&word| (word, String::new())).collect(),
            failure: None,
        }
    }

    #[test]
    fn program_with_several_accusations_is_one_false_alarm() {
        let twice = finding(&["noisy", "two_ways"], &["two_ways", "two_ways"]);
        let findings = [finding(&["noisy"], &[]), twice, finding(&[], &[])];
        assert_eq!(
            last_line(&findings),
            "3 programs × flag sets × rounds, 1 false alarm (goal: at most 1 of 500)"
        );
        let expected = [("noisy", [2, 0]), ("two_ways", [1, 1])];
        assert_eq!(counts(&findings), expected.into());
        assert_eq!(
            last_line(&findings[..1]),
            "1 programs × flag sets × rounds, 0 false alarms (goal: at most 1 of 500)"
        );
    }
}
