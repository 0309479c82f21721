//! Worst inputs that a person made. Nobody has proved that they are the worst, so a share can be
//! above 1.

mod first;
mod second;
mod text;

use first::first;
use second::second;

/// The hand-made worst input of size n of a program of either set.
pub(super) fn by_hand(program: &str, n: u64) -> Vec<u8> {
    first(program, n).or_else(|| second(program, n)).unwrap_or_default()
}
