//! A connection to a simulated engine, which keeps the order of what it sends.

use super::random::Random;
use super::signal::Signal;
use super::state::Pulse;
use crate::connection::ANSWER_TIMEOUT;
use crate::connection::engine::{Answer, EngineError};
use futures::FutureExt;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// Time after which a client notices that a connection carries nothing.
const NOTICED_AFTER: Duration = Duration::from_secs(4);
/// Share of the requests under way that are lost with a connection, in percent. The client sends
/// the others once it is connected again.
const LOST_WITH_CONNECTION: usize = 50;

/// Faults of a connection, in percent of its requests.
#[derive(Debug, Clone, Copy, Default)]
pub struct Faults {
    /// Requests that do not arrive.
    pub lost: usize,
    /// Requests whose answers do not arrive.
    pub unanswered: usize,
    /// Messages that arrive twice.
    pub twice: usize,
    /// Longest time under way, in milliseconds.
    pub slow_ms: u64,
}

/// A connection of a member to a simulated engine. Clones are the same connection.
#[derive(Clone)]
pub struct Link(Arc<Inner>);

struct Inner {
    sender: mpsc::UnboundedSender<(Instant, Box<dyn FnOnce() + Send>)>,
    is_cut: Signal<bool>,
    settings: Mutex<Settings>,
}

struct Settings {
    random: Random,
    faults: Faults,
    /// Time at which the last request arrives.
    arrives: Instant,
    cut: Option<Instant>,
    /// Number of requests so far, by operation.
    counts: BTreeMap<&'static str, usize>,
    /// Operation whose next request is lost.
    doomed: Option<&'static str>,
}

/// Fate of a request.
struct Fate {
    arrives: Instant,
    is_lost: bool,
    is_answered: bool,
    comes_twice: bool,
    answer_takes: Duration,
}

impl Link {
    pub(super) fn new(up: Signal<Pulse>, random: Random) -> Self {
        let (sender, mut sent) = mpsc::unbounded_channel::<(Instant, Box<dyn FnOnce() + Send>)>();
        let settings = Settings {
            random,
            faults: Faults::default(),
            arrives: Instant::now(),
            cut: None,
            counts: BTreeMap::new(),
            doomed: None,
        };
        let link = Self(Arc::new(Inner {
            sender,
            is_cut: Signal::new(false),
            settings: Mutex::new(settings),
        }));
        let cut = link.watch();
        let mut random = link.settings().random.fork();
        tokio::spawn(async move {
            while let Some((arrives, apply)) = sent.recv().await {
                sleep_until(arrives).await;
                while cut.get() || !up.get().is_up {
                    if random.percent(LOST_WITH_CONNECTION) {
                        break;
                    }
                    cut.wait_for(|is_cut| !is_cut).await;
                    up.wait_for(|pulse| pulse.is_up).await;
                }
                if !cut.get() && up.get().is_up {
                    apply();
                }
            }
        });
        link
    }

    fn settings(&self) -> MutexGuard<'_, Settings> {
        self.0.settings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the faults of the requests to come.
    pub fn set_faults(&self, faults: Faults) {
        self.settings().faults = faults;
    }

    /// Cuts the connection, or makes it again.
    pub fn cut(&self, is_cut: bool) {
        self.settings().cut = is_cut.then(Instant::now);
        self.0.is_cut.change(|known| *known = is_cut);
    }

    /// Returns the number of requests of an operation so far.
    pub fn count(&self, operation: &str) -> usize {
        self.settings().counts.get(operation).copied().unwrap_or(0)
    }

    /// Loses the next request of an operation.
    pub fn lose_next(&self, operation: &'static str) {
        self.settings().doomed = Some(operation);
    }

    /// Whether it carries messages now.
    pub(super) fn carries(&self) -> bool {
        !self.0.is_cut.get()
    }

    /// Returns the changes of the connection.
    pub(super) fn watch(&self) -> Signal<bool> {
        self.0.is_cut.clone()
    }

    /// Whether the client takes it to carry messages.
    pub(super) fn seems_up(&self) -> bool {
        self.settings().cut.is_none_or(|since| since.elapsed() < NOTICED_AFTER)
    }

    /// Returns the time that a message takes from the engine.
    pub(super) fn delay(&self) -> Duration {
        let mut settings = self.settings();
        let slow = settings.faults.slow_ms;
        settings.random.millis(0, slow + 1)
    }

    /// Whether a reader goes back.
    pub(super) fn goes_back(&self) -> bool {
        let mut settings = self.settings();
        let percent = settings.faults.twice;
        settings.random.percent(percent)
    }

    fn fate(&self, operation: &'static str) -> Fate {
        let settings = &mut *self.settings();
        *settings.counts.entry(operation).or_insert(0) += 1;
        let (random, faults) = (&mut settings.random, settings.faults);
        let takes = random.millis(0, faults.slow_ms + 1);
        settings.arrives = settings.arrives.max(Instant::now() + takes);
        let is_doomed = settings.doomed.take_if(|doomed| *doomed == operation).is_some();
        Fate {
            arrives: settings.arrives,
            is_lost: is_doomed || random.percent(faults.lost),
            is_answered: !random.percent(faults.unanswered),
            comes_twice: random.percent(faults.twice),
            answer_takes: random.millis(0, faults.slow_ms + 1),
        }
    }

    /// Sends a request, which does its work even if the caller waits no longer.
    pub(super) fn call<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl Fn() -> Result<T, EngineError> + Send + 'static,
    ) -> Answer<'static, T> {
        let link = self.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            let fate = link.fate(operation);
            if !fate.is_lost {
                let apply = move || {
                    let done = work();
                    if fate.comes_twice {
                        let _ = work();
                    }
                    if fate.is_answered {
                        let _ = answer.send(done);
                    }
                };
                let _ = link.0.sender.send((fate.arrives, Box::new(apply)));
            }
            let begin = Instant::now();
            if let Ok(Ok(done)) = timeout(ANSWER_TIMEOUT, answered).await {
                sleep(fate.answer_takes).await;
                // The answer is lost with the connection.
                if link.carries() {
                    return done;
                }
            }
            sleep_until(begin + ANSWER_TIMEOUT).await;
            Err(EngineError::other("timed out"))
        }
        .boxed()
    }
}
