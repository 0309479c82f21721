//! Turns of inferences. The callers share them as they share the turns of runs.

use crate::rpc::limits::{MAX_INFERENCES, MAX_WAITING_INFERENCES};
use crate::rpc::status::CallError;
use crate::runs::Refusal;
use profiler_turns::{Turns, takes_too_much};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;
use tokio::time::Instant;

/// The inferences of all callers. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct InferenceTurns(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    turns: Turns,
    /// Number of inferences that have entered so far.
    entered: u64,
    running: Vec<Running>,
    /// Inferences that wait, in the order of their arrival.
    waiting: Vec<Waiting>,
}

#[derive(Debug)]
struct Running {
    number: u64,
    caller: String,
    since: Instant,
}

#[derive(Debug)]
struct Waiting {
    number: u64,
    caller: String,
    begins: oneshot::Sender<()>,
}

/// An inference that waits or has its turn. Dropping it lets the next ones begin.
#[derive(Debug)]
pub(crate) struct Turn {
    number: u64,
    all: InferenceTurns,
}

impl InferenceTurns {
    /// Waits for the turn of an inference of `caller`. Refuses it if too many wait already.
    pub(crate) async fn take(&self, caller: &str) -> Result<Turn, CallError> {
        let (turn, begun) = self.enter(caller)?;
        // The sender lives until the turn begins or is dropped.
        begun.await.map_err(|_| Refusal::ShuttingDown)?;
        Ok(turn)
    }

    fn enter(&self, caller: &str) -> Result<(Turn, oneshot::Receiver<()>), CallError> {
        let mut state = self.lock();
        let free = MAX_WAITING_INFERENCES.saturating_sub(state.waiting.len());
        let own = state.waiting.iter().filter(|it| it.caller == caller).count();
        if free == 0 || takes_too_much(own, 1, free) {
            return Err(CallError::TooManyInferences);
        }
        let (begins, begun) = oneshot::channel();
        let number = state.entered;
        state.entered += 1;
        state.turns.wait(caller);
        state.waiting.push(Waiting { number, caller: caller.to_owned(), begins });
        state.begin_next();
        Ok((Turn { number, all: self.clone() }, begun))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Begins the waiting inferences for which there is room.
    fn begin_next(&mut self) {
        while self.running.len() < MAX_INFERENCES {
            let callers: Vec<_> = self.waiting.iter().map(|it| it.caller.as_str()).collect();
            let Some(&next) = self.turns.order(&callers).first() else { return };
            let Waiting { number, caller, begins } = self.waiting.remove(next);
            self.turns.start(&caller);
            self.running.push(Running { number, caller, since: Instant::now() });
            // A call that has ended drops its turn, which ends the inference.
            let _ = begins.send(());
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let mut state = self.all.lock();
        if let Some(at) = state.running.iter().position(|it| it.number == self.number) {
            let Running { caller, since, .. } = state.running.swap_remove(at);
            state.turns.end(&caller, since.elapsed());
        } else if let Some(at) = state.waiting.iter().position(|it| it.number == self.number) {
            let Waiting { caller, .. } = state.waiting.remove(at);
            state.turns.leave(&caller);
        }
        state.begin_next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Entered = (Turn, oneshot::Receiver<()>);

    fn enter(all: &InferenceTurns, caller: &str, count: usize) -> Vec<Entered> {
        std::iter::repeat_with(|| all.enter(caller)).take(count).map(Result::unwrap).collect()
    }

    fn has_begun((_, begun): &mut Entered) -> bool {
        begun.try_recv().is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn caller_with_many_inferences_lets_another_go_first() {
        let all = InferenceTurns::default();
        let mut first = enter(&all, "many", MAX_INFERENCES);
        assert!(first.iter_mut().all(has_begun));
        let mut many = enter(&all, "many", 9);
        let mut few = enter(&all, "few", 1);
        drop(first.pop());
        assert!(has_begun(&mut few[0]) && !many.iter_mut().any(has_begun));
        drop(few);
        assert!(has_begun(&mut many[0]) && !has_begun(&mut many[1]), "in the order of arrival");
    }

    #[tokio::test(start_paused = true)]
    async fn caller_with_many_inferences_leaves_places_for_another() {
        let all = InferenceTurns::default();
        let mut many = Vec::new();
        while let Ok(entered) = all.enter("many") {
            many.push(entered);
        }
        assert!(many.len() < MAX_INFERENCES + MAX_WAITING_INFERENCES, "{}", many.len());
        let few = enter(&all, "few", 1);
        assert_eq!(all.take("many").await.err(), Some(CallError::TooManyInferences));
        drop((few, many));
        let state = all.lock();
        assert!(state.running.is_empty() && state.waiting.is_empty());
        assert_eq!(state.turns.remembered(), 0);
    }

    #[tokio::test(start_paused = true)]
    async fn call_that_ends_while_it_waits_gives_up_its_turn() {
        let all = InferenceTurns::default();
        let first = enter(&all, "a", MAX_INFERENCES);
        let ended = tokio::time::timeout(std::time::Duration::from_secs(1), all.take("b")).await;
        assert!(ended.is_err());
        drop(first);
        assert!(all.take("c").await.is_ok());
        assert!(all.lock().running.is_empty(), "nobody has a turn");
    }
}
