//! Remedies in the options of a face.

use crate::report::readable;
use profiler_proto::v1::{CompileStep, GrowthClassification, Remedy, RemedyKind, Warning};

/// Names a remedy as an option of a face. Empty if the face has none for it.
pub type Wording = fn(&Remedy) -> String;

/// The remedy as a flag of the command line.
pub fn flag(remedy: &Remedy) -> String {
    let flag = match remedy.kind() {
        RemedyKind::Unspecified => "a newer swiftprof",
        RemedyKind::LargerSizes => "larger --sizes",
        RemedyKind::SmallerSizes => "smaller --sizes",
        RemedyKind::MoreSizes => "more --sizes",
        RemedyKind::AutoSchedule => "--schedule auto",
        RemedyKind::CountedGrowth => "--growth counted",
        RemedyKind::FullGrowth => "--growth full",
        RemedyKind::InputSpec => "--input-spec",
        RemedyKind::Interactor => "--interactor if it talks to a judge",
        RemedyKind::Standard => return format!("--std {}", remedy.argument),
        RemedyKind::LargerMemory => "a larger --memory-mb",
        RemedyKind::SameSizes => "the same `--sizes`",
        RemedyKind::SameSeed => "the same `--seed`",
        RemedyKind::SamePrecision => "the same `--precision`",
    };
    flag.into()
}

/// Explains why a class is undecided, and what would decide it. A report of version 0.2 has no
/// remedies, and its own words.
pub fn why_undecided(class: &GrowthClassification, wording: Wording) -> String {
    if class.undecided_reason.is_empty() {
        return readable(&class.undecided);
    }
    readable(&(class.undecided_reason.clone() + &listed(". To decide: ", &class.remedies, wording)))
}

/// The text of a warning, and what helps. A report of version 0.2 has no remedies, and its own
/// words.
pub fn explain_warning(warning: &Warning, wording: Wording) -> String {
    if warning.reason.is_empty() {
        return readable(&warning.message);
    }
    readable(&(warning.reason.clone() + &listed(": give ", &warning.remedies, wording)))
}

/// The errors of a program that does not compile, and in the last line what helps. A report of
/// version 0.2 has no remedies, and its own words.
pub fn explain_errors(step: &CompileStep, wording: Wording) -> String {
    let standard = step.remedies.iter().find(|remedy| remedy.kind() == RemedyKind::Standard);
    match (standard, step.error_text.rsplit_once('\n')) {
        (Some(remedy), Some((errors, _))) => readable(&format!(
            "{errors}\nhint: this needs {}: compile with {}",
            remedy.argument.to_uppercase(),
            wording(remedy)
        )),
        _ => readable(&step.error_text),
    }
}

/// Lists the remedies that the face has, after a lead; empty if there are none.
fn listed(lead: &str, remedies: &[Remedy], wording: Wording) -> String {
    let named: Vec<_> = remedies.iter().map(wording).filter(|it| !it.is_empty()).collect();
    if named.is_empty() { String::new() } else { format!("{lead}{}", named.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face without judges.
    fn argument(remedy: &Remedy) -> String {
        match remedy.kind() {
            RemedyKind::Interactor => String::new(),
            RemedyKind::Standard => format!("std: {}", remedy.argument),
            _ => "input_spec".into(),
        }
    }

    #[test]
    fn each_face_names_the_options_that_it_has() {
        let warning = Warning {
            message: "it was fed 9: declare its input with an InputSpec".into(),
            reason: "it was fed 9".into(),
            remedies: vec![RemedyKind::InputSpec.into(), RemedyKind::Interactor.into()],
            ..Warning::default()
        };
        assert_eq!(
            explain_warning(&warning, flag),
            "it was fed 9: give --input-spec or --interactor if it talks to a judge"
        );
        assert_eq!(explain_warning(&warning, argument), "it was fed 9: give input_spec");
        let older = Warning { reason: String::new(), ..warning };
        assert_eq!(explain_warning(&older, flag), older.message);
    }

    #[test]
    fn hint_alone_is_worded() {
        let errors = "main.cpp:1:1: error: compile with -std=c++20";
        let kind = RemedyKind::Standard.into();
        let step = CompileStep {
            error_text: format!("{errors}\nhint: this needs C++20: compile with -std=c++20"),
            remedies: vec![Remedy { kind, argument: "c++20".into() }],
            ..CompileStep::default()
        };
        let hinted = |option| format!("{errors}\nhint: this needs C++20: compile with {option}");
        assert_eq!(explain_errors(&step, flag), hinted("--std c++20"));
        assert_eq!(explain_errors(&step, argument), hinted("std: c++20"));
        let older = CompileStep { remedies: Vec::new(), ..step };
        assert_eq!(explain_errors(&older, flag), hinted("-std=c++20"));
    }
}
