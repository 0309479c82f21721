//! How the page writes n. Texts for a terminal have plain digits, which options take.

/// The superscripts of 0 to 9.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/// The least number of zeros that are written as a power.
const FEWEST_ZEROS: usize = 4;

/// A size: `1000`, `10⁶`, `2·10⁵`.
pub(super) fn size(n: u64) -> String {
    let text = n.to_string();
    let digits = text.trim_end_matches('0');
    let zeros = text.len() - digits.len();
    if digits.len() != 1 || zeros < FEWEST_ZEROS {
        return text;
    }
    let zeros: String =
        zeros.to_string().bytes().map(|digit| SUPERSCRIPTS[usize::from(digit - b'0')]).collect();
    if digits == "1" { format!("10{zeros}") } else { format!("{digits}·10{zeros}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_sizes_are_powers() {
        let said =
            [0, 7, 1000, 10_000, 1_000_000, 200_000, 120_000, 1_000_000_000_000_000_000].map(size);
        assert_eq!(said, ["0", "7", "1000", "10⁴", "10⁶", "2·10⁵", "120000", "10¹⁸"]);
    }
}
