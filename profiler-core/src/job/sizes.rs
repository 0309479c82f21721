//! The sizes of a job, and the point that a result belongs to.

mod fitting;
mod spread;

pub use spread::{EXTRA_CORNER_CASES, INPUT_SCALES};

use crate::error::{Violation, Violations};
use crate::limits::{MAX_BOUNDS, MAX_CHOSEN_SIZE, MAX_SIZE, MAX_SIZES};
use profiler_input::SIZE;
use profiler_proto::v1::{self, Schedule, Warning, WarningCode};
use std::collections::BTreeMap;

/// Minimum number of sizes above 1 for a list of powers of two to count as intended.
const LEAST_POWERS: usize = 3;
/// The preferred numbers of one decade: Renard's series R10 (ISO 3), in hundredths.
const R10: [u128; 10] = [100, 125, 160, 200, 250, 315, 400, 500, 630, 800];
/// End of a sentence about the last possible size that a spec allows.
const TOO_LARGE_IS_NEXT: &str = "is the last size that is not too large for an input spec";
/// Size up to which a growing schedule may choose every whole number. Soon above it, 2ⁿ and n!
/// exceed every limit.
pub(crate) const DENSE: u64 = 40;

/// The size and the candidate that a result belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The input size.
    pub size: u64,
    /// The index of the candidate input; 0 if there is only one.
    pub candidate: u32,
}

impl Point {
    /// Makes a warning about the input of this point. The report builder removes the candidate if
    /// there is only one.
    pub(crate) fn warning(self, code: WarningCode, message: impl Into<String>) -> Warning {
        let (size, candidate) = (Some(self.size), Some(self.candidate));
        Warning { size, candidate, ..Warning::new(code, message) }
    }
}

/// The sizes of a job, strictly rising. First come at most [`MAX_SIZES`] sizes that are certainly
/// measured. After them come the possible sizes that a growing schedule chooses from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sizes {
    list: Vec<u64>,
    certain: usize,
    variable: String,
    /// The upper bound of the size variable, if the job has one.
    bound: Option<u64>,
    /// End of a sentence that describes the last possible size.
    last_is: &'static str,
    /// Whether these are default sizes that are fitted to the bound and to the specs.
    are_fitted: bool,
    /// Whether a growing schedule has several sizes below a small bound.
    has_small_steps: bool,
    /// The last size and why others were left out, if a spec has no input for some default size.
    end: Option<String>,
}

impl Sizes {
    /// Derives the sizes from the lists of a request, and from the bounds of its variables.
    pub fn try_new(request: &v1::Job) -> Result<Self, Violations> {
        let mut bad = Violations::default();
        let exact = &request.input_sizes;
        let [scales, corner_cases] = [&request.input_scales, &request.extra_corner_cases]
            .map(|list| list.as_ref().map(|list| &list.values[..]));
        let schedule = bad.known("schedule", request.schedule, Schedule::List);
        rising("input_sizes", exact, &mut bad);
        for (field, list) in
            [("input_scales.values", scales), ("extra_corner_cases.values", corner_cases)]
        {
            rising(field, list.unwrap_or_default(), &mut bad);
        }
        let bound = bound(&request.input_bounds, request.size_variable.as_deref());
        let bound = bad.keep(bound.map_err(Violations::from));
        let is_auto = schedule == Schedule::Auto;
        for (field, given) in
            [("input_sizes", !exact.is_empty()), ("input_scales", scales.is_some())]
        {
            bad.check(!is_auto || !given, field, || "cannot be used with the schedule AUTO".into());
        }
        let Some((variable, bound)) = bound.filter(|_| bad.is_empty()) else {
            return Err(bad);
        };
        let are_listed = !exact.is_empty() || scales.is_some() || corner_cases.is_some();
        let are_fitted = request.fit_sizes && !is_auto && !are_listed && request.inputs.is_empty();
        let last_is = "is the bound";
        let has_small_steps = request.fit_sizes;
        let sizes = |list, certain| Self {
            list,
            certain,
            variable,
            bound,
            last_is,
            are_fitted,
            has_small_steps,
            end: None,
        };
        if !exact.is_empty() {
            return Ok(sizes(exact.clone(), exact.len()));
        }
        let mut list = corner_cases.unwrap_or(&EXTRA_CORNER_CASES).to_vec();
        if is_auto {
            let (certain, begin) = (list.len(), list.last().map_or(0, |last| last + 1));
            let n_max = bound.unwrap_or(MAX_CHOSEN_SIZE);
            list.extend(preferred_sizes(n_max).into_iter().filter(|&rung| rung >= begin));
            return Ok(sizes(list, certain));
        }
        if let Some(n_max) = bound.filter(|_| are_fitted) {
            list = spread::up_to(n_max);
        } else {
            let scales = scales.unwrap_or(&INPUT_SCALES).iter().copied();
            list.extend(scales.filter(|&scale| bound.is_none_or(|n_max| scale <= n_max)));
        }
        list.sort_unstable();
        list.dedup();
        if list.is_empty() || list.len() > MAX_SIZES {
            let problem = format!("must result in 1 to {MAX_SIZES} sizes, not {}", list.len());
            return Err(Violation { field: "input_scales".into(), problem }.into());
        }
        let certain = list.len();
        Ok(sizes(list, certain))
    }

    /// Describes the last possible size, as the end of a sentence.
    pub(crate) fn last_is(&self) -> &'static str {
        self.last_is
    }

    /// Whether these are default sizes that are fitted to the bound and to the specs.
    pub(crate) fn are_fitted(&self) -> bool {
        self.are_fitted
    }

    /// Whether a growing schedule has several sizes below a small bound.
    pub(crate) fn has_small_steps(&self) -> bool {
        self.has_small_steps
    }

    /// Returns the last size and why others were left out, if a spec has no input for some default
    /// size.
    pub(crate) fn fitted_end(&self) -> Option<&str> {
        self.end.as_deref()
    }

    /// The name of the size variable.
    pub fn variable(&self) -> &str {
        &self.variable
    }

    /// The upper bound of the size variable, if the job has one.
    pub fn n_max(&self) -> Option<u64> {
        self.bound
    }

    /// The same variable and bound without any size, for a job that measures none.
    pub(super) fn none(self) -> Self {
        Self { list: Vec::new(), certain: 0, ..self }
    }

    /// Makes the sizes of a growing schedule, above `least` and up to `most`. If the requested
    /// sizes are powers of two, so are these, because a program for powers of two may do different
    /// work at other sizes.
    pub(crate) fn growing(&self, least: u64, most: u64) -> Self {
        let most = self.bound.map_or(most, |bound| most.min(bound));
        let rungs =
            if self.are_powers_of_two() { powers_of_two(most) } else { preferred_sizes(most) };
        let list = rungs.into_iter().filter(|&rung| rung > least);
        let last_is = "is the last size of the schedule";
        Self {
            list: list.collect(),
            certain: 0,
            variable: self.variable.clone(),
            bound: self.bound,
            last_is,
            are_fitted: false,
            has_small_steps: true,
            end: None,
        }
    }

    fn are_powers_of_two(&self) -> bool {
        let large: Vec<_> = self.list.iter().filter(|&&size| size > 1).collect();
        large.len() >= LEAST_POWERS && large.iter().all(|size| size.is_power_of_two())
    }

    /// All sizes that are measured or may be measured.
    pub fn requested(&self) -> &[u64] {
        &self.list
    }

    /// Returns the number of measured sizes, if that is certain.
    pub fn promised(&self) -> Option<usize> {
        (self.certain == self.list.len()).then_some(self.certain)
    }

    /// The sizes that are certainly measured.
    pub(crate) fn certain(&self) -> &[u64] {
        &self.list[..self.certain]
    }

    /// The sizes that a growing schedule chooses from.
    pub(crate) fn possible(&self) -> &[u64] {
        &self.list[self.certain..]
    }

    /// Removes the possible sizes that are not `wanted`. `too_large` says whether the largest are
    /// removed because they are too large for a spec.
    pub(crate) fn keep(&mut self, wanted: impl Fn(u64) -> bool, too_large: bool) {
        let possible = self.list.split_off(self.certain);
        self.list.extend(possible.into_iter().filter(|&rung| wanted(rung)));
        if too_large {
            self.last_is = TOO_LARGE_IS_NEXT;
        }
    }
}

fn rising(field: &str, list: &[u64], bad: &mut Violations) {
    bad.check(list.len() <= MAX_SIZES, field, || {
        format!("must have at most {MAX_SIZES} sizes, not {}", list.len())
    });
    for (at, &size) in list.iter().enumerate().take(MAX_SIZES) {
        let field = format!("{field}[{at}]");
        bad.check(size <= MAX_SIZE, &field, || format!("must be at most {MAX_SIZE}, not {size}"));
        if let Some(before) = list[..at].last().filter(|before| size <= **before) {
            bad.add(field, format!("must increase, but {size} follows {before}"));
        }
    }
}

/// Returns the size variable and its bound. The size variable is the one that the request names,
/// else the only one with a bound, else `n`.
fn bound(
    bounds: &BTreeMap<String, i64>,
    variable: Option<&str>,
) -> Result<(String, Option<u64>), Violation> {
    let bad = |field: &str, problem: String| Err(Violation { field: field.into(), problem });
    if bounds.len() > MAX_BOUNDS {
        return bad(
            "input_bounds",
            format!("must have at most {MAX_BOUNDS} bounds, not {}", bounds.len()),
        );
    }
    let names = || bounds.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
    let (name, &bound) = match variable {
        Some(name) => match bounds.get_key_value(name) {
            Some(found) => found,
            None if bounds.is_empty() => {
                return bad("size_variable", format!("{name:?} has no bound in input_bounds"));
            }
            None => {
                return bad("size_variable", format!("must be one of {}, not {name:?}", names()));
            }
        },
        None => match (bounds.len(), bounds.get_key_value(SIZE), bounds.first_key_value()) {
            (0, ..) | (_, None, None) => return Ok((SIZE.into(), None)),
            (1, _, Some(only)) => only,
            (_, Some(n), _) => n,
            _ => return bad("size_variable", format!("must be one of {}", names())),
        },
    };
    match u64::try_from(bound) {
        Ok(bound) if bound <= MAX_SIZE => Ok((name.clone(), Some(bound))),
        _ => bad(
            &format!("input_bounds[{name:?}]"),
            format!("must be from 0 to {MAX_SIZE}, not {bound}"),
        ),
    }
}

/// The powers of two up to `most`.
fn powers_of_two(most: u64) -> Vec<u64> {
    (0..u64::BITS).map(|exponent| 1 << exponent).take_while(|&rung| rung <= most).collect()
}

/// Returns the sizes that a growing schedule chooses from: all whole numbers up to [`DENSE`], then
/// preferred numbers. The last one is `n_max`.
pub(crate) fn preferred_sizes(n_max: u64) -> Vec<u64> {
    let decades = (1..).map(|exponent| 10_u128.pow(exponent));
    let decades = decades.take_while(|&ten| ten < MAX_SIZE.into());
    let preferred = decades.flat_map(|ten| R10.map(|hundredths| hundredths * ten / 100));
    let preferred = preferred.filter_map(|rung| u64::try_from(rung).ok());
    let preferred = preferred.filter(|&rung| rung > DENSE && rung < n_max);
    (0..=DENSE).filter(|&rung| rung < n_max).chain(preferred).chain([n_max]).collect()
}

#[cfg(test)]
mod tests;
