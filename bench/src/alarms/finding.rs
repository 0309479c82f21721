//! The warnings of one job, and those of them that accuse its program.

use profiler_proto::Word;
use profiler_proto::v1::{Outcome, ProfileReport, Warning, WarningCode};
use std::collections::BTreeSet;

/// Texts of a missing count that blame the time, and not the program.
const OUT_OF_TIME: [&str; 2] = ["used up the time for counting", "stopped at its time limit"];
/// Text of a class that is withheld because a figure may be forged.
const TWO_WAYS: &str = "the program behaves in two ways";
/// Name of that text in the table.
const WITHHELD: &str = "(growth withheld)";

/// Text of a warning about output that differs, and not only work.
const OTHER_OUTPUT: &str = "different output";

/// Part of a program that differs from run to run, so that a warning about it is true.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Varies {
    Nothing,
    Work,
    WorkAndOutput,
}

/// Whether a warning says that a figure may be forged, or that it is not believed.
fn accuses(warning: &Warning, varies: Varies) -> bool {
    match warning.code() {
        WarningCode::TwoWays
        | WarningCode::ProbeDiffers
        | WarningCode::MemoryMismatch
        | WarningCode::Inconsistent
        | WarningCode::ReadsLessInput => true,
        WarningCode::NotDeterministic => match varies {
            Varies::Nothing => true,
            Varies::Work => warning.message.contains(OTHER_OUTPUT),
            Varies::WorkAndOutput => false,
        },
        WarningCode::NotCounted => !OUT_OF_TIME.iter().any(|text| warning.message.contains(text)),
        // A run near a limit can end either way.
        WarningCode::Unstable
        | WarningCode::RuntimeFailure
        // The host, the job or the build is the reason.
        | WarningCode::Noisy
        | WarningCode::SlowSpell
        | WarningCode::OneCore
        | WarningCode::WallClock
        | WarningCode::NoNewSandbox
        | WarningCode::NoStartUp
        | WarningCode::IncomparableFlag
        | WarningCode::LineDirectives
        | WarningCode::InputExhausted
        | WarningCode::GrowsFasterThanExpected
        | WarningCode::ExpectedComplexity
        // An analysis lacks something.
        | WarningCode::InstructionsUnsupported
        | WarningCode::GrowthUnsupported
        | WarningCode::NoHotspots
        | WarningCode::PartialCallStacks
        | WarningCode::NoAllocations
        | WarningCode::AllocationsPartial
        | WarningCode::AllocationsLowerBounds
        // True of programs with several processes, threads or shared mappings.
        | WarningCode::MemoryBeside
        | WarningCode::LargestProcess
        // About test cases, which these jobs lack.
        | WarningCode::TestCasesNotRun
        | WarningCode::WrongAnswer
        | WarningCode::NotJudged
        | WarningCode::CheckerFailed
        | WarningCode::InvalidInput
        | WarningCode::ValidatorFailed
        | WarningCode::Unspecified => false,
    }
}

/// The warnings of one job.
#[derive(Debug)]
pub(super) struct Finding {
    /// The program and its flags.
    pub(super) title: String,
    /// Words of the warnings, each once.
    pub(super) words: BTreeSet<&'static str>,
    /// Word and text of each warning that accuses.
    pub(super) alarms: Vec<(&'static str, String)>,
    /// The first size that did not end OK.
    pub(super) failure: Option<String>,
}

impl Finding {
    pub(super) fn new(title: String, report: &ProfileReport, varies: Varies) -> Self {
        let mut words: BTreeSet<_> = report.warnings.iter().map(|it| it.code().word()).collect();
        let accusing = report.warnings.iter().filter(|warning| accuses(warning, varies));
        let mut alarms: Vec<_> = accusing
            .map(|warning| {
                let size = warning.size.map_or_else(String::new, |size| format!("n = {size}: "));
                (warning.code().word(), format!("{size}{}", warning.message))
            })
            .collect();
        let time = report.growth.as_ref().and_then(|growth| growth.time.as_ref());
        let withheld = time.filter(|time| time.undecided_reason.starts_with(TWO_WAYS));
        if let Some(time) = withheld {
            words.insert(WITHHELD);
            alarms.push((WITHHELD, time.undecided_reason.clone()));
        }
        let failed = report.sizes.iter().find(|size| size.outcome() != Outcome::Ok);
        let failure = failed.map(|size| format!("n = {}: {}", size.size, size.outcome().name()));
        Self { title, words, alarms, failure }
    }
}

#[cfg(test)]
mod tests {
    use super::{Finding, OTHER_OUTPUT, OUT_OF_TIME, TWO_WAYS, Varies, accuses};
    use profiler_proto::Word;
    use profiler_proto::v1::{
        GrowthClassification, GrowthReport, ProfileReport, Warning, WarningCode,
    };

    #[test]
    fn only_doubts_of_figures_accuse() {
        let all = (0..).map_while(|number| WarningCode::try_from(number).ok());
        let accusing = |varies| {
            let all = all.clone().filter(|&code| accuses(&Warning::new(code, ""), varies));
            all.map(Word::word).collect::<Vec<_>>()
        };
        let sure = [
            "memory_mismatch",
            "inconsistent",
            "probe_differs",
            "not_counted",
            "two_ways",
            "reads_less_input",
        ];
        assert_eq!(accusing(Varies::WorkAndOutput), sure);
        let mut with_outputs = sure.to_vec();
        with_outputs.insert(3, "not_deterministic");
        assert_eq!(accusing(Varies::Nothing), with_outputs);
    }

    #[test]
    fn differing_output_accuses_a_program_whose_work_alone_varies() {
        let accuses = |text: &str, varies| {
            accuses(&Warning::new(WarningCode::NotDeterministic, text), varies)
        };
        let (output, counts) =
            ("2 of 5 runs wrote a different output", "two runs executed 8 and 9");
        let told = |text: &str| [Varies::Work, Varies::WorkAndOutput].map(|it| accuses(text, it));
        assert_eq!(told(output), [true, false]);
        assert_eq!(told(counts), [false, false]);
    }

    #[test]
    fn missing_count_accuses_unless_the_time_was_short() {
        let accuses =
            |text: &str| accuses(&Warning::new(WarningCode::NotCounted, text), Varies::Nothing);
        assert!(accuses("the count is 9 instructions, too few for 60.0 ms of user time"));
        assert!(accuses("the counted run ended differently: exit code 1"));
        assert!(!accuses("counting other sizes used up the time for counting"));
        assert!(!accuses("the counted run ended differently: stopped at its time limit"));
    }

    #[test]
    fn texts_are_those_of_the_profiler() {
        let files = [
            include_str!("../../../profiler-core/src/analyse/instructions.rs"),
            include_str!("../../../profiler-core/src/report/ending.rs"),
            include_str!("../../../profiler-core/src/analyse/growth_runs/classify.rs"),
            include_str!("../../../profiler-core/src/measure/size.rs"),
        ];
        let texts = [OUT_OF_TIME[0], OUT_OF_TIME[1], TWO_WAYS, OTHER_OUTPUT];
        for (text, file) in texts.into_iter().zip(files) {
            assert!(file.contains(text), "{text:?}");
        }
    }

    #[test]
    fn withheld_growth_is_an_alarm() {
        let time = |undecided_reason: &str| GrowthClassification {
            undecided_reason: undecided_reason.into(),
            ..GrowthClassification::default()
        };
        let alarms = |reason: &str| {
            let growth = GrowthReport { time: Some(time(reason)), ..GrowthReport::default() };
            let report = ProfileReport { growth: Some(growth), ..ProfileReport::default() };
            Finding::new("a".into(), &report, Varies::Nothing).alarms.len()
        };
        assert_eq!(alarms("the program behaves in two ways on the same input of n = 5"), 1);
        assert_eq!(alarms("two sizes fit any class"), 0);
    }
}
