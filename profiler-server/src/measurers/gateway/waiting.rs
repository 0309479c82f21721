//! A gateway whose engine is not there yet: callers can look at ended runs, and learn the reason.

use crate::config::Quota;
use crate::runs::{Attachment, Command, Refusal, fleet_fault};
use crate::store::Store;
use profiler_core::error::SandboxFault;
use profiler_fleet::{Credentials, Fleet, FleetError, Gateway, LogLimits, Roster, wait_for_engine};
use tokio::sync::{mpsc, watch};

/// The engine of a fleet, and the credentials for it.
#[derive(Default)]
pub(super) struct Engine {
    pub(super) url: String,
    pub(super) credentials: Credentials,
    pub(super) limits: LogLimits,
}

impl Engine {
    /// Makes one attempt to connect to the engine and to prepare it.
    pub(super) async fn join(&self, roster: &Roster) -> Result<Gateway, FleetError> {
        let fleet = Fleet::prepare(&self.url, &self.credentials, self.limits).await?;
        roster.listen(&fleet).await?;
        Ok(Gateway::new(fleet))
    }

    /// Waits for the engine after a first attempt failed with `error`, and answers commands
    /// meanwhile. `Err(None)` means that the server ends.
    pub(super) async fn wait(
        &self,
        error: FleetError,
        roster: &Roster,
        commands: &mut mpsc::Receiver<Command>,
        store: &Store,
        health: &watch::Sender<Result<(), SandboxFault>>,
        quota: &mut Quota,
    ) -> Result<Gateway, Option<FleetError>> {
        let tell = |error: &FleetError| {
            let _ = health.send_replace(Err(fleet_fault(&error.to_string())));
        };
        let mut joined = Box::pin(wait_for_engine(error, tell, || self.join(roster)));
        loop {
            tokio::select! {
                joined = &mut joined => return joined.map_err(Some),
                command = commands.recv() => match command {
                    Some(Command::SetQuota(new)) => *quota = new,
                    Some(command) => {
                        let why = health.borrow().clone().err();
                        refuse(command, store, why).await;
                    }
                    None => return Err(None),
                },
            }
        }
    }
}

/// Answers a command without the engine: from the store, or with the reason.
async fn refuse(command: Command, store: &Store, why: Option<SandboxFault>) {
    let refused = || Refusal::NoSandbox(why.unwrap_or_else(|| fleet_fault("it begins")));
    // A caller that stopped waiting needs no answer.
    match command {
        Command::Submit(_, answer) => drop(answer.send(Err(refused()))),
        Command::Attach(run_id, viewer, answer) => {
            let attached = match store.run(&run_id, &viewer).await {
                Ok(Some(run)) if run.ended_time.is_none() => Err(refused()),
                _ => Attachment::stored(store, &run_id, &viewer).await,
            };
            drop(answer.send(attached));
        }
        Command::Cancel(_, _, answer) | Command::Delete(_, _, answer) => {
            drop(answer.send(Err(refused())));
        }
        Command::Drain(drained) => drop(drained.send(())),
        Command::Interrupt | Command::SetQuota(_) => {}
        Command::Count(answer) => drop(answer.send(0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, Fleet as Settings};
    use crate::measurers::gateway::FleetGateway;
    use crate::store::Viewer;
    use crate::telemetry::metrics::Metrics;

    /// An address at which nobody listens.
    const NOBODY: &str = "nats://127.0.0.1:1";

    #[tokio::test]
    async fn gateway_without_an_engine_waits_and_says_so() {
        let gateway = FleetGateway::connect(NOBODY, &Settings::default()).await.expect("it waits");
        let store = Store::in_memory().expect("a store");
        let metrics = Metrics::new("fleet");
        let mut started = gateway.start(store, metrics, &Config::default());
        let told = started.health.wait_for(|health| {
            health.as_ref().is_err_and(|fault| fault.to_string().contains("connect to the engine"))
        });
        assert!(told.await.is_ok(), "it gives the reason");
        let attached = started.runs.attach("run".into(), Viewer::Everyone).await;
        assert_eq!(attached.err(), Some(Refusal::UnknownRun("run".into())));
        let cancelled = started.runs.cancel("run".into(), Viewer::Everyone).await;
        assert!(matches!(cancelled, Err(Refusal::NoSandbox(_))), "{cancelled:?}");
        assert_eq!(started.runs.count().await, 0);
        assert_eq!(*started.failure.borrow(), None);
    }

    #[tokio::test]
    async fn wrong_settings_are_not_waited_for() {
        let nkey = Some("/nonexistent/fleet.nk".into());
        let settings = Settings { nkey, ..Settings::default() };
        let failed = FleetGateway::connect(NOBODY, &settings).await.err().expect("a failure");
        assert!(failed.to_string().contains("--fleet-nkey"), "{failed}");
    }
}
