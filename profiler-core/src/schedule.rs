//! Which sizes are measured, one after the other.

use crate::error::Violation;
use crate::limits::{MAX_SIZE, MAX_SIZES};
use std::collections::BTreeMap;

/// The plan's default scales.
pub const INPUT_SCALES: [u32; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];
/// The plan's default corner cases.
pub const EXTRA_CORNER_CASES: [u32; 2] = [0, 1];
/// The variable that is the size where several are bounded and none is named.
const SIZE_VARIABLE: &str = "n";

/// The lists that decide the sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeLists {
    /// Exactly these, if not empty.
    pub exact: Vec<u32>,
    /// Scales instead of [`INPUT_SCALES`].
    pub scales: Option<Vec<u32>>,
    /// Corner cases instead of [`EXTRA_CORNER_CASES`].
    pub corner_cases: Option<Vec<u32>>,
}

/// The requested sizes: strictly rising, at least one, at most [`MAX_SIZES`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes(Vec<u32>);

impl Sizes {
    /// The sizes that the lists and the bounds of the task's variables give.
    pub fn try_new(
        lists: SizeLists,
        bounds: &BTreeMap<String, i64>,
        variable: Option<&str>,
    ) -> Result<Self, Vec<Violation>> {
        let mut bad = Vec::new();
        rising("input_sizes", &lists.exact, &mut bad);
        for (field, list) in [
            ("input_scales.values", &lists.scales),
            ("extra_corner_cases.values", &lists.corner_cases),
        ] {
            rising(field, list.as_deref().unwrap_or_default(), &mut bad);
        }
        let n_max = n_max(bounds, variable).map_err(|violation| bad.push(violation)).ok();
        let Some(n_max) = n_max.filter(|_| bad.is_empty()) else {
            return Err(bad);
        };
        if !lists.exact.is_empty() {
            return Ok(Self(lists.exact));
        }
        let scales = lists.scales.unwrap_or_else(|| INPUT_SCALES.into());
        let mut sizes = lists.corner_cases.unwrap_or_else(|| EXTRA_CORNER_CASES.into());
        sizes.extend(scales.into_iter().filter(|&scale| scale <= n_max));
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.is_empty() || sizes.len() > MAX_SIZES {
            let problem = format!("{} sizes come out, allowed are 1..={MAX_SIZES}", sizes.len());
            return Err(vec![Violation { field: "input_scales".into(), problem }]);
        }
        Ok(Self(sizes))
    }

    /// All requested sizes.
    pub fn requested(&self) -> &[u32] {
        &self.0
    }
}

fn rising(field: &str, list: &[u32], bad: &mut Vec<Violation>) {
    let mut violation = |field: String, problem: String| bad.push(Violation { field, problem });
    if list.len() > MAX_SIZES {
        violation(field.into(), format!("{} sizes are over the limit of {MAX_SIZES}", list.len()));
    }
    for (at, &size) in list.iter().enumerate() {
        if size > MAX_SIZE {
            violation(format!("{field}[{at}]"), format!("{size} is over the limit of {MAX_SIZE}"));
        }
        if at > 0 && size <= list[at - 1] {
            let before = list[at - 1];
            violation(format!("{field}[{at}]"), format!("{size} does not rise above {before}"));
        }
    }
}

/// The bound of the variable that is the size: the named one, else the only one, else `n`. Without
/// any bounds the largest size there is.
fn n_max(bounds: &BTreeMap<String, i64>, variable: Option<&str>) -> Result<u32, Violation> {
    let bad = |field: &str, problem: String| Err(Violation { field: field.into(), problem });
    let names = || bounds.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let (name, &bound) = match variable {
        Some(name) => match bounds.get_key_value(name) {
            Some(found) => found,
            None => return bad("size_variable", format!("{name:?} is none of: {}", names())),
        },
        None => match (bounds.len(), bounds.get_key_value(SIZE_VARIABLE), bounds.first_key_value())
        {
            (0, ..) | (_, None, None) => return Ok(MAX_SIZE),
            (1, _, Some(only)) => only,
            (_, Some(n), _) => n,
            _ => return bad("size_variable", format!("must name one of: {}", names())),
        },
    };
    match u32::try_from(bound) {
        Ok(bound) if bound <= MAX_SIZE => Ok(bound),
        _ => bad(&format!("input_bounds[{name:?}]"), format!("{bound} is not in 0..={MAX_SIZE}")),
    }
}

/// Hands out the sizes. It is asked after every result, so that a schedule may look at what came
/// out before it names the next size.
#[derive(Debug)]
pub struct Schedule<'a> {
    sizes: &'a [u32],
}

impl<'a> Schedule<'a> {
    /// The schedule of exactly the requested sizes.
    pub fn fixed(sizes: &'a Sizes) -> Self {
        Self { sizes: &sizes.0 }
    }

    /// The size after the `measured` ones; `None` at the end.
    pub fn next(&self, measured: usize) -> Option<u32> {
        self.sizes.get(measured).copied()
    }

    /// How many sizes are still to come, as far as is known: what is left of the budget is shared
    /// between them.
    pub fn left(&self, measured: usize) -> usize {
        self.sizes.len() - measured
    }
}

#[cfg(test)]
mod tests;
