//! How many answers are right, whether their confidence is, and what they cost.

use super::Answer;
use super::class::Verdict;
use super::program::Folder;
use crate::spread::Spread;
use profiler_proto::v1::GrowthClass;

/// Where the bins of confidence begin; each ends where the next begins, and the last with 1.
const BINS: [f64; 8] = [0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99];

/// One column: a folder, and what was asked.
struct Column<'a> {
    head: String,
    answers: Vec<(Verdict, Option<&'a GrowthClass>)>,
}

/// Prints counts, calibration and cost.
pub(super) fn print(answers: &[Answer<'_>]) {
    let columns = columns(answers);
    counts(&columns);
    calibration(&columns);
    let took: Spread = answers.iter().map(|answer| answer.took.as_secs_f64()).collect();
    println!("\njobs: median {:.1} s, longest {:.1} s", took.median(), took.max());
    let spent = answers.iter().filter_map(|answer| answer.growth.as_ref());
    let spent: Spread = spent.map(|growth| growth.spent_ms).collect();
    if spent.count() > 0 {
        let (median, longest) = (spent.median(), spent.max());
        println!("for growth alone: median {median:.1} ms, longest {longest:.1} ms");
    }
}

fn columns<'a>(answers: &'a [Answer<'_>]) -> Vec<Column<'a>> {
    let mut columns = Vec::new();
    for folder in Folder::ALL {
        let of = || answers.iter().filter(move |answer| answer.program.folder == folder);
        let name = folder.name();
        let (time, memory) = (of().map(Answer::time), of().map(Answer::memory));
        columns.push(Column { head: format!("{name} time"), answers: time.collect() });
        columns.push(Column { head: format!("{name} memory"), answers: memory.collect() });
    }
    columns
}

fn head(title: &str, columns: &[Column<'_>]) {
    let heads: Vec<_> = columns.iter().map(|column| format!("{:>16}", column.head)).collect();
    println!("\n{title:<14}{}", heads.concat());
}

fn counts(columns: &[Column<'_>]) {
    head("answers", columns);
    for verdict in Verdict::ALL {
        let cells = columns.iter().map(|column| {
            let count = column.answers.iter().filter(|answer| answer.0 == verdict).count();
            format!("{count:>16}")
        });
        let cells: Vec<_> = cells.collect();
        println!("{:<14}{}", verdict.name(), cells.concat());
    }
}

/// Of the answers with so much confidence, how many are right.
fn calibration(columns: &[Column<'_>]) {
    head("confidence", columns);
    for (at, from) in BINS.into_iter().enumerate() {
        let to = BINS.get(at + 1).copied();
        let cells = columns.iter().map(|column| match right(&column.answers, from, to) {
            (_, 0) => format!("{:>16}", ""),
            (right, count) => format!("{:>16}", format!("{right} of {count}")),
        });
        let cells: Vec<_> = cells.collect();
        let bin = format!("{from:.2} – {:.2}", to.unwrap_or(1.0));
        println!("{bin:<14}{}", cells.concat());
    }
}

/// How many that were told with a confidence from `from` up to `to` are right, and how many there are.
fn right(
    answers: &[(Verdict, Option<&GrowthClass>)],
    from: f64,
    to: Option<f64>,
) -> (usize, usize) {
    let told = answers.iter().filter(|answer| {
        let confidence = answer.1.and_then(|told| told.confidence);
        matches!(answer.0, Verdict::Right | Verdict::Wrong)
            && confidence.is_some_and(|c| c >= from && to.is_none_or(|to| c < to))
    });
    let right = told.clone().filter(|answer| answer.0 == Verdict::Right).count();
    (right, told.count())
}

#[cfg(test)]
mod tests {
    use super::{BINS, Verdict, right};
    use profiler_proto::v1::GrowthClass;

    #[test]
    fn every_confidence_is_in_one_bin_and_what_is_not_told_in_none() {
        let told = |confidence| GrowthClass { confidence, ..GrowthClass::default() };
        let answers =
            [told(Some(0.0)), told(Some(0.6)), told(Some(0.65)), told(Some(1.0)), told(None)];
        let verdicts =
            [Verdict::Right, Verdict::Right, Verdict::Wrong, Verdict::Right, Verdict::CannotTell];
        let answers: Vec<_> = verdicts.into_iter().zip(answers.iter().map(Some)).collect();
        let bins: Vec<_> = BINS
            .into_iter()
            .enumerate()
            .map(|(at, from)| right(&answers, from, BINS.get(at + 1).copied()))
            .collect();
        let expected = [(1, 1), (0, 0), (1, 2), (0, 0), (0, 0), (0, 0), (0, 0), (1, 1)];
        assert_eq!(bins, expected);
    }
}
