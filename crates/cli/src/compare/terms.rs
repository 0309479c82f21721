//! By what two sides compare, and what to say where they do not.

use super::Side;
use super::clock::Clock;
use super::judge::{Basis, Size};
use profiler_proto::v1::ProfileReport;

/// By what both sides compare.
pub(super) struct Terms {
    pub(super) warnings: Vec<String>,
    pub(super) basis: Basis,
    pub(super) clock: Clock,
}

impl Terms {
    /// Times of one host compare on a clock that both sides have, those of different ones not at all.
    pub(super) fn of(a: &Side, b: &Side) -> Self {
        let hosts = different_hosts(a, b);
        let [of_a, of_b] = [a, b].map(clocks);
        let first = of_a.first().or(of_b.first()).copied().unwrap_or(Clock::Unloaded);
        let differ = of_a.iter().chain(&of_b).any(|&clock| clock != first);
        let other_clock = (differ && hosts.is_none()).then(|| {
            let [of_a, of_b] = [of_a, of_b].map(|of| names(&of));
            format!(
                "the headlines are on different clocks (A: {of_a}; B: {of_b}): compared is the wall clock, \
                 which is what a user waits for"
            )
        });
        Self {
            basis: if hosts.is_none() { Basis::Time } else { Basis::Instructions },
            clock: if differ { Clock::Wall } else { first },
            warnings: hosts.map(str::to_owned).into_iter().chain(other_clock).collect(),
        }
    }
}

fn different_hosts(a: &Side, b: &Side) -> Option<&'static str> {
    let host = |side: &Side| side.reports.first()?.host.as_ref()?.fingerprint.clone();
    match (host(a), host(b)) {
        (Some(a), Some(b)) if a == b => None,
        (Some(_), Some(_)) => Some("the reports are of different hosts: times do not compare"),
        _ => Some("a report does not say of which host it is: times do not compare"),
    }
}

/// The clocks of a side's headlines, each once: whether several threads ran can differ from run to run.
fn clocks(side: &Side) -> Vec<Clock> {
    let mut clocks: Vec<Clock> =
        side.reports.iter().map(|report| report.runtime_clock().into()).collect();
    clocks.dedup();
    clocks
}

fn names(clocks: &[Clock]) -> String {
    clocks.iter().map(|clock| clock.name()).collect::<Vec<_>>().join(", ")
}

/// Why nothing could be told of these sizes, and what helps.
pub(super) fn unknown_because(a: &Side, b: &Side, sizes: &[Size], basis: Basis) -> String {
    let failed = |size: &Size| size.a.outcome != "OK" && size.b.outcome != "OK";
    if sizes.is_empty() {
        let [a, b] = [a, b].map(measured);
        format!("no size was measured of both, A has {a} and B {b}: give both the same `--sizes`")
    } else if sizes.iter().all(failed) {
        "neither program ended OK at any size".into()
    } else if basis == Basis::Instructions {
        "without times only instructions compare, and they were not counted of both: profile both on \
         one host, or with `--instructions`"
            .into()
    } else if let Some(obstacle) = sizes.iter().rev().find_map(|size| size.obstacle) {
        obstacle.help().into()
    } else {
        "every size that ended OK is too short: give larger `--sizes`".into()
    }
}

/// The sizes that every report of a side has.
fn measured(side: &Side) -> String {
    let Some((first, others)) = side.reports.split_first() else { return "none".into() };
    let everywhere = |n: &u32| others.iter().all(|report| sizes(report).any(|size| size == *n));
    let mut common: Vec<u32> = sizes(first).filter(everywhere).collect();
    common.dedup();
    match common.as_slice() {
        [] => "none".into(),
        [only] => format!("n = {only}"),
        [least, .., most] => format!("{} from n = {least} to {most}", common.len()),
    }
}

fn sizes(report: &ProfileReport) -> impl Iterator<Item = u32> {
    report.sizes.iter().map(|size| size.size)
}
