//! Choice of the figure and the clock by which two programs are compared.

use crate::clock::clock_of;
use crate::comparison::Basis;
use crate::program::Program;
use profiler_export::clock_name;
use profiler_proto::v1::RuntimeClock;

/// Figure and clock of a comparison, and the warnings about them.
pub(crate) struct Method {
    pub(crate) warnings: Vec<String>,
    pub(crate) basis: Basis,
    pub(crate) clock: RuntimeClock,
}

impl Method {
    /// Chooses the method. Times from one host are compared on a clock that both programs have.
    /// Times from different hosts are not compared at all.
    pub(crate) fn choose(a: &Program, b: &Program) -> Self {
        let hosts = different_hosts(a, b);
        let [of_a, of_b] = [a, b].map(clocks);
        let first = of_a.first().or(of_b.first()).copied().unwrap_or(RuntimeClock::Unloaded);
        let differ = of_a.iter().chain(&of_b).any(|&clock| clock != first);
        let other_clock = (differ && hosts.is_none()).then(|| {
            let [of_a, of_b] = [of_a, of_b].map(|of| names(&of));
            format!(
                "the headlines use different clocks (A: {of_a}; B: {of_b}); \
                 the wall clock is compared, because it is what a user waits for"
            )
        });
        Self {
            basis: if hosts.is_none() { Basis::Time } else { Basis::Instructions },
            clock: if differ { RuntimeClock::Wall } else { first },
            warnings: hosts.map(str::to_owned).into_iter().chain(other_clock).collect(),
        }
    }
}

fn different_hosts(a: &Program, b: &Program) -> Option<&'static str> {
    let host = |program: &Program| program.reports.first()?.host.as_ref()?.fingerprint.clone();
    match (host(a), host(b)) {
        (Some(a), Some(b)) if a == b => None,
        (Some(_), Some(_)) => {
            Some("the reports are from different hosts: their times cannot be compared")
        }
        _ => Some("a report does not name its host: the times cannot be compared"),
    }
}

/// The clocks of a program's headlines, each once. Whether several threads ran can differ by run.
fn clocks(program: &Program) -> Vec<RuntimeClock> {
    let mut clocks: Vec<_> = program.reports.iter().map(clock_of).collect();
    clocks.dedup();
    clocks
}

fn names(clocks: &[RuntimeClock]) -> String {
    clocks.iter().map(|&clock| clock_name(clock)).collect::<Vec<_>>().join(", ")
}
