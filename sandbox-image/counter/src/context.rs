//! State shared by generated code and the counter, at the base of gs.

use crate::abort;
use crate::layout::{
    ADDRESSES_END, AREA_BYTES, BUCKET_COUNT, BUCKETS, CALLS, HIDDEN, HOT, PAGE, VECTORS, absolute,
};
use crate::leave_reason::REASONS;
use crate::sys;
use std::arch::asm;
use std::arch::x86_64::{__cpuid, __cpuid_count};
use std::mem::offset_of;

/// The number of counters for the program's own code, and for libraries. Successive blocks use
/// different counters, so that one addition does not wait for the previous one. The count is the
/// sum of the counters.
pub(crate) const COUNTERS: usize = 16;
/// The mask of `xsave` for the state of SSE, AVX and AVX-512, which our own code may change. Our
/// code does not touch x87 or AMX.
const VECTOR_STATE: u64 = 0b1110_0110;
/// Space for vector registers, up to the next area.
const VECTOR_BYTES: u32 = 0xF000;
/// The bit of `cpuid` that says that the kernel supports `xsave`.
const OSXSAVE: u32 = 1 << 27;
/// The control words of x87 and of SSE: the offset of each among the vector registers, and its
/// value in a new process.
const CONTROL_WORDS: [(u64, u32); 2] = [(0, 0x37F), (24, 0x1F80)];
/// Protection of the data of generated code.
pub(crate) const READ_WRITE: i32 = libc::PROT_READ | libc::PROT_WRITE;
/// Step by which areas become accessible, in bytes. All areas begin and end at multiples of it.
const GROWTH: u32 = 1 << 18;
/// Number of random addresses that are tried for one mapping, in case another one is there.
const PLACES_TRIED: usize = 4;
/// Reason why a program without space for the counter's area is not counted.
const NO_ROOM: &str = "there is no room for translated code";
/// The bit of `AT_HWCAP2` that says that programs may set the base of fs themselves.
const HWCAP2_FSGSBASE: u64 = 1 << 1;

/// The shared context; see the module. The general registers are in the order of their numbers.
#[repr(C, align(64))]
pub(crate) struct Context {
    /// The counters of libraries, then the counters of the program.
    pub(crate) counters: [[u64; COUNTERS]; 2],
    /// The program's rcx, rax and rdx while generated code uses these registers.
    pub(crate) spilled_rcx: u64,
    pub(crate) spilled_rax: u64,
    pub(crate) spilled_rdx: u64,
    /// The target of an indirect jump.
    pub(crate) target: u64,
    /// Reason why control left generated code: the exit's number, or the address after a system
    /// call.
    pub(crate) cause: u64,
    pub(crate) registers: [u64; 16],
    pub(crate) flags: u64,
    /// The address where generated code continues.
    pub(crate) resume: u64,
    pub(crate) own_stack: u64,
    pub(crate) own_fs: u64,
    pub(crate) program_fs: u64,
    /// Whether the base of fs can be set without the kernel.
    pub(crate) has_fsgsbase: u64,
    /// The mask of `xsave`, or 0 if the processor has only `fxsave`.
    pub(crate) vector_state: u64,
    pub(crate) machine: u64,
    /// The address of this context, where the counter's area begins.
    place: u64,
    /// The address of the program's vector registers.
    pub(crate) vectors: u64,
    /// The entry points into Rust by [reason](crate::leave_reason), see [`enter`](crate::enter).
    pub(crate) ways_in: [u64; REASONS],
    /// The [`Profile`](crate::profiling::profile::Profile), if there is one.
    pub(crate) profile: u64,
    /// The [`Tallies`](crate::profiling::tallies::Tallies), if blocks have some.
    pub(crate) tallies: u64,
    /// The [`Node`](crate::profiling::call_tree::Node) that is being charged.
    pub(crate) node: u64,
    /// The end of the shadow stack.
    pub(crate) shadow: u64,
    /// Tables by the fourth byte of an address: whether the address is in the program itself, and
    /// whether it is outside.
    pub(crate) inside: [u8; 256],
    pub(crate) outside: [u8; 256],
    /// Table by the sixth byte of an address: whether the address is beyond the program's.
    pub(crate) beyond: [u8; 256],
}

/// Numbers of registers in instructions.
pub(crate) const RAX: usize = 0;
pub(crate) const RCX: usize = 1;
pub(crate) const RDX: usize = 2;
pub(crate) const RBX: usize = 3;
pub(crate) const RSP: usize = 4;
pub(crate) const RSI: usize = 6;
pub(crate) const RDI: usize = 7;
pub(crate) const R8: usize = 8;
pub(crate) const R9: usize = 9;
pub(crate) const R10: usize = 10;
pub(crate) const R11: usize = 11;

/// The context. Only one borrow of it may live at a time.
pub(crate) fn context() -> &'static mut Context {
    // SAFETY: `prepare` maps it before any use, all-zero is a valid value, and generated code runs
    // only while Rust code holds no borrow.
    unsafe { &mut *(address(0) as *mut Context) }
}

/// The address of a place in the counter's area, which `prepare` has mapped.
pub(crate) fn address(place: u64) -> u64 {
    let start: u64;
    // SAFETY: reads a field of the context, to which `prepare` has set the base of gs.
    unsafe {
        asm!(
            "mov {}, qword ptr gs:[{place}]",
            out(reg) start,
            place = const offset_of!(Context, place),
            options(pure, readonly, nostack, preserves_flags),
        );
    }
    start + place
}

/// The place of an address in the counter's area.
pub(crate) fn place(at: u64) -> u32 {
    absolute(at.wrapping_sub(address(0)))
}

/// The number of counted instructions, without those that are counted by block alone.
pub(crate) fn total() -> u64 {
    context().counters.as_flattened().iter().sum()
}

/// The number of instructions of the program's own code that are not counted by block.
pub(crate) fn own() -> u64 {
    context().counters[1].iter().sum()
}

/// Maps memory at a random address among [`HIDDEN`]. It is not accessible yet.
pub(crate) fn map_hidden(bytes: u64) -> Option<u64> {
    (0..PLACES_TRIED).find_map(|_| {
        let page = sys::random()? % ((HIDDEN.end - HIDDEN.start) / PAGE);
        let start = HIDDEN.start + page * PAGE;
        (sys::map(start, bytes, libc::PROT_NONE, sys::NOREPLACE) == Ok(start)).then_some(start)
    })
}

/// Maps our area at a random address, and fills in the constants.
pub(crate) fn prepare(ways_in: [u64; REASONS]) {
    let start = map_hidden(AREA_BYTES).filter(|&start| sys::protect(start, HOT.start, READ_WRITE));
    let start = start.unwrap_or_else(|| abort::unsupported(NO_ROOM));
    // SAFETY: the context is mapped, and nothing else uses gs.
    unsafe {
        (*(start as *mut Context)).place = start;
        sys::call(libc::SYS_arch_prctl, [sys::word(sys::ARCH_SET_GS), start]);
    }
    for (offset, value) in CONTROL_WORDS {
        // SAFETY: the area is mapped, and nobody else uses it yet.
        unsafe { (address(VECTORS + offset) as *mut u32).write(value) };
    }
    let context = context();
    context.vectors = address(VECTORS);
    for (sixth, is_beyond) in (0..).zip(&mut context.beyond) {
        *is_beyond = (sixth << 40 >= ADDRESSES_END).into();
    }
    // SAFETY: getauxval only reads.
    let has_fsgsbase = unsafe { libc::getauxval(libc::AT_HWCAP2) } & HWCAP2_FSGSBASE != 0;
    context.has_fsgsbase = u64::from(has_fsgsbase);
    context.own_fs = sys::fs_base();
    context.vector_state = vector_state();
    context.ways_in = ways_in;
}

/// The mask of `xsave`, or 0 if the kernel supports only `fxsave`. The standard library's macro
/// would execute `cpuid` more often, and each `cpuid` causes an exit from a virtual machine.
fn vector_state() -> u64 {
    #[allow(unused_unsafe, reason = "newer compilers know that these are safe")]
    // SAFETY: every processor of 64 bits has `cpuid`.
    unsafe {
        if __cpuid(1).ecx & OSXSAVE == 0 {
            return 0;
        }
        if __cpuid_count(0xD, 0).ebx > VECTOR_BYTES {
            abort::unsupported("this processor's registers cannot be saved");
        }
    }
    VECTOR_STATE
}

/// The accessible part of one of the areas. Only what is in use is accessible, so an address that
/// the program guesses is likely to end it.
pub(crate) struct Opened {
    end: u32,
    protection: i32,
}

impl Opened {
    pub(crate) fn from(start: u64, protection: i32) -> Self {
        Self { end: absolute(start), protection }
    }

    /// Makes the area accessible up to this place, which is in it.
    pub(crate) fn reach(&mut self, place: u32) {
        if place > self.end {
            let end = place.next_multiple_of(GROWTH);
            if !sys::protect(address(self.end.into()), (end - self.end).into(), self.protection) {
                abort::unsupported(NO_ROOM);
            }
            self.end = end;
        }
    }
}

/// Sets whether the counter intercepts the system call with this number.
pub(crate) fn intercept(number: u16, is_seen: bool) {
    // SAFETY: `prepare` has mapped a byte for every 16-bit number.
    unsafe { (address(CALLS) as *mut u8).add(usize::from(number)).write(is_seen.into()) };
}

/// The table entry in which a jump to `target` finds its translation.
pub(crate) fn bucket(target: u64) -> &'static mut u64 {
    let at = usize::try_from(target).unwrap_or(0) % BUCKET_COUNT;
    // SAFETY: within the table that `prepare` has mapped; the borrow ends before the next begins.
    unsafe { &mut *(address(BUCKETS) as *mut u64).add(at) }
}
