//! Default sizes that fit the bound of n and the specs of the inputs.

use super::spread::{spread, up_to};
use super::{DENSE, EXTRA_CORNER_CASES, Sizes, TOO_LARGE_IS_NEXT, preferred_sizes};
use crate::limits::MAX_SIZE;
use profiler_input::{Cause, Problem};

impl Sizes {
    /// Sets the bound that the specs declare, if the job has none. Default sizes spread up to it,
    /// and a growing schedule ends there.
    pub(crate) fn bound_by(&mut self, n_max: u64) {
        if self.bound.is_some() {
            return;
        }
        let n_max = n_max.min(MAX_SIZE);
        self.bound = Some(n_max);
        if self.are_fitted {
            self.list = up_to(n_max);
            self.certain = self.list.len();
        } else if let Some(&begin) = self.possible().first() {
            self.list.truncate(self.certain);
            self.list.extend(preferred_sizes(n_max).into_iter().filter(|&rung| rung >= begin));
        }
    }

    /// Replaces the default sizes at which a spec has no input: the largest by a spread up to the
    /// largest preferred size with an input, and the corner cases by the two smallest sizes with
    /// an input. `examine` returns the problem of the specs at a size. If no size has an input, the
    /// sizes remain as they are.
    pub(crate) fn fit(&mut self, mut examine: impl FnMut(u64) -> Result<(), Problem>) {
        let Some(&largest) = self.list.last().filter(|_| self.are_fitted) else { return };
        let (mut most, mut reasons) = (largest, Vec::new());
        if examine(largest).is_err() {
            let rungs = preferred_sizes(largest);
            let mut is_too_large =
                |&n: &u64| examine(n).is_err_and(|found| found.cause == Cause::TooLarge);
            let count = rungs.partition_point(|rung| !is_too_large(rung));
            // Only a size that is too large says something about the larger ones.
            let fitting = rungs[..count].iter().rposition(|&rung| examine(rung).is_ok());
            let Some(fitting) = fitting else { return };
            most = rungs[fitting];
            let above = rungs.get(fitting + 1).and_then(|&above| examine(above).err());
            reasons.extend(above.map(|it| format!("larger sizes are left out, as {it}")));
        }
        let (mut at_first, mut at_last) = (None, None);
        let mut has_input = |n: &u64| match examine(*n) {
            Ok(()) => true,
            Err(problem) => {
                at_first.get_or_insert_with(|| problem.clone());
                at_last = Some(problem);
                false
            }
        };
        let small = (0..=DENSE.min(most)).filter(&mut has_input);
        let mut sizes: Vec<u64> = small.take(EXTRA_CORNER_CASES.len()).collect();
        let above = sizes.last().copied();
        let scales = spread(most).into_iter().filter(|&scale| above.is_none_or(|it| scale > it));
        sizes.extend(scales.filter(has_input));
        let (Some(&first), Some(&last)) = (sizes.first(), sizes.last()) else { return };
        if let Some(problem) = at_first.filter(|_| first > 0) {
            reasons.push(format!("sizes below n = {first} are left out, as {problem}"));
        }
        // The work limit of the checks can be reached after `most` was found.
        if let Some(problem) = at_last.filter(|_| last < most) {
            reasons.push(format!("n = {most} is left out, as {problem}"));
        }
        if !reasons.is_empty() {
            self.end = Some(format!("n = {last}; {}", reasons.join("; ")));
        }
        self.certain = sizes.len();
        self.list = sizes;
    }

    /// Leaves out `size` and all larger sizes, because `why`. Returns false if the job lists the
    /// size, or if no size would be left.
    pub(crate) fn end_before(&mut self, size: u64, why: &str) -> bool {
        let kept = self.list.partition_point(|&it| it < size);
        let Some(&last) = self.list[..kept].last() else { return false };
        if kept >= self.certain {
            self.last_is = TOO_LARGE_IS_NEXT;
        } else if self.are_fitted {
            let before = self.end.take();
            let before = before.as_ref().and_then(|end| Some(end.split_once("; ")?.1));
            let before = before.map(|reasons| format!("{reasons}; ")).unwrap_or_default();
            self.end = Some(format!("n = {last}; {before}larger sizes are left out, as {why}"));
        } else {
            return false;
        }
        self.list.truncate(kept);
        self.certain = self.certain.min(kept);
        true
    }

    /// Makes the sizes of a growing schedule up to `most` that begins with the corner cases of this
    /// fitted list.
    pub(crate) fn growing_from_corner_cases(&self, most: u64) -> Self {
        let corner_cases = &self.list[..self.list.len().min(EXTRA_CORNER_CASES.len())];
        let growing = self.growing(corner_cases.last().copied().unwrap_or(0), most);
        let list = [corner_cases, growing.possible()].concat();
        Self { list, certain: corner_cases.len(), ..growing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::sizes::INPUT_SCALES;
    use profiler_proto::v1;
    use std::cell::Cell;

    fn fitted(n_max: Option<i64>) -> Sizes {
        let input_bounds = n_max.map(|n_max| ("n".to_owned(), n_max)).into_iter().collect();
        Sizes::try_new(&v1::Job { fit_sizes: true, input_bounds, ..v1::Job::default() }).unwrap()
    }

    fn problem(cause: Cause, n: u64) -> Problem {
        Problem { path: "layout".into(), problem: format!("is bad at n = {n}"), cause }
    }

    #[test]
    fn sizes_end_before_one_that_is_too_large() {
        let mut sizes = fitted(Some(1000));
        let (first, last) = (sizes.requested()[0], sizes.requested()[3]);
        assert!(!sizes.end_before(first, "it is long"));
        assert!(sizes.end_before(last, "it is long"));
        assert_eq!((sizes.requested().len(), sizes.promised()), (3, Some(3)));
        let end = sizes.fitted_end().unwrap();
        assert!(end.ends_with("; larger sizes are left out, as it is long"), "{end}");
        let listed = v1::Job { input_sizes: vec![1, 2], ..v1::Job::default() };
        let mut listed = Sizes::try_new(&listed).unwrap();
        assert!(!listed.end_before(2, "it is long"));
        let auto = v1::Job { schedule: v1::Schedule::Auto.into(), ..v1::Job::default() };
        let mut auto = Sizes::try_new(&auto).unwrap();
        assert!(auto.end_before(10, "it is long"));
        assert_eq!((auto.requested().last(), auto.last_is()), (Some(&9), TOO_LARGE_IS_NEXT));
    }

    #[test]
    fn default_sizes_spread_up_to_the_bound() {
        for (n_max, expected) in [
            (0, &[0][..]),
            (1, &[0, 1]),
            (2, &[0, 1, 2]),
            (5, &[0, 1, 2, 3, 4, 5]),
            (6, &[0, 1, 2, 3, 4, 5, 6]),
            (20, &[0, 1, 2, 4, 6, 14, 20]),
            (2_000, &[0, 1, 20, 100, 200, 1_000, 2_000]),
            (100_000, &[0, 1, 1_000, 5_000, 10_000, 50_000, 100_000]),
            (200_000, &[0, 1, 1_000, 6_400, 14_000, 90_000, 200_000]),
            (1_000_000, &[0, 1, 1_000, 11_000, 32_000, 350_000, 1_000_000]),
        ] {
            assert_eq!(fitted(Some(n_max)).requested(), expected, "{n_max}");
        }
        assert_eq!(fitted(None).requested(), fitted(Some(100_000)).requested());
    }

    #[test]
    fn every_bound_from_six_on_has_seven_rising_sizes() {
        let large = (1..=18).flat_map(|power| [10_u64.pow(power) - 1, 10_u64.pow(power)]);
        for n_max in (6..5_000).chain(large).filter(|&n_max| n_max >= 6) {
            let sizes = fitted(Some(n_max.cast_signed()));
            let list = sizes.requested();
            assert!(list.len() == 7 && list.is_sorted_by(|a, b| a < b), "{n_max}: {list:?}");
            assert_eq!((list.last(), sizes.promised()), (Some(&n_max), Some(7)));
        }
    }

    #[test]
    fn listed_sizes_are_not_fitted() {
        let list = |values: &[u64]| Some(v1::SizeList { values: values.into() });
        let asked = || v1::Job { fit_sizes: true, ..v1::Job::default() };
        for (job, expected) in [
            (v1::Job { input_sizes: vec![2, 200_000], ..asked() }, &[2, 200_000][..]),
            (v1::Job { input_scales: list(&[9]), ..asked() }, &[0, 1, 9]),
            (v1::Job { extra_corner_cases: list(&[]), ..asked() }, &INPUT_SCALES),
            (
                v1::Job { fit_sizes: false, ..asked() },
                &[0, 1, 1_000, 5_000, 10_000, 50_000, 100_000],
            ),
        ] {
            let mut sizes = Sizes::try_new(&job).unwrap();
            sizes.fit(|n| Err(problem(Cause::TooLarge, n)));
            assert_eq!((sizes.requested(), sizes.fitted_end()), (expected, None));
        }
    }

    #[test]
    fn sizes_that_are_too_large_are_thinned() {
        let mut sizes = fitted(None);
        let examined = Cell::new(0);
        sizes.fit(|n| {
            examined.set(examined.get() + 1);
            if n <= 8_191 { Ok(()) } else { Err(problem(Cause::TooLarge, n)) }
        });
        assert_eq!(sizes.requested(), [0, 1, 80, 400, 800, 4_000, 8_000]);
        let end = "n = 8000; larger sizes are left out, as layout: is bad at n = 10000";
        assert_eq!(sizes.fitted_end(), Some(end));
        assert!(examined.get() < 20, "{}", examined.get());
    }

    #[test]
    fn large_sizes_without_an_input_are_thinned() {
        let fit = |n_max, has_input: fn(u64) -> bool| {
            let mut sizes = fitted(n_max);
            sizes.fit(|n| if has_input(n) { Ok(()) } else { Err(problem(Cause::Size, n)) });
            (sizes.requested().to_vec(), sizes.fitted_end().unwrap_or_default().to_owned())
        };
        let (sizes, end) = fit(None, |n| n <= 1_200);
        assert_eq!(sizes, [0, 1, 10, 50, 100, 500, 1_000]);
        assert_eq!(end, "n = 1000; larger sizes are left out, as layout: is bad at n = 1250");
        assert_eq!(fit(None, |n| n <= 5).0, [0, 1, 2, 3, 4, 5]);
        let (sizes, end) = fit(Some(1_001), |n| n % 2 == 0);
        assert_eq!(sizes, [0, 2, 10, 50, 100, 500, 1_000]);
        assert!(end.starts_with("n = 1000; larger sizes"), "{end}");
    }

    #[test]
    fn largest_size_that_is_no_longer_examined_has_its_reason() {
        let mut sizes = fitted(Some(2_000));
        let examined = Cell::new(0);
        sizes.fit(|n| {
            examined.set(examined.get() + 1);
            if examined.get() <= 5 { Ok(()) } else { Err(problem(Cause::TooLarge, n)) }
        });
        assert_eq!(sizes.requested(), [0, 1, 20, 100]);
        let end = "n = 100; n = 2000 is left out, as layout: is bad at n = 2000";
        assert_eq!(sizes.fitted_end(), Some(end));
    }

    #[test]
    fn corner_cases_without_an_input_are_replaced() {
        let mut sizes = fitted(Some(2_000));
        sizes.fit(|n| if n >= 3 { Ok(()) } else { Err(problem(Cause::Size, n)) });
        assert_eq!(sizes.requested(), [3, 4, 20, 100, 200, 1_000, 2_000]);
        let end = "n = 2000; sizes below n = 3 are left out, as layout: is bad at n = 0";
        assert_eq!(sizes.fitted_end(), Some(end));
    }

    #[test]
    fn default_sizes_spread_up_to_the_bound_of_a_spec() {
        let mut sizes = fitted(None);
        sizes.bound_by(200_000);
        assert_eq!(
            (sizes.requested(), sizes.n_max()),
            (fitted(Some(200_000)).requested(), Some(200_000))
        );
        sizes.bound_by(20);
        assert_eq!(sizes.n_max(), Some(200_000));
        let job = v1::Job { input_sizes: vec![2, 50], fit_sizes: true, ..v1::Job::default() };
        let mut listed = Sizes::try_new(&job).unwrap();
        listed.bound_by(20);
        assert_eq!((listed.requested(), listed.n_max()), (&[2, 50][..], Some(20)));
        let job = v1::Job { schedule: v1::Schedule::Auto.into(), ..v1::Job::default() };
        let mut growing = Sizes::try_new(&job).unwrap();
        growing.bound_by(5);
        assert_eq!((growing.certain(), growing.possible()), (&[0, 1][..], &[2, 3, 4, 5][..]));
    }

    #[test]
    fn growing_sizes_begin_with_the_corner_cases() {
        let growing = |most| fitted(None).growing_from_corner_cases(most);
        assert_eq!(growing(4).certain(), [0, 1]);
        assert_eq!(growing(4).possible(), [2, 3, 4]);
        assert_eq!((growing(1).promised(), growing(999).possible().last()), (Some(2), Some(&999)));
    }

    #[test]
    fn sizes_that_all_fit_remain() {
        let mut sizes = fitted(Some(20));
        sizes.fit(|_| Ok(()));
        assert_eq!((sizes.requested().len(), sizes.fitted_end()), (7, None));
    }

    #[test]
    fn specs_without_any_input_leave_the_sizes_as_they_are() {
        for cause in [Cause::TooLarge, Cause::Size, Cause::Spec] {
            let mut sizes = fitted(None);
            sizes.fit(|n| Err(problem(cause, n)));
            assert_eq!((sizes.requested().len(), sizes.fitted_end()), (7, None), "{cause:?}");
        }
    }
}
