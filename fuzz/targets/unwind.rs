//! The memory of a stopped process, which the process can forge.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_decode::unwind::{MAX_CALLS, Mapping, Memory, REGISTERS, Registers, Unwinder};

/// Address of the process's memory.
const BASE: u64 = 0x1000;
/// The mappings of the process. The first two share one file.
const MAPS: [&str; 3] = [
    "1000-100000 r-xp 00000000 00:00 0 /code/bin/plain",
    "100000-200000 r-xp 000ff000 00:00 0 /code/bin/plain",
    "200000-ffffffffffff r-xp 00000000 00:00 0 /usr/lib/libc.so.6",
];

/// Maximum number of calls of a sample.
const MOST: usize = 8;

struct Bytes<'a>(&'a [u8]);

impl Memory for Bytes<'_> {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let at = usize::try_from(address.checked_sub(BASE)?).ok()?;
        into.copy_from_slice(self.0.get(at..)?.get(..into.len())?);
        Some(())
    }
}

// The input begins with the addresses of the instruction and of the stack. The memory follows.
fuzz_target!(|input: &[u8]| {
    let Some((pc, rest)) = input.split_first_chunk() else { return };
    let Some((stack, memory)) = rest.split_first_chunk() else { return };
    let pc = u64::from_le_bytes(*pc);
    let values = [Some(u64::from_le_bytes(*stack)); REGISTERS];
    let mappings: Vec<_> = MAPS.iter().filter_map(|line| Mapping::parse(line)).collect();
    assert_eq!(mappings.len(), MAPS.len());
    let _ = Mapping::parse(&String::from_utf8_lossy(memory));
    let registers = Registers { pc, values };
    let (memory, program) = (Bytes(memory), "/code/bin/plain");
    let calls = Unwinder::new(mappings.clone(), program).calls(
        &memory,
        registers.clone(),
        MAX_CALLS,
        || false,
    );
    assert!(calls.addresses.len() <= MAX_CALLS);
    // What was kept from the first stack gives the same second one.
    let mut unwinder = Unwinder::new(mappings, program);
    for _ in 0..2 {
        let sampled = unwinder.calls(&memory, registers.clone(), MOST, || false);
        assert!(calls.addresses.starts_with(&sampled.addresses));
        assert_eq!(sampled.addresses.len(), calls.addresses.len().min(MOST));
    }
});
