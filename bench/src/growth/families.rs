//! Whether the classifier holds for programs that its constants were not fitted to.
//!
//! Programs whose right class is the same are a family. Each family is left out once: the factors
//! of a few constants are fitted to all other programs, and the family is classified with them.

use super::answer::Answer;
use super::class::Classes;
use super::program::Program;
use profiler_growth::{Classification, Observed, Tuning, classify_tuned};
use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::thread;

/// Factors that are tried, in all combinations.
const TRUSTS: [f64; 5] = [0.6, 0.8, 1.0, 1.25, 1.6];
const STEP_SPREADS: [f64; 3] = [0.7, 1.0, 1.4];
const SCATTERS: [f64; 3] = [0.7, 1.0, 1.4];
/// Minimum probability of the right class in the fit. A header can be wrong, and no single program
/// should decide the fit.
const LEAST: f64 = 1e-3;

/// The answer for one program with one tuning.
#[derive(Debug, Clone, Copy)]
struct Case {
    /// The logarithm of the probability of the right class. 0 if nothing could be fitted.
    ln_right: f64,
    /// Whether the reported class is right, and its confidence.
    told: Option<(bool, f64)>,
}

impl Case {
    fn new(expected: &Classes, found: &Classification) -> Self {
        let right = found.ranked.iter().filter(|(class, _)| expected.hold(*class));
        let right: f64 = right.map(|(_, probability)| probability).sum();
        let ln_right = if found.ranked.is_empty() { 0.0 } else { right.max(LEAST).ln() };
        let is_right = found.class.map(|class| expected.hold(class));
        Self { ln_right, told: is_right.zip(found.confidence) }
    }
}

/// The cases of every program with one tuning, in the order of the programs.
struct Trial {
    tuning: Tuning,
    cases: Vec<Case>,
}

/// Number of classes told, number of right ones, and the sum of their confidences.
type Score = (usize, usize, f64);

/// Prints a line for each family that is left out.
pub(super) fn print(answers: &[Answer<'_>]) {
    let observed =
        answers.iter().filter_map(|answer| Some((answer.program, answer.observed.as_ref()?)));
    let (programs, observed): (Vec<_>, Vec<_>) = observed.unzip();
    let expected = |what: fn(&Program) -> &Classes| -> Vec<&Classes> {
        programs.iter().map(|program| what(program)).collect()
    };
    let (times, memories) =
        (expected(|program| &program.time), expected(|program| &program.memory));
    let (time, memory): (Vec<_>, Vec<_>) = trials(&observed, &times, &memories).into_iter().unzip();
    print_of("time", &times, &time);
    print_of("memory", &memories, &memory);
}

/// Returns every tuning's trials of time and of memory.
fn trials(
    observed: &[&Observed],
    times: &[&Classes],
    memories: &[&Classes],
) -> Vec<(Trial, Trial)> {
    let trial = |&tuning: &Tuning| {
        let found: Vec<_> = observed.iter().map(|one| classify_tuned(one, &tuning)).collect();
        let time = found.iter().zip(times).map(|(found, right)| Case::new(right, &found.time));
        let memory =
            found.iter().zip(memories).map(|(found, right)| Case::new(right, &found.memory));
        (Trial { tuning, cases: time.collect() }, Trial { tuning, cases: memory.collect() })
    };
    let tunings = tunings();
    let each = tunings.len().div_ceil(thread::available_parallelism().map_or(1, usize::from));
    thread::scope(|scope| {
        let parts =
            tunings.chunks(each).map(|part| scope.spawn(|| part.iter().map(trial).collect()));
        let parts: Vec<thread::ScopedJoinHandle<'_, Vec<_>>> = parts.collect();
        parts
            .into_iter()
            .flat_map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect()
    })
}

fn tunings() -> Vec<Tuning> {
    let mut tunings = Vec::new();
    for trust in TRUSTS {
        for step_spread in STEP_SPREADS {
            tunings.extend(SCATTERS.map(|scatter| Tuning { trust, step_spread, scatter }));
        }
    }
    tunings
}

/// Prints the table of one kind of answer. `expected` are the right classes, program by program.
fn print_of(what: &str, expected: &[&Classes], trials: &[Trial]) {
    let title = format!("left out, {what}");
    let heads = ["programs", "trust", "spread", "scatter", "told", "right", "promised"];
    println!("\n{title:<24}{}", heads.map(|head| format!("{head:>10}")).concat());
    let families: Vec<_> = expected.iter().map(ToString::to_string).collect();
    let mut sum = (0, 0, 0.0);
    for family in families.iter().collect::<BTreeSet<_>>() {
        let (held, others): (Vec<_>, Vec<_>) =
            (0..families.len()).partition(|&index| families[index] == *family);
        let Some(fitted) = fitted(trials, &others) else { continue };
        let (told, right, promised) = score(fitted, &held);
        line(family, held.len(), fitted.tuning, (told, right, promised));
        sum = (sum.0 + told, sum.1 + right, sum.2 + promised);
    }
    let all: Vec<_> = (0..families.len()).collect();
    let (told, right, promised) = sum;
    println!(
        "{:<24}{:>10}{:>30}{told:>10}{right:>10}{promised:>10.1}",
        "all left out",
        all.len(),
        ""
    );
    if let Some(in_use) = trials.iter().find(|trial| trial.tuning == Tuning::IN_USE) {
        line("all, in use", all.len(), in_use.tuning, score(in_use, &all));
    }
    if let Some(fitted) = fitted(trials, &all) {
        line("all, fitted to all", all.len(), fitted.tuning, score(fitted, &all));
    }
}

fn line(name: &str, programs: usize, tuning: Tuning, (told, right, promised): Score) {
    let Tuning { trust, step_spread, scatter } = tuning;
    println!(
        "{name:<24}{programs:>10}{trust:>10.2}{step_spread:>10.2}{scatter:>10.2}{told:>10}{right:>10}\
         {promised:>10.1}"
    );
}

/// Returns the trial under which the right classes of these programs are most probable.
fn fitted<'a>(trials: &'a [Trial], programs: &[usize]) -> Option<&'a Trial> {
    let ln_right =
        |trial: &Trial| programs.iter().map(|&index| trial.cases[index].ln_right).sum::<f64>();
    trials.iter().max_by(|a, b| ln_right(a).total_cmp(&ln_right(b)))
}

fn score(trial: &Trial, programs: &[usize]) -> Score {
    let told = programs.iter().filter_map(|&index| trial.cases[index].told);
    told.fold((0, 0, 0.0), |(told, right, promised), (is_right, confidence)| {
        (told + 1, right + usize::from(is_right), promised + confidence)
    })
}

#[cfg(test)]
mod tests {
    use super::{Case, Classes, Trial, Tuning, fitted, score, tunings};
    use profiler_growth::{Class, Classification};

    fn found(ranked: &[(Class, f64)], class: Option<Class>) -> Classification {
        let confidence = ranked.first().map(|best| best.1);
        Classification { class, confidence, ranked: ranked.to_vec(), ..Classification::default() }
    }

    #[test]
    fn case_has_the_probability_of_the_right_classes_reported_or_not() {
        let right = Classes::parse("n | n log n").unwrap();
        let ranked = [(Class::Quadratic, 0.5), (Class::Linear, 0.3), (Class::Linearithmic, 0.1)];
        let undecided = Case::new(&right, &found(&ranked, None));
        assert!((undecided.ln_right - 0.4_f64.ln()).abs() < 1e-9, "{undecided:?}");
        assert_eq!(undecided.told, None);
        let wrong = Case::new(&right, &found(&[(Class::Quadratic, 1.0)], Some(Class::Quadratic)));
        assert!((wrong.ln_right - 1e-3_f64.ln()).abs() < 1e-9, "{wrong:?}");
        assert_eq!(wrong.told, Some((false, 1.0)));
        let nothing = Case::new(&right, &found(&[], None));
        assert_eq!((nothing.ln_right, nothing.told), (0.0, None));
    }

    #[test]
    fn family_left_out_has_no_say_in_the_fit() {
        let case = |right: f64| Case { ln_right: right.ln(), told: Some((right > 0.5, 0.9)) };
        let trial = |trust, rights: [f64; 3]| Trial {
            tuning: Tuning { trust, ..Tuning::IN_USE },
            cases: rights.map(case).into(),
        };
        let trials = [trial(0.5, [0.9, 0.9, 0.1]), trial(2.0, [0.8, 0.8, 0.9])];
        let chosen = |programs: &[usize]| fitted(&trials, programs).unwrap();
        assert_eq!(chosen(&[0, 1, 2]).tuning, trials[1].tuning);
        let others = chosen(&[0, 1]);
        assert_eq!(others.tuning, trials[0].tuning);
        assert_eq!(score(others, &[2]), (1, 0, 0.9));
    }

    #[test]
    fn constants_in_use_are_tried() {
        assert!(tunings().contains(&Tuning::IN_USE));
    }
}
