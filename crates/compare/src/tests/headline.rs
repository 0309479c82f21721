//! The sentence about two programs.

use super::*;
use profiler_growth::Class;

/// The same program, whose time grows so, with this peak in MiB.
fn growing(mut program: Program, class: Class, mib: f64) -> Program {
    for report in &mut program.reports {
        let time = v1::GrowthClassification {
            function: Some(class.into()),
            ..v1::GrowthClassification::default()
        };
        report.growth = Some(v1::GrowthReport { time: Some(time), ..v1::GrowthReport::default() });
        for size in &mut report.sizes {
            (size.peak_memory_mb, size.peak_is_counted) = (Some(mib), Some(true));
        }
    }
    program
}

fn said(a: &Program, b: &Program) -> String {
    sentence(&compared(a, b))
}

#[test]
fn factor_classes_and_memory_are_told() {
    let slow = growing(runs(43.0, 0.005), Class::Quadratic, 247.2);
    let fast = growing(runs(1.0, 0.005), Class::Linearithmic, 3.5);
    let faster = "B is 43 times faster at n = 100000; n² → n log n; memory 247 → 3.5 MiB";
    assert_eq!(said(&slow, &fast), faster);
    let slower = "B is 43 times slower at n = 100000; n log n → n²; memory 3.5 → 247 MiB";
    assert_eq!(said(&fast, &slow), slower);
}

#[test]
fn what_does_not_differ_is_not_told() {
    let one = growing(runs(1.0, 0.005), Class::Linear, 3.5);
    let other = growing(runs(1.5, 0.005), Class::Linear, 4.0);
    assert_eq!(said(&one, &other), "B is 1.50 times slower at n = 100000");
    let near = [Class::Power(1.58), Class::Power(1.59)];
    let [one, other] = near.map(|class| growing(runs(1.0, 0.005), class, 3.5));
    assert!(!said(&one, &other).contains('→'));
    assert_eq!(said(&one, &runs(5.0, 0.005)), "B is 5.0 times slower at n = 100000");
}

#[test]
fn class_that_differs_between_the_runs_is_not_named() {
    let one = growing(runs(1.0, 0.005), Class::Linear, 3.5);
    let mut other = growing(runs(3.0, 0.005), Class::Quadratic, 3.5);
    other.reports[1].growth = None;
    assert_eq!(said(&one, &other), "B is 3.0 times slower at n = 100000");
}

#[test]
fn more_questions_are_told_with_every_verdict() {
    let asking = |mut program: Program, counts: [u64; 3]| {
        for report in &mut program.reports {
            for (size, count) in report.sizes.iter_mut().zip(counts) {
                size.questions = Some(count);
            }
        }
        program
    };
    let few = asking(runs(1.0, 0.005), [10, 14, 17]);
    let many = asking(runs(1.0, 0.005), [10, 14, 34]);
    let told = "; questions 17 → 34 at n = 100000";
    assert!(said(&few, &many).ends_with(told), "{}", said(&few, &many));
    assert!(!said(&few, &few).contains("questions"));
    let text = text(&compared(&few, &many), &TextOptions::default());
    assert!(text.contains("A questions  B questions") && text.contains("  34"), "{text}");
    let elsewhere = asking(program(vec![report("other", &[(1000, 1.0)])]), [30, 0, 0]);
    let unknown = said(&few, &elsewhere);
    assert!(unknown.starts_with("no verdict: "), "{unknown}");
    assert!(unknown.ends_with("; questions 10 → 30 at n = 1000"), "{unknown}");
}

/// A ratio that chance alone may have made is no ratio.
#[test]
fn programs_that_do_not_differ_have_a_bound_and_no_ratio() {
    let text = said(&runs(1.0, 0.005), &runs(1.002, 0.005));
    assert_eq!(text, "B is as fast at n = 100000 (within 2 %)");
}

#[test]
fn exact_counts_are_told_as_counts() {
    let counted = |host: &str, count| {
        let mut report = report(host, &[(1000, 10.0)]);
        report.sizes[0].instructions = Some(count);
        program(vec![report])
    };
    let more = said(&counted("h", 1000), &counted("other", 2000));
    assert_eq!(more, "B executes 2.000 times as many instructions at n = 1000");
    let same = said(&counted("h", 1000), &counted("other", 1001));
    assert_eq!(same, "B executes as many instructions at n = 1000 (within 1 %)");
}
