//! Whether the calibration holds for programs that it was not fitted to.
//!
//! Programs whose right class is the same are a family. Each family is left out once: the power
//! that calibrates the confidence is fitted to all other programs, and the family is scored with
//! it.

use super::answer::Answer;
use super::class::{Classes, Verdict};
use super::score::CONFIDENT;
use profiler_proto::v1::GrowthClassification;
use std::collections::BTreeSet;

/// Powers that are tried, as multiples of the one in use: hundredths.
const HUNDREDTHS: std::ops::RangeInclusive<u32> = 40..=250;
/// The largest probability in the fit. One program in a thousand may have the wrong header, and no
/// single one may decide the power.
const MOST_CERTAIN: f64 = 0.999;

/// The most likely class of an answer, reported or not.
struct Case {
    family: String,
    /// Its probability, with the power in use.
    confidence: f64,
    right: bool,
}

impl Case {
    fn new(
        expected: &Classes,
        (verdict, reported): (Verdict, Option<&GrowthClassification>),
    ) -> Option<Self> {
        let reported = reported?;
        let right = match verdict {
            Verdict::Right => true,
            Verdict::Wrong => false,
            // The runner-up of an undecided answer is its most likely class.
            Verdict::CannotTell => expected.hold(reported.runner_up_class()?),
            Verdict::Absent => return None,
        };
        Some(Self { family: expected.to_string(), confidence: reported.confidence?, right })
    }

    /// The confidence with another power. All other classes count as one rival.
    fn raised(&self, power: f64) -> f64 {
        let [class, rival] = [self.confidence, 1.0 - self.confidence].map(|p| p.powf(power));
        class / (class + rival)
    }
}

/// Prints a line for each family that is left out.
pub(super) fn print(answers: &[Answer<'_>]) {
    let time = answers.iter().filter_map(|a| Case::new(&a.program.time, a.time()));
    let memory = answers.iter().filter_map(|a| Case::new(&a.program.memory, a.memory()));
    for (what, cases) in [("time", time.collect::<Vec<_>>()), ("memory", memory.collect())] {
        let title = format!("left out, {what}");
        println!(
            "\n{title:<20}{:>9}{:>8}{:>7}{:>7}{:>10}",
            "programs", "power", "told", "right", "promised"
        );
        let families: BTreeSet<_> = cases.iter().map(|case| case.family.as_str()).collect();
        let mut all = (0, 0, 0, 0.0);
        for family in families {
            let (held, others): (Vec<_>, Vec<_>) =
                cases.iter().partition(|case| case.family == family);
            let power = fitted(&others);
            let (told, right, promised) = scored(&held, power);
            println!(
                "{family:<20}{:>9}{power:>8.2}{told:>7}{right:>7}{promised:>10.1}",
                held.len()
            );
            all = (all.0 + held.len(), all.1 + told, all.2 + right, all.3 + promised);
        }
        let power = fitted(&cases.iter().collect::<Vec<_>>());
        println!("{:<20}{:>9}{power:>8.2}{:>7}{:>7}{:>10.1}", "all", all.0, all.1, all.2, all.3);
    }
}

/// The power with the largest likelihood, as a multiple of the one in use.
fn fitted(cases: &[&Case]) -> f64 {
    let ln_likelihood = |power: f64| -> f64 {
        let of_case = cases.iter().map(|case| {
            let confidence = case.raised(power).min(MOST_CERTAIN);
            if case.right { confidence.ln() } else { (1.0 - confidence).ln() }
        });
        of_case.sum()
    };
    let powers = HUNDREDTHS.map(|hundredths| f64::from(hundredths) / 100.0);
    let best = powers.map(|power| (power, ln_likelihood(power))).max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(f64::NAN, |(power, _)| power)
}

/// Number of classes told with this power, number of right ones, and the sum of their confidences.
fn scored(cases: &[&Case], power: f64) -> (usize, usize, f64) {
    let told = cases.iter().map(|case| (case.right, case.raised(power)));
    let told = told.filter(|&(_, confidence)| confidence >= CONFIDENT);
    told.fold((0, 0, 0.0), |(told, right, promised), (is_right, confidence)| {
        (told + 1, right + usize::from(is_right), promised + confidence)
    })
}

#[cfg(test)]
mod tests {
    use super::{Case, fitted, scored};

    /// `right` of `count` answers are right.
    fn cases(count: usize, right: usize, confidence: f64) -> Vec<Case> {
        let case = |index| Case { family: "n".into(), confidence, right: index < right };
        (0..count).map(case).collect()
    }

    #[test]
    fn the_fitted_power_makes_the_promise_come_true() {
        for (promised, right) in [(0.9, 90), (0.9, 97), (0.9, 75)] {
            let cases = cases(100, right, promised);
            let cases: Vec<_> = cases.iter().collect();
            let power = fitted(&cases);
            let (told, hits, sum) = scored(&cases, power);
            let expected = if right >= 82 { (100, right) } else { (0, 0) };
            assert_eq!((told, hits), expected, "{promised} {right}: power {power}");
            assert!((sum - hits as f64).abs() < 1.0, "{promised} {right}: {sum} of {hits}");
        }
    }

    #[test]
    fn a_wrong_answer_that_was_certain_does_not_decide_alone() {
        let mut cases = cases(200, 200, 0.97);
        cases.push(Case { family: "1".into(), confidence: 1.0, right: false });
        let power = fitted(&cases.iter().collect::<Vec<_>>());
        assert!(power >= 1.0, "{power}");
    }
}
