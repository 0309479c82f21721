//! Escapes foreign text for the page.

/// The longest name or message on the page, in bytes.
const MAX_BYTES: usize = 600;
/// The first of Unicode's symbols for control characters.
const CONTROL_PICTURES: u32 = 0x2400;

/// Escapes text for an element's content or a double-quoted attribute. Long text is shortened.
pub(super) fn escaped(foreign: &str) -> String {
    escaped_up_to(foreign, MAX_BYTES)
}

/// Escapes text, which may take about `max_bytes` on the page.
pub(crate) fn escaped_up_to(foreign: &str, max_bytes: usize) -> String {
    let mut escaped = String::with_capacity(foreign.len().min(max_bytes) + 16);
    for c in foreign.chars() {
        if escaped.len() >= max_bytes {
            escaped.push('…');
            break;
        }
        push(&mut escaped, c);
    }
    escaped
}

fn push(escaped: &mut String, c: char) {
    match c {
        '&' => escaped.push_str("&amp;"),
        '<' => escaped.push_str("&lt;"),
        '>' => escaped.push_str("&gt;"),
        '"' => escaped.push_str("&quot;"),
        '\'' => escaped.push_str("&#39;"),
        '\n' | '\t' => escaped.push(c),
        _ => escaped.push(visible(c)),
    }
}

/// Replaces invisible characters, and those that change the direction of the text around them.
fn visible(c: char) -> char {
    match c {
        '\u{7f}' => '␡',
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
    fn foreign_text_stays_text() {
        assert_eq!(escaped("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
        assert_eq!(escaped("a\0b\x1b\u{202e}c"), "a␀b␛\u{fffd}c");
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        assert_eq!(escaped_up_to("äöü<", 5), "äöü…");
        assert_eq!(escaped_up_to("äöü", 6), "äöü");
        assert_eq!(escaped_up_to("<<<", 5), "&lt;&lt;…");
    }
}
