//! Names and lines of executed addresses, from the answers of `addr2line` and `c++filt`.

use crate::addr2line::OwnFiles;

use crate::SOURCE_FILE;
use crate::addr2line::{self, UNKNOWN, line};
use runner_protocol::{MAX_NAME_BYTES, original_name};
use std::collections::{BTreeSet, HashMap};
use std::io::BufRead;

/// The number of the empty name, for code whose function is not known.
pub const NAMELESS: u32 = 0;
/// Maximum number of calls that are inlined into each other at one address.
const MAX_FRAMES: usize = 64;
/// Maximum number of frames of all addresses together.
const MAX_ALL_FRAMES: usize = 1 << 20;
/// Maximum number of names. Further names become [`NAMELESS`].
const MAX_NAMES: usize = 1 << 16;
/// The prefixes of the functions that the compiler adds to initialise static variables.
const STATIC: [&str; 2] = ["_GLOBAL__sub_I_", "__static_initialization_and_destruction_"];
const STATIC_NAME: &str = "static initialisation";

/// A function at an address, and where its code was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame {
    /// The number of the function's name.
    pub name: u32,
    /// Place where the code was written.
    pub place: Place,
}

/// Place where the code of a frame was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On this line of the program's files.
    Source(SourceLine),
    /// In a header.
    Library,
    /// There is no debug information.
    Unknown,
}

/// A line of the program's files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLine {
    /// The number of the file's path among the names; `None` for the submitted source.
    pub file: Option<u32>,
    /// The line number, from 1.
    pub line: u32,
}

/// Names and lines of the addresses of one program. Each name is kept once and has a number.
#[derive(Debug, Default)]
pub struct Symbols {
    /// All names, in the order of their numbers.
    pub names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// The numbers of names as the tools print them, because finding one takes less time than
    /// cutting and cleaning it again.
    printed: HashMap<String, u32>,
    /// By address, the innermost frame first.
    frames: HashMap<u32, Vec<Frame>>,
    /// By pointer, the name of the library function that is called through it.
    library: HashMap<u32, u32>,
}

impl Symbols {
    /// Reads addr2line's answers about the addresses in `asked` of a program with these files, and
    /// drops all others. `None` if there are too many frames.
    pub fn read(answers: impl BufRead, asked: &BTreeSet<u32>, own: &OwnFiles) -> Option<Self> {
        let mut symbols = Self::default();
        symbols.intern("");
        // Only the first answer for an address counts: a function's name can look like an address.
        let (mut left, mut count) = (asked.clone(), 0);
        let takes =
            |address: u64| u32::try_from(address).ok().filter(|address| left.remove(address));
        for (address, frame) in addr2line::frames(answers, own, takes) {
            let name = symbols.intern(&frame.function);
            let place = symbols.place(frame);
            let frames = symbols.frames.entry(address).or_default();
            if frames.len() < MAX_FRAMES {
                frames.push(Frame { name, place });
                count += 1;
            }
            if count > MAX_ALL_FRAMES {
                return None;
            }
        }
        Some(symbols)
    }

    /// Adds the names of the library functions that are called through `pointers`, one name per
    /// line.
    pub fn name_library(&mut self, pointers: impl Iterator<Item = u32>, mut names: impl BufRead) {
        for pointer in pointers {
            let Some(name) = line(&mut names) else { return };
            let name = self.intern(&name);
            self.library.insert(pointer, name);
        }
    }

    /// The frames at an address, the innermost first.
    pub fn frames(&self, address: u32) -> &[Frame] {
        self.frames.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The name of the function that an address is in. Functions that were inlined there do not
    /// count.
    pub fn function(&self, address: u32) -> u32 {
        self.frames(address).last().map_or(NAMELESS, |outermost| outermost.name)
    }

    /// The name of the library function that is called through a pointer.
    pub fn library_function(&self, pointer: u32) -> u32 {
        self.library.get(&pointer).copied().unwrap_or(NAMELESS)
    }

    /// The number of a name, which is cut to [`MAX_NAME_BYTES`] and has no control characters.
    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.printed.get(name) {
            return known;
        }
        let number = self.number(name);
        if name.len() <= MAX_NAME_BYTES && self.printed.len() < MAX_NAMES {
            self.printed.insert(name.into(), number);
        }
        number
    }

    fn number(&mut self, name: &str) -> u32 {
        let name = Some(original_name(name)).filter(|&name| name != UNKNOWN).unwrap_or_default();
        let name = if STATIC.iter().any(|own| name.starts_with(own)) { STATIC_NAME } else { name };
        let fits = |&(at, c): &(usize, char)| at + c.len_utf8() <= MAX_NAME_BYTES;
        let kept = name.char_indices().take_while(fits);
        let name: String = kept.map(|(_, c)| if c.is_control() { '?' } else { c }).collect();
        self.keep(name)
    }

    /// Keeps a name as it is, and returns its number.
    fn keep(&mut self, name: String) -> u32 {
        if let Some(&known) = self.numbers.get(&name) {
            return known;
        }
        if self.names.len() == MAX_NAMES {
            return NAMELESS;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(NAMELESS);
        self.names.push(name.clone());
        self.numbers.insert(name, number);
        number
    }

    /// The number of the path of one of the program's files; `None` for the submitted source.
    fn file(&mut self, path: String) -> Option<u32> {
        (path != SOURCE_FILE).then(|| self.keep(path))
    }

    fn place(&mut self, frame: addr2line::Frame) -> Place {
        match frame.line {
            _ if frame.file.is_empty() => Place::Unknown,
            // In debug information, line 0 means that there is no line.
            0 if frame.is_own => Place::Unknown,
            line if frame.is_own => Place::Source(SourceLine { file: self.file(frame.file), line }),
            _ => Place::Library,
        }
    }

    /// The line with a path in place of its number; `None` if no frame is in the file.
    pub fn line(&self, wanted: &runner_protocol::SourceLine) -> Option<SourceLine> {
        let file = wanted.file.as_ref().map(|path| self.numbers.get(path).copied());
        match file {
            Some(None) => None,
            known => Some(SourceLine { file: known.flatten(), line: wanted.line }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANSWERS: &str = "\
0x0000000000001100
std::vector<int>::operator[](unsigned long)
/usr/include/c++/12/bits/stl_vector.h:1123
work(int) [clone .isra.0]
/tmp/main.cpp:7 (discriminator 3)
0x0000000000001020
??
??:0
0x0000000000009999
work(int)
/tmp/main.cpp:9
0x0000000000001200
_GLOBAL__sub_I_main
/tmp/main.cpp:?
";

    fn read() -> Symbols {
        read_own(ANSWERS, &OwnFiles::default())
    }

    fn read_own(answers: &str, own: &OwnFiles) -> Symbols {
        let asked = BTreeSet::from([0x1100, 0x1020, 0x1200]);
        Symbols::read(answers.as_bytes(), &asked, own).unwrap()
    }

    #[test]
    fn frames_from_the_innermost_outwards() {
        let symbols = read();
        let [inner, outer] = symbols.frames(0x1100) else { panic!("{symbols:?}") };
        let line = SourceLine { file: None, line: 7 };
        assert_eq!((inner.place, outer.place), (Place::Library, Place::Source(line)));
        assert_eq!(symbols.names[outer.name as usize], "work(int)");
        assert_eq!(symbols.function(0x1100), outer.name);
    }

    #[test]
    fn line_of_another_file_has_its_path() {
        let header = "lib/stl_vector.h";
        let answers = ANSWERS.replace("/usr/include/c++/12/bits", "/tmp/lib");
        let symbols = read_own(&answers, &OwnFiles::new([header.into()]));
        let Place::Source(line) = symbols.frames(0x1100)[0].place else { panic!("{symbols:?}") };
        assert_eq!(symbols.names[line.file.unwrap() as usize], header);
        let wanted =
            |file: &str| runner_protocol::SourceLine { file: Some(file.into()), line: 1123 };
        assert_eq!(symbols.line(&wanted(header)), Some(line));
        assert_eq!(symbols.line(&wanted("a.h")), None);
    }

    #[test]
    fn unknown_symbol_has_no_name() {
        let symbols = read();
        assert_eq!(symbols.frames(0x1020), [Frame { name: NAMELESS, place: Place::Unknown }]);
        assert_eq!(symbols.function(0x5555), NAMELESS);
    }

    #[test]
    fn unasked_address_is_left_out() {
        assert!(read().frames(0x9999).is_empty());
    }

    #[test]
    fn compilers_own_functions_have_a_name_for_people() {
        let symbols = read();
        assert_eq!(symbols.names[symbols.function(0x1200) as usize], STATIC_NAME);
        assert_eq!(symbols.frames(0x1200)[0].place, Place::Unknown);
    }

    #[test]
    fn names_are_bounded_and_plain() {
        let mut symbols = read();
        let long = symbols.intern(&"é".repeat(MAX_NAME_BYTES));
        assert_eq!(symbols.names[long as usize].len(), MAX_NAME_BYTES);
        let odd = symbols.intern("a\u{1b}[2Jb");
        assert_eq!(symbols.names[odd as usize], "a?[2Jb");
    }

    #[test]
    fn pointers_have_names_in_their_order() {
        let mut symbols = read();
        symbols.name_library([8, 16, 24].into_iter(), "printf\nstd::foo(int)\n".as_bytes());
        assert_eq!(symbols.names[symbols.library_function(16) as usize], "std::foo(int)");
        assert_eq!(symbols.library_function(24), NAMELESS);
    }
}
