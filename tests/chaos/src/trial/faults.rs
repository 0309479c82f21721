//! Faults, drawn by the numbers of a seed.

use crate::engine::Engine;
use crate::failure::Failure;
use crate::gateway::host::GatewayHost;
use crate::trial::proxy::{Proxy, Wire};
use crate::trial::random::Random;
use crate::worker::host::Host;
use nix::sys::signal::Signal;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// Longer than a lease, and than the engine waits before it gives a job to another.
const LONGER_THAN_A_LEASE: Duration = Duration::from_secs(25);
/// The pause between two lines on how much time is left.
const TELL_INTERVAL: Duration = Duration::from_secs(30);
/// Between two faults, in milliseconds.
const PAUSE_MS: (u64, u64) = (200, 1_500);
/// Time that a process is gone, in milliseconds.
const GONE_MS: (u64, u64) = (50, 4_000);
/// Time that a short fault takes, in milliseconds.
const SHORT_MS: (u64, u64) = (500, 8_000);

/// Longest time from the beginning of a submission until a gateway kills itself. A submission takes
/// some milliseconds, and several seconds where the engine is away.
const SUBMISSION: Duration = Duration::from_millis(40);
/// Longest time that a gateway that shall kill itself waits for a submission.
const SUBMITTED_WITHIN: Duration = Duration::from_secs(1);

/// A worker process and its wire.
pub(crate) struct Site {
    pub(crate) host: Host,
    pub(crate) proxy: Proxy,
    pub(crate) is_ailing: bool,
}

/// A gateway process and its wire.
pub(crate) struct Gate {
    pub(crate) host: GatewayHost,
    pub(crate) proxy: Proxy,
    pub(crate) is_ailing: bool,
}

/// Everything that can fail.
pub(crate) struct Faults {
    pub(crate) engine: Engine,
    pub(crate) sites: Vec<Site>,
    pub(crate) gates: Vec<Gate>,
    pub(crate) random: Random,
    /// Counts of the faults of each kind.
    pub(crate) counts: BTreeMap<&'static str, u32>,
    due: Vec<(Instant, Heal)>,
}

/// The end of a fault.
#[derive(Debug, Clone, Copy)]
enum Heal {
    Start(usize),
    Continue(usize),
    /// The wire is cut for a second, with what it held, and passes again.
    Cut(usize),
    Mend(usize),
    StartGateway(usize),
    ContinueGateway(usize),
    MendGateway(usize),
    Server(usize),
}

/// Kinds of faults, and in how many of a hundred cases each is drawn.
const KINDS: [(usize, Kind); 15] = [
    (16, Kind::Kill),
    (8, Kind::Stop),
    (9, Kind::StopLong),
    (8, Kind::Cut),
    (5, Kind::CutLong),
    (6, Kind::Hold),
    (3, Kind::HoldLong),
    (5, Kind::HoldUp),
    (7, Kind::LoseAcks),
    (4, Kind::Gateway(Gateway::Wire)),
    (7, Kind::Gateway(Gateway::Kill)),
    (12, Kind::Gateway(Gateway::KillWithin)),
    (4, Kind::Gateway(Gateway::Stop)),
    (2, Kind::Gateway(Gateway::StopLong)),
    (4, Kind::Server),
];

#[derive(Debug, Clone, Copy)]
enum Kind {
    Kill,
    Stop,
    StopLong,
    Cut,
    CutLong,
    Hold,
    HoldLong,
    HoldUp,
    LoseAcks,
    Gateway(Gateway),
    Server,
}

/// A fault of a gateway.
#[derive(Debug, Clone, Copy)]
enum Gateway {
    Wire,
    Kill,
    /// In the middle of a submission.
    KillWithin,
    Stop,
    StopLong,
}

impl Faults {
    pub(crate) fn new(engine: Engine, sites: Vec<Site>, gates: Vec<Gate>, random: Random) -> Self {
        Self { engine, sites, gates, random, counts: BTreeMap::new(), due: Vec::new() }
    }

    /// Lets things fail until then.
    pub(crate) async fn run(&mut self, until: Instant) -> Result<(), Failure> {
        let mut next = Instant::now();
        let mut told = next;
        while next < until {
            if told.elapsed() > TELL_INTERVAL {
                told = Instant::now();
                let (faults, left) = (self.counts.values().sum::<u32>(), until - next);
                eprintln!("{faults} faults; {} s are left", left.as_secs());
            }
            let healing = self.due.iter().map(|(at, _)| *at).min();
            if let Some(at) = healing.filter(|at| *at <= next) {
                sleep_until(at).await;
                self.heal(at)?;
            } else {
                sleep_until(next).await;
                self.fail()?;
                next = Instant::now() + self.random.millis(PAUSE_MS.0, PAUSE_MS.1);
            }
        }
        Ok(())
    }

    /// Heals everything.
    pub(crate) fn heal_all(&mut self) -> Result<(), Failure> {
        // What heals may need healing in turn.
        while let Some(last) = self.due.iter().map(|(at, _)| *at).max() {
            self.heal(last)?;
        }
        Ok(())
    }

    /// Heals what is due at that time.
    fn heal(&mut self, at: Instant) -> Result<(), Failure> {
        let (now, later) = std::mem::take(&mut self.due).into_iter().partition(|due| due.0 <= at);
        self.due = later;
        let now: Vec<(Instant, Heal)> = now;
        for (_, heal) in now {
            match heal {
                Heal::Start(site) => self.sites[site].host.start()?,
                Heal::Continue(site) => self.sites[site].host.signal(Signal::SIGCONT)?,
                Heal::Cut(site) => {
                    self.sites[site].proxy.set(Wire { is_cut: true, ..Wire::default() });
                    let mended = at + Duration::from_secs(1);
                    self.due.push((mended, Heal::Mend(site)));
                    continue;
                }
                Heal::Mend(site) => self.sites[site].proxy.set(Wire::default()),
                Heal::StartGateway(gate) => {
                    self.gates[gate].proxy.set(Wire::default());
                    self.gates[gate].host.start()?;
                }
                Heal::ContinueGateway(gate) => self.gates[gate].host.signal(Signal::SIGCONT)?,
                Heal::MendGateway(gate) => self.gates[gate].proxy.set(Wire::default()),
                Heal::Server(server) => self.engine.restart(server)?,
            }
            if let Heal::Start(site) | Heal::Continue(site) | Heal::Mend(site) = heal {
                self.sites[site].is_ailing = false;
            }
            if let Heal::StartGateway(gate)
            | Heal::ContinueGateway(gate)
            | Heal::MendGateway(gate) = heal
            {
                self.gates[gate].is_ailing = false;
            }
        }
        Ok(())
    }

    /// Something fails, unless what was drawn has failed already.
    fn fail(&mut self) -> Result<(), Failure> {
        let mut drawn = self.random.below(KINDS.iter().map(|(share, _)| share).sum());
        let kind = KINDS.iter().find(|(share, _)| {
            let is_it = drawn < *share;
            drawn = drawn.saturating_sub(*share);
            is_it
        });
        let kind = kind.map_or(Kind::Kill, |(_, kind)| *kind);
        let short = self.random.millis(SHORT_MS.0, SHORT_MS.1);
        let gone = self.random.millis(GONE_MS.0, GONE_MS.1);
        let site = self.random.below(self.sites.len());
        match kind {
            Kind::Gateway(kind) => return self.fail_gateway(kind, short / 2, gone),
            Kind::Server => {
                self.fail_server(gone);
                return Ok(());
            }
            _ if self.sites[site].is_ailing => return Ok(()),
            _ => {}
        }
        let Site { host, proxy, is_ailing } = &mut self.sites[site];
        *is_ailing = true;
        let wire = |is_cut, holds_up, holds_down| {
            proxy.set(Wire { is_cut, holds_up, holds_down });
        };
        let (name, lasts, heal) = match kind {
            Kind::Kill => {
                host.kill();
                ("worker killed", gone, Heal::Start(site))
            }
            Kind::Stop | Kind::StopLong => {
                host.signal(Signal::SIGSTOP)?;
                match kind {
                    Kind::Stop => ("worker stopped, short", short, Heal::Continue(site)),
                    _ => ("worker stopped, long", LONGER_THAN_A_LEASE, Heal::Continue(site)),
                }
            }
            Kind::Cut => {
                wire(true, false, false);
                ("wire cut, short", short, Heal::Mend(site))
            }
            Kind::CutLong => {
                wire(true, false, false);
                ("wire cut, long", LONGER_THAN_A_LEASE, Heal::Mend(site))
            }
            Kind::Hold => {
                wire(false, true, true);
                ("wire held, short", short, Heal::Mend(site))
            }
            Kind::HoldLong => {
                wire(false, true, true);
                ("wire held, long", LONGER_THAN_A_LEASE, Heal::Mend(site))
            }
            Kind::HoldUp => {
                wire(false, true, false);
                ("requests held", short, Heal::Mend(site))
            }
            Kind::LoseAcks | Kind::Gateway(_) | Kind::Server => {
                wire(false, false, true);
                ("answers lost", short / 4, Heal::Cut(site))
            }
        };
        self.note(name, lasts, heal);
        Ok(())
    }

    fn fail_gateway(
        &mut self,
        kind: Gateway,
        short: Duration,
        gone: Duration,
    ) -> Result<(), Failure> {
        let at = self.random.below(self.gates.len());
        let (is_cut, dies_after) = (self.random.percent(50), self.random.share_of(SUBMISSION));
        let Gate { host, proxy, is_ailing } = &mut self.gates[at];
        if std::mem::replace(is_ailing, true) {
            return Ok(());
        }
        let cut = Wire { is_cut: true, ..Wire::default() };
        let (name, lasts, heal) = match kind {
            Gateway::Wire => {
                let held = Wire { holds_up: true, holds_down: true, ..Wire::default() };
                proxy.set(if is_cut { cut } else { held });
                ("gateway's wire", short, Heal::MendGateway(at))
            }
            Gateway::Kill => {
                if is_cut {
                    // What it had said last is lost with it.
                    proxy.set(cut);
                }
                host.kill();
                ("gateway killed", gone, Heal::StartGateway(at))
            }
            Gateway::KillWithin => {
                host.line.die(dies_after);
                ("gateway killed, submitting", SUBMITTED_WITHIN + gone, Heal::StartGateway(at))
            }
            Gateway::Stop => {
                host.signal(Signal::SIGSTOP)?;
                ("gateway stopped, short", short, Heal::ContinueGateway(at))
            }
            Gateway::StopLong => {
                host.signal(Signal::SIGSTOP)?;
                ("gateway stopped, long", LONGER_THAN_A_LEASE, Heal::ContinueGateway(at))
            }
        };
        self.note(name, lasts, heal);
        Ok(())
    }

    fn fail_server(&mut self, lasts: Duration) {
        // One at a time: of three, two must be there.
        if self.due.iter().any(|(_, heal)| matches!(heal, Heal::Server(_))) {
            return;
        }
        let server = self.random.below(self.engine.addresses().len());
        self.engine.kill(server);
        self.note("server killed", lasts, Heal::Server(server));
    }

    fn note(&mut self, name: &'static str, lasts: Duration, heal: Heal) {
        *self.counts.entry(name).or_default() += 1;
        self.due.push((Instant::now() + lasts, heal));
    }
}
