//! Parsers of the values of arguments.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The sizes that one value of an option lists.
pub(crate) type Sizes = Vec<u64>;

/// Units of time in seconds. The first suffix that matches wins, so "ms" comes before "s".
const TIME_UNITS: [(&str, f64); 3] = [("ms", 1e-3), ("us", 1e-6), ("s", 1.0)];
/// Units of memory in MiB.
const MEMORY_UNITS: [(&str, f64); 6] =
    [("mib", 1.0), ("mb", 1.0), ("m", 1.0), ("gib", 1024.0), ("gb", 1024.0), ("g", 1024.0)];
const PERCENT: f64 = 100.0;
/// Value of `--seed` that asks for a random seed.
const RANDOM: &str = "random";
/// Standards of C++ that a job can ask g++ for.
const STANDARDS: [&str; 5] = ["11", "14", "17", "20", "23"];

/// Parses a time. A number without a unit is in seconds.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    amount(text, &TIME_UNITS)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "must be a time, such as 2s or 500ms, or a number of seconds".into())
}

/// Returns the parser of a time of at most `most`.
pub(super) fn duration_up_to(
    most: Duration,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    move |text: &str| match duration(text)? {
        time if time > most => Err(format!("must be at most {} s", most.as_secs())),
        time => Ok(time),
    }
}

/// Parses an amount of memory in MiB. A number without a unit is in MiB.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is whole and in the range"
)]
pub(super) fn memory(text: &str) -> Result<u32, String> {
    amount(&text.to_ascii_lowercase(), &MEMORY_UNITS)
        .filter(|mib| mib.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(mib))
        .map(|mib| mib as u32)
        .ok_or_else(|| "must be a whole amount of memory in MiB, such as 256, 256m or 1g".into())
}

/// Parses a number that may have one of these units.
fn amount(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let with_unit =
        units.iter().find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)));
    let (number, unit) = with_unit.unwrap_or((text, &1.0));
    Some(number.trim().parse::<f64>().ok()? * unit)
}

/// Parses a standard of C++ into g++'s name for it: `c++20` for "c++20" or "20".
pub(super) fn standard(text: &str) -> Result<String, String> {
    let (dialect, year) = match text.split_once("++") {
        Some((dialect @ ("c" | "gnu"), year)) => (dialect, year),
        Some(_) => ("", text),
        None => ("c", text),
    };
    if STANDARDS.contains(&year) && !dialect.is_empty() {
        return Ok(format!("{dialect}++{year}"));
    }
    Err(format!(
        "must be one of {}, or gnu++… instead of c++…",
        STANDARDS.map(|year| format!("c++{year}")).join(", ")
    ))
}

/// Parses a seed, or draws one at random.
pub(super) fn seed(text: &str) -> Result<u32, String> {
    match text.trim() {
        // The standard library has no other random numbers: it keys each hash map with new ones.
        RANDOM => {
            let [a, b, c, d, ..] = RandomState::new().hash_one(RANDOM).to_le_bytes();
            Ok(u32::from_le_bytes([a, b, c, d]))
        }
        number => number
            .parse()
            .map_err(|_| format!("must be a whole number from 0 to {}, or {RANDOM}", u32::MAX)),
    }
}

/// Parses a share, written as `5%` or `0.05`.
pub(super) fn share(text: &str) -> Result<f64, String> {
    let share = match text.trim().strip_suffix('%') {
        Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / PERCENT),
        None => text.trim().parse().ok(),
    };
    share
        .filter(|share| share.is_finite() && *share >= 0.0)
        .ok_or_else(|| "must be a share of 0 or more, such as 5% or 0.05".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_or_are_seconds() {
        assert_eq!(duration("2s").unwrap(), Duration::from_secs(2));
        assert_eq!(duration("1.5s").unwrap(), Duration::from_millis(1500));
        assert_eq!(duration("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(duration("2").unwrap(), Duration::from_secs(2));
        for bad in ["-1s", "s", "infs", "two s", "", "nan"] {
            assert!(duration(bad).unwrap_err().contains("2s or 500ms"), "{bad}");
        }
    }

    #[test]
    fn memory_has_units_or_is_in_mib() {
        let amounts = ["256", "256m", "256MiB", "1g", "1.5GiB"].map(|text| memory(text).unwrap());
        assert_eq!(amounts, [256, 256, 256, 1024, 1536]);
        for bad in ["-1", "1.5", "g", "NaN", "4294967296", "9g9"] {
            assert!(memory(bad).unwrap_err().contains("256, 256m or 1g"), "{bad}");
        }
    }

    #[test]
    fn seed_is_given_or_drawn() {
        assert_eq!(seed("17"), Ok(17));
        let drawn: Vec<_> = (0..4).map(|_| seed("random").unwrap()).collect();
        assert!(drawn.windows(2).any(|pair| pair[0] != pair[1]), "{drawn:?}");
        for bad in ["-1", "1.5", "", "4294967296", "any"] {
            assert!(seed(bad).unwrap_err().contains("or random"), "{bad}");
        }
    }

    #[test]
    fn shares_are_percent_or_numbers() {
        for (text, expected) in [("5%", 0.05), ("0.05", 0.05), ("0 %", 0.0)] {
            assert!((share(text).unwrap() - expected).abs() < 1e-12, "{text}");
        }
        for bad in ["-5%", "%", "inf", "five"] {
            assert!(share(bad).is_err(), "{bad}");
        }
    }
}
