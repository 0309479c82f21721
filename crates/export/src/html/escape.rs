//! Escapes foreign text for the page.

use crate::report::harmless;

/// Maximum length of a name or message on the page, in bytes.
const MAX_BYTES: usize = 600;

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
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(harmless(c)),
        }
    }
    escaped
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
