//! Makes a spec from a reading, and lists the assumptions of the spec.

mod names;
mod parts;
mod roles;
mod scalars;
mod summary;
mod yaml;

use crate::layout::sample::Sample;
use crate::layout::shape;
use crate::proposal::Proposal;
use crate::reading::content::Part;
use names::Names;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Variable, layout};
use profiler_input::{InputSpec, Plan, Scope};

/// The name of a proposed spec.
const NAME: &str = "inferred";

/// The proposal for a reading, unless no spec can express the reading. If it is `promised`, it
/// keeps orders and differences of the samples' numbers.
pub(crate) fn proposal(
    samples: &[Sample],
    scopes: &[shape::Scope],
    parts: &[Part],
    promised: bool,
) -> Option<Proposal> {
    let mut names = Names::default();
    let mut assumptions = Vec::new();
    let body = parts::body(samples, scopes, parts, &mut names, &mut assumptions, promised)?;
    let mut spec = InputSpec {
        name: NAME.into(),
        vars: body.vars,
        layout: body.layout,
        n_max: body.most.map(|most| most.to_string()).unwrap_or_default(),
        ..InputSpec::default()
    };
    spec.n_min = smallest_n(&spec);
    let (yaml, summary) = (yaml::text(&spec), summary::of(&spec));
    Some(Proposal { spec, yaml, summary, assumptions })
}

/// Largest n that is tried as the smallest one.
const MOST_TRIED: u64 = 64;

/// The smallest n that has cells for the marks of a grid and a case of the smallest size, or
/// nothing if every n has.
fn smallest_n(spec: &InputSpec) -> String {
    let mut cases = spec.layout.iter().filter_map(|part| match &part.kind {
        Some(layout::Kind::Repeat(cases)) => Some(&cases.vars),
        _ => None,
    });
    let has_marks = |variables: &Vec<Variable>| {
        let kinds = variables.iter().filter_map(|variable| variable.kind.as_ref());
        kinds.into_iter().any(|kind| matches!(kind, Kind::Grid(grid) if !grid.marks.is_empty()))
    };
    let has_least = spec.layout.iter().any(|part| match &part.kind {
        Some(layout::Kind::Repeat(cases)) => !matches!(&*cases.min_size, "" | "1"),
        _ => false,
    });
    if !has_marks(&spec.vars) && !cases.any(has_marks) && !has_least {
        return String::new();
    }
    let plan = Plan::new(spec, &Scope::of_size(None));
    let smallest = plan.ok().and_then(|plan| (1..=MOST_TRIED).find(|n| plan.check(*n).is_ok()));
    smallest.filter(|n| *n > 1).map(|n| n.to_string()).unwrap_or_default()
}
