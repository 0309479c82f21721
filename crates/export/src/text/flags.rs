//! Hints in the texts of a report: they name fields of the wire, and people want flags.

/// Words of a text, each with its flag.
const FLAGS: [(&str, &str); 6] = [
    ("`allocations`", "--allocations"),
    ("`debug`", "--hotspots"),
    ("schedule AUTO", "--schedule auto"),
    ("an InputSpec", "--input-spec"),
    ("input_specs", "--input-spec"),
    ("compile with -std=", "compile with --std "),
];

/// Beginning of a hint among the errors of a program that does not compile.
const HINT: &str = "hint: ";

/// The text with flags in place of fields.
pub fn with_flags(text: &str) -> String {
    FLAGS.iter().fold(text.to_owned(), |text, (field, flag)| text.replace(field, flag))
}

/// The errors of a program that does not compile, with flags in place of fields in the hint. All
/// other lines are the compiler's own.
pub fn errors_with_flags(errors: &str) -> String {
    let line = |line: &str| match line.strip_prefix(HINT) {
        Some(hint) => format!("{HINT}{}", with_flags(hint)),
        None => line.into(),
    };
    errors.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_name_flags() {
        assert_eq!(
            with_flags("declare its input with an InputSpec; not with schedule AUTO"),
            "declare its input with --input-spec; not with --schedule auto"
        );
        assert_eq!(
            with_flags("they need `debug`, and these `allocations`"),
            "they need --hotspots, and these --allocations"
        );
    }
}
