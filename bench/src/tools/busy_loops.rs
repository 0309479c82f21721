//! Busy loops in processes of their own, next to a measurement.

use crate::failure::Failure;
use std::env::current_exe;
use std::hint::black_box;
use std::io::{Read, stdin};
use std::process::{Child, Command, Stdio};
use std::thread;

/// Default number of loops: more than two processors, so a measured program always shares.
pub(crate) const LOOPS: usize = 3;

/// Running busy loops. Dropping this stops them.
pub(crate) struct Load(Vec<Child>);

impl Load {
    /// Starts this number of loops.
    pub(crate) fn start(loops: usize) -> Result<Self, Failure> {
        let mut load = Self(Vec::new());
        for _ in 0..loops {
            load.0.push(Command::new(current_exe()?).arg("spin").stdin(Stdio::piped()).spawn()?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // A loop that has already exited needs no kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A busy loop until stdin ends, which happens at the latest when its parent exits.
pub(crate) fn spin() -> Result<(), Failure> {
    thread::spawn(|| {
        let mut turns = 0_u64;
        loop {
            turns = black_box(turns.wrapping_add(1));
        }
    });
    stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}
