//! The lines of a program's own files that have code, and their addresses: the line tables of DWARF
//! (chapter 6.2), and the lines into which library code was inlined (chapter 3.3.8). Code that only
//! continues another line's statement has no line, nor has code that the compiler has put aside
//! because it seldom runs, such as cleaning up after an exception.

use super::functions::cold_parts;
use super::program::Program;
use super::read_at::{ReadAt, SECTION_BYTES, header, name, number, section, section_headers};
use crate::SOURCE_FILE;
use crate::addr2line::OwnFiles;
use gimli::{
    AttributeValue, DW_AT_call_file, DW_AT_call_line, DW_TAG_inlined_subroutine, Dwarf,
    DwarfSections, EndianSlice, FileEntry, LineProgramHeader, LittleEndian, Unit,
};
use runner_protocol::{MAX_CODE_LINES, SourceLine};
use std::collections::HashMap;
use std::ops::Range;

/// The longest section that is read, in bytes.
const MAX_SECTION_BYTES: u64 = 4 << 20;
/// Maximum number of units. Each can refer to tables as long as a section.
const MAX_UNITS: usize = 1024;
/// Maximum number of ranges of addresses.
const MAX_RANGES: usize = 1 << 17;
/// Maximum number of files that the rows of one table may name.
const MAX_FILES: usize = 10_000;
/// Maximum length of the paths of all lines, so that the lines fit a message to the host.
const MAX_PATHS_BYTES: usize = 256 << 10;
/// Maximum number of steps to find the lines of inlined code.
const MAX_STEPS: usize = 1 << 22;
const SHF_COMPRESSED: u64 = 0x800;
/// Offset in the file header of the index of the section with the names of sections.
const NAMES_INDEX: usize = 62;

type Bytes<'a> = EndianSlice<'a, LittleEndian>;
/// The index of a file, and a line in it.
type Place = (usize, u32);

/// The lines of a program with code, and the lines of its addresses.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineTable {
    /// The lines, rising.
    pub lines: Vec<SourceLine>,
    /// Addresses, and the index of their line, rising.
    ranges: Vec<(Range<u64>, usize)>,
}

impl LineTable {
    /// Reads the table of a program with these files. `None` if it cannot be read, is too large, or
    /// names no line of the files.
    pub fn read(file: &(impl ReadAt + ?Sized), own: &OwnFiles) -> Option<Self> {
        let sections = debug_sections(file)?;
        let program = Program::read(file, u32::MAX.into()).ok()?;
        let cold = cold_parts(file);
        // The linker gives discarded functions addresses outside of all code.
        let has_code = |at: u64| {
            let mut executable = program.segments.iter().filter(|it| it.is_executable);
            executable.any(|it| at.wrapping_sub(it.address) < it.bytes)
        };
        let is_cold = |at: u64| {
            let after = cold.partition_point(|part| part.start <= at);
            after > 0 && cold[after - 1].contains(&at)
        };
        Self::of_sections(&sections, own, |at| has_code(at) && !is_cold(at))
    }

    fn of_sections(
        sections: &DwarfSections<Vec<u8>>,
        own: &OwnFiles,
        is_taken: impl Fn(u64) -> bool,
    ) -> Option<Self> {
        let dwarf = sections.borrow(|bytes| EndianSlice::new(bytes, LittleEndian));
        let mut code = Code { own, is_taken, files: Vec::new(), ranges: Vec::new(), steps: 0 };
        let mut units = dwarf.units();
        for _ in 0..=MAX_UNITS {
            let Some(header) = units.next().ok()? else {
                return Self::new(&code.files, code.ranges);
            };
            code.add_unit(&dwarf, &dwarf.unit(header).ok()?)?;
        }
        None
    }

    /// `None` without code, and if there are too many lines or their paths are too long.
    fn new(files: &[String], mut code: Vec<(Range<u64>, Place)>) -> Option<Self> {
        let mut places: Vec<Place> = code.iter().map(|(_, place)| *place).collect();
        places.sort_unstable();
        places.dedup();
        if places.is_empty() || places.len() > MAX_CODE_LINES {
            return None;
        }
        code.sort_unstable_by_key(|(range, _)| (range.start, range.end));
        let index = |place: Place| places.binary_search(&place).unwrap_or(0);
        let ranges = code.into_iter().map(|(range, place)| (range, index(place)));
        let lines = places.iter().map(|&(file, line)| SourceLine {
            file: files.get(file).filter(|path| path.as_str() != SOURCE_FILE).cloned(),
            line,
        });
        let lines: Vec<_> = lines.collect();
        let paths = lines.iter().filter_map(|line| line.file.as_ref());
        let fits = paths.map(String::len).sum::<usize>() <= MAX_PATHS_BYTES;
        fits.then(|| Self { lines, ranges: ranges.collect() })
    }

    /// Returns the index of the line of an instruction.
    pub fn line_at(&self, address: u32) -> Option<usize> {
        let address = u64::from(address);
        let after = self.ranges.partition_point(|(range, _)| range.start <= address);
        let (range, line) = self.ranges.get(after.checked_sub(1)?)?;
        range.contains(&address).then_some(*line)
    }
}

/// Reads the sections with debug information. `None` if one is compressed or too long.
fn debug_sections(file: &(impl ReadAt + ?Sized)) -> Option<DwarfSections<Vec<u8>>> {
    let headers = section_headers(file, MAX_SECTION_BYTES)?;
    let at = usize::try_from(number(&header(file)?, NAMES_INDEX, 2)).ok()?;
    let names = section(file, headers.chunks_exact(SECTION_BYTES).nth(at)?, MAX_SECTION_BYTES)?;
    let read = |wanted: &str| {
        let mut headers = headers.chunks_exact(SECTION_BYTES);
        let is_wanted = |it: &&[u8]| name(&names, number(it, 0, 4)) == Some(wanted.as_bytes());
        let Some(found) = headers.find(is_wanted) else { return Some(Vec::new()) };
        let is_plain = number(found, 8, 8) & SHF_COMPRESSED == 0;
        is_plain.then(|| section(file, found, MAX_SECTION_BYTES)).flatten()
    };
    DwarfSections::load(|id| read(id.name()).ok_or(())).ok()
}

/// The code that was found so far.
struct Code<'a, F> {
    own: &'a OwnFiles,
    is_taken: F,
    files: Vec<String>,
    ranges: Vec<(Range<u64>, Place)>,
    /// Number of steps that inlined code took.
    steps: usize,
}

/// The files of a unit by their numbers, as indices among the files of the program.
type Known = HashMap<u64, Option<usize>>;

impl<F: Fn(u64) -> bool> Code<'_, F> {
    /// Adds the code of a unit. `None` if it is broken, or there is too much.
    fn add_unit<'i>(&mut self, dwarf: &Dwarf<Bytes<'i>>, unit: &Unit<Bytes<'i>>) -> Option<()> {
        let Some(program) = unit.line_program.clone() else { return Some(()) };
        let mut known = Known::new();
        let mut library: Vec<(Range<u64>, Option<Place>)> = Vec::new();
        let mut rows = program.rows();
        let mut begun: Option<(u64, Option<Place>)> = None;
        while let Some((header, row)) = rows.next_row().ok()? {
            if let Some((begin, place)) = begun.take()
                && begin < row.address()
                && (self.is_taken)(begin)
            {
                match place {
                    Some(place) => self.ranges.push((begin..row.address(), place)),
                    None => library.push((begin..row.address(), None)),
                }
            }
            if self.ranges.len() + library.len() > MAX_RANGES || known.len() > MAX_FILES {
                return None;
            }
            let line = row.line().and_then(|line| u32::try_from(line.get()).ok());
            let Some(line) = line.filter(|_| row.is_stmt() && !row.end_sequence()) else {
                continue;
            };
            let file = self.file((dwarf, unit, header), row.file_index(), &mut known);
            begun = Some((row.address(), file.map(|file| (file, line))));
        }
        library.sort_unstable_by_key(|(range, _)| range.start);
        self.inline(dwarf, unit, &mut library, &mut known)?;
        let inlined = library.into_iter().filter_map(|(range, place)| Some((range, place?)));
        self.ranges.extend(inlined);
        Some(())
    }

    /// Finds the innermost line of the program's own into which library code was inlined. The
    /// entries of inner calls follow those of outer ones.
    fn inline<'i>(
        &mut self,
        dwarf: &Dwarf<Bytes<'i>>,
        unit: &Unit<Bytes<'i>>,
        library: &mut [(Range<u64>, Option<Place>)],
        known: &mut Known,
    ) -> Option<()> {
        let Some(program) = &unit.line_program else { return Some(()) };
        let mut entries = unit.entries();
        while let Some((_, entry)) = entries.next_dfs().ok()? {
            if entry.tag() != DW_TAG_inlined_subroutine {
                continue;
            }
            let line = entry.attr_value(DW_AT_call_line).ok()?.and_then(|it| it.udata_value());
            let line = line.and_then(|line| u32::try_from(line).ok());
            let number = match entry.attr_value(DW_AT_call_file).ok()? {
                Some(AttributeValue::FileIndex(number)) => Some(number),
                other => other.and_then(|it| it.udata_value()),
            };
            let file = number.and_then(|it| self.file((dwarf, unit, program.header()), it, known));
            let Some(place) = file.zip(line.filter(|line| *line > 0)) else { continue };
            let mut ranges = dwarf.die_ranges(unit, entry).ok()?;
            while let Some(range) = ranges.next().ok()? {
                let first = library.partition_point(|(code, _)| code.start < range.begin);
                let inside = library[first..].iter_mut();
                for (_, found) in inside.take_while(|(code, _)| code.start < range.end) {
                    *found = Some(place);
                    self.steps += 1;
                }
                self.steps += 1;
                if self.steps > MAX_STEPS {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Returns the index of one of the program's own files by its number in a unit.
    fn file<'i>(
        &mut self,
        (dwarf, unit, header): (&Dwarf<Bytes<'i>>, &Unit<Bytes<'i>>, &LineProgramHeader<Bytes<'i>>),
        number: u64,
        known: &mut Known,
    ) -> Option<usize> {
        *known.entry(number).or_insert_with(|| {
            let path = path(dwarf, unit, header, header.file(number)?)?;
            let source = self.own.source(&path)?;
            let at = self.files.iter().position(|it| it == source);
            Some(at.unwrap_or_else(|| {
                self.files.push(source.to_owned());
                self.files.len() - 1
            }))
        })
    }
}

/// The path of a file, as the debug information names it.
fn path<'i>(
    dwarf: &Dwarf<Bytes<'i>>,
    unit: &Unit<Bytes<'i>>,
    header: &LineProgramHeader<Bytes<'i>>,
    file: &FileEntry<Bytes<'i>>,
) -> Option<String> {
    let text = |value: AttributeValue<Bytes<'i>>| {
        let bytes = dwarf.attr_string(unit, value).ok()?;
        Some(String::from_utf8_lossy(bytes.slice()).into_owned())
    };
    let name = text(file.path_name())?;
    let folder = file.directory(header).and_then(text).unwrap_or_default();
    let is_whole = name.starts_with('/') || folder.is_empty();
    Some(if is_whole { name } else { format!("{folder}/{name}") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gimli::SectionId;

    /// An address, the index of a file from 1, a line, and whether a statement begins there. The
    /// last row ends a table.
    type Row = (u64, u8, i8, bool);
    /// Two addresses, and the file and line that called the code between them.
    type Call = (u64, u64, u8, u8);

    const FILES: [&str; 3] = ["/tmp/main.cpp", "/usr/include/b.h", "lib/a.h"];

    fn with_length(bytes: &[u8]) -> Vec<u8> {
        [&u32::try_from(bytes.len()).unwrap().to_le_bytes()[..], bytes].concat()
    }

    /// A line table of DWARF 4.
    fn table(rows: &[Row]) -> Vec<u8> {
        let mut program = Vec::new();
        let (mut line, mut is_stmt) = (1, true);
        for (at, &(address, file, row_line, begins)) in rows.iter().enumerate() {
            program.extend([&[0, 9, 2][..], &address.to_le_bytes()].concat());
            program.extend([4, file, 3, (row_line - line).to_le_bytes()[0] & 0x7f]);
            if begins != is_stmt {
                program.push(6);
            }
            (line, is_stmt) = (row_line, begins);
            program.extend_from_slice(if at + 1 == rows.len() { &[0, 1, 1] } else { &[1] });
        }
        let mut names = vec![0];
        names.extend(FILES.iter().flat_map(|file| [file.as_bytes(), &[0; 4]].concat()));
        names.push(0);
        let lengths = [0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1];
        let header = [&[1, 1, 1, 0xfb, 14, 13][..], &lengths, &names].concat();
        with_length(&[&[4, 0][..], &with_length(&header), &program].concat())
    }

    /// A unit with inlined calls, each inside of the one before it.
    fn unit(calls: &[Call]) -> Vec<u8> {
        let mut entries = vec![1, 0, 0, 0, 0];
        for &(begin, end, file, line) in calls {
            entries.push(2);
            entries.extend([begin.to_le_bytes(), (end - begin).to_le_bytes()].concat());
            entries.extend([file, line]);
        }
        entries.extend(vec![0; calls.len() + 1]);
        with_length(&[&[4, 0, 0, 0, 0, 0, 8][..], &entries].concat())
    }

    fn read(lines: &[u8], info: &[u8], is_taken: fn(u64) -> bool) -> Option<LineTable> {
        let abbreviations = [
            &[1, 0x11, 1, 0x10, 0x17, 0, 0][..],
            &[2, 0x1d, 1, 0x11, 1, 0x12, 7, 0x58, 0xf, 0x59, 0xf, 0, 0, 0],
        ];
        let sections = DwarfSections::load(|id| {
            Ok::<_, ()>(match id {
                SectionId::DebugLine => lines.to_vec(),
                SectionId::DebugInfo => info.to_vec(),
                SectionId::DebugAbbrev => abbreviations.concat(),
                _ => Vec::new(),
            })
        });
        let own = OwnFiles::new(["lib/a.h".into()]);
        LineTable::of_sections(&sections.unwrap(), &own, is_taken)
    }

    fn source(line: u32) -> SourceLine {
        SourceLine { file: None, line }
    }

    #[test]
    fn lines_of_the_programs_files_have_their_addresses() {
        let rows = [
            (0x10, 1, 9, true),
            (0x14, 2, 7, true),
            (0x18, 1, 5, true),
            (0x18, 3, 2, true),
            (0x20, 1, 6, false),
            (0x24, 1, 9, true),
            (0x30, 1, 9, true),
        ];
        let found = read(&table(&rows), &unit(&[]), |_| true).unwrap();
        let header = SourceLine { file: Some("lib/a.h".into()), line: 2 };
        assert_eq!(found.lines, [source(9), header], "a line without bytes is left out");
        let lines = [0x0f, 0x10, 0x13, 0x14, 0x18, 0x20, 0x24, 0x2f, 0x30];
        let (nine, two) = (Some(0), Some(1));
        assert_eq!(
            lines.map(|at| found.line_at(at)),
            [None, nine, nine, None, two, None, nine, nine, None]
        );
    }

    #[test]
    fn inlined_library_code_is_on_the_innermost_line_that_called_it() {
        let rows = [
            (0x10, 2, 7, true),
            (0x20, 2, 8, true),
            (0x30, 2, 9, true),
            (0x38, 1, 3, true),
            (0x40, 1, 3, true),
        ];
        let calls = [(0x10, 0x40, 1, 20), (0x20, 0x40, 1, 30), (0x30, 0x40, 2, 50)];
        let found = read(&table(&rows), &unit(&calls), |_| true).unwrap();
        assert_eq!(found.lines, [source(3), source(20), source(30)]);
        let lines = [0x10, 0x20, 0x30, 0x38].map(|at| found.line_at(at));
        assert_eq!(lines, [Some(1), Some(2), Some(2), Some(0)]);
    }

    #[test]
    fn code_that_is_not_taken_has_no_line() {
        let rows = table(&[(0x10, 1, 9, true), (0x20, 1, 5, true), (0x30, 1, 5, true)]);
        let found = read(&rows, &unit(&[]), |at| at < 0x20).unwrap();
        assert_eq!(found.lines, [source(9)]);
        assert_eq!(read(&rows, &unit(&[]), |_| false), None);
    }

    #[test]
    fn lines_with_too_long_paths_are_not_known() {
        let files = ["a".repeat(MAX_PATHS_BYTES / 2)];
        let code = |lines: u8| -> Vec<(Range<u64>, Place)> {
            (1..=lines).map(|line| (line.into()..u64::from(line) + 1, (0, line.into()))).collect()
        };
        assert!(LineTable::new(&files, code(2)).is_some());
        assert_eq!(LineTable::new(&files, code(3)), None);
    }

    #[test]
    fn number_of_units_is_bounded() {
        let rows = table(&[(0x10, 1, 9, true), (0x20, 1, 9, true)]);
        let units = |count: usize| read(&rows, &unit(&[]).repeat(count), |_| true);
        assert_eq!(units(MAX_UNITS).unwrap().lines, [source(9)]);
        assert_eq!(units(MAX_UNITS + 1), None);
    }

    #[test]
    fn sections_that_are_cut_do_not_panic() {
        let lines = table(&[(0x10, 1, 9, true), (0x20, 2, 5, true), (0x30, 1, 5, true)]);
        let info = unit(&[(0x20, 0x30, 1, 20)]);
        for length in 0..lines.len() {
            let _ = read(&lines[..length], &info, |_| true);
        }
        for length in 0..info.len() {
            let _ = read(&lines, &info[..length], |_| true);
        }
    }
}
