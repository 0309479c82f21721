//! Executables that somebody else has compiled: whether they can be started, and what they need.

use super::program::{MACHINE, PROGRAM_HEADER_BYTES, Program, TYPES};
use super::read_at::{HEADER_BYTES, MAGIC, ReadAt, name, number, piece};

/// The beginning of every ELF file.
const ELF: &[u8] = b"\x7fELF";
/// The beginning of a script.
const SCRIPT: &[u8] = b"#!";
/// The largest address of a program in user mode.
const REACH: u64 = 1 << 47;
const PT_DYNAMIC: u64 = 2;
/// Size of an entry of the dynamic section: a tag and a value.
const DYNAMIC_BYTES: usize = 16;
const DT_NULL: u64 = 0;
const DT_NEEDED: u64 = 1;
const DT_STRTAB: u64 = 5;
const DT_STRSZ: u64 = 10;
/// The longest dynamic section that is read, in bytes.
const MAX_DYNAMIC_BYTES: u64 = 64 << 10;
/// The longest table of names that is read, in bytes.
const MAX_NAMES_BYTES: u64 = 8 << 20;
/// The longest name of a library, in bytes, which is that of a file.
const MAX_NAME_BYTES: usize = 255;
const BROKEN: &str = "its dynamic section is broken";

/// Files that an executable needs besides itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Linkage {
    /// The path of its dynamic loader; absent for a static program.
    pub loader: Option<String>,
    /// The names of its shared libraries, in the order of the file.
    pub libraries: Vec<String>,
}

impl Linkage {
    /// Reads what an executable for x86-64 needs. The error says in words why the file cannot be
    /// started.
    pub fn read(file: &(impl ReadAt + ?Sized)) -> Result<Self, &'static str> {
        let mut header = [0; HEADER_BYTES];
        // A file that is too short is refused by its first bytes, which are then zero.
        let _ = file.read_exact_at(&mut header[..SCRIPT.len()], 0);
        if header.starts_with(SCRIPT) {
            return Err("it is a script");
        }
        file.read_exact_at(&mut header, 0).ok_or("it is not an ELF file")?;
        if !header.starts_with(ELF) {
            return Err("it is not an ELF file");
        }
        if !header.starts_with(MAGIC) || number(&header, 18, 2) != MACHINE {
            return Err("it is for another processor: only 64-bit x86-64 is supported");
        }
        if !TYPES.contains(&number(&header, 16, 2)) {
            return Err("it is not linked: it is an object file or a core dump");
        }
        let program = Program::read(file, REACH)?;
        let libraries = libraries(file, &program)?;
        let loader = program.loader.map(|path| String::from_utf8_lossy(&path).into_owned());
        if loader.is_none() && (!libraries.is_empty() || program.entry == 0) {
            return Err("it is a shared library, or names no dynamic loader");
        }
        Ok(Self { loader, libraries })
    }
}

/// The names of the shared libraries in the dynamic section; empty without such a section.
fn libraries(
    file: &(impl ReadAt + ?Sized),
    program: &Program,
) -> Result<Vec<String>, &'static str> {
    let mut entries = Vec::new();
    for at in 0..program.count {
        let mut header = [0; PROGRAM_HEADER_BYTES];
        let offset = program.table + at * PROGRAM_HEADER_BYTES as u64;
        file.read_exact_at(&mut header, offset).ok_or(BROKEN)?;
        if number(&header, 0, 4) == PT_DYNAMIC {
            let (offset, bytes) = (number(&header, 8, 8), number(&header, 32, 8));
            entries = piece(file, offset, bytes, MAX_DYNAMIC_BYTES).ok_or(BROKEN)?;
        }
    }
    let entries: Vec<_> = entries
        .chunks_exact(DYNAMIC_BYTES)
        .map(|entry| (number(entry, 0, 8), number(entry, 8, 8)))
        .take_while(|(tag, _)| *tag != DT_NULL)
        .collect();
    let needed = || entries.iter().filter(|(tag, _)| *tag == DT_NEEDED);
    if needed().next().is_none() {
        return Ok(Vec::new());
    }
    let value = |wanted| entries.iter().find(|(tag, _)| *tag == wanted).map(|(_, value)| *value);
    let names = || {
        let address = value(DT_STRTAB)?;
        let segment = program.segments.iter().find(|segment| {
            (segment.address..segment.address + segment.file_bytes).contains(&address)
        })?;
        let offset = segment.offset + (address - segment.address);
        piece(file, offset, value(DT_STRSZ)?, MAX_NAMES_BYTES)
    };
    let names = names().ok_or(BROKEN)?;
    needed()
        .map(|&(_, at)| {
            let name =
                name(&names, at).filter(|name| name.len() <= MAX_NAME_BYTES).ok_or(BROKEN)?;
            Ok(String::from_utf8_lossy(name).into_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_test_support::elf::executable;

    fn file() -> Vec<u8> {
        executable("/lib64/ld", &["libm.so.6", "libfoo.so.1"])
    }

    #[test]
    fn loader_and_libraries_are_read() {
        let found = Linkage::read(&file()[..]).unwrap();
        assert_eq!(found.loader.as_deref(), Some("/lib64/ld"));
        assert_eq!(found.libraries, ["libm.so.6", "libfoo.so.1"]);
        assert_eq!(Linkage::read(&executable("", &[])[..]), Ok(Linkage::default()));
    }

    #[test]
    fn file_that_cannot_be_started_is_refused_in_words() {
        let with = |at: usize, byte| {
            let mut file = file();
            file[at] = byte;
            file
        };
        let mut without_entry = executable("", &[]);
        without_entry[24..32].fill(0);
        for (file, reason) in [
            (b"#!/bin/sh\n".to_vec(), "it is a script"),
            (b"int main() {}".to_vec(), "it is not an ELF file"),
            (Vec::new(), "it is not an ELF file"),
            (with(4, 1), "it is for another processor: only 64-bit x86-64 is supported"),
            (with(18, 183), "it is for another processor: only 64-bit x86-64 is supported"),
            (with(16, 1), "it is not linked: it is an object file or a core dump"),
            (executable("", &["a"]), "it is a shared library, or names no dynamic loader"),
            (without_entry, "it is a shared library, or names no dynamic loader"),
            (executable("/ld", &[&"a".repeat(MAX_NAME_BYTES + 1)]), BROKEN),
        ] {
            assert_eq!(Linkage::read(&file[..]), Err(reason));
        }
    }

    #[test]
    fn file_that_is_cut_is_refused() {
        let whole = file();
        assert!((0..whole.len()).all(|length| Linkage::read(&whole[..length]).is_err()));
    }

    #[test]
    fn names_outside_of_the_file_are_refused() {
        let mut file = file();
        // The last three entries are the names' address, their size, and the end.
        let address = file.len() - 3 * DYNAMIC_BYTES + 8;
        file[address..address + 8].fill(0xff);
        assert_eq!(Linkage::read(&file[..]), Err(BROKEN));
    }
}
