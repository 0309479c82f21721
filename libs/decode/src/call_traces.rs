//! Resolves the addresses of call sites to functions and lines, from the output of `addr2line`.

pub use crate::addr2line::Frame;
use crate::addr2line::OwnFiles;

use crate::addr2line::frames;
use runner_protocol::original_name;
use std::collections::{HashMap, HashSet};

/// Longest name of a function that is kept, in characters: names of templates have no bound.
const MAX_NAME_CHARS: usize = 200;
/// Maximum number of calls in a trace: one address can have several inlined calls.
const MAX_TRACE: usize = 64;
/// The name of a trace that has no code of the program.
const OUTSIDE: &str = "[outside of the program]";
/// The name of the site that sums up all sites for which there is no room.
const OTHERS: &str = "[other places]";

/// The calls at each address, the innermost inlined call first.
pub struct CallTraces(HashMap<u64, Vec<Frame>>);

impl CallTraces {
    /// Reads the output of `addr2line -a -i -f -C` about a program with these files. Only the first
    /// answer for an address counts.
    pub fn parse(text: &[u8], own: &OwnFiles) -> Self {
        let (mut all, mut seen) = (HashMap::<_, Vec<_>>::new(), HashSet::new());
        let takes = |address: u64| seen.insert(address).then_some(address);
        for (address, mut frame) in frames(text, own, takes) {
            frame.function = original_name(&frame.function).chars().take(MAX_NAME_CHARS).collect();
            all.entry(address).or_default().push(frame);
        }
        Self(all)
    }

    /// The calls of a trace, the innermost first; never empty. Of several library calls in a row,
    /// only the outermost is kept, because the others are the library's own affair. Of a recursion,
    /// only the innermost call is kept, whose copies can be inlined into each other.
    pub fn trace(&self, addresses: Option<&[u64]>) -> Vec<Frame> {
        let Some(addresses) = addresses else { return vec![named(OTHERS)] };
        let mut trace: Vec<Frame> = Vec::new();
        for frame in addresses.iter().filter_map(|address| self.0.get(address)).flatten() {
            let is_library = |frame: &Frame| !frame.is_own;
            let is_again = |known: &Frame| !is_library(known) && known.function == frame.function;
            if is_library(frame) && trace.last().is_some_and(is_library) {
                trace.pop();
            } else if !is_library(frame)
                && let Some(known) = trace.iter().position(is_again)
            {
                trace.truncate(known + 1);
                continue;
            }
            trace.push(frame.clone());
        }
        trace.truncate(MAX_TRACE);
        if trace.is_empty() {
            let unnamed = addresses.first().map(|address| format!("[{address:#x}]"));
            trace.push(named(unnamed.as_deref().unwrap_or(OUTSIDE)));
        }
        trace
    }
}

/// A frame without a place. Brackets mark a name that is not a function's.
fn named(function: &str) -> Frame {
    Frame { function: function.into(), file: String::new(), is_own: false, line: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SOURCE_FILE;

    /// Three addresses, as `addr2line -a -i -f -C` of binutils 2.40 prints them.
    const TEXT: &str = "\
0x0000000000401000
std::__new_allocator<int>::allocate(unsigned long, void const*)
/usr/include/c++/12/bits/new_allocator.h:137
std::vector<int, std::allocator<int> >::push_back(int&&)
/usr/include/c++/12/bits/stl_vector.h:1287
fill(int)
/tmp/main.cpp:6 (discriminator 2)
0x0000000000401100
main.cold
/tmp/main.cpp:12
0x0000000000401200
??
??:?
";

    fn trace(addresses: Option<&[u64]>) -> Vec<Frame> {
        CallTraces::parse(TEXT.as_bytes(), &OwnFiles::default()).trace(addresses)
    }

    #[test]
    fn trace_names_the_call_into_the_library_and_the_programs_own_lines() {
        let trace = trace(Some(&[0x40_1000, 0x40_1100]));
        let places: Vec<_> = trace.iter().map(|f| (f.file.as_str(), f.line)).collect();
        let library = "/usr/include/c++/12/bits/stl_vector.h";
        assert_eq!(places, [(library, 1287), (SOURCE_FILE, 6), (SOURCE_FILE, 12)]);
        assert_eq!(trace[0].function, "std::vector<int, std::allocator<int> >::push_back(int&&)");
        assert_eq!(trace[2].function, "main");
    }

    #[test]
    fn recursion_is_one_call_whatever_its_depth() {
        let [fill, main] = [0x40_1000, 0x40_1100];
        let once = trace(Some(&[fill, main]));
        assert_eq!(trace(Some(&[fill, fill, fill, main])), once);
        let inlined = TEXT.replace("main.cold", "fill(int)\n/tmp/main.cpp:9\nmain.cold");
        let traces = CallTraces::parse(inlined.as_bytes(), &OwnFiles::default());
        assert_eq!(traces.trace(Some(&[fill, main])), once);
        assert_eq!(traces.trace(Some(&[fill, main, main])), once);
    }

    #[test]
    fn trace_without_a_line_has_a_name() {
        let name = |addresses| trace(addresses)[0].function.clone();
        assert_eq!(name(Some(&[])), "[outside of the program]");
        assert_eq!(name(None), "[other places]");
        assert_eq!(name(Some(&[0x40_1200])), "??");
        assert_eq!(name(Some(&[0x77])), "[0x77]");
    }

    #[test]
    fn forged_answers_do_no_harm() {
        let traces = CallTraces::parse(b"0xzz\nf\n0x1\n\n\n0x1\n??", &OwnFiles::default());
        assert_eq!(traces.trace(Some(&[u64::MAX; 40])).len(), 1);
        assert_eq!(traces.trace(Some(&[1])).len(), 1);
    }
}
