//! Remedies as arguments of the tools.

use profiler_proto::v1::{Remedy, RemedyKind};

/// Arguments that declare the input of a program.
pub(crate) const INPUT: &str = "input_spec or samples";

/// The remedy as an argument of a tool. Tools have no schedule and no interactor, and all runs of
/// theirs have one precision.
pub(crate) fn argument(remedy: &Remedy) -> String {
    let argument = match remedy.kind() {
        RemedyKind::Unspecified => "a newer swiftprof",
        RemedyKind::LargerSizes | RemedyKind::AutoSchedule => "larger sizes",
        RemedyKind::SmallerSizes => "smaller sizes",
        RemedyKind::MoreSizes => "more sizes",
        RemedyKind::CountedGrowth => "growth: \"counted\"",
        RemedyKind::FullGrowth => "growth: \"full\"",
        RemedyKind::InputSpec => INPUT,
        RemedyKind::Interactor => "",
        RemedyKind::Standard => return format!("std: {}", remedy.argument),
        RemedyKind::LargerMemory => "a larger memory_mb",
        RemedyKind::SameSizes => "the same sizes",
        RemedyKind::SameSeed => "the same seed",
        RemedyKind::SamePrecision => "fresh: true",
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
