use super::*;
use std::fs;

/// Memory in which every byte can be read, by a rule.
struct Made<F>(F);

impl<F: Fn(u64) -> Option<u8>> Memory for Made<F> {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let mut places = (address..).zip(into);
        places.try_for_each(|(at, byte)| self.0(at).map(|value| *byte = value))
    }
}

fn at(pc: u64, stack: u64) -> Registers {
    let mut values = [None; REGISTERS];
    values[NUMBERS.0] = Some(stack);
    values[NUMBERS.1] = Some(pc);
    Registers { pc, values }
}

#[test]
fn mapping_is_parsed() {
    let line = "7ffff7d8e000-7ffff7ee3000 r-xp 00026000 08:01 1234     /usr/lib/libc.so.6";
    let mapping = Mapping::parse(line).unwrap();
    assert_eq!((mapping.start, mapping.offset, mapping.is_code), (0x7fff_f7d8_e000, 0x26000, true));
    assert_eq!(mapping.file, "/usr/lib/libc.so.6");
    assert_eq!(Mapping::parse("7ffff-8 rw-p 0 0:0 0 ").unwrap().file, "");
    for bad in ["", "x", "7-z r-xp 0 0:0 0", "1 2 3", "-"] {
        assert_eq!(Mapping::parse(bad), None, "{bad}");
    }
}

#[test]
fn forged_memory_ends_the_walk() {
    let mappings = [Mapping::parse("1000-ffffffff r-xp 00000000 00:00 0 /code/bin/plain").unwrap()];
    for seed in 0..64_u64 {
        let memory = Made(|address: u64| {
            let place = usize::try_from(address.wrapping_sub(0x1000)).unwrap();
            let head = b"\x7fELF\x02\x01".get(place).copied();
            head.or_else(|| {
                (address.wrapping_mul(seed * 2 + 1) >> 3).to_le_bytes().first().copied()
            })
        });
        let calls = Unwinder::new(mappings.to_vec(), "/code/bin/plain").calls(
            &memory,
            at(0x2000, 0x9000),
            MAX_CALLS,
            || false,
        );
        assert!(calls.addresses.len() <= MAX_CALLS);
    }
}

#[test]
fn tables_of_few_modules_are_read() {
    let line = |at: usize| format!("{at:x}000-{:x}000 r-xp 0 0:0 0 /memfd:{at}", at + 1);
    let mappings: Vec<_> = (1..1000).filter_map(|at| Mapping::parse(&line(at))).collect();
    let (memory, mut unwinder) = (Made(|_| None), Unwinder::new(mappings.clone(), ""));
    for mapping in &mappings {
        assert!(unwinder.module(&memory, mapping.start).is_none());
    }
    assert_eq!((mappings.len(), unwinder.modules.len()), (999, MAX_MODULES));
}

#[test]
fn walk_that_is_late_ends() {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mappings: Vec<_> = maps.lines().filter_map(Mapping::parse).collect();
    let pc = walk_that_is_late_ends as fn() as usize as u64;
    let own = Own(fs::File::open("/proc/self/mem").unwrap());
    let calls = Unwinder::new(mappings, "").calls(&own, at(pc, 0x9000), MAX_CALLS, || true);
    assert_eq!((calls.addresses.len(), calls.is_cut), (1, true));
}

#[test]
fn stack_is_unwound_up_to_the_wanted_calls_again_and_again() {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mappings: Vec<_> = maps.lines().filter_map(Mapping::parse).collect();
    let pc = unreadable_memory_has_no_calls as fn() as usize as u64;
    let own = Own(fs::File::open("/proc/self/mem").unwrap());
    let mut unwinder = Unwinder::new(mappings, "");
    assert!(unwinder.has_code(pc) && !unwinder.has_code(16));
    for address in pc..pc + 2 * MAX_RULES as u64 {
        let calls = unwinder.calls(&own, at(address, 0x9000), 1, || false);
        assert_eq!((calls.addresses.len(), calls.is_cut), (1, true));
        unwinder.calls(&own, at(address, 0x9000), 2, || false);
        assert!(unwinder.rules.len() <= MAX_RULES);
    }
}

#[test]
fn unreadable_memory_has_no_calls() {
    let memory = Made(|_| None);
    let calls =
        Unwinder::new(Vec::new(), "plain").calls(&memory, at(0x2000, 0x9000), MAX_CALLS, || false);
    assert_eq!(calls, Calls { addresses: Vec::new(), is_cut: true });
}

/// The memory of this process, by its own mappings.
struct Own(fs::File);

impl Memory for Own {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.0, into, address).ok()
    }
}

#[test]
fn rules_of_this_process_are_found() {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let mappings: Vec<_> = maps.lines().filter_map(Mapping::parse).collect();
    let pc = rules_of_this_process_are_found as fn() as usize as u64;
    let own = Own(fs::File::open("/proc/self/mem").unwrap());
    let code = mappings.iter().find(|it| it.is_code && it.contains(pc)).unwrap();
    let module = Module::load(&own, &mappings, code).unwrap();
    assert!(Rule::find(&module, pc).is_some());
    assert!(Rule::find(&module, 16).is_none());
}
