//! Figures for people: three significant digits and a unit.

pub(super) use crate::report::ABSENT;
use crate::report::{INFINITE, grouped};

/// Separates groups of three digits: a narrow no-break space.
const GROUP: char = '\u{202f}';
/// The superscripts of 0 to 9.
const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
/// Minimum number of zeros written as a power. With fewer zeros, a size is written as in the
/// terminal's tables.
const FEWEST_ZEROS: usize = 7;

/// A time in milliseconds.
pub(super) fn time(ms: f64) -> String {
    scaled(ms, &[(1000.0, "s"), (1.0, "ms"), (1e-3, "µs"), (1e-6, "ns")])
}

/// An amount of memory in MiB.
pub(super) fn memory(mib: f64) -> String {
    const KIB: f64 = 1.0 / 1024.0;
    scaled(mib, &[(1024.0, "GiB"), (1.0, "MiB"), (KIB, "KiB"), (KIB * KIB, "B")])
}

/// An amount of memory in bytes.
pub(super) fn bytes(bytes: u64) -> String {
    memory(bytes as f64 / 1024.0 / 1024.0)
}

/// An amount of memory on an axis of MiB.
pub(super) fn mebibytes(mib: f64) -> String {
    if mib == 0.0 || mib >= 1.0 {
        return scaled(mib, &[(1.0, "MiB")]);
    }
    format!("{} MiB", figure(mib, 3).trim_end_matches('0').trim_end_matches('.'))
}

/// A shortened count: `15.4 M`.
pub(super) fn short(count: f64) -> String {
    scaled(count, &[(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, "")])
}

/// Formats a value in the first unit that it reaches.
fn scaled(value: f64, units: &[(f64, &str)]) -> String {
    if !value.is_finite() {
        return figure(value, 0);
    }
    if value == 0.0 {
        return "0".into();
    }
    let fits = units.iter().find(|(factor, _)| value.abs() >= factor * 0.9995);
    let Some((factor, unit)) = fits.or(units.last()) else { return figure(value, 3) };
    format!("{} {unit}", digits(value / factor)).trim_end().into()
}

/// Three significant digits, without trailing zeros of a fraction.
fn digits(value: f64) -> String {
    let after = match value.abs() {
        v if v >= 1e12 => return format!("{value:.2e}"),
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        _ => 2,
    };
    let written = format!("{value:.after$}");
    if written.contains('.') {
        written.trim_end_matches('0').trim_end_matches('.').into()
    } else {
        written
    }
}

/// Formats a figure with this many decimal places.
pub(super) fn figure(value: f64, digits: usize) -> String {
    match value {
        v if v.is_nan() => ABSENT.into(),
        v if v.is_infinite() => if v > 0.0 { INFINITE } else { "−∞" }.into(),
        v if v.abs() >= 1e12 => format!("{v:.3e}"),
        v => format!("{v:.digits$}"),
    }
}

/// A share, where 1 is the whole, as a percentage.
pub(super) fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.1}\u{202f}%", share * 100.0) } else { ABSENT.into() }
}

/// A count with its digits in groups of three.
pub(super) fn count(value: u64) -> String {
    grouped(value, GROUP)
}

/// A size: `1000`, `200000`, `10⁹`, `2·10⁹`.
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

/// Formats an input size on an axis, where it can be fractional.
pub(super) fn size_tick(n: f64) -> String {
    size(n.round().clamp(0.0, u64::MAX as f64) as u64)
}

/// The quotient, or 0 if `whole` is 0.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits_and_a_unit() {
        assert_eq!(
            [0.0, 0.000_5, 0.52, 9.999, 123.4, 1900.0].map(time),
            ["0", "500 ns", "520 µs", "10 ms", "123 ms", "1.9 s"]
        );
        assert_eq!([0.5, 3.47, 2048.0].map(memory), ["512 KiB", "3.47 MiB", "2 GiB"]);
        assert_eq!([1.0, 1500.0, 15_425_466.0].map(short), ["1", "1.5 k", "15.4 M"]);
        assert_eq!(
            [0.0, 0.001, 0.1, 1.0, 2048.0].map(mebibytes),
            ["0", "0.001 MiB", "0.1 MiB", "1 MiB", "2048 MiB"]
        );
        assert_eq!(time(f64::INFINITY), "∞");
        assert_eq!(time(f64::NAN), "–");
    }

    #[test]
    fn sizes_and_counts_are_grouped() {
        assert_eq!(
            [0, 7, 50_000, 1_000_000, 20_000_000, 1_200_000_000, 1_000_000_000_000_000_000]
                .map(size),
            ["0", "7", "50000", "1000000", "2·10⁷", "1200000000", "10¹⁸"]
        );
        assert_eq!(
            count(u64::MAX),
            "18\u{202f}446\u{202f}744\u{202f}073\u{202f}709\u{202f}551\u{202f}615"
        );
        assert_eq!(size_tick(-1.0), "0");
    }
}
