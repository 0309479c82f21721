//! Writes numbers and characters fast. Digits go straight into one buffer, eight at a time. Each
//! value is followed by a blank, and the end of the line overwrites the last blank.

use std::io::{self, Write};

/// Size of the buffer, in bytes.
const BUFFER_BYTES: usize = 64 << 10;
/// Bytes of the buffer that writing a number can need: for a sign, the digits, a point, a blank,
/// and the excess of the last store, which always stores eight bytes.
const NUMBER_BYTES: usize = 32;
/// Numbers below this have at most eight digits.
const EIGHT: u64 = 100_000_000;
/// The digit `0`, eight times.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// A buffered writer of an input.
pub(crate) struct InputWriter<'w, W> {
    to: &'w mut W,
    buffer: Box<[u8]>,
    used: usize,
    /// Number of bytes already written from the buffer to `to`.
    written: u64,
    /// Whether the current line has a value.
    begun: bool,
}

impl<'w, W: Write> InputWriter<'w, W> {
    pub(crate) fn new(to: &'w mut W) -> Self {
        let buffer = vec![0; BUFFER_BYTES].into_boxed_slice();
        Self { to, buffer, used: 0, written: 0, begun: false }
    }

    /// Writes a number as a value of the line, padded to `digits` digits.
    #[inline]
    pub(crate) fn number(&mut self, number: i64, digits: u8) -> io::Result<()> {
        self.room(NUMBER_BYTES)?;
        let target = &mut self.buffer[self.used..self.used + NUMBER_BYTES];
        let signed = usize::from(number < 0);
        target[0] = b'-';
        let magnitude = number.unsigned_abs();
        let len = signed
            + if digits == 0 && magnitude < EIGHT {
                short(&mut target[signed..], magnitude)
            } else if digits == 0 && magnitude < EIGHT * EIGHT {
                let high = magnitude / EIGHT;
                // Most numbers that reach this branch have nine digits.
                let len = if high < 10 {
                    target[signed] = b'0' + high.to_le_bytes()[0];
                    1
                } else {
                    short(&mut target[signed..], high)
                };
                store(&mut target[signed + len..], eight(magnitude % EIGHT) | ZEROS);
                len + 8
            } else {
                long(&mut target[signed..], magnitude, digits)
            };
        target[len] = b' ';
        self.used += len + 1;
        self.begun = true;
        Ok(())
    }

    /// Writes a number whose last `decimals` digits are after the decimal point.
    #[inline]
    pub(crate) fn decimal(&mut self, number: i64, digits: u8, decimals: u8) -> io::Result<()> {
        if decimals == 0 {
            return self.number(number, digits);
        }
        self.number(number, digits.max(decimals + 1))?;
        // The room for a number is enough for its point, too.
        let point = self.used - 1 - usize::from(decimals);
        self.buffer.copy_within(point..self.used, point + 1);
        self.buffer[point] = b'.';
        self.used += 1;
        Ok(())
    }

    /// Writes characters as one value of the line.
    pub(crate) fn characters(
        &mut self,
        count: u64,
        mut byte_at: impl FnMut(u64) -> u8,
    ) -> io::Result<()> {
        let mut next = 0;
        while next < count {
            self.room(1)?;
            let free = &mut self.buffer[self.used..];
            let mut filled = 0;
            for (byte, i) in free.iter_mut().zip(next..count) {
                *byte = byte_at(i);
                filled += 1;
            }
            self.used += filled;
            next += filled as u64;
        }
        self.room(1)?;
        self.buffer[self.used] = b' ';
        self.used += 1;
        self.begun = true;
        Ok(())
    }

    /// Writes a text as one value of the line.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        let bytes = text.as_bytes();
        self.characters(bytes.len() as u64, |i| {
            usize::try_from(i).ok().and_then(|i| bytes.get(i)).copied().unwrap_or_default()
        })
    }

    /// Ends the line. A line without values is left out if `omit_empty`.
    pub(crate) fn end_line(&mut self, omit_empty: bool) -> io::Result<()> {
        if self.begun {
            // Room is made before a value is written, so the value's blank is still in the buffer.
            self.buffer[self.used - 1] = b'\n';
        } else if !omit_empty {
            self.room(1)?;
            self.buffer[self.used] = b'\n';
            self.used += 1;
        }
        self.begun = false;
        Ok(())
    }

    /// Writes the rest of the buffer; returns the total number of bytes.
    pub(crate) fn finish(mut self) -> io::Result<u64> {
        self.empty()?;
        self.to.flush()?;
        Ok(self.written)
    }

    #[inline]
    fn room(&mut self, bytes: usize) -> io::Result<()> {
        if self.buffer.len() - self.used < bytes { self.empty() } else { Ok(()) }
    }

    #[cold]
    fn empty(&mut self) -> io::Result<()> {
        self.to.write_all(&self.buffer[..self.used])?;
        self.written += self.used as u64;
        self.used = 0;
        Ok(())
    }
}

/// Writes a number below [`EIGHT`] without leading zeros; returns its number of digits.
#[inline]
fn short(target: &mut [u8], number: u64) -> usize {
    let digits = eight(number);
    let zeros = if number == 0 { 7 } else { digits.trailing_zeros() / 8 };
    store(target, (digits | ZEROS) >> (8 * zeros));
    8 - zeros as usize
}

/// Writes any number, padded to `digits` digits; returns its number of digits.
#[cold]
fn long(target: &mut [u8], number: u64, digits: u8) -> usize {
    let mut all = [0; 24];
    store(&mut all, eight(number / EIGHT / EIGHT) | ZEROS);
    store(&mut all[8..], eight(number / EIGHT % EIGHT) | ZEROS);
    store(&mut all[16..], eight(number % EIGHT) | ZEROS);
    let written = number.checked_ilog10().unwrap_or(0) as usize + 1;
    let len = written.max(usize::from(digits)).min(all.len());
    target[..len].copy_from_slice(&all[all.len() - len..]);
    len
}

#[inline]
fn store(target: &mut [u8], digits: u64) {
    target[..8].copy_from_slice(&digits.to_le_bytes());
}

/// The digits of a number below [`EIGHT`], one per byte, with the first digit in the lowest byte.
/// The number is split into halves of four, two and one digits, in all parts of the word at once.
/// The multiplications replace divisions by 100 and 10, and are exact for numbers of this size.
#[inline]
fn eight(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds + ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens + ((twos - 10 * tens) << 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut InputWriter<'_, Vec<u8>>)) -> String {
        let mut bytes = Vec::new();
        let mut out = InputWriter::new(&mut bytes);
        write(&mut out);
        let counted = out.finish().unwrap();
        assert_eq!(counted, bytes.len() as u64);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_are_written_as_everywhere() {
        let powers = (0..19).map(|power| 10_i64.pow(power));
        let mut numbers: Vec<i64> = powers.flat_map(|p| [p - 1, p, -p, p + p / 3]).collect();
        numbers.extend([i64::MIN, i64::MAX]);
        for digits in [0, 1, 3, 20] {
            let expected: Vec<String> = numbers
                .iter()
                .map(|&number| {
                    let sign = if number < 0 { "-" } else { "" };
                    format!("{sign}{:01$}", number.unsigned_abs(), usize::from(digits))
                })
                .collect();
            let line = written(|out| {
                for &number in &numbers {
                    out.number(number, digits).unwrap();
                }
                out.end_line(false).unwrap();
            });
            assert_eq!(line, expected.join(" ") + "\n");
        }
    }

    #[test]
    fn decimals_have_a_point_before_their_last_digits() {
        let line = written(|out| {
            for (number, digits, decimals) in
                [(150, 0, 2), (-5, 0, 2), (0, 0, 1), (7, 5, 1), (i64::MIN, 20, 9), (12, 0, 0)]
            {
                out.decimal(number, digits, decimals).unwrap();
            }
            out.end_line(false).unwrap();
        });
        assert_eq!(line, "1.50 -0.05 0.0 0000.7 -09223372036.854775808 12\n");
    }

    #[test]
    fn all_numbers_of_eight_digits_are_split_right() {
        for number in (0..EIGHT).step_by(997).chain(0..20_000).chain(EIGHT - 20_000..EIGHT) {
            let digits = (eight(number) | ZEROS).to_le_bytes();
            assert_eq!(digits, *format!("{number:08}").as_bytes());
        }
    }

    #[test]
    fn line_without_a_value_is_empty_or_left_out() {
        assert_eq!(written(|out| out.end_line(false).unwrap()), "\n");
        assert_eq!(written(|out| out.end_line(true).unwrap()), "");
        let empty_text = |out: &mut InputWriter<'_, Vec<u8>>| {
            out.text("").unwrap();
            out.end_line(true).unwrap();
        };
        assert_eq!(written(empty_text), "\n");
    }

    #[test]
    fn line_longer_than_the_buffer_is_written_whole() {
        let long = written(|out| {
            for _ in 0..20_000 {
                out.number(12_345, 0).unwrap();
            }
            out.end_line(false).unwrap();
            out.characters(200_000, |i| b"ab"[(i % 2) as usize]).unwrap();
            out.end_line(false).unwrap();
        });
        let expected = format!("{}12345\n{}\n", "12345 ".repeat(19_999), "ab".repeat(100_000));
        assert!(long == expected);
    }
}
