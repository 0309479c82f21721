//! Headers of a program that are needed to load it.

use super::read_at::{HEADER_BYTES, MAGIC, ReadAt, number};

/// Maximum number of segments of an image: linkers make far fewer.
const MAX_SEGMENTS: u64 = 64;
/// The longest path of a dynamic loader, in bytes.
const MAX_LOADER_PATH_BYTES: u64 = 4096;
/// The longest file that is taken for a program, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 40;
/// The size of a program header.
pub const PROGRAM_HEADER_BYTES: usize = 56;
/// `EM_X86_64`.
pub(super) const MACHINE: u64 = 62;
/// `ET_EXEC` and `ET_DYN`.
pub(super) const TYPES: [u64; 2] = [2, 3];
/// The type of a segment that exec maps.
pub(crate) const PT_LOAD: u64 = 1;
const PT_INTERP: u64 = 3;
const PF_X: u64 = 1;
const PF_W: u64 = 2;
const PF_R: u64 = 4;
const BROKEN: &str = "its header is broken";

/// A part of the file that is to be mapped. No sum of its numbers overflows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Whether it can be read.
    pub is_readable: bool,
    /// Whether it can be written.
    pub is_writable: bool,
    /// Whether it holds code.
    pub is_executable: bool,
    /// Offset in the file, in bytes.
    pub offset: u64,
    /// Address in memory, before the image's base is added.
    pub address: u64,
    /// Size in the file, in bytes: at most `bytes`.
    pub file_bytes: u64,
    /// Size in memory, in bytes.
    pub bytes: u64,
}

/// The headers of a program for x86-64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The address of its first instruction.
    pub entry: u64,
    /// Offset of its program headers in the file.
    pub table: u64,
    /// Number of its program headers.
    pub count: u64,
    /// Segments to be mapped.
    pub segments: Vec<Segment>,
    /// The path of its dynamic loader; absent for a static program.
    pub loader: Option<Vec<u8>>,
}

impl Program {
    /// Reads the headers of a program whose addresses are at most `reach`. The error says in words
    /// what is wrong with the file.
    pub fn read(file: &(impl ReadAt + ?Sized), reach: u64) -> Result<Self, &'static str> {
        let mut header = [0; HEADER_BYTES];
        file.read_exact_at(&mut header, 0).ok_or("it is not a program")?;
        let kind = number(&header, 16, 2);
        if !header.starts_with(MAGIC) || number(&header, 18, 2) != MACHINE || !TYPES.contains(&kind)
        {
            return Err("it is not a program for this machine");
        }
        let (entry, table) = (number(&header, 24, 8), number(&header, 32, 8));
        let count = number(&header, 56, 2);
        if count > MAX_SEGMENTS || table > MAX_FILE_BYTES || entry > reach {
            return Err(BROKEN);
        }
        let mut program = Self { entry, table, count, segments: Vec::new(), loader: None };
        for at in 0..count {
            let mut entry = [0; PROGRAM_HEADER_BYTES];
            let offset = table + at * PROGRAM_HEADER_BYTES as u64;
            file.read_exact_at(&mut entry, offset).ok_or(BROKEN)?;
            match number(&entry, 0, 4) {
                PT_LOAD => program.segments.push(segment(&entry, reach)?),
                // The kernel takes the first one.
                PT_INTERP if program.loader.is_none() => {
                    program.loader = Some(loader_path(file, &entry)?);
                }
                _ => {}
            }
        }
        Ok(program)
    }
}

fn segment(entry: &[u8], reach: u64) -> Result<Segment, &'static str> {
    let flags = number(entry, 4, 4);
    let segment = Segment {
        is_readable: flags & PF_R != 0,
        is_writable: flags & PF_W != 0,
        is_executable: flags & PF_X != 0,
        offset: number(entry, 8, 8),
        address: number(entry, 16, 8),
        file_bytes: number(entry, 32, 8),
        bytes: number(entry, 40, 8),
    };
    if segment.offset > MAX_FILE_BYTES || segment.file_bytes > segment.bytes {
        return Err(BROKEN);
    }
    if segment.address > reach || segment.bytes > reach {
        return Err("it is too large, or linked to an unusual address");
    }
    Ok(segment)
}

fn loader_path(file: &(impl ReadAt + ?Sized), entry: &[u8]) -> Result<Vec<u8>, &'static str> {
    let bytes = usize::try_from(number(entry, 32, 8).min(MAX_LOADER_PATH_BYTES)).unwrap_or(0);
    let mut path = vec![0; bytes];
    file.read_exact_at(&mut path, number(entry, 8, 8)).ok_or(BROKEN)?;
    path.truncate(path.iter().position(|&byte| byte == 0).unwrap_or(bytes));
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REACH: u64 = 1 << 31;

    /// A program for x86-64 of one segment that can be read and executed, and a loader.
    fn file() -> Vec<u8> {
        let mut file = MAGIC.to_vec();
        file.resize(HEADER_BYTES, 0);
        for (at, number) in [(16, 2), (18, 62), (24, 0x10), (32, 64), (56, 2)] {
            file[at] = number;
        }
        for (kind, offset, bytes) in [(1_u8, 0, 0x20_u8), (3, 176, 5)] {
            let start = file.len();
            file.resize(start + PROGRAM_HEADER_BYTES, 0);
            for (at, number) in [(0, kind), (4, 5), (8, offset), (32, bytes), (40, bytes)] {
                file[start + at] = number;
            }
        }
        file.extend(b"/ld\0\0");
        file
    }

    #[test]
    fn headers_are_read() {
        let program = Program::read(&file()[..], REACH).unwrap();
        assert_eq!((program.entry, program.table, program.count), (0x10, 64, 2));
        assert_eq!(program.loader.as_deref(), Some(&b"/ld"[..]));
        let [segment] = &program.segments[..] else { panic!("{program:?}") };
        assert!(segment.is_readable && segment.is_executable && !segment.is_writable);
        assert_eq!((segment.file_bytes, segment.bytes), (0x20, 0x20));
    }

    #[test]
    fn file_that_is_cut_is_no_program() {
        let whole = file();
        assert!((0..whole.len()).all(|length| Program::read(&whole[..length], REACH).is_err()));
    }

    #[test]
    fn field_out_of_reach_is_refused() {
        for (at, reason) in [
            (27, "its header is broken"),
            (HEADER_BYTES + 22, "it is too large, or linked to an unusual address"),
            (HEADER_BYTES + 39, "its header is broken"),
        ] {
            let mut file = file();
            file[at] = 0xff;
            assert_eq!(Program::read(&file[..], REACH), Err(reason), "{at}");
        }
    }
}
