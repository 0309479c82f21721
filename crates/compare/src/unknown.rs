//! Reasons why a comparison has no verdict, and remedies.

use crate::comparison::{Basis, Size, failing_for_both};
use crate::method::OTHER_METHODS;
use crate::program::Program;
use profiler_export::{Change, Rightness, Wording, lack_of_input, remedy_of};
use profiler_proto::v1::{ProfileReport, RemedyKind};
use std::collections::BTreeMap;

const PERCENT: f64 = 100.0;

/// Explains why no size has a verdict, and how to get one.
pub(crate) fn why_unknown(
    [a, b]: [&Program; 2],
    sizes: &[Size],
    basis: Basis,
    wording: Wording,
) -> String {
    if sizes.is_empty() {
        let [a, b] = [a, b].map(measured_sizes);
        let same = wording(Change::SameSizes);
        format!("no size was measured for both: A has {a}, and B has {b}. Measure both with {same}")
    } else if sizes.iter().all(Size::fails_for_both) {
        "neither program ended OK at any size".into()
    } else if let Some(n) = failing_for_both(sizes) {
        let smaller = wording(Change::Remedy(RemedyKind::SmallerSizes));
        format!("neither program ended OK at n = {n}, the largest size: use {smaller}")
    } else if basis == Basis::Instructions {
        if sizes.iter().any(|size| size.instructions_ratio.is_some()) {
            return "without times, only instructions can be compared, and they do not include the \
                    kernel's, which took a quarter of the time or more. Profile both again on one \
                    host"
                .into();
        }
        let counted = wording(Change::Instructions);
        let or = if counted.is_empty() { counted } else { format!(", or with {counted}") };
        format!(
            "without times, only instructions can be compared, but a report has no count of them. \
             Profile both again on one host{or}"
        )
    } else if let Some(obstacle) = sizes.iter().rev().find_map(|size| size.obstacle) {
        obstacle.help(wording)
    } else {
        let larger = wording(Change::Remedy(RemedyKind::LargerSizes));
        format!("every size that ended OK is too short: use {larger}")
    }
}

/// Explains why two programs have no verdict whatever their figures are: one is not right on all
/// test cases, was not fed what it reads, or was measured by another method, on other inputs or
/// more briefly.
pub fn why_meaningless(named: [(&str, &Program); 2], wording: Wording) -> Option<String> {
    let judged = |rightness: Rightness, verb: &str| {
        named.iter().find_map(|(name, program)| {
            let tests = program.tests().filter(|it| it.rightness == rightness)?;
            Some(format!("{name} {verb} {}", tests.sentence))
        })
    };
    let not_right = judged(Rightness::Wrong, "is").or_else(|| judged(Rightness::NoVerdict, "has"));
    if not_right.is_some() {
        return not_right;
    }
    let starved = named.into_iter().filter_map(|(name, program)| {
        let lack = program.reports.iter().find_map(lack_of_input)?;
        Some(format!("{name} {lack}"))
    });
    let starved: Vec<_> = starved.collect();
    if !starved.is_empty() {
        let mut reports = named.into_iter().flat_map(|(_, program)| &program.reports);
        let lacking = reports.find(|report| lack_of_input(report).is_some())?;
        return Some(format!("{}. {}", starved.join("; "), remedy_of(lacking, wording)));
    }
    let methods =
        named.map(|(_, program)| Some(program.reports.first()?.host.as_ref()?.method_version));
    if let [Some(method), Some(other)] = methods
        && method != other
    {
        return Some(format!("{OTHER_METHODS}: measure one of them again"));
    }
    let seeds = named.map(|(name, program)| (name, program.input_seed()));
    if let [(one, seed), (other, another)] = seeds
        && seed != another
    {
        return Some(format!(
            "{one} was measured on the inputs of seed {seed}, and {other} on those of {another}. \
             Measure both with {}.",
            wording(Change::SameSeed)
        ));
    }
    if let Some(n) = other_input_at(named.map(|(_, program)| program)) {
        let [(one, _), (other, _)] = named;
        return Some(format!(
            "{one} and {other} were measured on different inputs at n = {n}. Measure both on the \
             same inputs."
        ));
    }
    let measured = named.map(|(name, program)| (name, program.precision()));
    let [(_, first), (_, second)] = measured;
    (first != second).then(|| {
        let told = measured.map(|(name, precision)| match precision {
            Some(share) => format!("{name} was measured briefly, to {:.0} %", share * PERCENT),
            None => format!("{name} until its times were known"),
        });
        let same = wording(Change::SamePrecision);
        format!("{}. Measure both with {same}.", told.join(", and "))
    })
}

/// Returns the largest size at which two reports have different inputs. Reports of earlier versions
/// do not identify their inputs.
fn other_input_at(programs: [&Program; 2]) -> Option<u64> {
    let mut first = BTreeMap::new();
    let sizes = programs.into_iter().flat_map(|it| &it.reports).flat_map(|it| &it.sizes);
    let known = sizes.filter(|size| !size.input_sha256.is_empty());
    let other = known.filter(|size| {
        let digest = &size.input_sha256;
        first.entry((size.size, size.candidate)).or_insert(digest) != &digest
    });
    other.map(|size| size.size).max()
}

/// Explains why a checker has no verdict on an output at size `n`; `None` if it was not asked.
pub(crate) fn why_not_judged(named: [(&str, &Program); 2], n: u64) -> Option<String> {
    named.into_iter().find_map(|(name, program)| {
        let sizes = program.reports.iter().flat_map(|report| &report.sizes);
        let mut checks = sizes.filter(|it| it.size == n).filter_map(|it| it.output_check.as_ref());
        let open = checks.find(|check| check.correct.is_none())?;
        Some(format!("the output of {name} at n = {n} is not judged, because {}", open.reason))
    })
}

/// The sizes that every report of a program has.
fn measured_sizes(program: &Program) -> String {
    let Some((first, others)) = program.reports.split_first() else { return "none".into() };
    let everywhere = |n: &u64| others.iter().all(|report| sizes(report).any(|size| size == *n));
    let mut common: Vec<u64> = sizes(first).filter(everywhere).collect();
    common.dedup();
    match common.as_slice() {
        [] => "none".into(),
        [only] => format!("n = {only}"),
        [least, .., most] => format!("{} from n = {least} to {most}", common.len()),
    }
}

fn sizes(report: &ProfileReport) -> impl Iterator<Item = u64> {
    report.sizes.iter().map(|size| size.size)
}
