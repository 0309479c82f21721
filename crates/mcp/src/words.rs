//! Hints in the texts of a report, in terms of the tools: they name flags of the command line.

/// What a text says, and the argument for it.
const ARGUMENTS: [(&str, &str); 13] = [
    ("--growth counted", "growth: \"counted\""),
    ("--growth full", "growth: \"full\""),
    ("--schedule auto", "larger sizes"),
    ("larger --sizes", "larger sizes"),
    ("smaller --sizes", "smaller sizes"),
    ("more --sizes", "more sizes"),
    ("`--sizes`", "sizes"),
    ("--sizes", "sizes"),
    ("--hotspots", "hotspots: true"),
    ("--allocations", "allocations: true"),
    ("--memory-mb", "memory_mb"),
    ("--std ", "std: "),
    (", or give --interactor if it talks to a judge", ""),
];
/// What declares the input of a program.
pub(crate) const INPUT: &str = "input_spec or samples";
const INPUT_FLAG: &str = "--input-spec";

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
            with_arguments("To decide: --growth full, larger --sizes or --input-spec."),
            "To decide: growth: \"full\", larger sizes or input_spec or samples."
        );
        assert_eq!(
            with_arguments(&profiler_export::remedy("--input-spec")),
            "Declare its input with input_spec or samples."
        );
    }
}
