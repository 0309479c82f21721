//! Gateway processes that can be killed and stopped, and the calls of their callers.

use crate::failure::Failure;
use crate::gateway::requests::{Asked, Reply, call};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::HashMap;
use std::env::current_exe;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// The pool of all workers.
pub(crate) const POOL: &str = "chaos";
/// Longest time that a caller waits for an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// A gateway's process. Each has an identity of its own, and all have one journal.
pub(crate) struct GatewayHost {
    pub(crate) line: Arc<Line>,
    url: String,
    journal: PathBuf,
    child: Option<Child>,
}

/// The way of callers to a gateway, whichever process it has.
#[derive(Default)]
pub(crate) struct Line {
    connection: Mutex<Option<Connection>>,
    calls: AtomicU64,
    /// The runs of submissions that a process was lost with.
    cut: Mutex<Vec<String>>,
}

/// The way to one process.
struct Connection {
    lines: mpsc::Sender<String>,
    pending: Arc<Pending>,
}

/// The calls that are not answered; `None` once the process is gone.
struct Pending(Mutex<Option<HashMap<u64, Call>>>);

struct Call {
    /// The run, if it is a submission.
    submits: Option<String>,
    answer: oneshot::Sender<Reply>,
}

impl GatewayHost {
    /// A gateway whose process is not started yet. Its engine is at `url`.
    pub(crate) fn new(url: String, journal: PathBuf) -> Self {
        Self { line: Arc::default(), url, journal, child: None }
    }

    /// Starts a process, which goes on with the journal of the one before.
    pub(crate) fn start(&mut self) -> Result<(), Failure> {
        self.kill();
        let mut command = Command::new(current_exe()?);
        command.arg("fleet-gateway").args(["--url", &self.url, "--pool", POOL]);
        command.arg("--journal").arg(&self.journal);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err("stdin and stdout are piped".into());
        };
        self.child = Some(child);
        let (lines, asked) = mpsc::channel::<String>();
        thread::spawn(move || {
            // A process that is stopped reads nothing, and one that is gone breaks the pipe.
            asked.iter().try_for_each(|line| stdin.write_all(line.as_bytes()))
        });
        let pending = Arc::new(Pending(Mutex::new(Some(HashMap::new()))));
        let (answered, line) = (Arc::clone(&pending), Arc::clone(&self.line));
        thread::spawn(move || hear(stdout, &answered, &line));
        *locked(&self.line.connection) = Some(Connection { lines, pending });
        Ok(())
    }

    /// Kills the process as a power cut does.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            // A process that has killed itself needs no kill.
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Sends a signal, if the process is there.
    pub(crate) fn signal(&self, signal: Signal) -> Result<(), Failure> {
        if let Some(child) = &self.child {
            kill(Pid::from_raw(i32::try_from(child.id())?), signal)?;
        }
        Ok(())
    }
}

impl Drop for GatewayHost {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Passes answers on until the process is gone.
fn hear(stdout: impl Read, pending: &Pending, line: &Line) {
    for answer in BufReader::new(stdout).lines().map_while(Result::ok) {
        // The last line of a process that is killed may be torn.
        let Ok((number, reply)) = call(&answer) else { break };
        let Ok(reply) = Reply::parse(reply) else { break };
        let call = locked(&pending.0).as_mut().and_then(|calls| calls.remove(&number));
        // A caller that waits no longer hears nothing.
        drop(call.map(|call| call.answer.send(reply)));
    }
    let left = locked(&pending.0).take().unwrap_or_default();
    locked(&line.cut).extend(left.into_values().filter_map(|call| call.submits));
}

impl Line {
    /// The answer of the gateway; `None` if it is gone, or does not answer in time.
    pub(crate) async fn ask(&self, asked: &Asked) -> Option<Reply> {
        let (answer, heard) = oneshot::channel();
        let submits = match asked {
            Asked::Submit { run, .. } => Some(run.clone()),
            _ => None,
        };
        self.tell(asked, Some(Call { submits, answer }))?;
        timeout(ANSWER_WITHIN, heard).await.ok()?.ok()
    }

    /// The process kills itself so long after its next submission begins.
    pub(crate) fn die(&self, after: Duration) {
        // One that is gone cannot.
        let _ = self.tell(&Asked::Die { after }, None);
    }

    fn tell(&self, asked: &Asked, call: Option<Call>) -> Option<()> {
        let number = self.calls.fetch_add(1, Ordering::Relaxed);
        let connection = locked(&self.connection);
        let Connection { lines, pending } = connection.as_ref()?;
        if let Some(call) = call {
            locked(&pending.0).as_mut()?.insert(number, call);
        }
        lines.send(format!("{number} {asked}\n")).ok()
    }

    /// The runs of submissions that a process was lost with.
    pub(crate) fn cut(&self) -> Vec<String> {
        locked(&self.cut).clone()
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn submit(run: &str) -> Asked {
        Asked::Submit { run: run.into(), caller: "caller".into(), request: String::new() }
    }

    #[tokio::test]
    async fn process_that_is_gone_has_cut_what_it_did_not_answer() {
        let line = Arc::new(Line::default());
        assert_eq!(line.ask(&submit("early")).await, None, "there is no process");
        let (lines, asked) = mpsc::channel();
        let pending = Arc::new(Pending(Mutex::new(Some(HashMap::new()))));
        *locked(&line.connection) = Some(Connection { lines, pending: Arc::clone(&pending) });
        let tasks = [submit("first"), submit("second"), Asked::Where].map(|asked| {
            let line = Arc::clone(&line);
            tokio::spawn(async move { line.ask(&asked).await })
        });
        tokio::task::yield_now().await;
        let sent: Vec<String> = asked.try_iter().collect();
        assert_eq!(sent, ["1 submit first caller -\n", "2 submit second caller -\n", "3 where\n"]);
        hear(&b"1 full\n2 run sec"[..], &pending, &line);
        let [first, second, third] = tasks;
        assert_eq!(first.await.unwrap(), Some(Reply::Full));
        assert_eq!((second.await.unwrap(), third.await.unwrap()), (None, None));
        assert_eq!(line.cut(), ["second"]);
        assert_eq!(line.ask(&submit("late")).await, None, "it is gone");
    }
}
