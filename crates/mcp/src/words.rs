//! Hints in the texts of a report, in terms of the tools: they name flags of the command line.

use profiler_proto::v1::RemedyKind;

/// Phrases of a text, each with the argument for it.
const ARGUMENTS: [(&str, &str); 9] = [
    ("--schedule auto", "larger sizes"),
    ("`--sizes`", "sizes"),
    ("--sizes", "sizes"),
    ("--hotspots", "hotspots: true"),
    ("--allocations", "allocations: true"),
    ("--memory-mb", "memory_mb"),
    ("--std ", "std: "),
    ("with the same `--precision`", "again with fresh: true"),
    (", or give --interactor if it talks to a judge", ""),
];
/// Arguments that declare the input of a program.
pub(crate) const INPUT: &str = "input_spec or samples";
const INPUT_FLAG: &str = "--input-spec";

/// The remedy as an argument of a tool. Tools have no schedule.
pub(crate) fn argument(remedy: RemedyKind) -> &'static str {
    match remedy {
        RemedyKind::Unspecified => "a newer swiftprof",
        RemedyKind::LargerSizes | RemedyKind::AutoSchedule => "larger sizes",
        RemedyKind::SmallerSizes => "smaller sizes",
        RemedyKind::MoreSizes => "more sizes",
        RemedyKind::CountedGrowth => "growth: \"counted\"",
        RemedyKind::FullGrowth => "growth: \"full\"",
        RemedyKind::InputSpec => INPUT,
    }
}

/// The text with arguments in place of flags.
pub(crate) fn with_arguments(text: &str) -> String {
    let text = ARGUMENTS
        .iter()
        .fold(text.to_owned(), |text, (flag, argument)| text.replace(flag, argument));
    text.replace(INPUT_FLAG, INPUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_arguments() {
        assert_eq!(
            with_arguments("it needs --hotspots or --input-spec."),
            "it needs hotspots: true or input_spec or samples."
        );
        assert_eq!(
            with_arguments(&profiler_export::remedy("--input-spec")),
            "Declare its input with input_spec or samples."
        );
    }
}
