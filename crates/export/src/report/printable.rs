//! Figures and foreign text for a terminal.

/// Replaces a figure that could not be measured.
pub(crate) const ABSENT: &str = "–";
pub(crate) const INFINITE: &str = "∞";
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

/// Formats a whole number with its digits in groups of three.
pub(crate) fn grouped(number: u64, separator: char) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// Formats a number of things, whose plural takes an s.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// Returns foreign text without blanks at its end, and with symbols in place of characters that act
/// on a terminal or change the direction of the text around them. Whatever is printed for people
/// goes through this function or `harmless`.
pub fn readable(text: &str) -> String {
    text.trim_end().chars().map(harmless).collect()
}

/// Replaces a character that acts on a terminal, that changes the direction of the text around it,
/// or that XML forbids.
pub(crate) fn harmless(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        DELETE => DELETE_PICTURE,
        '\0'..' ' => {
            char::from_u32(CONTROL_PICTURES + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\u{80}'..='\u{9f}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{fffe}'
        | '\u{ffff}' => char::REPLACEMENT_CHARACTER,
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
