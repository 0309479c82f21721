//! The sizes of a job, and what a result belongs to.

use crate::error::Violation;
use crate::limits::{MAX_SIZE, MAX_SIZES};
use std::collections::BTreeMap;

/// The plan's default scales.
pub const INPUT_SCALES: [u32; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];
/// The plan's default corner cases.
pub const EXTRA_CORNER_CASES: [u32; 2] = [0, 1];
/// The variable that is the size where several are bounded and none is named.
const SIZE_VARIABLE: &str = "n";
/// Preferred numbers of a decade: Renard's series R10 (ISO 3), in hundredths.
const R10: [u64; 10] = [100, 125, 160, 200, 250, 315, 400, 500, 630, 800];
/// Below this size every whole number is a rung: 2ⁿ and n! are over every limit soon after.
pub(crate) const DENSE: u32 = 40;

/// Where a program is measured: what a result belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The input size.
    pub size: u32,
    /// Which of several candidate inputs; 0 where there is one.
    pub candidate: u32,
}

/// The lists that decide the sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeLists {
    /// Exactly these, if not empty.
    pub exact: Vec<u32>,
    /// Scales instead of [`INPUT_SCALES`].
    pub scales: Option<Vec<u32>>,
    /// Corner cases instead of [`EXTRA_CORNER_CASES`].
    pub corner_cases: Option<Vec<u32>>,
    /// Whether the sizes behind the corner cases follow from what is measured. The other lists are
    /// empty then.
    pub auto: bool,
}

/// The sizes of a job, strictly rising: those that are measured for certain, at most [`MAX_SIZES`],
/// and behind them those that a growing schedule chooses from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    list: Vec<u32>,
    certain: usize,
    variable: String,
    /// The bound of the variable, where the job names one.
    bound: Option<u32>,
    /// What the last of those is, where it is not certain that there are more.
    last_is: &'static str,
}

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
        let bound = bound(bounds, variable).map_err(|violation| bad.push(violation)).ok();
        for (field, given) in
            [("input_sizes", !lists.exact.is_empty()), ("input_scales", lists.scales.is_some())]
        {
            if lists.auto && given {
                bad.push(Violation {
                    field: field.into(),
                    problem: "not with schedule AUTO".into(),
                });
            }
        }
        let Some((variable, bound)) = bound.filter(|_| bad.is_empty()) else {
            return Err(bad);
        };
        let n_max = bound.unwrap_or(MAX_SIZE);
        let sizes =
            |list, certain| Self { list, certain, variable, bound, last_is: "is the bound" };
        if !lists.exact.is_empty() {
            let certain = lists.exact.len();
            return Ok(sizes(lists.exact, certain));
        }
        if lists.auto {
            let mut list = lists.corner_cases.unwrap_or_else(|| EXTRA_CORNER_CASES.into());
            let (certain, begin) = (list.len(), list.last().map_or(0, |last| last + 1));
            list.extend(preferred_sizes(n_max).into_iter().filter(|&rung| rung >= begin));
            return Ok(sizes(list, certain));
        }
        let scales = lists.scales.unwrap_or_else(|| INPUT_SCALES.into());
        let mut list = lists.corner_cases.unwrap_or_else(|| EXTRA_CORNER_CASES.into());
        list.extend(scales.into_iter().filter(|&scale| scale <= n_max));
        list.sort_unstable();
        list.dedup();
        if list.is_empty() || list.len() > MAX_SIZES {
            let problem = format!("{} sizes come out, allowed are 1..={MAX_SIZES}", list.len());
            return Err(vec![Violation { field: "input_scales".into(), problem }]);
        }
        let certain = list.len();
        Ok(sizes(list, certain))
    }

    /// What the last of the possible sizes is, as a part of a sentence.
    pub(crate) fn last_is(&self) -> &'static str {
        self.last_is
    }

    /// The variable that is the size.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// The bound of that variable, where the job names one.
    pub fn n_max(&self) -> Option<u32> {
        self.bound
    }

    /// A schedule that grows from the first size behind `least` to `most`.
    pub(crate) fn growing(&self, least: u32, most: u32) -> Self {
        let most = self.bound.map_or(most, |bound| most.min(bound));
        let list = preferred_sizes(most).into_iter().filter(|&rung| rung > least);
        let last_is = "is the last that is wanted";
        Self { list: list.collect(), certain: 0, variable: self.variable.clone(), last_is, ..*self }
    }

    /// All sizes that are measured, or may be.
    pub fn requested(&self) -> &[u32] {
        &self.list
    }

    /// How many are measured, where that is certain.
    pub fn promised(&self) -> Option<usize> {
        (self.certain == self.list.len()).then_some(self.certain)
    }

    /// Those that are measured for certain.
    pub(crate) fn certain(&self) -> &[u32] {
        &self.list[..self.certain]
    }

    /// Those behind them, of which some may be measured.
    pub(crate) fn possible(&self) -> &[u32] {
        &self.list[self.certain..]
    }

    /// Leaves out the possible ones that are not `wanted`; `too_large` says whether the last are
    /// missing because their input would be.
    pub(crate) fn keep(&mut self, wanted: impl Fn(u32) -> bool, too_large: bool) {
        let possible = self.list.split_off(self.certain);
        self.list.extend(possible.into_iter().filter(|&rung| wanted(rung)));
        if too_large {
            self.last_is = "is the last with an input that is not too large";
        }
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

/// The variable that is the size, and its bound, if there is one: the named one, else the only one,
/// else `n`.
fn bound(
    bounds: &BTreeMap<String, i64>,
    variable: Option<&str>,
) -> Result<(String, Option<u32>), Violation> {
    let bad = |field: &str, problem: String| Err(Violation { field: field.into(), problem });
    let names = || bounds.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let (name, &bound) = match variable {
        Some(name) => match bounds.get_key_value(name) {
            Some(found) => found,
            None if bounds.is_empty() => {
                return bad("size_variable", format!("{name:?} has no bound in input_bounds"));
            }
            None => return bad("size_variable", format!("{name:?} is none of: {}", names())),
        },
        None => match (bounds.len(), bounds.get_key_value(SIZE_VARIABLE), bounds.first_key_value())
        {
            (0, ..) | (_, None, None) => return Ok((SIZE_VARIABLE.into(), None)),
            (1, _, Some(only)) => only,
            (_, Some(n), _) => n,
            _ => return bad("size_variable", format!("must name one of: {}", names())),
        },
    };
    match u32::try_from(bound) {
        Ok(bound) if bound <= MAX_SIZE => Ok((name.clone(), Some(bound))),
        _ => bad(&format!("input_bounds[{name:?}]"), format!("{bound} is not in 0..={MAX_SIZE}")),
    }
}

/// What can be chosen from up to `n_max`, which is the last.
pub(crate) fn preferred_sizes(n_max: u32) -> Vec<u32> {
    let decades = (1..).map_while(|exponent| 10_u64.checked_pow(exponent)).take(9);
    let preferred = decades.flat_map(|ten| R10.map(|hundredths| hundredths * ten / 100));
    let preferred = preferred.filter_map(|rung| u32::try_from(rung).ok());
    let preferred = preferred.filter(|&rung| rung > DENSE && rung < n_max);
    (0..=DENSE).filter(|&rung| rung < n_max).chain(preferred).chain([n_max]).collect()
}

#[cfg(test)]
mod tests;
