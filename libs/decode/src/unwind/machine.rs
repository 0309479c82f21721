//! A stopped process: its memory, its mappings, and the registers of a call.

/// Number of registers in [`Registers::values`].
pub const REGISTERS: usize = 33;
/// DWARF's numbers of the stack pointer and of the return address.
#[cfg(not(target_arch = "aarch64"))]
pub(super) const NUMBERS: (usize, usize) = (7, 16);
#[cfg(target_arch = "aarch64")]
pub(super) const NUMBERS: (usize, usize) = (31, 30);

/// Memory of a stopped process.
pub trait Memory {
    /// Fills `into` from `address` on; `None` if a part of it cannot be read.
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()>;
}

/// Registers of a call.
#[derive(Debug, Clone)]
pub struct Registers {
    /// Address of the current instruction, or of the one after a call.
    pub pc: u64,
    /// Values by DWARF's numbers; `None` if a value is unknown.
    pub values: [Option<u64>; REGISTERS],
}

/// A mapping of a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) offset: u64,
    pub(super) is_code: bool,
    pub(super) file: String,
}

impl Mapping {
    /// Parses a line of `/proc/PID/maps`; see `proc_pid_maps(5)`.
    pub fn parse(line: &str) -> Option<Self> {
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let rights = words.next()?;
        let offset = words.next()?;
        let file = words.nth(2).unwrap_or_default().trim_start();
        let number = |text| u64::from_str_radix(text, 16).ok();
        Some(Self {
            start: number(start)?,
            end: number(end)?,
            offset: number(offset)?,
            is_code: rights.as_bytes().get(2) == Some(&b'x'),
            file: file.into(),
        })
    }

    pub(super) fn contains(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }
}

/// Result of a step from a call to its caller.
pub(super) enum Step {
    To(Box<Registers>),
    Outermost,
    Unknown,
}

/// The word at `address`.
pub(super) fn word(memory: &impl Memory, address: u64) -> Option<u64> {
    let mut bytes = [0; 8];
    memory.read(address, &mut bytes)?;
    Some(u64::from_le_bytes(bytes))
}
