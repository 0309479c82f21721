//! Which sizes are measured, one after the other.

mod growing;

use crate::error::Violation;
use crate::job::Job;
use crate::limits::{AUTO_BUDGET, MAX_SIZE, MAX_SIZES, SHARE};
use crate::outcome::Outcome;
use crate::report::SizeResult;
use std::collections::BTreeMap;
use std::time::Duration;

/// The plan's default scales.
pub const INPUT_SCALES: [u32; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];
/// The plan's default corner cases.
pub const EXTRA_CORNER_CASES: [u32; 2] = [0, 1];
/// The variable that is the size where several are bounded and none is named.
const SIZE_VARIABLE: &str = "n";
/// One run alone has no interval to speak of, but no noise takes as long as this.
const BEYOND_NOISE_MS: f64 = 10.0;
const MS_PER_SECOND: f64 = 1e3;

/// The lists that decide the sizes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SizeLists {
    /// Exactly these, if not empty.
    pub exact: Vec<u32>,
    /// Scales instead of [`INPUT_SCALES`].
    pub scales: Option<Vec<u32>>,
    /// Corner cases instead of [`EXTRA_CORNER_CASES`].
    pub corner_cases: Option<Vec<u32>>,
    /// Whether the sizes behind the corner cases follow from what is measured. The other lists are empty
    /// then.
    pub auto: bool,
}

/// The sizes of a job, strictly rising: those that are measured for certain, at most [`MAX_SIZES`], and
/// behind them those that a growing schedule chooses from.
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
            list.extend(growing::rungs(n_max).into_iter().filter(|&rung| rung >= begin));
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
        let list = growing::rungs(most).into_iter().filter(|&rung| rung > least);
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

    /// Leaves out the possible ones that are not `wanted`; `too_large` says whether the last are missing
    /// because their input would be.
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

/// The variable that is the size, and its bound, if there is one: the named one, else the only one, else `n`.
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

/// Hands out the sizes. It is asked after every result, so that it may look at what came out before it
/// names the next size.
#[derive(Debug)]
pub(crate) struct Schedule<'a> {
    sizes: &'a Sizes,
    /// How many results a size has.
    candidates: u32,
    /// The time limit of one run, in milliseconds.
    limit_ms: f64,
    end: Option<String>,
}

impl<'a> Schedule<'a> {
    /// The schedule of a job.
    pub(crate) fn of(job: &'a Job) -> Self {
        let limit_ms = job.limits.timeout.as_secs_f64() * MS_PER_SECOND;
        Self { sizes: &job.sizes, candidates: job.candidates(), limit_ms, end: None }
    }

    /// A growing schedule over `sizes`, of runs of one candidate that take at most `limit`.
    pub(crate) fn over(sizes: &'a Sizes, limit: Duration) -> Self {
        let limit_ms = limit.as_secs_f64() * MS_PER_SECOND;
        Self { sizes, candidates: 1, limit_ms, end: None }
    }

    /// The time that all measuring may take.
    pub(crate) fn budget(&self) -> Duration {
        let each = match self.sizes.promised() {
            Some(count) => SHARE * u32::try_from(count).unwrap_or(u32::MAX),
            None => AUTO_BUDGET,
        };
        each * self.candidates
    }

    /// The size after those with `results`, candidate by candidate; `None` at the end. `unspent` is what is
    /// left of the budget.
    pub(crate) fn next(&mut self, results: &[SizeResult], unspent: Duration) -> Option<u32> {
        let measured = results.chunk_by(|a, b| a.size == b.size).map(Measured::of);
        let measured: Vec<_> = measured.collect();
        if let Some(&certain) = self.sizes.certain().get(measured.len()) {
            return Some(certain);
        }
        if self.sizes.promised().is_some() {
            return None;
        }
        let grown = &measured[self.sizes.certain..];
        let next = growing::next(self.sizes, grown, self.limit_ms, unspent / self.candidates);
        next.map_err(|end| self.end = Some(end)).ok()
    }

    /// What the next result may take of what is `unspent`, after so many.
    pub(crate) fn share(&self, results: usize, unspent: Duration) -> Duration {
        let Some(count) = self.sizes.promised() else {
            return unspent.min(SHARE);
        };
        let left = (count * self.candidates as usize).saturating_sub(results);
        unspent / u32::try_from(left).unwrap_or(u32::MAX).max(1)
    }

    /// Why it went no further, where that was not said beforehand.
    pub(crate) fn end(self) -> Option<String> {
        self.end
    }
}

/// What came out of a size: of its slowest candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Measured {
    size: u32,
    outcome: Outcome,
    /// Its time without the start-up, in milliseconds; absent where the clock sees none.
    net_ms: Option<f64>,
}

impl Measured {
    fn of(candidates: &[SizeResult]) -> Self {
        let seen = |result: &SizeResult| {
            let told = result.below_noise_floor == Some(false);
            result.net_runtime_ms.filter(|&ms| told || ms > BEYOND_NOISE_MS)
        };
        let slowest = candidates.iter().filter_map(seen).max_by(f64::total_cmp);
        let failed = candidates.iter().find(|result| !result.is_ok());
        Self {
            size: candidates.first().map_or(0, |result| result.size),
            outcome: failed.map_or(Outcome::Ok, |result| result.outcome),
            net_ms: slowest.filter(|_| failed.is_none()),
        }
    }
}

#[cfg(test)]
mod tests;
