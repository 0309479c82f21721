//! The compiler's output, as data.

use crate::properties::few;
use profiler_decode::diagnostics::errors::errors;
use profiler_decode::diagnostics::{Diagnostic, MAX_DIAGNOSTICS, Severity, diagnostics};
use proptest::collection::vec;
use proptest::prelude::*;

const SEVERITIES: [Severity; 4] =
    [Severity::FatalError, Severity::Error, Severity::Warning, Severity::Note];

/// A diagnostic with a position.
fn diagnostic() -> impl Strategy<Value = Diagnostic> {
    let place = ("[a-z/_.]{1,20}", 1..=u32::MAX, prop::option::of(1..=u32::MAX));
    // A message in the linker's own words would appear twice.
    let message = "[ -~]{0,40}".prop_filter("linker", |text| !text.contains("ref"));
    (place, prop::sample::select(&SEVERITIES[..]), message).prop_map(
        |((file, line, column), severity, message)| Diagnostic {
            severity,
            file,
            line: Some(line),
            column,
            message,
        },
    )
}

/// The text that g++ prints, with the source lines that it shows.
fn printed(diagnostic: &Diagnostic) -> String {
    let Diagnostic { severity, file, line, column, message } = diagnostic;
    let (line, severity) = (line.expect("it has a place"), severity.as_str());
    let column = column.map(|column| format!("{column}:")).unwrap_or_default();
    format!(
        "{file}:{line}:{column} {severity}: {message}\n  {line:4} |   int x\n       |       ^\n"
    )
}

proptest! {
    #![proptest_config(few())]

    #[test]
    fn printed_text_is_read(all in vec(diagnostic(), 0..12)) {
        let text: String = all.iter().map(printed).collect();
        prop_assert_eq!(diagnostics(&text, false), all);
    }

    #[test]
    fn any_output_is_read_within_bounds(
        parts in vec(
            prop_oneof![
                "\\PC{0,20}".prop_map(String::into_bytes),
                vec(any::<u8>(), 0..20),
                diagnostic().prop_map(|diagnostic| printed(&diagnostic).into()),
                Just(b"/usr/bin/ld: /tmp/a.o: in function `main':\n".to_vec()),
                Just(b"main.cpp:(.text+0x5): undefined reference to `f()'\n".to_vec()),
                Just(b"main.cpp:99999999999:0: error: far\n".to_vec()),
                Just(b"collect2: error: ld returned 1 exit status\n".to_vec()),
            ],
            0..300,
        )
    ) {
        let output = parts.concat();
        let found = diagnostics(&String::from_utf8_lossy(&output), false);
        prop_assert!(found.len() <= MAX_DIAGNOSTICS);
        let errors = errors("g++", &String::from_utf8_lossy(&output), false);
        prop_assert_eq!(errors.sentence.is_none(), errors.text.is_empty());
        prop_assert!(errors.sentence.is_none_or(|sentence| !sentence.contains('\n')));
        for diagnostic in found {
            prop_assert!(!diagnostic.message.contains('\n') && !diagnostic.file.contains('\n'));
        }
    }
}
