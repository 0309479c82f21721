//! The mappings and the memory of a traced process.

use crate::process::memory_reader::open_as_debugger;
use crate::sys::proc_view;
use nix::unistd::Pid;
use profiler_decode::unwind::{Mapping, Memory};
use std::cell::RefCell;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Maximum size of the list of mappings that is read, in bytes.
const MAX_MAPS_BYTES: u64 = 1 << 20;
/// Size of the parts in which a stack is read, in bytes.
const PAGE: usize = 4096;

/// The mappings and the memory of a process.
pub(super) fn view(pid: Pid) -> Option<(Vec<Mapping>, ProcessMemory)> {
    let file = |name| {
        let path = proc_view::path(format_args!("{pid}/{name}"));
        open_as_debugger(Path::new(&path)).ok()
    };
    let maps = BufReader::new(file("maps")?.take(MAX_MAPS_BYTES));
    let lines = maps.split(b'\n').map_while(Result::ok);
    let mappings = lines.filter_map(|line| Mapping::parse(&String::from_utf8_lossy(&line)));
    Some((mappings.collect(), ProcessMemory { file: file("mem")?, page: RefCell::default() }))
}

/// Memory of a process. The page that was read last is kept.
pub(super) struct ProcessMemory {
    file: File,
    pub(super) page: RefCell<Option<(u64, Vec<u8>)>>,
}

impl ProcessMemory {
    fn read_page(&self, start: u64) -> Option<(u64, Vec<u8>)> {
        let mut page = vec![0; PAGE];
        self.file.read_exact_at(&mut page, start).ok()?;
        Some((start, page))
    }
}

impl Memory for ProcessMemory {
    fn read(&self, address: u64, into: &mut [u8]) -> Option<()> {
        let at = usize::try_from(address % PAGE as u64).ok()?;
        let start = address - at as u64;
        if at + into.len() > PAGE {
            return self.file.read_exact_at(into, address).ok();
        }
        let mut page = self.page.borrow_mut();
        if page.as_ref().is_none_or(|(kept, _)| *kept != start) {
            *page = self.read_page(start);
        }
        let (_, bytes) = page.as_ref()?;
        into.copy_from_slice(bytes.get(at..at + into.len())?);
        Some(())
    }
}
