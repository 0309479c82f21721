//! Busy loops beside what is measured, in processes of their own.

use crate::failure::Failure;
use std::env::current_exe;
use std::hint::black_box;
use std::io::{Read, stdin};
use std::process::{Child, Command, Stdio};
use std::thread;

/// More than two processors, so that a measured program always has to share.
const LOOPS: usize = 3;

/// Busy loops, until it is dropped.
pub(crate) struct Load(Vec<Child>);

impl Load {
    /// Starts them.
    pub(crate) fn start() -> Result<Self, Failure> {
        let mut load = Self(Vec::new());
        for _ in 0..LOOPS {
            load.0.push(Command::new(current_exe()?).arg("spin").stdin(Stdio::piped()).spawn()?);
        }
        Ok(load)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // One that has gone by itself is gone.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A busy loop until stdin ends, which it does at the latest with whoever started it.
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
