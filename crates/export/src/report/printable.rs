//! Figures and foreign text for a terminal.

/// Replaces a figure that could not be measured.
const ABSENT: &str = "–";
const INFINITE: &str = "∞";
/// The first of Unicode's symbols for control characters.
const CONTROL_PICTURES: u32 = 0x2400;
const DELETE: char = '\u{7f}';
const DELETE_PICTURE: char = '␡';

/// Formats a figure with this many decimal places.
pub fn figure(value: Option<f64>, digits: usize) -> String {
    match value {
        Some(value) if value.is_finite() => format!("{value:.digits$}"),
        Some(value) if value.is_infinite() => INFINITE.into(),
        _ => ABSENT.into(),
    }
}

/// Foreign text without characters that act on the terminal: escape sequences, and marks that
/// change the direction of writing. They are replaced by visible symbols.
pub fn readable(text: &str) -> String {
    text.trim_end().chars().map(harmless).collect()
}

fn harmless(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        DELETE => DELETE_PICTURE,
        '\0'..' ' => {
            char::from_u32(CONTROL_PICTURES + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            char::REPLACEMENT_CHARACTER
        }
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_that_are_not_numbers_have_symbols() {
        assert_eq!(figure(Some(1.25), 1), "1.2");
        assert_eq!(figure(Some(f64::INFINITY), 1), "∞");
        assert_eq!(figure(Some(f64::NAN), 1), "–");
        assert_eq!(figure(None, 1), "–");
    }

    #[test]
    fn foreign_text_cannot_act_on_the_terminal() {
        assert_eq!(readable("a\tb\n\x1b[2Jc\x7f\u{9b}\u{202e}d\n"), "a\tb\n␛[2Jc␡��d");
    }
}
