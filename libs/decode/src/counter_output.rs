//! The output of the instruction counter: a line with the count or a refusal, and the profile after
//! it. The counter's `main.rs` describes the format. The output comes from the program's own
//! process, so a program can forge it.

use std::collections::BTreeSet;

/// Maximum length of the output that is read, in bytes.
pub const MAX_BYTES: usize = 16 << 20;
/// The longest line, in bytes.
pub const MAX_LINE_BYTES: usize = 200;
const MAX_BLOCKS: u32 = 1 << 17;
const MAX_NODES: u32 = 1 << 16;
/// Maximum number of addresses that are looked up.
const MAX_ADDRESSES: usize = 200_000;
/// The parent of a node whose callers are not known.
pub const NO_PARENT: u32 = u32::MAX;

/// Name of the processor that every counted program sees, whatever the host has. It changes with
/// the answers to `cpuid` in the counter's `processor.rs`.
pub const COUNTED_CPU: &str = "x86-64-v2";
/// The counter's argument that requests a profile.
pub const PROFILE: &str = "profile";
/// The counter's argument that requests a series of inputs.
pub const SERIES: &str = "series";
/// The counter's argument that requests an origin, from which the process of each input is forked.
pub const ORIGIN: &str = "origin";
/// The signal that ends a series at the time limit of one of its inputs. Nobody else sends it, and
/// a program cannot handle it.
pub const OVERTIME_SIGNAL: i32 = 64;

/// Content of the counter's line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The count of instructions.
    Instructions(Count),
    /// A count does not fit 64 bits.
    TooLarge,
    /// The counter refused the program, for this reason.
    Unsupported(String),
    /// The program ended without a line.
    Absent,
    /// The counter cannot have written the line.
    Malformed,
}

/// Number of instructions that a program executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    /// All instructions in user mode.
    pub all: u64,
    /// The instructions outside of libraries; absent if the program is static.
    pub own: Option<u64>,
}

impl Line {
    /// Reads the whole output of a count, which is only this line.
    pub fn parse(output: &[u8]) -> Self {
        let line = output.strip_suffix(b"\n").filter(|line| line.len() < MAX_LINE_BYTES);
        let words = line.and_then(|line| std::str::from_utf8(line).ok()?.split_once(' '));
        match words {
            Some(("instructions", counts)) => Self::instructions(counts),
            Some(("unsupported", reason)) if is_plain(reason) => Self::Unsupported(reason.into()),
            _ if output.is_empty() => Self::Absent,
            _ => Self::Malformed,
        }
    }

    fn instructions(counts: &str) -> Self {
        let (all, own) = match counts.split_once(" own ") {
            Some((all, own)) => (all, Some(own)),
            None => (counts, None),
        };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if ![Some(all), own].into_iter().flatten().all(is_number) {
            return Self::Malformed;
        }
        match (all.parse(), own.map(str::parse).transpose()) {
            (Ok(all), Ok(own)) => Self::Instructions(Count { all, own }),
            _ => Self::TooLarge,
        }
    }

    /// Reads the first line of a profile, and returns the bytes after it.
    pub fn split(output: &[u8]) -> (Self, &[u8]) {
        let end = output.iter().position(|&byte| byte == b'\n').map_or(output.len(), |at| at + 1);
        let (line, rest) = output.split_at(end);
        (Self::parse(line), rest)
    }
}

/// An input of a series on which the program exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exited<'a> {
    /// The program's exit code.
    pub code: i32,
    /// Number of instructions that the program executed.
    pub count: Count,
    /// The blocks, encoded and checked.
    blocks: &'a [u8],
}

/// Reads the output of a series of at most `most` inputs. Returns the inputs on which the program
/// exited, and the line after them.
pub fn read_series(mut output: &[u8], most: usize) -> (Vec<Exited<'_>>, Line) {
    let mut exited = Vec::new();
    while exited.len() < most
        && let Some((one, rest)) = Exited::parse(output)
    {
        exited.push(one);
        output = rest;
    }
    (exited, Line::parse(output))
}

impl<'a> Exited<'a> {
    /// Reads one input, and returns it with the bytes after it.
    fn parse(output: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let end = output.iter().position(|&byte| byte == b'\n')? + 1;
        let (line, rest) = output.split_at(end);
        let line = line.strip_prefix(b"exited ")?;
        let space = line.iter().position(|&byte| byte == b' ')?;
        let code: u8 = std::str::from_utf8(&line[..space]).ok()?.parse().ok()?;
        let Line::Instructions(count) = Line::parse(&line[space + 1..]) else { return None };
        let mut from = Reader(rest);
        let number = from.u32().filter(|&number| number <= MAX_BLOCKS)?;
        let begin = from.0;
        for _ in 0..number {
            from.block()?;
        }
        let blocks = &begin[..begin.len() - from.0.len()];
        Some((Self { code: code.into(), count, blocks }, from.0))
    }

    /// The executed blocks of the program itself.
    pub fn blocks(&self) -> impl Iterator<Item = Block> + use<'a> {
        let mut from = Reader(self.blocks);
        std::iter::from_fn(move || from.block())
    }
}

/// Whether text is printable ASCII, so that it can be passed on.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}

/// A block of the program.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The addresses of its instructions.
    pub addresses: Vec<u32>,
    /// Number of times it was executed.
    pub executions: u64,
}

/// A node of the call tree: the innermost call of a chain of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Index of the caller's node, which comes before this one.
    pub parent: Option<usize>,
    /// An address in the call instruction; absent if a library called.
    pub site: Option<u32>,
    /// Target of the call.
    pub target: Target,
    /// Number of times it was called.
    pub calls: u64,
    /// The instructions that it executed, without those of its callees.
    pub instructions: u64,
}

/// Target of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// An address in the program.
    Inside(u32),
    /// A library function, through the pointer at this address of the program; 0 if there is none.
    Library(u32),
}

/// Places where a program executed its instructions.
#[derive(Debug, PartialEq, Eq)]
pub struct Profile {
    /// Number of instructions that the program executed.
    pub count: Count,
    /// The executed blocks of the program itself.
    pub blocks: Vec<Block>,
    /// The call tree, callers before callees.
    pub nodes: Vec<Node>,
    /// Whether there were more chains of calls than the tree has nodes for.
    pub is_full: bool,
}

/// Reads the profile that follows the counter's line; `None` if it is malformed or too large.
pub fn read_profile(count: Count, bytes: &[u8]) -> Option<Profile> {
    let mut from = Reader(bytes);
    let [blocks, nodes, full] = [from.u32()?, from.u32()?, from.u32()?];
    if blocks > MAX_BLOCKS || nodes > MAX_NODES {
        return None;
    }
    let blocks = (0..blocks).map(|_| from.block()).collect::<Option<Vec<_>>>()?;
    let nodes = (0..nodes as usize).map(|at| from.node(at)).collect::<Option<Vec<_>>>()?;
    let profile = Profile { count, blocks, nodes, is_full: full != 0 };
    (from.0.is_empty() && profile.addresses().len() <= MAX_ADDRESSES).then_some(profile)
}

impl Profile {
    /// Every address whose line is needed.
    pub fn addresses(&self) -> BTreeSet<u32> {
        let executed = self.blocks.iter().flat_map(|block| block.addresses.iter().copied());
        let called = self.nodes.iter().filter_map(|node| match node.target {
            Target::Inside(target) => Some(target),
            Target::Library(_) => None,
        });
        let sites = self.nodes.iter().filter_map(|node| node.site);
        executed.chain(called).chain(sites).collect()
    }

    /// Every pointer that a library function was called through.
    pub fn pointers(&self) -> BTreeSet<u32> {
        let pointers = self.nodes.iter().filter_map(|node| match node.target {
            Target::Library(pointer) => Some(pointer),
            Target::Inside(_) => None,
        });
        pointers.filter(|&pointer| pointer != 0).collect()
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn block(&mut self) -> Option<Block> {
        let (mut address, executions) = (self.u32()?, self.u64()?);
        let [count] = self.take()?;
        let mut addresses = Vec::with_capacity(count.into());
        for _ in 0..count {
            addresses.push(address);
            let [length] = self.take()?;
            address = address.checked_add(length.into())?;
        }
        Some(Block { addresses, executions })
    }

    fn node(&mut self, at: usize) -> Option<Node> {
        let [parent, site, target, library] = [self.u32()?, self.u32()?, self.u32()?, self.u32()?];
        let parent = (parent != NO_PARENT).then_some(parent as usize);
        if parent.is_some_and(|parent| parent >= at) {
            return None;
        }
        let target = if library == 0 { Target::Inside(target) } else { Target::Library(target) };
        let (calls, instructions) = (self.u64()?, self.u64()?);
        Some(Node { parent, site: site.checked_sub(1), target, calls, instructions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Count = Count { all: 54, own: Some(14) };

    /// A block of two instructions, a root and what it called.
    fn said() -> Vec<u8> {
        let mut said: Vec<u8> = [1_u32, 2, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        said.extend(0x1000_u32.to_le_bytes());
        said.extend(7_u64.to_le_bytes());
        said.extend([2, 3, 5]);
        for node in [[NO_PARENT, 0, 0, 1], [0, 0x1008, 0x3fc0, 1]] {
            said.extend(node.iter().flat_map(|n| n.to_le_bytes()));
            said.extend([1_u64, 20].iter().flat_map(|n| n.to_le_bytes()));
        }
        said
    }

    #[test]
    fn count_is_one_line() {
        let max = format!("instructions {}\n", u64::MAX);
        let most = Count { all: u64::MAX, own: None };
        assert_eq!(Line::parse(max.as_bytes()), Line::Instructions(most));
        let with_own = Line::Instructions(Count { all: 9, own: Some(7) });
        assert_eq!(Line::parse(b"instructions 9 own 7\n"), with_own);
        assert_eq!(Line::parse(b"instructions 9 own 18446744073709551616\n"), Line::TooLarge);
        assert_eq!(Line::parse(b"instructions 18446744073709551616\n"), Line::TooLarge);
        assert_eq!(Line::parse(b"instructions \n"), Line::TooLarge);
        assert_eq!(Line::parse(b""), Line::Absent);
        for malformed in [
            "instructions 7",
            "instructions +7\n",
            "instructions 7 \n",
            "instructions 7 own -1\n",
            "instructions 7 own 7 own 7\n",
            "instructions 7\ninstructions 8\n",
            "Instructions 7\n",
            "\n",
        ] {
            assert_eq!(Line::parse(malformed.as_bytes()), Line::Malformed, "{malformed:?}");
        }
    }

    #[test]
    fn reason_is_passed_on_if_it_is_plain() {
        let plain = Line::Unsupported("it uses avx".into());
        assert_eq!(Line::parse(b"unsupported it uses avx\n"), plain);
        let long = format!("unsupported {}\n", "x".repeat(MAX_LINE_BYTES));
        for odd in ["unsupported \u{1b}[2J\n", "unsupported \u{e9}\n", "unsupported a\nb\n", &long]
        {
            assert_eq!(Line::parse(odd.as_bytes()), Line::Malformed, "{odd:?}");
        }
    }

    /// Returns what the counter writes about an input on which the program exits.
    fn exited(code: u8, blocks: &[u8]) -> Vec<u8> {
        let line = format!("exited {code} instructions 54 own 14\n");
        [line.as_bytes(), blocks].concat()
    }

    /// A block of two instructions.
    fn block() -> Vec<u8> {
        [&1_u32.to_le_bytes()[..], &0x1000_u32.to_le_bytes(), &7_u64.to_le_bytes(), &[2, 3, 5]]
            .concat()
    }

    #[test]
    fn series_is_read_up_to_what_is_no_count() {
        let none = 0_u32.to_le_bytes();
        let counts = [exited(0, &block()), exited(255, &none)].concat();
        let refused = [&counts[..], b"unsupported it forks\n"].concat();
        let (both, last) = read_series(&refused, 9);
        assert_eq!(last, Line::Unsupported("it forks".into()));
        let said: Vec<_> = both.iter().map(|one| (one.code, one.count)).collect();
        assert_eq!(said, [(0, COUNT), (255, COUNT)]);
        let executed = Block { addresses: vec![0x1000, 0x1003], executions: 7 };
        assert_eq!(both[0].blocks().collect::<Vec<_>>(), [executed]);
        assert_eq!(both[1].blocks().count(), 0);
        assert_eq!(read_series(&counts, 1).0, both[..1]);
        assert_eq!(read_series(&counts, 9), (both.clone(), Line::Absent));
        let odd = ["exited 256 instructions 1\n", "exited 0 unsupported a\n", "exited 0", "\n"];
        let odd = odd.map(|odd| [odd.as_bytes(), &none].concat());
        let cut = (1..block().len()).map(|end| exited(0, &block()[..end]));
        let many = exited(0, &(MAX_BLOCKS + 1).to_le_bytes());
        for odd in odd.into_iter().chain(cut).chain([many]) {
            let forged = [&counts[..], &odd].concat();
            assert_eq!(read_series(&forged, 9), (both.clone(), Line::Malformed), "{odd:?}");
        }
    }

    #[test]
    fn profile_follows_the_line() {
        let (line, rest) = Line::split(b"instructions 7\nabc\n");
        assert_eq!((line, rest), (Line::Instructions(Count { all: 7, own: None }), &b"abc\n"[..]));
        assert_eq!(Line::split(b"").0, Line::Absent);
    }

    #[test]
    fn profile_has_blocks_and_a_call_tree() {
        let profile = read_profile(COUNT, &said()).unwrap();
        assert_eq!(profile.blocks, [Block { addresses: vec![0x1000, 0x1003], executions: 7 }]);
        let called = &profile.nodes[1];
        assert_eq!((called.parent, called.site), (Some(0), Some(0x1007)));
        assert_eq!(called.target, Target::Library(0x3fc0));
        assert_eq!(profile.addresses(), BTreeSet::from([0x1000, 0x1003, 0x1007]));
        assert_eq!(profile.pointers(), BTreeSet::from([0x3fc0]));
    }

    #[test]
    fn profile_that_is_cut_or_too_long_is_none() {
        let said = said();
        for cut in 0..said.len() {
            assert_eq!(read_profile(COUNT, &said[..cut]), None, "{cut}");
        }
        assert_eq!(read_profile(COUNT, &[&said[..], &[0]].concat()), None);
    }

    #[test]
    fn counts_and_parents_are_bounded() {
        let with = |at: usize, number: u32| {
            let mut said = said();
            said[at..at + 4].copy_from_slice(&number.to_le_bytes());
            read_profile(COUNT, &said)
        };
        assert_eq!(with(0, u32::MAX), None);
        assert_eq!(with(4, MAX_NODES + 1), None);
        // The second node's parent, which must come before it.
        let parent = said().len() - 32;
        assert!(with(parent, 0).is_some());
        assert_eq!(with(parent, 1), None);
    }
}
