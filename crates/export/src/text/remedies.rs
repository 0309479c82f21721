//! Remedies in the options of a face.

use crate::report::readable;
use profiler_proto::v1::{GrowthClassification, RemedyKind};

/// Names a remedy as an option of a face.
pub type Wording = fn(RemedyKind) -> &'static str;

/// The remedy as a flag of the command line.
pub fn flag(remedy: RemedyKind) -> &'static str {
    match remedy {
        RemedyKind::Unspecified => "a newer swiftprof",
        RemedyKind::LargerSizes => "larger --sizes",
        RemedyKind::SmallerSizes => "smaller --sizes",
        RemedyKind::MoreSizes => "more --sizes",
        RemedyKind::AutoSchedule => "--schedule auto",
        RemedyKind::CountedGrowth => "--growth counted",
        RemedyKind::FullGrowth => "--growth full",
        RemedyKind::InputSpec => "--input-spec",
    }
}

/// Explains why a class is undecided, and what would decide it. A report of version 0.2 has no
/// remedies, and its own words.
pub fn why_undecided(class: &GrowthClassification, wording: Wording) -> String {
    if class.undecided_reason.is_empty() {
        return readable(&class.undecided);
    }
    let reason = readable(&class.undecided_reason);
    let remedies: Vec<_> = class.remedies.iter().map(|remedy| wording(remedy.kind())).collect();
    match &remedies[..] {
        [] => reason,
        remedies => format!("{reason}. To decide: {}", remedies.join(" or ")),
    }
}
