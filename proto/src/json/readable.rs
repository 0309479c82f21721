//! Indented JSON whose numbers people and `jq` can read. A parser of proto3 JSON takes it as well.

use serde_json::ser::{Formatter, PrettyFormatter};
use std::io::{Result, Write};

/// Significant digits of a fraction. A second is then known to a nanosecond.
const DIGITS: usize = 9;
/// From here on, readers that keep numbers as doubles lose digits.
const EXACT: u64 = 1 << 53;

/// Writes 64-bit counts as numbers, as far as every reader keeps them, and rounds fractions.
#[derive(Default)]
pub(super) struct Readable(PrettyFormatter<'static>);

impl Formatter for Readable {
    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> Result<()> {
        if value < EXACT { write!(writer, "{value}") } else { write!(writer, "\"{value}\"") }
    }

    fn write_i64<W: ?Sized + Write>(&mut self, writer: &mut W, value: i64) -> Result<()> {
        let is_exact = value.unsigned_abs() < EXACT;
        if is_exact { write!(writer, "{value}") } else { write!(writer, "\"{value}\"") }
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> Result<()> {
        self.0.write_f64(writer, rounded(value))
    }

    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> Result<()> {
        self.0.end_object_value(writer)
    }
}

/// A whole number stays as it is: it may be a count of bytes.
fn rounded(value: f64) -> f64 {
    if value.fract() == 0.0 {
        return value;
    }
    let digits = DIGITS - 1;
    format!("{value:.digits$e}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::rounded;

    #[test]
    fn fractions_have_nine_digits() {
        let written = [1.792_938_000_000_000_1, -1_234.567_891_234, 1e-4 / 3.0]
            .map(|value| rounded(value).to_string());
        assert_eq!(written, ["1.792938", "-1234.56789", "0.0000333333333"]);
    }

    #[test]
    fn whole_numbers_and_infinity_stay() {
        for value in [0.0, 17_179_869_184.0, 1e300, f64::INFINITY] {
            assert_eq!(rounded(value).to_bits(), value.to_bits());
        }
    }
}
