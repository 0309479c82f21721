//! A report as text: its sections in order.

use super::layout::{joined, place};
use super::options::TextOptions;
use super::palette::Palette;
use super::quantity;
use super::remedies::{explain_warning, flag};
use super::sections::size_table::{BELOW_FLOOR, NET};
use super::sections::{
    allocations, changes, compile, failures, hotspots, noise, plot, size_table, worst,
};
use super::starved;
use super::summary;
use crate::report::found::fault;
use crate::report::{
    AT_LEAST_NOTE, clock_name, default_input, figure, grouped, has_largest_process_only,
    lack_of_input, of_what, peak_figure, readable, readable_name, unfinished_tests, verdict,
    wrong_tests,
};
use profiler_proto::Word;
use profiler_proto::v1::{
    GrowthClassification, HotspotsMethod, ProfileReport, SizeResult, TestCaseResult, TestVerdict,
    Warning, WarningCode,
};

const TIME_DIGITS: usize = 3;
/// Shortest wait for a core that the text mentions, in milliseconds.
const TOLD_WAIT_MS: f64 = 100.0;
/// Significant digits of a wait.
const WAIT_DIGITS: i32 = 2;
/// Maximum number of test cases that the text names for each verdict.
const NAMED_TESTS: usize = 5;

/// The whole report, with a blank line between sections. First come the sentences that a reader
/// needs, and `note`; then the table that they are from; then everything else.
pub(super) fn text(report: &ProfileReport, note: Option<&str>, options: &TextOptions) -> String {
    let palette = &options.palette;
    let sentences = |growth: String| {
        let Palette { bad, .. } = palette;
        let fault = fault(report).map(|text| format!("{bad}{text}.{bad:#}")).unwrap_or_default();
        let parts = [objection(report, palette), growth, fault, note.unwrap_or_default().into()];
        let said: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        said.join("\n")
    };
    if default_input::ended_the_run(report) {
        // Nothing was measured, and the reader has to declare the input first.
        return sentences(String::new());
    }
    let tests = section("Test cases", test_cases(&report.test_cases), palette);
    if verdict::ended_the_run(report) {
        // The verdict contains the first wrong answer.
        use WarningCode::{CheckerFailed, InvalidInput, NotJudged, ValidatorFailed, WrongAnswer};
        let is_problem = |code: &WarningCode| {
            matches!(code, WrongAnswer | NotJudged | CheckerFailed | InvalidInput | ValidatorFailed)
        };
        let problems = report.warnings.iter().map(Warning::code).filter(is_problem);
        let is_said = problems.eq([WrongAnswer]);
        let warnings = if is_said { String::new() } else { warnings(report, palette) };
        let warnings = section("Warnings", warnings, palette);
        return joined([sentences(String::new()), tests, warnings]);
    }
    let measured = || joined([sizes(report, options), plots(report, options)]);
    let compiled = report.compile.as_ref();
    let allocated = allocations::text(report);
    let advised = report.advice.as_ref().map(|advice| changes::text(advice, of_what(report)));
    joined([
        sentences(summary(report, flag)),
        if report.sizes.is_empty() { String::new() } else { measured() },
        head(report, options),
        section("Compiler output", compiled.map(compile::output).unwrap_or_default(), palette),
        section(&hotspots_title(report, "Hotspots"), hotspots::lines(report, options), palette),
        section("Functions", hotspots::functions(&report.hotspot_functions, options), palette),
        section("Allocations", allocated, palette),
        section("Worst input", worst_input(report), palette),
        section("Advice", advised.unwrap_or_default(), palette),
        tests,
        section("Failures", failures::sizes(report), palette),
        section("Warnings", warnings(report, palette), palette),
        section("Not enforced here", not_enforced(report), palette),
    ])
}

/// Renders what must be read before anything else: the verdict of the test cases, and the objection
/// or note about the input.
fn objection(report: &ProfileReport, palette: &Palette) -> String {
    let Palette { good, bad, caution, .. } = *palette;
    let style = if wrong_tests(report).is_some() {
        bad
    } else if unfinished_tests(report).is_some() {
        caution
    } else {
        good
    };
    let verdict = verdict(report).map(|text| format!("{style}{text}.{style:#}"));
    let objection = starved::objection(report, flag).map(|text| format!("{bad}{text}{bad:#}"));
    let note = || Some(format!("{caution}{}{caution:#}", starved::note(report, flag)?));
    let said = verdict.into_iter().chain(objection.or_else(note));
    said.collect::<Vec<_>>().join("\n")
}

/// Renders the worst input, if the job asked for it.
fn worst_input(report: &ProfileReport) -> String {
    let Some(found) = report.worst.as_deref() else { return String::new() };
    let evidence = worst::evidence(found, worst::source(report, found), &worst::again(found));
    format!("{}\n{evidence}", worst::sentence(found))
}

/// Plots of time and memory over n, each with its fitted curve. A figure that does not move has no
/// plot.
fn plots(report: &ProfileReport, options: &TextOptions) -> String {
    let plot = |title, figures: &[f64], class: Option<&GrowthClassification>| {
        let points: Vec<_> =
            report.input_sizes.iter().copied().zip(figures.iter().copied()).collect();
        if !plot::moves(&points, class) {
            return String::new();
        }
        plot::log_log(title, &points, class.and_then(|class| class.curve.as_ref()), options)
    };
    let growth = report.growth.as_ref();
    joined([
        plot("time in ms", &report.runtime_ms, growth.and_then(|it| it.time.as_ref())),
        plot("memory in MiB", &report.peak_memory_mb, growth.and_then(|it| it.memory.as_ref())),
    ])
}

/// The title of the hotspots, with the method that found them.
fn hotspots_title(report: &ProfileReport, title: &str) -> String {
    match report.hotspots_method() {
        HotspotsMethod::Unspecified => title.into(),
        method => format!("{title} ({})", method.word()),
    }
}

fn section(title: &str, content: String, palette: &Palette) -> String {
    if content.is_empty() {
        return content;
    }
    let heading = palette.heading;
    format!("{heading}{title}{heading:#}\n{content}")
}

/// The task, the host and the compile step.
fn head(report: &ProfileReport, options: &TextOptions) -> String {
    let heading = options.palette.heading;
    let task = format!("{heading}{}{heading:#}", readable_name(&report.task_id));
    let first = match &report.host {
        Some(host) => {
            let [backend, cpu, kernel] =
                [&host.backend, &host.cpu_model, &host.kernel].map(|text| readable(text));
            format!("{task} · {backend} · {cpu} · Linux {kernel}")
        }
        None => task,
    };
    let lines = [
        Some(first),
        report.compile.as_ref().map(compile::line),
        conditions(report, options.explain),
    ];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// Renders the place of the measurement. If columns are explained, also figures that do not depend
/// on the program.
fn conditions(report: &ProfileReport, explain: bool) -> Option<String> {
    let host = report.host.as_ref();
    let explained = host.filter(|_| explain);
    let start_up = report.start_up.as_ref().filter(|_| explain);
    let ms = |ms| figure(Some(ms), TIME_DIGITS);
    let known = [
        host.and_then(|host| host.name.as_deref()).map(|name| format!("host {}", readable(name))),
        explained.and_then(|host| host.measured_core).map(|core| format!("core {core}")),
        host.and_then(|host| host.core_wait_ms)
            .filter(|&ms| ms > TOLD_WAIT_MS)
            .map(|ms| format!("waited {} for a core", quantity::time(ms, WAIT_DIGITS))),
        start_up.map(|start_up| format!("start-up {} ms", ms(start_up.runtime_ms))),
        explained
            .and_then(|host| host.calibration_ms)
            .map(|it| format!("calibration {} ms", ms(it))),
        host.and_then(|host| host.neighbours)
            .filter(|&count| count > 0)
            .map(|count| format!("other programs measured at the same time: {count}")),
        default_input::quoted(report).map(|input| format!("input {input}")),
        (report.input_seed != 0).then(|| format!("seed {}", report.input_seed)),
    ];
    let known: Vec<_> = known.into_iter().flatten().collect();
    (!known.is_empty()).then(|| known.join(" · "))
}

/// Explains the columns of the table.
fn legend(report: &ProfileReport) -> String {
    let clock = clock_name(report.runtime_clock());
    let reason = readable(&report.runtime_clock_reason);
    let reason = if reason.is_empty() { reason } else { format!(" ({reason})") };
    format!(
        "runtime: {clock}{reason}; ±: half the width of its 95 % interval\n\
         net: runtime minus start-up; peak: largest resident set, or all that a cgroup\n\
         counted if that is over 16 MiB more\n\
         cpu: processor time, delay: waiting for a processor (medians of the runs)"
    )
}

/// The table of sizes, notes about it, and why the schedule ended.
fn sizes(report: &ProfileReport, options: &TextOptions) -> String {
    let table = size_table::table(&report.sizes, &report.candidates, options);
    let marked = report.sizes.iter().any(SizeResult::below_noise_floor);
    let marked = marked && options.explain && !table.left_out().contains(&NET);
    let at_least = report.sizes.iter().any(has_largest_process_only);
    let notes = [
        marked.then(|| format!("{BELOW_FLOOR}: too short to measure")),
        at_least.then(|| AT_LEAST_NOTE.into()),
        options.explain.then(|| legend(report)),
        table.note("--wide"),
        size_table::also_counted(report),
        report.schedule_end.as_deref().map(|end| format!("last size: {}", readable(end))),
    ];
    let text = size_table::text(&table, &report.sizes, options);
    [Some(text)].into_iter().chain(notes).flatten().collect::<Vec<_>>().join("\n")
}

/// Counts the test cases by their verdicts, unless all are accepted, and names those that took
/// longest, held most and executed most instructions.
fn test_cases(cases: &[TestCaseResult]) -> String {
    let are_accepted = cases.iter().all(|case| case.judged() == TestVerdict::Accepted);
    let verdicts = (1..).map_while(|number| TestVerdict::try_from(number).ok());
    let verdicts = verdicts.filter(|_| !are_accepted);
    let counts: Vec<_> = verdicts.filter_map(|verdict| with_verdict(cases, verdict)).collect();
    let slowest = most(cases, |case| case.runtime_ms).map(|(ms, number)| {
        format!("slowest: test {number}, {} ms", figure(Some(ms), TIME_DIGITS))
    });
    let largest = most(cases, |case| case.peak_memory_mb).map(|(mib, number)| {
        format!("largest: test {number}, {} MiB", peak_figure(Some(mib), false))
    });
    let costliest = most(cases, |case| case.instructions).map(|(count, number)| {
        format!("costliest: test {number}, {} instructions", grouped(count, ' '))
    });
    let figures: Vec<_> = [slowest, largest, costliest].into_iter().flatten().collect();
    let lines = [counts.join(" · "), figures.join(" · ")];
    let lines = lines.iter().filter(|line| !line.is_empty());
    lines.map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// The largest known figure of the test cases, and the number of the first case that has it.
fn most<T: PartialOrd>(
    cases: &[TestCaseResult],
    of: fn(&TestCaseResult) -> Option<T>,
) -> Option<(T, u32)> {
    let known = cases.iter().zip(1..).filter_map(|(case, number)| Some((of(case)?, number)));
    known.reduce(|most, other| if other.0 > most.0 { other } else { most })
}

/// Counts the test cases with this verdict, and names the first ones unless they are accepted.
fn with_verdict(cases: &[TestCaseResult], verdict: TestVerdict) -> Option<String> {
    let numbers = cases.iter().zip(1..).filter(|(case, _)| case.judged() == verdict);
    let mut numbers: Vec<_> = numbers.map(|(_, number): (_, u32)| number.to_string()).collect();
    let (count, word) = (numbers.len(), verdict.word());
    if verdict == TestVerdict::Accepted || count == 0 {
        return (count > 0).then(|| format!("{count} {word}"));
    }
    if count > NAMED_TESTS {
        numbers.truncate(NAMED_TESTS);
        numbers.push("…".into());
    }
    let tests = if count == 1 { "test" } else { "tests" };
    Some(format!("{count} {word} ({tests} {})", numbers.join(", ")))
}

/// Renders the warnings. Sizes that did not end OK have a list of their own, and noise at several
/// sizes is one line.
fn warnings(report: &ProfileReport, palette: &Palette) -> String {
    let caution = palette.caution;
    // The objection says the same, and names the option to use.
    let is_said = lack_of_input(report).is_some();
    let noise = noise::sentence(report);
    let is_shown = |warning: &&Warning| match warning.code() {
        WarningCode::RuntimeFailure => false,
        WarningCode::Noisy => noise.is_none(),
        WarningCode::InputExhausted => !is_said,
        _ => true,
    };
    let shown = report.warnings.iter().filter(is_shown).map(|warning| {
        let place = |n| format!("{}: ", place(report, n, warning.candidate.unwrap_or(0)));
        let size = warning.size.map(place).unwrap_or_default();
        let (code, message) = (warning.code().word(), explain_warning(warning, flag));
        format!("  {caution}{code}{caution:#}: {size}{message}")
    });
    let code = WarningCode::Noisy.word();
    let noise = noise.iter().map(|text| format!("  {caution}{code}{caution:#}: {text}"));
    noise.chain(shown).collect::<Vec<_>>().join("\n")
}

/// Lists what the sandbox cannot enforce on this host.
fn not_enforced(report: &ProfileReport) -> String {
    let sentences = report.host.iter().flat_map(|host| &host.not_enforced);
    sentences.map(|text| format!("  {}", readable(text))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample_reports::{growing, report, whole};
    use profiler_proto::v1::Outcome;

    #[test]
    fn wait_for_a_core_is_named_if_it_was_long() {
        let waited = |ms| {
            let mut report = report(growing());
            report.host.as_mut().unwrap().core_wait_ms = Some(ms);
            [conditions(&report, true).unwrap(), conditions(&report, false).unwrap_or_default()]
        };
        let ([long, brief], [short, empty]) = (waited(2_340.0), waited(40.0));
        assert!(long.starts_with("core 1 · waited 2.3 s for a core · start-up"), "{long}");
        assert!(!short.contains("waited"), "{short}");
        assert_eq!([&brief, &empty], ["waited 2.3 s for a core", ""]);
    }

    #[test]
    fn note_is_between_the_sentences_and_the_table() {
        let text = text(&whole(), Some("next:\n  swiftprof"), &TextOptions::default());
        let (first, rest) = text.split_once("\n\n").unwrap();
        assert!(first.starts_with("time grows like n log n"), "{text}");
        assert!(first.ends_with("\nnext:\n  swiftprof") && rest.starts_with('┌'), "{text}");
    }

    #[test]
    fn test_cases_are_counted_by_their_words() {
        let case = |verdict: TestVerdict, runtime_ms, peak_memory_mb| TestCaseResult {
            verdict: verdict.into(),
            runtime_ms,
            peak_memory_mb,
            ..TestCaseResult::default()
        };
        let mut cases = vec![
            case(TestVerdict::Accepted, Some(1.5), Some(3.5)),
            case(TestVerdict::TimeLimit, Some(2001.0), Some(3.25)),
        ];
        cases.extend(vec![case(TestVerdict::NotRun, None, None); 6]);
        assert_eq!(
            test_cases(&cases),
            "  1 AC · 1 TLE (test 2) · 6 NOT_RUN (tests 3, 4, 5, 6, 7, …)\n  \
             slowest: test 2, 2001.000 ms · largest: test 1, 3.50 MiB"
        );
        let old = TestCaseResult {
            outcome: Outcome::Ok.into(),
            correct: Some(false),
            ..TestCaseResult::default()
        };
        assert_eq!(test_cases(&[old]), "  1 WA (test 1)");
        cases.truncate(1);
        let text = "  slowest: test 1, 1.500 ms · largest: test 1, 3.50 MiB";
        assert_eq!(test_cases(&cases), text);
        cases[0].instructions = Some(2_104_000);
        let text = format!("{text} · costliest: test 1, 2 104 000 instructions");
        assert_eq!(test_cases(&cases), text);
    }

    #[test]
    fn verdict_of_the_test_cases_is_the_first_line() {
        let first = |verdicts: &[TestVerdict], sizes| {
            let case = |&verdict: &TestVerdict| TestCaseResult {
                verdict: verdict.into(),
                ..TestCaseResult::default()
            };
            let test_cases = verdicts.iter().map(case).collect();
            let problem = Warning::new(WarningCode::WrongAnswer, "test 2 printed 4, expected 3");
            let report = ProfileReport { test_cases, warnings: vec![problem], ..report(sizes) };
            let text = text(&report, None, &TextOptions::default());
            text.split_once('\n').map(|(first, rest)| (first.to_owned(), rest.to_owned())).unwrap()
        };
        let (right, rest) = first(&[TestVerdict::Accepted; 2], growing());
        assert_eq!(right, "correct on 2 of 2 tests.");
        assert!(rest.contains("│ 10000 ┆ OK ") && !rest.contains("Test cases"), "{rest}");
        let (open, _) = first(&[TestVerdict::Accepted, TestVerdict::NotRun], growing());
        assert_eq!(open, "no verdict: 1 of 2 tests ran, and their answers are correct.");
        let wrong = [TestVerdict::Accepted, TestVerdict::WrongAnswer];
        let left_out = SizeResult { outcome: Outcome::NotRun.into(), ..SizeResult::default() };
        let (wrong, rest) = first(&wrong, vec![left_out]);
        assert_eq!(wrong, "wrong on 1 of 2 tests; first: test 2 printed 4, expected 3.");
        assert_eq!(rest, "\nTest cases\n  1 AC · 1 WA (test 2)");
    }

    #[test]
    fn report_without_sizes_has_no_table_and_no_plot() {
        let case = TestCaseResult {
            verdict: TestVerdict::Accepted.into(),
            instructions: Some(9),
            ..TestCaseResult::default()
        };
        let mut judged = ProfileReport { test_cases: vec![case], ..report(Vec::new()) };
        judged.growth = None;
        let text = text(&judged, None, &TextOptions::default());
        let first = "correct on 1 of 1 test.\n\n";
        assert!(text.starts_with(first) && !text.contains('│'), "{text}");
        assert!(text.contains("\nTest cases\n  costliest: test 1, 9 instructions"), "{text}");
    }
}
