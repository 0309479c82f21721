//! The bounds of n that a spec declares.

use crate::expression::evaluate;
use crate::limits::MAX_NAME_BYTES;
use crate::problem::{self, Cause, Problem};
use crate::spec::InputSpec;

/// The smallest and the largest n; `None` where the spec declares no bound.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SizeBounds {
    least: Option<u64>,
    pub(super) most: Option<u64>,
}

impl SizeBounds {
    /// Reads the bounds of a spec. Also returns the problems of the fields that every spec has.
    pub(super) fn of_named(spec: &InputSpec) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let bounds = Self::read(spec, &mut problems);
        let bytes = spec.name.len();
        if bytes > MAX_NAME_BYTES {
            let text = format!("must have at most {MAX_NAME_BYTES} bytes, not {bytes}");
            problem::add(&mut problems, Problem::new("name", Cause::Spec, text));
        }
        if spec.generator.is_empty() && !spec.testlib_h.is_empty() {
            let text = "requires a generator".to_owned();
            problem::add(&mut problems, Problem::new("testlib_h", Cause::Spec, text));
        }
        (bounds, problems)
    }

    /// Reads the bounds, and records the problems that they have.
    fn read(spec: &InputSpec, problems: &mut Vec<Problem>) -> Self {
        let mut refuse =
            |field, text: String| problem::add(problems, Problem::new(field, Cause::Spec, text));
        let mut bound = |field: &'static str, text: &str| {
            if text.is_empty() {
                return None;
            }
            let value = evaluate(text, &|_| None).and_then(|value| {
                u64::try_from(value).map_err(|_| format!("must be 0 or more, not {value}"))
            });
            value.map_err(|problem| refuse(field, problem)).ok()
        };
        let (least, most) = (bound("n_min", &spec.n_min), bound("n_max", &spec.n_max));
        match least.zip(most) {
            Some((least, most)) if most < least => {
                refuse("n_max", format!("must be at least n_min ({least}), not {most}"));
            }
            _ => {}
        }
        Self { least, most }
    }

    /// Records a problem if n is out of the bounds.
    pub(super) fn check(self, n: u64, problems: &mut Vec<Problem>) {
        let (path, cause, bound) = match self {
            Self { least: Some(least), .. } if n < least => ("n_min", Cause::Size, least),
            Self { most: Some(most), .. } if n > most => ("n_max", Cause::TooLarge, most),
            _ => return,
        };
        let text = format!("is {bound}, so that there is no input at n = {n}");
        problem::add(problems, Problem::new(path, cause, text));
    }
}
