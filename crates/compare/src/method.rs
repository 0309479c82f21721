//! Choice of the figure and the clock by which two programs are compared.

use crate::clock::clock_of;
use crate::comparison::Basis;
use crate::program::Program;
use profiler_export::{clock_name, readable};
use profiler_proto::v1::RuntimeClock;

/// Statement about reports with different method versions.
pub(crate) const OTHER_METHODS: &str =
    "the reports were made by versions of swiftprof that measure differently";

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
        let is_timed = hosts.is_none();
        let warnings = [hosts, other_clock, other_flags(a, b)];
        Self {
            basis: if is_timed { Basis::Time } else { Basis::Instructions },
            clock: if differ { RuntimeClock::Wall } else { first },
            warnings: warnings.into_iter().flatten().collect(),
        }
    }
}

/// Returns the reason why the times cannot be compared: the methods of measuring differ, or parts
/// of the hosts.
fn different_hosts(a: &Program, b: &Program) -> Option<String> {
    let (Some(of_a), Some(of_b)) = (a.host(), b.host()) else {
        return Some("a report does not name its host: the times cannot be compared".into());
    };
    if of_a.fingerprint == of_b.fingerprint {
        return None;
    }
    if of_a.method_version != of_b.method_version {
        return Some(format!("{OTHER_METHODS}: the times cannot be compared"));
    }
    let parts = [
        ("processor", of_a.cpu_model != of_b.cpu_model),
        ("number of processors", of_a.cpus != of_b.cpus),
        ("kernel", of_a.kernel != of_b.kernel),
        ("processor of counted runs", of_a.counted_cpu != of_b.counted_cpu),
    ];
    let mut differing: Vec<_> =
        parts.into_iter().filter_map(|(part, differs)| differs.then_some(part)).collect();
    // A report has neither the toolchain's identity nor the processor's features.
    if differing.is_empty() {
        differing.push("toolchain or features of the processor");
    }
    let differing = differing.join(" and ");
    Some(format!("the hosts of the reports differ in {differing}: the times cannot be compared"))
}

/// Tells that the programs were compiled for different standards of C++ or at different levels of
/// optimization. A program that the caller compiled has no command line.
fn other_flags(a: &Program, b: &Program) -> Option<String> {
    let of = |program: &Program| {
        let command = &program.reports.first()?.compile.as_ref()?.command;
        let last = |prefix| command.split(' ').rfind(|word| word.starts_with(prefix));
        let flags = ["-O", "-std="].map(last).into_iter().flatten().map(readable);
        (!command.is_empty()).then(|| flags.collect::<Vec<_>>().join(" "))
    };
    let (of_a, of_b) = (of(a)?, of(b)?);
    (of_a != of_b).then(|| format!("A was compiled with {of_a}, and B with {of_b}"))
}

/// The clocks of a program's headlines, each once. Its reports can differ in the clock, because the
/// clock depends on whether several threads ran.
fn clocks(program: &Program) -> Vec<RuntimeClock> {
    let mut clocks: Vec<_> = program.reports.iter().map(clock_of).collect();
    clocks.dedup();
    clocks
}

fn names(clocks: &[RuntimeClock]) -> String {
    clocks.iter().map(|&clock| clock_name(clock)).collect::<Vec<_>>().join(", ")
}
