//! Worst inputs that a person made. None is proved to be the worst, so a share may exceed 1.

mod first;
mod second;
mod text;

use first::first;
use second::second;

/// The hand-made worst input of size n of a program of either set.
pub(super) fn by_hand(program: &str, n: u64) -> Vec<u8> {
    first(program, n).or_else(|| second(program, n)).unwrap_or_default()
}
