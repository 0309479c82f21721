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

/// Returns the name of a file or a task as [`readable`] text on one line: a line of its own could
/// be a command to GitHub Actions.
pub fn readable_name(name: &str) -> String {
    let on_one_line = |c| match c {
        '\n' | '\t' => picture(c),
        _ => harmless(c),
    };
    name.chars().map(on_one_line).collect()
}

/// Returns foreign text without blanks at its end, and with symbols in place of characters that act
/// on a terminal, change the direction of the text around them, or are invisible. Whatever is
/// printed for people goes through this function, [`readable_name`] or `harmless`.
pub fn readable(text: &str) -> String {
    text.trim_end().chars().map(harmless).collect()
}

/// Returns the symbol of a control character.
fn picture(c: char) -> char {
    char::from_u32(CONTROL_PICTURES + c as u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Replaces a character that acts on a terminal, that changes the direction of the text around it,
/// that is invisible (the category Cf of Unicode), or that XML forbids.
pub(crate) fn harmless(c: char) -> char {
    match c {
        '\n' | '\t' => c,
        DELETE => DELETE_PICTURE,
        '\0'..' ' => picture(c),
        '\u{80}'..='\u{9f}'
        | '\u{ad}'
        | '\u{600}'..='\u{605}'
        | '\u{61c}'
        | '\u{6dd}'
        | '\u{70f}'
        | '\u{890}'..='\u{891}'
        | '\u{8e2}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{fdd0}'..='\u{fdef}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{fffe}'
        | '\u{ffff}'
        | '\u{110bd}'
        | '\u{110cd}'
        | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0001}'..='\u{e007f}' => char::REPLACEMENT_CHARACTER,
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
        assert_eq!(readable("a\u{200b}b\u{feff}\u{e0041}é"), "a�b��é");
        assert_eq!(readable("a\tb\n\x1b[2Jc\x7f\u{9b}\u{202e}d\n"), "a\tb\n␛[2Jc␡��d");
    }

    #[test]
    fn name_is_on_one_line() {
        assert_eq!(readable_name("a\n::error::b\r\t\u{200b}.cpp"), "a␊::error::b␍␉�.cpp");
    }
}
