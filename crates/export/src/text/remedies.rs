//! Remedies, named as options of an interface: the command line, or the tools for agents.

use crate::report::readable;
use profiler_proto::v1::{CompileStep, GrowthClassification, Remedy, RemedyKind, Warning};

/// Change that a sentence asks for: a remedy from a report, or one that only a comparison asks for.
#[derive(Debug, Clone, Copy)]
pub enum Change<'a> {
    /// A remedy without an argument.
    Remedy(RemedyKind),
    /// The standard of C++ to compile for, such as `c++20`.
    Standard(&'a str),
    /// A larger memory limit.
    LargerMemory,
    /// The sizes of the other program.
    SameSizes,
    /// The seed of the other program's inputs.
    SameSeed,
    /// The precision of the other program's times.
    SamePrecision,
    /// The name of the file that the program opens for its input.
    InputFile(&'a str),
    /// The name of the file that the program writes.
    OutputFile(&'a str),
    /// Counting of instructions.
    Instructions,
    /// The clock with this name.
    Clock(&'static str),
}

impl<'a> From<&'a Remedy> for Change<'a> {
    fn from(remedy: &'a Remedy) -> Self {
        match remedy.kind() {
            RemedyKind::Standard => Self::Standard(&remedy.argument),
            kind => Self::Remedy(kind),
        }
    }
}

/// Names a change as an option of an interface. Empty if the interface has no option for it.
pub type Wording = fn(Change<'_>) -> String;

/// Returns the change as a flag of the command line.
pub fn flag(change: Change<'_>) -> String {
    let flag = match change {
        // Only a later version knows this kind.
        Change::Remedy(RemedyKind::Unspecified | RemedyKind::Standard) => "",
        Change::Remedy(RemedyKind::LargerSizes) => "larger --sizes",
        Change::Remedy(RemedyKind::SmallerSizes) => "smaller --sizes",
        Change::Remedy(RemedyKind::MoreSizes) => "more --sizes",
        Change::Remedy(RemedyKind::AutoSchedule) => "--schedule auto",
        Change::Remedy(RemedyKind::CountedGrowth) => "--growth counted",
        Change::Remedy(RemedyKind::FullGrowth) => "--growth full",
        Change::Remedy(RemedyKind::InputSpec) => "--input-spec",
        Change::Remedy(RemedyKind::Interactor) => "--interactor if it talks to a judge",
        Change::Standard(standard) => return format!("--std {standard}"),
        Change::LargerMemory => "a larger --memory-mb",
        Change::SameSizes => "the same --sizes",
        Change::SameSeed => "the same --seed",
        Change::SamePrecision => "the same --precision",
        Change::InputFile(name) => return format!("--input-file {name}"),
        Change::OutputFile(name) => return format!("--output-file {name}"),
        Change::Instructions => "--instructions",
        Change::Clock(clock) => return format!("--clock {clock}"),
    };
    flag.into()
}

/// Explains why a class is undecided, and what would decide it. For a report of version 0.2, which
/// has no remedies, returns its own sentence.
pub fn why_undecided(class: &GrowthClassification, wording: Wording) -> String {
    if class.undecided_reason.is_empty() {
        return readable(&class.undecided);
    }
    readable(
        &(class.undecided_reason.clone() + &listed(". To decide, use ", &class.remedies, wording)),
    )
}

/// Renders a warning with its remedies. For a report of version 0.2, which has no remedies, returns
/// its own message.
pub fn explain_warning(warning: &Warning, wording: Wording) -> String {
    if warning.reason.is_empty() {
        return readable(&warning.message);
    }
    readable(&(warning.reason.clone() + &listed("; use ", &warning.remedies, wording)))
}

/// Renders the errors of a program that does not compile, with the remedy in the last line. For a
/// report of version 0.2, which has no remedies, returns its own text.
pub fn explain_errors(step: &CompileStep, wording: Wording) -> String {
    let standard = step.remedies.iter().find(|remedy| remedy.kind() == RemedyKind::Standard);
    match (standard, step.error_text.rsplit_once('\n')) {
        (Some(remedy), Some((errors, _))) => readable(&format!(
            "{errors}\nhint: this needs {}: compile with {}",
            remedy.argument.to_uppercase(),
            wording(remedy.into())
        )),
        _ => readable(&step.error_text),
    }
}

/// Lists the remedies that the interface has options for, after a lead; empty if there are none.
fn listed(lead: &str, remedies: &[Remedy], wording: Wording) -> String {
    let named: Vec<_> =
        remedies.iter().map(|it| wording(it.into())).filter(|it| !it.is_empty()).collect();
    if named.is_empty() { String::new() } else { format!("{lead}{}", named.join(" or ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An interface without interactors.
    fn argument(change: Change<'_>) -> String {
        match change {
            Change::Remedy(RemedyKind::Interactor) => String::new(),
            Change::Standard(standard) => format!("std: {standard}"),
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
            "it was fed 9; use --input-spec or --interactor if it talks to a judge"
        );
        assert_eq!(explain_warning(&warning, argument), "it was fed 9; use input_spec");
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
