//! What addresses are called: the functions and lines that `addr2line -a -i -f -C` prints, from the
//! innermost inlined call outwards.

use runner_protocol::{MAX_NAME_BYTES, original_name};
use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufRead, Read};
use std::path::Path;

/// What the source is compiled as.
const SOURCE: &str = "main.cpp";
/// What tools call what they don't know.
const UNKNOWN: &str = "??";
/// The name of what has none.
pub(crate) const NAMELESS: u32 = 0;
/// Most calls that are inlined into each other at one address.
const MAX_FRAMES: usize = 64;
/// Most frames of all addresses, and names.
const MAX_ALL_FRAMES: usize = 1 << 20;
const MAX_NAMES: usize = 1 << 16;
/// The longest line of an answer that is read, in bytes.
const MAX_LINE_BYTES: u64 = 64 << 10;
/// What the compiler calls its own functions that initialise static variables.
const STATIC: [&str; 2] = ["_GLOBAL__sub_I_", "__static_initialization_and_destruction_"];
const STATIC_NAME: &str = "static initialisation";

/// A function at an address, and the line it is at there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) name: u32,
    pub(crate) place: Place,
}

/// Where the code of a frame was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On this line of the source.
    Source(u32),
    /// In a header.
    Library,
    Unknown,
}

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    pub(crate) names: Vec<String>,
    numbers: HashMap<String, u32>,
    /// By address, the innermost frame first.
    chains: HashMap<u32, Vec<Frame>>,
    pointers: HashMap<u32, u32>,
}

impl Symbols {
    /// Reads the answers to questions about `asked`; `None` where there are too many.
    pub(crate) fn read(mut answers: impl BufRead, asked: &BTreeSet<u32>) -> Option<Self> {
        let mut symbols = Self::default();
        symbols.number("");
        let (mut current, mut frames) = (None, 0);
        while let Some(line) = line(&mut answers) {
            if let Some(address) = line.strip_prefix("0x") {
                let address = u32::from_str_radix(address.trim_start_matches('0'), 16).ok();
                // Each counts once, for what the program calls its functions stands between them.
                current =
                    address.filter(|at| asked.contains(at) && !symbols.chains.contains_key(at));
                continue;
            }
            let place = self::line(&mut answers)?;
            let Some(address) = current else { continue };
            let name = symbols.number(&line);
            let chain = symbols.chains.entry(address).or_default();
            if chain.len() < MAX_FRAMES {
                chain.push(Frame { name, place: placed(&place) });
                frames += 1;
            }
            if frames > MAX_ALL_FRAMES {
                return None;
            }
        }
        Some(symbols)
    }

    /// What is called through `pointers`, a name on each line.
    pub(crate) fn name_pointers(
        &mut self,
        pointers: impl Iterator<Item = u32>,
        mut names: impl BufRead,
    ) {
        for pointer in pointers {
            let Some(name) = line(&mut names) else { return };
            let name = self.number(&name);
            self.pointers.insert(pointer, name);
        }
    }

    /// The frames at an address, the innermost first.
    pub(crate) fn at(&self, address: u32) -> &[Frame] {
        self.chains.get(&address).map_or(&[], Vec::as_slice)
    }

    /// The function that an address is in, whatever was inlined there.
    pub(crate) fn function(&self, address: u32) -> u32 {
        self.at(address).last().map_or(NAMELESS, |outermost| outermost.name)
    }

    /// What is called through a pointer.
    pub(crate) fn pointed(&self, pointer: u32) -> u32 {
        self.pointers.get(&pointer).copied().unwrap_or(NAMELESS)
    }

    /// The number of a name.
    pub(crate) fn number(&mut self, name: &str) -> u32 {
        let name = Some(original_name(name)).filter(|&name| name != UNKNOWN).unwrap_or_default();
        let name = if STATIC.iter().any(|own| name.starts_with(own)) { STATIC_NAME } else { name };
        let fits = |&(at, c): &(usize, char)| at + c.len_utf8() <= MAX_NAME_BYTES;
        let kept = name.char_indices().take_while(fits);
        let name: String = kept.map(|(_, c)| if c.is_control() { '?' } else { c }).collect();
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
}

/// The next line, without its end; what is not UTF-8 is replaced.
fn line(from: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let read: io::Result<usize> = from.take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
    let line = line.strip_suffix(b"\n").unwrap_or(&line);
    read.ok().filter(|&bytes| bytes > 0).map(|_| String::from_utf8_lossy(line).into_owned())
}

/// `/tmp/main.cpp:12 (discriminator 3)`
fn placed(place: &str) -> Place {
    let Some((file, line)) = place.rsplit_once(':') else { return Place::Unknown };
    let line = line.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0);
    let is_source = Path::new(file).file_name().is_some_and(|name| name == SOURCE);
    match line {
        // 0 is how debug information says that there is none.
        _ if file == UNKNOWN => Place::Unknown,
        1.. if is_source => Place::Source(line),
        0 if is_source => Place::Unknown,
        _ => Place::Library,
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
        Symbols::read(ANSWERS.as_bytes(), &BTreeSet::from([0x1100, 0x1020, 0x1200])).unwrap()
    }

    #[test]
    fn frames_from_the_innermost_outwards() {
        let symbols = read();
        let [inner, outer] = symbols.at(0x1100) else { panic!("{symbols:?}") };
        assert_eq!((inner.place, outer.place), (Place::Library, Place::Source(7)));
        assert_eq!(symbols.names[outer.name as usize], "work(int)");
        assert_eq!(symbols.function(0x1100), outer.name);
    }

    #[test]
    fn what_is_not_known_has_no_name() {
        let symbols = read();
        assert_eq!(symbols.at(0x1020), [Frame { name: NAMELESS, place: Place::Unknown }]);
        assert_eq!(symbols.function(0x5555), NAMELESS);
    }

    #[test]
    fn what_was_not_asked_is_left_out() {
        assert!(read().at(0x9999).is_empty());
    }

    #[test]
    fn the_compilers_own_functions_have_a_name_for_people() {
        let symbols = read();
        assert_eq!(symbols.names[symbols.function(0x1200) as usize], STATIC_NAME);
        assert_eq!(symbols.at(0x1200)[0].place, Place::Unknown);
    }

    #[test]
    fn names_are_bounded_and_plain() {
        let mut symbols = read();
        let long = symbols.number(&"é".repeat(MAX_NAME_BYTES));
        assert_eq!(symbols.names[long as usize].len(), MAX_NAME_BYTES);
        let odd = symbols.number("a\u{1b}[2Jb");
        assert_eq!(symbols.names[odd as usize], "a?[2Jb");
    }

    #[test]
    fn pointers_have_names_in_their_order() {
        let mut symbols = read();
        symbols.name_pointers([8, 16, 24].into_iter(), "printf\nstd::foo(int)\n".as_bytes());
        assert_eq!(symbols.names[symbols.pointed(16) as usize], "std::foo(int)");
        assert_eq!(symbols.pointed(24), NAMELESS);
    }
}
