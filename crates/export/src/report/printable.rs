//! Figures and foreign text, made fit to print.

/// What stands where a figure could not be measured.
const ABSENT: &str = "–";
const INFINITE: &str = "∞";
/// Where Unicode has pictures of the control characters.
const CONTROL_PICTURES: u32 = 0x2400;
const DELETE: char = '\u{7f}';
const DELETE_PICTURE: char = '␡';

/// A figure with so many digits behind the point.
pub fn figure(value: Option<f64>, digits: usize) -> String {
    match value {
        Some(value) if value.is_finite() => format!("{value:.digits$}"),
        Some(value) if value.is_infinite() => INFINITE.into(),
        _ => ABSENT.into(),
    }
}

/// Text of a foreign program without what could act on the terminal: escape sequences, and marks that
/// turn the direction of writing.
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
    fn figures_that_are_no_numbers_have_signs() {
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
