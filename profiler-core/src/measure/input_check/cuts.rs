//! Places to cut an input: before a word, so that all words before the cut stay as they are.

/// Returns the offsets at which the words begin.
pub(super) fn beginnings(input: &[u8]) -> Vec<usize> {
    let is_blank = |at: usize| input[at].is_ascii_whitespace();
    (0..input.len()).filter(|&at| !is_blank(at) && (at == 0 || is_blank(at - 1))).collect()
}

/// Returns the offset at which the line that contains offset `at` begins.
pub(super) fn line_of(input: &[u8], at: usize) -> usize {
    input[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_begin_after_blanks() {
        assert_eq!(beginnings(b"3 14\n\n 1\n"), [0, 2, 7]);
        assert!(beginnings(b" \n").is_empty());
    }

    #[test]
    fn line_begins_after_a_newline() {
        assert_eq!(line_of(b"3\n1 2 3\n", 6), 2);
        assert_eq!(line_of(b"1 2 3\n", 4), 0);
    }
}
