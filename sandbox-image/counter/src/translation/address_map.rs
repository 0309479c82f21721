//! Tables indexed by addresses, with a cheap hash.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Spreads addresses over a table: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// A cheap hash of addresses.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(SPREAD).rotate_left(32);
    }
}

pub(crate) type Map<T> = HashMap<u32, T, BuildHasherDefault<Spread>>;
