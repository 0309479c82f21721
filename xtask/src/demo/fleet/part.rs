//! A process of the fleet.

use crate::steps::failure::Failure;
use crate::steps::shell;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Interval between checks of something that is waited for.
const POLL: Duration = Duration::from_millis(200);

/// A process that writes a log. It is killed when it is dropped.
pub(super) struct Part {
    pub(super) name: &'static str,
    child: Child,
    log: PathBuf,
}

impl Part {
    /// Starts a process, with its log in a folder.
    pub(super) fn start(
        name: &'static str,
        command: &mut Command,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let log = folder.join(format!("{name}.log"));
        let file = File::create(&log).map_err(Failure::file(format!("make {}", log.display())))?;
        let both = file.try_clone().map_err(Failure::file("share a log"))?;
        let child = command.stdin(Stdio::null()).stdout(file).stderr(both).spawn();
        Ok(Self { name, child: child.map_err(shell::start(command))?, log })
    }

    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits until something holds. Fails if the process ends first.
    pub(super) fn until(
        &mut self,
        within: Duration,
        holds: impl Fn() -> bool,
    ) -> Result<(), Failure> {
        let (name, log) = (self.name, self.log.display());
        let answered = until(within, || {
            let ended = self.child.try_wait().ok().flatten().map(Err);
            ended.or_else(|| holds().then_some(Ok(())))
        });
        match answered {
            Some(Ok(())) => Ok(()),
            Some(Err(status)) => {
                Err(Failure::Missing(format!("{name} ended with {status}; {log} says why")))
            }
            None => Err(Failure::Missing(format!("{name} does not answer; {log} may say why"))),
        }
    }

    /// Whether the process's log names something.
    pub(super) fn has_logged(&self, what: &str) -> bool {
        fs::read(&self.log).is_ok_and(|log| String::from_utf8_lossy(&log).contains(what))
    }

    /// Kills the process without warning, as a power cut does.
    pub(super) fn kill(mut self) -> Result<(), Failure> {
        let killed = self.child.kill().and_then(|()| self.child.wait());
        killed.map(drop).map_err(Failure::file(format!("kill {}", self.name)))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // A process that has ended cannot be killed, and need not be.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Calls `look` until it finds something. `None` if it finds nothing in time.
pub(super) fn until<T>(within: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        let found = look();
        if found.is_some() || begun.elapsed() >= within {
            return found;
        }
        sleep(POLL);
    }
}
