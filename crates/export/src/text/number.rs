//! Figures and foreign text, made fit to print.

/// What stands where a figure could not be measured.
const ABSENT: &str = "–";
const INFINITE: &str = "∞";
/// Prefixes of powers of a thousand, from 10^3.
const PREFIXES: [&str; 3] = ["k", "M", "G"];
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

/// A power of ten, short enough for an axis: `0.01`, `100`, `10k`.
pub(super) fn power_of_ten(exponent: i32) -> String {
    let Ok(exponent) = usize::try_from(exponent) else {
        let digits = exponent.unsigned_abs() as usize;
        return format!("{:.digits$}", 10f64.powi(exponent));
    };
    let (thousands, zeros) = (exponent / 3, exponent % 3);
    match thousands.checked_sub(1).map(|at| PREFIXES.get(at)) {
        None => format!("1{:0<zeros$}", ""),
        Some(Some(prefix)) => format!("1{:0<zeros$}{prefix}", ""),
        Some(None) => format!("1e{exponent}"),
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

/// Every line of a text behind `mark`.
pub(super) fn behind(mark: &str, text: &str) -> String {
    let lines: Vec<_> = text.lines().map(|line| format!("{mark}{line}")).collect();
    lines.join("\n")
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
    fn powers_of_ten_are_short() {
        let written = [-3, -1, 0, 2, 3, 5, 9, 12].map(power_of_ten);
        assert_eq!(written, ["0.001", "0.1", "1", "100", "1k", "100k", "1G", "1e12"]);
    }

    #[test]
    fn foreign_text_cannot_act_on_the_terminal() {
        assert_eq!(readable("a\tb\n\x1b[2Jc\x7f\u{9b}\u{202e}d\n"), "a\tb\n␛[2Jc␡��d");
    }
}
