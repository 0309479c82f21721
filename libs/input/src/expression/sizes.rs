//! Sizes as people write them. Numbers have the syntax of expressions.

use super::evaluation::evaluate;
use crate::limits::MAX_N;
use std::iter::successors;

/// Parses a size: `200000`, `200_000`, `10^6`, `1e6`.
pub fn size(text: &str) -> Result<u64, String> {
    number(text).map_err(|problem| format!("{problem}; use {}", allowed()))
}

/// Parses sizes and ranges of sizes, separated by commas: `0,1,1000..10^6 x10`.
pub fn sizes(text: &str) -> Result<Vec<u64>, String> {
    let ranges: Result<Vec<_>, _> = text.split(',').map(range).collect();
    let problem = |problem| format!("{problem}; use {}, or a range, such as 1..10^6 x2", allowed());
    ranges.map(|ranges| ranges.concat()).map_err(problem)
}

/// Parses a size, or `FIRST..LAST xFACTOR`: FIRST and its products with powers of FACTOR, up to
/// LAST. The factor is at least 2, so a range has at most 60 sizes.
fn range(text: &str) -> Result<Vec<u64>, String> {
    let text = text.trim();
    let Some((first, rest)) = text.split_once("..") else { return Ok(vec![number(text)?]) };
    let Some((last, factor)) = rest.split_once('x') else {
        return Err(format!("{text:?} has no factor; write {text}x2"));
    };
    let (first, last, factor) = (number(first)?, number(last)?, number(factor)?);
    if first == 0 || first > last || factor < 2 {
        return Err(format!(
            "{text:?} must begin above 0, not decrease, and have a factor above 1"
        ));
    }
    let multiples = successors(Some(first), |size| size.checked_mul(factor));
    Ok(multiples.take_while(|&size| size <= last).collect())
}

fn number(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let number = evaluate(text, &|_| None);
    let number = number.map_err(|problem| {
        // The message about a number that is too large begins with the number.
        format!("{text:?} {}", problem.strip_prefix(text).unwrap_or(&problem).trim_start())
    })?;
    u64::try_from(number)
        .ok()
        .filter(|&size| size <= MAX_N)
        .ok_or_else(|| format!("{text:?} is out of range"))
}

fn allowed() -> String {
    format!("whole numbers from 0 to 10^{}, such as 1000, 10^6 or 1e6", MAX_N.ilog10())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_written_in_several_ways() {
        for (text, expected) in [
            ("0", 0),
            (" 1000 ", 1000),
            ("200_000", 200_000),
            ("10^6", 1_000_000),
            ("1e6", 1_000_000),
            ("2E5", 200_000),
            ("2*10^5", 200_000),
            ("10^18", MAX_N),
            ("1e18", MAX_N),
            ("1_000_000_000_000_000_000", MAX_N),
        ] {
            assert_eq!(size(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn lists_have_sizes_and_ranges() {
        for (text, expected) in [
            ("0,1, 1000", &[0, 1, 1000][..]),
            ("1..10 x2", &[1, 2, 4, 8]),
            ("1..8x2", &[1, 2, 4, 8]),
            ("5..5 x2", &[5]),
            ("0,1e1,100..10^4 x10,200_000", &[0, 10, 100, 1000, 10_000, 200_000]),
            ("10^17..10^18 x10^1", &[MAX_N / 10, MAX_N]),
            ("10^18..10^18 x10^18", &[MAX_N]),
        ] {
            assert_eq!(sizes(text).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(sizes("1..10^6 x2").map(|sizes| sizes.len()), Ok(20));
        assert_eq!(sizes("1..10^18 x2").map(|sizes| sizes.len()), Ok(60));
    }

    #[test]
    fn malformed_size_is_answered_with_valid_ones() {
        for bad in ["", "-5", "ten", "1,,2", "1.5", "2n", "1__0", "10^18 + 1", "1e19", "10^19"] {
            let problem = sizes(bad).unwrap_err();
            assert!(
                problem.ends_with(
                    "from 0 to 10^18, such as 1000, 10^6 or 1e6, or a range, such as 1..10^6 x2"
                ),
                "{problem}"
            );
        }
        assert!(size("1e19").unwrap_err().starts_with("\"1e19\" does not fit into 64 bits; "));
        assert!(size("1,2").is_err() && size("1..2 x2").is_err());
    }

    #[test]
    fn ranges_must_rise() {
        for bad in ["0..8 x2", "8..1 x2", "1..8 x1", "1..8 x0"] {
            assert!(sizes(bad).unwrap_err().contains("a factor above 1"), "{bad}");
        }
        assert!(sizes("1..8").unwrap_err().contains("write 1..8x2"));
        for bad in ["..", "1..", "1..8 x", "1..8 x-2", "1..n x2", "1..2..4 x2", "1..8 x2 x2"] {
            assert!(sizes(bad).is_err(), "{bad}");
        }
    }
}
