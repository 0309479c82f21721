//! Quantities in readable units: "1.9 s", "12 MiB".

/// Units of time in milliseconds.
const TIMES: [(f64, &str); 7] = [
    (1e-3, "µs"),
    (1.0, "ms"),
    (1e3, "s"),
    (60e3, "min"),
    (3600e3, "h"),
    (24.0 * 3600e3, "days"),
    (YEAR_MS, "years"),
];
const YEAR_MS: f64 = 365.25 * 24.0 * 3600e3;
/// Longest time that is written as a number.
const LONGEST_MS: f64 = 1e3 * YEAR_MS;
/// Units of memory in bytes.
const SIZES: [(f64, &str); 5] =
    [(1.0, "B"), (KIB, "KiB"), (KIB * KIB, "MiB"), (KIB * KIB * KIB, "GiB"), (TIB, "TiB")];
const KIB: f64 = 1024.0;
const TIB: f64 = KIB * KIB * KIB * KIB;
/// Bytes in a MiB.
const MIB: f64 = KIB * KIB;

/// Formats a time in milliseconds, with this many significant digits.
pub(super) fn time(ms: f64, digits: i32) -> String {
    if ms > LONGEST_MS { "more than 1000 years".into() } else { in_units(ms, &TIMES, digits) }
}

/// Formats an amount of memory in MiB, with this many significant digits.
pub(super) fn memory(mib: f64, digits: i32) -> String {
    in_units(mib * MIB, &SIZES, digits)
}

/// Formats an amount of memory in bytes, with this many significant digits.
pub(super) fn bytes(bytes: u64, digits: i32) -> String {
    in_units(bytes as f64, &SIZES, digits)
}

/// Formats a number of things, with three significant digits.
pub(super) fn count(count: u64) -> String {
    let unit = 10_u64.pow(count.checked_ilog10().unwrap_or(0).saturating_sub(2));
    (count.saturating_add(unit / 2) / unit * unit).to_string()
}

/// Formats a value in the largest unit that it reaches, without trailing zeros.
fn in_units(value: f64, units: &[(f64, &str)], digits: i32) -> String {
    let rounded = round(value, digits);
    let fitting = units.iter().rfind(|(unit, _)| rounded >= *unit).or(units.first());
    let (unit, name) = fitting.copied().unwrap_or((1.0, ""));
    // Rounding errors may follow the last significant digit.
    let text = format!("{:.3}", round(value / unit, digits));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} {name}")
}

#[expect(clippy::cast_possible_truncation, reason = "the logarithm of an f64 is below 400")]
fn round(value: f64, digits: i32) -> f64 {
    if value <= 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f64.powi(digits - 1 - value.log10().floor() as i32);
    // Digits before the decimal point are kept.
    if scale < 1.0 { value.round() } else { (value * scale).round() / scale }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_readable_unit() {
        let said = [0.035, 0.9996, 12.34, 1900.0, 90_000.0, 5.4e6, 4e8, 1e12, f64::INFINITY]
            .map(|ms| time(ms, 2));
        let expected = ["35 µs", "1 ms", "12 ms", "1.9 s", "1.5 min", "1.5 h", "4.6 days"];
        assert_eq!(said[..7], expected);
        assert_eq!(said[7..], ["32 years", "more than 1000 years"]);
        assert_eq!([time(1250.0, 3), time(1000.0, 3), time(0.0, 3)], ["1.25 s", "1 s", "0 µs"]);
    }

    #[test]
    fn count_has_three_digits() {
        let said = [0, 7, 999, 20_749, 20_750, 12_345_678].map(count);
        assert_eq!(said, ["0", "7", "999", "20700", "20800", "12300000"]);
    }

    #[test]
    fn memory_has_a_readable_unit() {
        assert_eq!(
            [512.0, 1.5, 0.25, 2048.0].map(|mib| memory(mib, 3)),
            ["512 MiB", "1.5 MiB", "256 KiB", "2 GiB"]
        );
        assert_eq!([0, 240, 72_704].map(|it| bytes(it, 2)), ["0 B", "240 B", "71 KiB"]);
    }
}
