//! Makes a spec from a reading, and lists the assumptions of the spec.

mod names;
mod parts;
mod scalars;
mod summary;
mod yaml;

use crate::layout::sample::Sample;
use crate::layout::shape::Scope;
use crate::proposal::Proposal;
use crate::reading::content::Part;
use names::Names;
use profiler_input::InputSpec;

/// The name of a proposed spec.
const NAME: &str = "inferred";

/// The proposal for a reading, unless no spec can express the reading.
pub(crate) fn proposal(samples: &[Sample], scopes: &[Scope], parts: &[Part]) -> Option<Proposal> {
    let mut names = Names::default();
    let mut assumptions = Vec::new();
    let body = parts::body(samples, scopes, parts, &mut names, &mut assumptions)?;
    let spec = InputSpec { name: NAME.into(), seed: 0, vars: body.vars, layout: body.layout };
    let (yaml, summary) = (yaml::text(&spec), summary::of(&spec));
    Some(Proposal { spec, yaml, summary, assumptions })
}
