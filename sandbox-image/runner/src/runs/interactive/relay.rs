//! The relay between a program's stdout and the interactor. It counts the lines that the program
//! writes.
//!
//! ```text
//!   program --> pipe --> relay --> pipe --> interactor
//! ```
//!
//! The relay never waits. Without a block, it watches only the program's pipe. With a block that
//! the interactor's pipe has no room for, it watches only the interactor's pipe, so the program's
//! pipe fills up as it would without a relay. When the program and all that it left are dead, its
//! pipe ends, and the relay closes the interactor's pipe. When the interactor has closed its end,
//! the relay closes the program's pipe at the next block, and a later write fails as it would
//! without a relay.
//!
//! Meanwhile, the runner is on the program's core: waking another core takes several times as long
//! as moving a block.
//!
//! Either program can open its end again through `/proc`, and read or write there itself. So no end
//! is sure to be ready when epoll says so, and the relay's ends never block.

use crate::process::spawn;
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::pipe;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::sched::CpuSet;
use nix::sys::epoll::{Epoll, EpollEvent, EpollFlags};
use std::fs::File;
use std::io::{self, Read, Write};

/// Number of the relay in epoll, which is the largest.
pub(super) const RELAY: usize = 4;
/// Length of a block. A pipe takes a block of this length whole, or not at all.
const BLOCK_BYTES: usize = 4 << 10;
/// Maximum number of blocks in a pipe that nobody reads any more: as many as the largest pipe holds
/// by default.
const MAX_UNREAD_BLOCKS: usize = (1 << 20) / BLOCK_BYTES;

/// A relay, and the lines that it has seen.
pub(super) struct Relay {
    /// The relay's ends of both pipes: the program's and the interactor's. Absent once they are
    /// closed.
    ends: Option<[File; 2]>,
    block: Vec<u8>,
    /// The part of the block that the interactor's pipe had no room for: its begin and its end.
    rest: [usize; 2],
    lines: Lines,
    /// The processors of the runner, while it is on the program's core.
    home: Option<CpuSet>,
}

impl Drop for Relay {
    fn drop(&mut self) {
        if let Some(home) = &self.home {
            // A runner that stays on the program's core only wakes up later.
            let _ = spawn::set_affinity(spawn::ITSELF, home);
        }
    }
}

impl Relay {
    /// Creates both pipes. Returns also the end that the interactor reads from, and the end that
    /// the program writes to.
    pub(super) fn new() -> Result<(Self, File, File)> {
        let ((from, to_relay), (questions, to)) = (pipe()?, pipe()?);
        for end in [&from, &to] {
            fcntl(end, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).stage("relay")?;
        }
        let ends = Some([from, to]);
        let (block, lines) = (vec![0; BLOCK_BYTES], Lines::default());
        Ok((Self { ends, block, rest: [0; 2], lines, home: None }, questions, to_relay))
    }

    /// Makes `order` report, as [`RELAY`], that the relay can advance. If the program
    /// has a core, moves this process from its own processors to that core.
    pub(super) fn begin(&mut self, order: &Epoll, moves: Option<(CpuSet, u32)>) -> Result<()> {
        if let Some((home, core)) = moves {
            self.home = Some(home);
            spawn::pin(&[core])?;
        }
        self.ends.as_ref().map_or(Ok(()), |[from, _]| watch(order, from, EpollFlags::EPOLLIN))
    }

    /// Reads a block, unless there is one, and writes it.
    pub(super) fn advance(&mut self, order: &Epoll) -> Result<()> {
        let Self { ends: Some([from, to]), block, rest, lines, .. } = self else { return Ok(()) };
        let held = rest[0] < rest[1];
        if !held {
            match at_once(from.read(block))? {
                None => return Ok(()),
                Some(0) => {
                    self.ends = None;
                    return Ok(());
                }
                Some(count) => *rest = [0, count],
            }
            lines.add(&block[..rest[1]]);
        }
        match at_once(to.write(&block[rest[0]..rest[1]]))? {
            Some(0) => {
                self.count_unread();
                self.ends = None;
                return Ok(());
            }
            written => rest[0] += written.unwrap_or(0),
        }
        let (before, after, awaited) = match (held, rest[0] < rest[1]) {
            (false, true) => (&*from, &*to, EpollFlags::EPOLLOUT),
            (true, false) => (&*to, &*from, EpollFlags::EPOLLIN),
            _ => return Ok(()),
        };
        order.delete(before).stage("relay")?;
        watch(order, after, awaited)
    }

    /// Counts what the program wrote and nobody has read.
    fn count_unread(&mut self) {
        let Self { ends: Some([from, _]), block, lines, .. } = self else { return };
        for _ in 0..MAX_UNREAD_BLOCKS {
            match from.read(block) {
                Ok(count) if count > 0 => lines.add(&block[..count]),
                _ => return,
            }
        }
    }

    /// Returns the number of lines, once both programs have ended.
    pub(super) fn finish(mut self) -> u64 {
        self.count_unread();
        self.lines.count()
    }
}

fn watch(order: &Epoll, end: &File, awaited: EpollFlags) -> Result<()> {
    order.add(end, EpollEvent::new(awaited, RELAY as u64)).stage("relay")
}

/// Returns the number of bytes that were moved: `None` if a pipe was not ready, and 0 if its other
/// end is closed.
fn at_once(moved: io::Result<usize>) -> Result<Option<usize>> {
    match moved.map_err(|error| (error.kind(), error)) {
        Ok(count) => Ok(Some(count)),
        Err((io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted, _)) => Ok(None),
        Err((io::ErrorKind::BrokenPipe, _)) => Ok(Some(0)),
        Err((_, error)) => Err(Fault::new("relay", error)),
    }
}

/// Number of lines of a text.
#[derive(Debug, Default)]
struct Lines {
    ends: u64,
    /// Whether the text goes on after its last line end.
    is_open: bool,
}

impl Lines {
    /// Adds the next block of the text, which is not empty.
    fn add(&mut self, block: &[u8]) {
        for &byte in block {
            self.ends += u64::from(byte == b'\n');
        }
        self.is_open = block.last() != Some(&b'\n');
    }

    /// A last line counts even without a line end.
    fn count(&self) -> u64 {
        self.ends + u64::from(self.is_open)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::epoll::{EpollCreateFlags, EpollTimeout};

    /// A relay that is watched, and the ends of the two programs.
    fn relay() -> (Relay, Epoll, File, File) {
        let (mut relay, questions, to_relay) = Relay::new().unwrap();
        let order = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC).unwrap();
        relay.begin(&order, None).unwrap();
        (relay, order, questions, to_relay)
    }

    /// Advances the relay until it has nothing to do.
    fn settle(relay: &mut Relay, order: &Epoll) {
        let mut events = [EpollEvent::empty(); 1];
        while order.wait(&mut events, EpollTimeout::ZERO).unwrap() > 0 {
            relay.advance(order).unwrap();
        }
    }

    #[test]
    fn text_arrives_and_its_lines_are_counted() {
        let (mut relay, order, mut questions, mut program) = relay();
        for (text, lines) in [("? 1\n? ", 2), ("2\n", 2), ("! 3", 3)] {
            program.write_all(text.as_bytes()).unwrap();
            settle(&mut relay, &order);
            assert_eq!(relay.lines.count(), lines, "{text:?}");
        }
        drop(program);
        settle(&mut relay, &order);
        let mut text = String::new();
        questions.read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), relay.finish()), ("? 1\n? 2\n! 3", 3));
    }

    #[test]
    fn full_pipe_holds_the_program_up_and_loses_nothing() {
        let (mut relay, order, mut questions, mut program) = relay();
        let flags = FcntlArg::F_SETFL(OFlag::O_NONBLOCK);
        fcntl(&program, flags).unwrap();
        let mut written = 0;
        // Both pipes and the block take this much.
        while let Ok(count) = program.write(b"question\n") {
            written += count;
            settle(&mut relay, &order);
        }
        drop(program);
        let mut read = 0;
        let mut buffer = [0; BLOCK_BYTES];
        loop {
            let count = questions.read(&mut buffer).unwrap();
            read += count;
            settle(&mut relay, &order);
            if count == 0 {
                break;
            }
        }
        assert_eq!(read, written);
        assert_eq!(relay.finish(), written as u64 / 9);
    }

    #[test]
    fn program_without_a_reader_is_told_so() {
        let (mut relay, order, questions, mut program) = relay();
        drop(questions);
        program.write_all(b"? 1\n").unwrap();
        settle(&mut relay, &order);
        let error = program.write_all(b"? 2\n").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(relay.finish(), 1);
    }

    #[test]
    fn what_nobody_reads_is_counted() {
        let (relay, _order, _questions, mut program) = relay();
        program.write_all(b"? 1\n! 2\n").unwrap();
        drop(program);
        assert_eq!(relay.finish(), 2);
    }
}
