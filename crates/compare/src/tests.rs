//! Verdicts on reports with known figures.

mod headline;
mod outputs;

use crate::comparison::{Basis, Comparison, Memory, Outputs, Verdict};
use crate::pair::memory_verdict;
use crate::program::Program;
use crate::table::{sentence, text};
use crate::verdict::compare_programs;
use profiler_export::{AT_LEAST_NOTE, TextOptions, flag};
use profiler_proto::v1;
use profiler_proto::v1::{Host, Outcome, ProfileReport, SizeResult};

/// A report with a time in milliseconds for each size.
fn report(host: &str, sizes: &[(u64, f64)]) -> ProfileReport {
    let result = |&(size, ms): &(u64, f64)| {
        let outcome = if ms.is_finite() { Outcome::Ok } else { Outcome::TimeLimit };
        let interval = Some(v1::Interval { low: ms * 0.99, high: ms, level: 0.95 });
        let headline = Some(v1::Headline { ms, interval, known: true });
        SizeResult {
            size,
            outcome: outcome.into(),
            runtime_ms: Some(ms),
            peak_memory_mb: Some(3.5),
            figures: Some(v1::Figures { headline, ..v1::Figures::default() }),
            ..SizeResult::default()
        }
    };
    ProfileReport {
        sizes: sizes.iter().map(result).collect(),
        host: Some(Host { fingerprint: Some(host.into()), ..Host::default() }),
        ..ProfileReport::default()
    }
}

fn program(reports: Vec<ProfileReport>) -> Program {
    Program { name: "program".into(), reports }
}

/// Two runs that take `factor` · n / 1000 ms, with relative deviations of ±`scatter`.
fn runs(factor: f64, scatter: f64) -> Program {
    let run = |by: f64| {
        let sizes = [1000, 10_000, 100_000];
        report("h", &sizes.map(|n| (n, n as f64 / 1000.0 * factor * (1.0 + by))))
    };
    program(vec![run(scatter), run(-scatter)])
}

fn compared(a: &Program, b: &Program) -> Comparison {
    compare_programs(a, b, Outputs::Agree, flag)
}

fn verdict(a: &Program, b: &Program) -> Verdict {
    compared(a, b).verdict
}

#[test]
fn difference_beyond_the_scatter_is_real() {
    assert_eq!(verdict(&runs(1.0, 0.005), &runs(1.1, 0.005)), Verdict::Slower);
    assert_eq!(verdict(&runs(1.1, 0.005), &runs(1.0, 0.005)), Verdict::Faster);
}

#[test]
fn difference_within_the_scatter_is_none() {
    assert_eq!(verdict(&runs(1.0, 0.05), &runs(1.1, 0.05)), Verdict::Same);
}

#[test]
fn difference_that_does_not_matter_is_none() {
    assert_eq!(verdict(&runs(1.0, 0.0001), &runs(1.005, 0.0001)), Verdict::Same);
}

#[test]
fn common_scatter_is_assumed_of_single_runs() {
    let once = |ms| program(vec![report("h", &[(1000, ms)])]);
    assert_eq!(verdict(&once(10.0), &once(10.2)), Verdict::Same);
    assert_eq!(verdict(&once(10.0), &once(11.0)), Verdict::Slower);
}

#[test]
fn ratio_has_an_interval_around_it() {
    let comparison = compared(&runs(1.0, 0.005), &runs(1.5, 0.005));
    let mean = comparison.geometric_mean.unwrap();
    assert!((mean.ratio - 1.5).abs() < 1e-9, "{mean:?}");
    assert!(mean.low > 1.45 && mean.low < 1.5 && mean.high > 1.5 && mean.high < 1.55, "{mean:?}");
}

#[test]
fn other_level_of_optimization_is_told() {
    let compiled = |command: &str| {
        let mut program = runs(1.0, 0.001);
        for report in &mut program.reports {
            let command = command.into();
            report.compile = Some(v1::CompileStep { command, ..v1::CompileStep::default() });
        }
        program
    };
    let usual = compiled("g++ -O2 -std=c++17 -g main.cpp");
    let told = compared(&usual, &compiled("g++ -O2 -std=c++17 -O3 main.cpp")).warnings;
    assert_eq!(told, ["A was compiled with -O2 -std=c++17, and B with -O3 -std=c++17"]);
    for same in [compiled("g++ -O2 -std=c++17 -lm main.cpp"), compiled("")] {
        assert_eq!(compared(&usual, &same).warnings, [""; 0]);
    }
}

#[test]
fn failing_program_is_slower() {
    let ends = program(vec![report("h", &[(10, 1.0), (20, 2.0)])]);
    let fails = program(vec![report("h", &[(10, 1.0), (20, f64::INFINITY)])]);
    assert_eq!(verdict(&ends, &fails), Verdict::Slower);
    assert_eq!(verdict(&fails, &ends), Verdict::Faster);
    assert_eq!(verdict(&fails, &fails), Verdict::Unknown);
    let text = text(&compared(&ends, &fails), &TextOptions::default());
    let last = text.lines().last().unwrap();
    assert_eq!(last, "B is slower at n = 20, where B ended TIME_LIMIT");
    assert!(text.contains("\nover 1 of 2 sizes B / A is 1.000 ("), "{text}");
}

#[test]
fn program_that_fails_at_a_smaller_size_is_not_called_faster() {
    let ends = program(vec![report("h", &[(0, 1.0), (10, 90.0), (20, 900.0)])]);
    let fails = program(vec![report("h", &[(0, 1.0), (10, f64::INFINITY), (20, 20.0)])]);
    let judged = compared(&ends, &fails);
    assert_eq!(judged.verdict, Verdict::Unknown);
    let why = "B ends with TIME_LIMIT at n = 10, where the other one ends OK";
    assert_eq!(judged.unknown_because.as_deref(), Some(why));
    assert_eq!(verdict(&fails, &ends), Verdict::Unknown);
    let fails_at_zero = program(vec![report("h", &[(0, f64::INFINITY), (10, 9.0), (20, 20.0)])]);
    assert_eq!(verdict(&ends, &fails_at_zero), Verdict::Faster);
}

#[test]
fn peak_of_the_largest_process_is_marked() {
    let shown = |a: &Program, b: &Program| text(&compared(a, b), &TextOptions::default());
    let mut counted = program(vec![report("h", &[(10, 1.0)])]);
    let largest = program(vec![report("h", &[(10, 1.0)])]);
    let memory = v1::MemoryFigures { cgroup_peak_mb: Some(3.9), ..v1::MemoryFigures::default() };
    counted.reports[0].sizes[0].memory = Some(memory);
    let text = shown(&counted, &largest);
    assert!(text.contains("   3.50  ≥ 3.50 ") && text.contains(AT_LEAST_NOTE), "{text}");
    assert!(!shown(&counted, &counted).contains('≥'));
}

#[test]
fn comparison_fits_the_terminal() {
    let mut short = runs(1.1, 0.005);
    for report in &mut short.reports {
        report.sizes[2].outcome = Outcome::TimeLimit.into();
        report.sizes.iter_mut().for_each(|size| size.instructions = Some(size.size));
    }
    let mut counted = runs(1.0, 0.005);
    counted.reports.iter_mut().flat_map(|it| &mut it.sizes).for_each(|size| {
        size.instructions = Some(size.size * 2);
        size.peak_memory_mb = Some(9.0);
    });
    let told = compared(&counted, &short);
    let shown = |width| {
        let text = text(&told, &TextOptions { width: Some(width), ..TextOptions::default() });
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width, "{widest} columns:\n{text}");
        text
    };
    insta::assert_snapshot!(shown(60));
    assert!(shown(80).contains("\nnot shown: p, A MiB, B MiB"), "{}", shown(80));
    assert!(!shown(200).contains("not shown"));
}

#[test]
fn instructions_alone_compare_different_hosts() {
    let counted = |host: &str, count| {
        let mut report = report(host, &[(1000, 10.0)]);
        report.sizes[0].instructions = Some(count);
        program(vec![report])
    };
    let slower = compared(&counted("h", 1000), &counted("other", 1100));
    assert_eq!((slower.verdict, slower.basis), (Verdict::Slower, Basis::Instructions));
    assert!(
        slower.warnings[0].contains("differ in toolchain or features of the processor: "),
        "{:?}",
        slower.warnings
    );
    let uncounted = program(vec![report("other", &[(1000, 100.0)])]);
    assert_eq!(verdict(&counted("h", 1000), &uncounted), Verdict::Unknown);
}

#[test]
fn count_alone_says_nothing_if_the_kernel_takes_a_quarter_of_the_time() {
    let counted = |host: &str, count, user: f64, sys: f64| {
        let mut report = report(host, &[(1000, user + sys)]);
        let size = &mut report.sizes[0];
        size.instructions = Some(count);
        let median = |median| Some(v1::Statistics { median, ..v1::Statistics::default() });
        let figures = size.figures.as_mut().unwrap();
        (figures.user_ms, figures.sys_ms) = (median(user), median(sys));
        program(vec![report])
    };
    let honest = counted("h", 1000, 90.0, 1.0);
    for (user, sys, expected) in [
        (75.1, 24.9, Verdict::Faster),
        (75.0, 25.0, Verdict::Unknown),
        (1.0, 90.0, Verdict::Unknown),
        (1.0, 18.9, Verdict::Faster),
    ] {
        let other = counted("other", 10, user, sys);
        let told = compared(&honest, &other);
        assert_eq!(told.verdict, expected, "{user} {sys}");
        if expected == Verdict::Unknown {
            assert!(sentence(&told).contains("the kernel's"), "{}", sentence(&told));
            assert_eq!(compared(&other, &honest).verdict, Verdict::Unknown);
            let same_host = counted("h", 10, user, sys);
            assert_ne!(compared(&honest, &same_host).verdict, Verdict::Unknown, "time decides");
        }
    }
}

#[test]
fn parts_in_which_hosts_differ_are_named() {
    let on = |fingerprint: &str, cpus, kernel: &str| {
        let mut report = report(fingerprint, &[(1000, 10.0)]);
        let host = report.host.as_mut().unwrap();
        (host.cpus, host.kernel) = (cpus, kernel.into());
        program(vec![report])
    };
    let warnings = compared(&on("h", 2, "6.1"), &on("other", 4, "6.2")).warnings;
    let expected = "the hosts of the reports differ in number of processors and kernel: the times \
                    cannot be compared";
    assert_eq!(warnings, [expected]);
}

#[test]
fn reports_of_different_methods_are_not_compared() {
    let by = |method_version: u32| {
        let mut report = report(&method_version.to_string(), &[(1000, 10.0)]);
        report.host.as_mut().unwrap().method_version = method_version;
        report.sizes[0].instructions = Some(1000);
        program(vec![report])
    };
    let told = compared(&by(0), &by(2));
    assert_eq!((told.verdict, told.basis), (Verdict::Unknown, Basis::Instructions));
    assert_eq!(told.warnings.len(), 1);
    let expected = "no verdict: the reports were made by versions of swiftprof that measure \
                    differently: measure one of them again";
    assert_eq!(sentence(&told), expected);
    assert_eq!(verdict(&by(2), &by(2)), Verdict::Same);
}

#[test]
fn programs_with_no_common_size_cannot_be_compared() {
    let [small, large] = [10, 20].map(|n| program(vec![report("h", &[(n, 1.0)])]));
    assert_eq!(verdict(&small, &large), Verdict::Unknown);
    let json = serde_json::to_value(compared(&small, &large)).unwrap();
    assert_eq!(json["verdict"], "unknown");
}

/// A report on a clock: `wall` milliseconds, `delay` of them waiting for a processor.
fn on(clock: v1::RuntimeClock, wall: f64, delay: f64) -> ProfileReport {
    let headline = if clock == v1::RuntimeClock::Unloaded { wall - delay } else { wall };
    let mut report = report("h", &[(1000, headline)]);
    report.runtime_clock = clock.into();
    let statistics = |ms| {
        Some(v1::Statistics {
            min: ms,
            max: ms * 1.001,
            median: ms,
            count: 5,
            ..Default::default()
        })
    };
    let figures = report.sizes[0].figures.as_mut().unwrap();
    figures.wall_ms = statistics(wall);
    figures.run_delay_ms = statistics(delay);
    report
}

#[test]
fn headlines_on_different_clocks_are_compared_by_the_wall_clock() {
    use v1::RuntimeClock::{Unloaded, Wall};
    let one = program(vec![on(Unloaded, 10.0, 0.1), on(Unloaded, 10.0, 0.1)]);
    let several = program(vec![on(Wall, 20.0, 7.0), on(Unloaded, 20.1, 0.1)]);
    let told = compared(&one, &several);
    assert_eq!((told.verdict, told.clock), (Verdict::Slower, Wall));
    assert_eq!(verdict(&several, &one), Verdict::Faster);
    assert!((told.sizes[0].a.runtime_ms.unwrap() - 10.0).abs() < 1e-6, "{told:?}");
    assert!(told.warnings[0].contains("A: wall clock minus run delay; B: wall clock"), "{told:?}");
}

#[test]
fn wall_clock_that_is_waiting_or_absent_tells_nothing_and_says_what_helps() {
    use v1::RuntimeClock::{Cpu, Wall};
    let several = program(vec![on(Wall, 20.0, 7.0)]);
    let said = |report: ProfileReport| {
        let told = compared(&program(vec![report]), &several);
        assert_eq!(told.verdict, Verdict::Unknown);
        told.unknown_because.unwrap()
    };
    assert!(said(on(Cpu, 10.0, 1.0)).contains("while the host is idle, with --clock wall"));
    let mut lacking = on(Cpu, 10.0, 0.0);
    lacking.sizes[0].figures.as_mut().unwrap().wall_ms = None;
    assert!(said(lacking).contains("Profile both with --clock wall"));
}

#[test]
fn unknown_verdict_says_why() {
    let because = |a: &Program, b: &Program| compared(a, b).unknown_because.unwrap();
    let once = |n, ms| program(vec![report("h", &[(n, ms)])]);
    assert!(because(&once(10, 1.0), &once(20, 1.0)).contains("A has n = 10, and B has n = 20"));
    let both = report("h", &[(10, 1.0), (20, f64::INFINITY)]);
    let said = because(&program(vec![both.clone()]), &program(vec![both]));
    assert!(said.contains("neither program ended OK at n = 20, the largest size"), "{said}");
    let failed = once(10, f64::INFINITY);
    assert!(because(&failed, &failed).contains("neither program ended OK"));
    let elsewhere = program(vec![report("other", &[(10, 1.0)])]);
    assert!(because(&once(10, 1.0), &elsewhere).contains("--instructions"));
    let mut short = once(10, 1.0);
    short.reports[0].sizes[0].below_noise_floor = Some(true);
    assert!(because(&short, &short).contains("too short"));
}

#[test]
fn program_that_was_not_fed_what_it_reads_has_no_verdict() {
    let mut starved = runs(1.0, 0.001);
    let check = v1::InputCheck {
        input_use: v1::InputUse::Starved.into(),
        default_input: Some("100000\n".into()),
        ..v1::InputCheck::default()
    };
    starved.reports[1].input_check = Some(check.clone());
    let whole = runs(2.0, 0.001);
    for (a, b, name) in [(&starved, &whole, "A"), (&whole, &starved, "B")] {
        let told = compared(a, b);
        let text = text(&told, &TextOptions::default());
        let expected = format!(
            "\nno verdict: {name} was fed only \"100000\\n\" and asked for more. Declare its input \
             with --input-spec, or use --interactor if it talks to a judge."
        );
        assert!(text.ends_with(&expected), "{text}");
        assert_eq!(told.verdict, Verdict::Unknown);
        assert!(told.sizes.iter().all(|size| size.verdict == Verdict::Unknown), "{told:?}");
    }
    let mut declared = runs(1.0, 0.001);
    declared.reports[0].input_check = Some(v1::InputCheck { default_input: None, ..check });
    assert_eq!(verdict(&declared, &whole), Verdict::Slower);
}

#[test]
fn brief_figures_are_not_compared_with_others() {
    let (mut brief, known) = (runs(1.0, 0.001), runs(2.0, 0.001));
    for report in &mut brief.reports {
        report.precision = Some(0.1);
    }
    let told = compared(&brief, &known);
    let text = text(&told, &TextOptions::default());
    let expected = "\nno verdict: A was measured briefly, to 10 %, and B until its times were known. \
                    Measure both with the same --precision.";
    assert!(text.ends_with(expected), "{text}");
    assert_eq!(verdict(&brief, &brief), Verdict::Same);
}

#[test]
fn sizes_that_ran_only_once_are_compared_roughly() {
    let once = |ms| {
        let report = report("h", &[(1000, ms)]);
        program(vec![ProfileReport { precision: Some(1.0), ..report }])
    };
    assert_eq!(verdict(&once(10.0), &once(12.0)), Verdict::Same);
    assert_eq!(verdict(&once(10.0), &once(20.0)), Verdict::Slower);
}

#[test]
fn memory_that_differs_by_pages_does_not_differ() {
    assert_eq!(memory_verdict(Some(3.5), Some(4.0)), Memory::Same);
    assert_eq!(memory_verdict(Some(3.5), Some(5.0)), Memory::More);
    assert_eq!(memory_verdict(Some(5.0), Some(3.5)), Memory::Less);
    assert_eq!(memory_verdict(None, Some(3.5)), Memory::Unknown);
}
