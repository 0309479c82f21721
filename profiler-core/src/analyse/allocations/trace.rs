//! From addresses to the calls that stand there.

use crate::report::allocations::Frame;
use crate::report::hotspots::SOURCE_FILE;
use runner_protocol::original_name;
use std::collections::HashMap;
use std::path::Path;

/// Longest name of a function that is kept, in characters: those of templates have no end.
const MAX_NAME_CHARS: usize = 200;
/// Most calls of a trace: inlined ones are several at one address.
const MAX_TRACE: usize = 64;
/// Where no code of the program's is in the trace.
const OUTSIDE: &str = "[outside of the program]";
/// The places that there was no room for.
const OTHERS: &str = "[other places]";

/// What addr2line says of addresses.
pub(super) struct Lines(HashMap<u64, Vec<Frame>>);

impl Lines {
    /// Reads `addr2line -a -i -f -C`: each address is followed by pairs of a function and its place, from the
    /// innermost inlined call outwards. What it says twice counts once.
    pub(super) fn of(said: &str) -> Self {
        let mut all: HashMap<u64, Vec<Frame>> = HashMap::new();
        let mut frames = Vec::new();
        let mut at = None;
        let mut said = said.lines();
        while let Some(line) = said.next() {
            if let Some(address) = line.strip_prefix("0x") {
                if let Some(at) = at {
                    all.entry(at).or_insert(std::mem::take(&mut frames));
                }
                frames.clear();
                at = u64::from_str_radix(address, 16).ok();
            } else if let Some(place) = said.next() {
                frames.push(frame(line, place));
            }
        }
        if let Some(at) = at {
            all.entry(at).or_insert(frames);
        }
        Self(all)
    }

    /// The calls of a trace. Of several in a row that are not the submitted source's the outermost is kept:
    /// how the standard library does what it is asked for is its own affair.
    pub(super) fn trace(&self, addresses: Option<&[u64]>) -> Vec<Frame> {
        let Some(addresses) = addresses else {
            return vec![Frame::named(OTHERS)];
        };
        let mut trace: Vec<Frame> = Vec::new();
        for frame in addresses.iter().filter_map(|address| self.0.get(address)).flatten() {
            let foreign = |frame: &Frame| frame.file != SOURCE_FILE;
            if foreign(frame) && trace.last().is_some_and(foreign) {
                trace.pop();
            }
            trace.push(frame.clone());
        }
        trace.truncate(MAX_TRACE);
        if trace.is_empty() {
            let unnamed = addresses.first().map(|address| format!("[{address:#x}]"));
            trace.push(Frame::named(unnamed.as_deref().unwrap_or(OUTSIDE)));
        }
        trace
    }
}

impl Frame {
    fn named(function: &str) -> Self {
        Self { function: function.into(), file: String::new(), line: 0 }
    }
}

/// A function and its place: `/tmp/main.cpp:12 (discriminator 3)`, `??:?` where it is not known.
fn frame(function: &str, place: &str) -> Frame {
    let (path, line) = place.rsplit_once(':').unwrap_or((place, ""));
    let is_source = Path::new(path).file_name().is_some_and(|name| name == SOURCE_FILE);
    let file = match path {
        _ if is_source => SOURCE_FILE,
        "??" => "",
        other => other,
    };
    let line = line.split(' ').next().and_then(|line| line.parse().ok()).unwrap_or(0);
    let function = original_name(function).chars().take(MAX_NAME_CHARS).collect();
    Frame { function, file: file.into(), line }
}
