//! The output of the instruction counter: a line with the count or a refusal, and the profile after
//! it. The counter's `main.rs` describes the format. The output comes from the program's own
//! process. So it counts only after a nonce that the program cannot know, and even then it is read
//! without trust.

use std::collections::BTreeSet;

/// Number of bytes of the output that are read. Output of this length may be cut, and is malformed.
pub const MAX_BYTES: usize = 16 << 20;
/// Length of a [`Nonce`], in bytes.
pub const NONCE_BYTES: usize = 16;
/// Random bytes that the counter finds in its result file, and writes before each line.
pub type Nonce = [u8; NONCE_BYTES];
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
    /// Reads the whole output of a count, which is only the nonce and this line.
    pub fn parse(nonce: &Nonce, output: &[u8]) -> Self {
        match output.strip_prefix(nonce) {
            // A counter that never began has left the nonce in the file.
            Some([]) => Self::Absent,
            Some(line) => Self::of(line),
            None if output.is_empty() => Self::Absent,
            None => Self::Malformed,
        }
    }

    fn of(output: &[u8]) -> Self {
        let line = output.strip_suffix(b"\n").filter(|line| line.len() < MAX_LINE_BYTES);
        let words = line.and_then(|line| std::str::from_utf8(line).ok()?.split_once(' '));
        match words {
            Some(("instructions", counts)) => Self::instructions(counts),
            Some(("unsupported", reason)) if is_plain(reason) => Self::Unsupported(reason.into()),
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
    pub fn split<'a>(nonce: &Nonce, output: &'a [u8]) -> (Self, &'a [u8]) {
        let whole = output.strip_prefix(nonce).filter(|_| output.len() < MAX_BYTES);
        match whole.and_then(split_line) {
            Some((line, rest)) => (Self::of(line), rest),
            None if output.is_empty() || output == nonce => (Self::Absent, output),
            None => (Self::Malformed, output),
        }
    }
}

/// Splits text after its first line.
fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|&byte| byte == b'\n')? + 1;
    Some(text.split_at(end))
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

/// Reads the output of a series of `most` inputs. Returns the inputs on which the program exited,
/// and the line after them. Output that is too long, or about more inputs, has none.
pub fn read_series<'a>(
    nonce: &Nonce,
    mut output: &'a [u8],
    most: usize,
) -> (Vec<Exited<'a>>, Line) {
    let mut exited = Vec::new();
    let is_whole = output.len() < MAX_BYTES;
    while let Some((one, rest)) = Exited::parse(nonce, output).filter(|_| is_whole) {
        if exited.len() == most {
            return (Vec::new(), Line::Malformed);
        }
        exited.push(one);
        output = rest;
    }
    let last = if is_whole { Line::parse(nonce, output) } else { Line::Malformed };
    (exited, last)
}

impl<'a> Exited<'a> {
    /// Reads one input, and returns it with the bytes after it.
    fn parse(nonce: &Nonce, output: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (line, rest) = split_line(output.strip_prefix(nonce)?)?;
        let line = line.strip_prefix(b"exited ")?;
        let space = line.iter().position(|&byte| byte == b' ')?;
        let code: u8 = std::str::from_utf8(&line[..space]).ok()?.parse().ok()?;
        let Line::Instructions(count) = Line::of(&line[space + 1..]) else { return None };
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
mod tests;
