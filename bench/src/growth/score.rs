//! The number of right answers, the calibration of their confidence, and their cost.

use super::answer::Answer;
use super::class::Verdict;
use super::program::Folder;
use crate::tools::spread::Spread;
use profiler_proto::v1::GrowthClassification;

/// Minimum confidence of a reported class.
const CONFIDENT: f64 = 0.82;
/// Lower bounds of the bins of confidence.
const BINS: [f64; 4] = [CONFIDENT, 0.9, 0.95, 0.99];

/// One column: the answers about time or memory for a folder's programs.
struct Column<'a> {
    head: String,
    answers: Vec<(Verdict, Option<&'a GrowthClassification>)>,
}

/// Prints counts, calibration and cost.
pub(super) fn print(answers: &[Answer<'_>]) {
    let columns = columns(answers);
    counts(&columns);
    calibration(&columns);
    let took = answers.iter().filter_map(|answer| answer.took);
    let took: Spread = took.map(|took| took.as_secs_f64()).collect();
    if took.count() > 0 {
        println!("\njobs: median {:.1} s, longest {:.1} s", took.median(), took.max());
    }
    let spent = answers.iter().filter_map(|answer| answer.growth.as_ref());
    let spent: Spread = spent.map(|growth| growth.spent_ms).collect();
    if spent.count() > 0 {
        let (p50, p95, longest) = (spent.median(), spent.permille(950), spent.max());
        println!("for growth alone: p50 {p50:.1} ms, p95 {p95:.1} ms, longest {longest:.1} ms");
    }
}

/// The columns of each folder, and of all folders together.
fn columns<'a>(answers: &'a [Answer<'_>]) -> Vec<Column<'a>> {
    let mut columns = Vec::new();
    for folder in Folder::ALL.map(Some).into_iter().chain([None]) {
        let there = || {
            let is_there = move |a: &&Answer<'_>| folder.is_none_or(|f| a.program.folder == f);
            answers.iter().filter(is_there)
        };
        let name = folder.map_or("all", Folder::name);
        let (time, memory) = (there().map(Answer::time), there().map(Answer::memory));
        columns.push(Column { head: format!("{name} time"), answers: time.collect() });
        columns.push(Column { head: format!("{name} memory"), answers: memory.collect() });
    }
    columns
}

fn head(title: &str, columns: &[Column<'_>]) {
    let heads: Vec<_> = columns.iter().map(|column| format!("{:>18}", column.head)).collect();
    println!("\n{title:<14}{}", heads.concat());
}

fn counts(columns: &[Column<'_>]) {
    head("answers", columns);
    for verdict in Verdict::ALL {
        let cells = columns.iter().map(|column| {
            let count = column.answers.iter().filter(|answer| answer.0 == verdict).count();
            format!("{count:>18}")
        });
        let cells: Vec<_> = cells.collect();
        println!("{:<14}{}", verdict.name(), cells.concat());
    }
}

/// Prints how many answers of each bin of confidence are right, and their mean confidence.
fn calibration(columns: &[Column<'_>]) {
    head("confidence", columns);
    for (index, from) in BINS.into_iter().enumerate() {
        let to = BINS.get(index + 1).copied();
        let cells = columns.iter().map(|column| match scored(&column.answers, from, to) {
            (_, 0, _) => format!("{:>18}", ""),
            (right, count, promised) => {
                let mean = promised / count as f64;
                format!("{:>18}", format!("{right} of {count}, {mean:.2}"))
            }
        });
        let cells: Vec<_> = cells.collect();
        let bin = format!("{from:.2} – {:.2}", to.unwrap_or(1.0));
        println!("{bin:<14}{}", cells.concat());
    }
    // Confidence is calibrated if the number of right answers equals the sum of all confidences.
    let cells = columns.iter().map(|column| {
        let (right, _, promised) = scored(&column.answers, 0.0, None);
        format!("{:>18}", format!("{right}, {promised:.1}"))
    });
    println!("{:<14}{}", "right, promise", cells.collect::<String>());
}

/// The reported classes: whether each is right, and its confidence.
fn reported(
    answers: &[(Verdict, Option<&GrowthClassification>)],
) -> impl Iterator<Item = (bool, f64)> {
    answers.iter().filter_map(|&(verdict, class)| match verdict {
        Verdict::Right | Verdict::Wrong => Some((verdict == Verdict::Right, class?.confidence?)),
        Verdict::CannotTell | Verdict::Absent => None,
    })
}

/// Returns the number of right answers, the number of all answers, and the sum of their
/// confidences. Includes answers with a confidence from `from` to below `to`.
fn scored(
    answers: &[(Verdict, Option<&GrowthClassification>)],
    from: f64,
    to: Option<f64>,
) -> (usize, usize, f64) {
    let there = reported(answers).filter(|&(_, c)| c >= from && to.is_none_or(|to| c < to));
    there.fold((0, 0, 0.0), |(right, all, sum), (is_right, confidence)| {
        (right + usize::from(is_right), all + 1, sum + confidence)
    })
}

#[cfg(test)]
mod tests {
    use super::{BINS, GrowthClassification, Verdict, scored};

    #[test]
    fn every_confidence_is_in_one_bin_and_what_is_not_told_in_none() {
        let reported =
            |confidence| GrowthClassification { confidence, ..GrowthClassification::default() };
        let answers = [
            reported(Some(0.82)),
            reported(Some(0.9)),
            reported(Some(0.93)),
            reported(Some(1.0)),
            reported(None),
        ];
        let verdicts =
            [Verdict::Right, Verdict::Right, Verdict::Wrong, Verdict::Right, Verdict::CannotTell];
        let answers: Vec<_> = verdicts.into_iter().zip(answers.iter().map(Some)).collect();
        let bins: Vec<_> = BINS
            .into_iter()
            .enumerate()
            .map(|(index, from)| scored(&answers, from, BINS.get(index + 1).copied()))
            .collect();
        let expected = [(1, 1, 0.82), (1, 2, 0.9 + 0.93), (0, 0, 0.0), (1, 1, 1.0)];
        assert_eq!(bins, expected);
    }
}
