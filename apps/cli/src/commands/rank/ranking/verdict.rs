//! The sentence about the first program of a ranking.

use super::ranked::{Ranked, WIDE, is_alone};
use crate::args::SEVERAL_ANSWERS;
use profiler_compare::{Ratio, Verdict};
use profiler_export::Rightness;

/// Returns the verdict on the first program as one sentence.
pub(super) fn sentence(programs: &[Ranked]) -> String {
    let [first, others @ ..] = programs else { return String::new() };
    let Some(size) = first.size.filter(|_| first.is_right()) else {
        let said = if programs.iter().all(|it| it.tests == Some(Rightness::Wrong)) {
            "every program is wrong"
        } else if programs.iter().all(Ranked::is_right) {
            "no program ended OK at any size"
        } else {
            "no program that is correct ended OK at any size"
        };
        return said.into();
    };
    let right = others.iter().filter(|it| it.is_right());
    let here = right.clone().filter(|it| it.was_measured_at(size));
    let rivals = here.filter(|it| it.verdict == Some(Verdict::Same));
    let scatters = rivals.clone().filter_map(|it| it.ratio).any(|it| it.high > it.low * WIDE);
    let rivals: Vec<_> = rivals
        .map(|it| match it.ratio {
            Some(Ratio { low, high, .. }) => {
                format!("{} ({low:.2} to {high:.2} times as long)", it.program)
            }
            None => it.program.clone(),
        })
        .collect();
    let name = &first.program;
    let other = right.clone().find_map(|it| Some((&it.program, it.other_output_at?)));
    let of_whom =
        if right.clone().count() < others.len() { " of those that are correct" } else { "" };
    let is_unknown = |it: &Ranked| it.verdict == Some(Verdict::Unknown) && it.size.is_some();
    if is_alone(programs) {
        return format!(
            "{name} is first at n = {size}, but was not compared there: no other program was \
             measured at that size. Measure all with the same --sizes"
        );
    }
    let absent = right.clone().find(|it| it.size.is_some() && !it.was_measured_at(size));
    if let Some((program, n)) = other {
        format!(
            "{name} and {program} write different words at n = {n}, so none is called the fastest. \
             {SEVERAL_ANSWERS}"
        )
    } else if !rivals.is_empty() {
        let why = if scatters {
            ": the runs scatter too much to tell more; use larger or more --sizes"
        } else {
            ""
        };
        let rivals = rivals.join(", ");
        format!("no difference beyond chance at n = {size} between {name} and {rivals}{why}")
    } else if right.clone().any(is_unknown) {
        format!("{name} is first at n = {size}, but not every program could be compared with it")
    } else {
        let caveat = if let Some(absent) = absent {
            format!("; {} was not measured there", absent.program)
        } else if right.clone().any(|it| it.is_uncompared) {
            "; not all outputs there could be compared".into()
        } else {
            String::new()
        };
        format!("{name} is the fastest at n = {size}{of_whom}{caveat}")
    }
}
