//! Remedies as arguments of the tools.

use profiler_export::Change;
use profiler_proto::v1::RemedyKind;

/// Arguments that declare the input of a program.
pub(crate) const INPUT: &str = "input_spec or samples";

/// Returns the argument of a tool that makes a change; empty if no argument does. Tools have no
/// schedule, interactor or clock to choose, all their runs have the same precision, and they count
/// instructions wherever that is possible.
pub(crate) fn argument(change: Change<'_>) -> String {
    use RemedyKind::{
        AutoSchedule, CountedGrowth, FullGrowth, InputSpec, Interactor, LargerSizes, MoreSizes,
        SmallerSizes, Standard, Unspecified,
    };
    let argument = match change {
        Change::Remedy(Unspecified | Interactor | Standard)
        | Change::Instructions
        | Change::Clock(_) => "",
        Change::Remedy(LargerSizes | AutoSchedule) => "larger sizes",
        Change::Remedy(SmallerSizes) => "smaller sizes",
        Change::Remedy(MoreSizes) => "more sizes",
        Change::Remedy(CountedGrowth) => "growth: \"counted\"",
        Change::Remedy(FullGrowth) => "growth: \"full\"",
        Change::Remedy(InputSpec) => INPUT,
        Change::Standard(standard) => return format!("std: {standard}"),
        Change::LargerMemory => "a larger memory_mb",
        Change::SameSizes => "the same sizes",
        Change::SameSeed => "the same seed",
        Change::SamePrecision => "fresh: true",
        Change::InputFile(name) => return format!("input_file: {name}"),
        Change::OutputFile(name) => return format!("output_file: {name}"),
    };
    argument.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn input_is_declared_and_no_interactor_offered() {
        assert_eq!(
            profiler_export::remedy(argument),
            "Declare its input with input_spec or samples."
        );
    }
}
