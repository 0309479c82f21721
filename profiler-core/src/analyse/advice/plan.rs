//! Order of the trials: changes of the hottest lines come first, and changes of cold lines are not
//! tried.

use super::change::Change;
use crate::limits::{LEAST_ADVISED_SHARE, MAX_NAMED_CHANGES, MAX_TRIED_CHANGES};
use profiler_decode::is_submitted_source;
use profiler_proto::v1::{Advice, Hotspot, TriedChange};

/// Place of a level of optimisation among shares: before all changes of lines, or after them.
const FIRST: f64 = 2.0;
const LAST: f64 = -1.0;
const NO_TIME: &str = "no time";
const OTHERS: &str = "others concern hotter lines";
const COLD: &str = "its lines take almost no time";

/// Changes to try, and those that are not tried.
#[derive(Debug)]
pub(super) struct Plan {
    /// The changes to try, in their order.
    pub(super) changes: Vec<Change>,
    /// The other changes, with the reasons.
    untried: Vec<TriedChange>,
}

impl Plan {
    /// Orders changes, of which the first one may be a level that comes before all others.
    pub(super) fn new(changes: Vec<Change>, hotspots: &[Hotspot]) -> Self {
        let with_place = changes.into_iter().enumerate().map(|(index, mut change)| {
            let share = share(&change, hotspots);
            change.described.share = share;
            let place = match change.described.line {
                Some(_) => share.unwrap_or_default(),
                None if index == 0 => FIRST,
                None => LAST,
            };
            (place, change)
        });
        let mut all: Vec<_> = with_place.collect();
        all.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let is_cold = |it: &Change| it.described.share.is_some_and(|it| it < LEAST_ADVISED_SHARE);
        let (cold, mut warm): (Vec<_>, Vec<_>) =
            all.into_iter().map(|(_, change)| change).partition(is_cold);
        let others = warm.split_off(warm.len().min(MAX_TRIED_CHANGES));
        let others = others.into_iter().map(|it| untried(it, OTHERS));
        let untried = others.chain(cold.into_iter().map(|it| untried(it, COLD))).collect();
        Self { changes: warm, untried }
    }

    /// Tells which changes were not tried, after the first `tried` ones were.
    pub(super) fn tell(&mut self, tried: usize, advice: &mut Advice) {
        let late = self.changes.split_off(tried).into_iter().map(|it| untried(it, NO_TIME));
        let mut all: Vec<_> = late.chain(self.untried.drain(..)).collect();
        advice.left_out = u32::try_from(all.len()).unwrap_or(u32::MAX);
        all.truncate(MAX_NAMED_CHANGES);
        advice.untried = all;
    }
}

fn untried(change: Change, why_not: &str) -> TriedChange {
    TriedChange { why_not: why_not.into(), ..change.described }
}

/// Returns the share of the hotspots that falls on the lines whose cost a change is meant to
/// reduce. `None` if there are no such lines, or no hotspots.
fn share(change: &Change, hotspots: &[Hotspot]) -> Option<f64> {
    let is_concerned =
        |it: &&Hotspot| is_submitted_source(&it.file) && change.lines.contains(&it.line);
    let concerned = hotspots.iter().filter(is_concerned);
    let is_known = !hotspots.is_empty() && !change.lines.is_empty();
    is_known.then(|| concerned.map(|it| it.self_share).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn change(line: u32) -> Change {
        let described = TriedChange { line: Some(line), ..TriedChange::default() };
        Change { described, lines: BTreeSet::from([line]), ..Change::default() }
    }

    fn hotspot(line: u32, self_share: f64) -> Hotspot {
        Hotspot { file: "/tmp/main.cpp".into(), line, self_share, ..Hotspot::default() }
    }

    fn lines(changes: &[TriedChange]) -> Vec<(u32, &str)> {
        changes.iter().map(|it| (it.line.unwrap_or_default(), it.why_not.as_str())).collect()
    }

    #[test]
    fn hottest_lines_come_first_and_cold_ones_are_named() {
        let hotspots = [hotspot(2, 0.1), hotspot(3, 0.6), hotspot(4, 0.2)];
        let level = Change::default();
        let changes = [level.clone(), change(1), change(2), change(3), change(4), level];
        let mut plan = Plan::new(changes.into(), &hotspots);
        let order: Vec<_> = plan.changes.iter().map(|it| it.described.line).collect();
        assert_eq!(order, [None, Some(3), Some(4), Some(2), None]);
        assert_eq!(plan.changes[1].described.share, Some(0.6));
        let mut advice = Advice::default();
        plan.tell(3, &mut advice);
        assert_eq!(lines(&advice.untried), [(2, NO_TIME), (0, NO_TIME), (1, COLD)]);
        assert_eq!((plan.changes.len(), advice.left_out), (3, 3));
    }

    #[test]
    fn order_stays_without_hotspots() {
        let many = (1..=20).map(change).collect();
        let mut plan = Plan::new(many, &[]);
        let order: Vec<_> = plan.changes.iter().filter_map(|it| it.described.line).collect();
        assert_eq!(order, (1..).take(MAX_TRIED_CHANGES).collect::<Vec<_>>());
        let mut advice = Advice::default();
        plan.tell(MAX_TRIED_CHANGES, &mut advice);
        assert_eq!(lines(&advice.untried)[0], (9, OTHERS));
        assert_eq!((advice.left_out, advice.untried.len()), (12, MAX_NAMED_CHANGES));
    }

    #[test]
    fn share_is_that_of_the_lines() {
        let mut both = change(2);
        both.lines.insert(4);
        let hotspots = [hotspot(2, 0.5), hotspot(3, 0.3), hotspot(4, 0.25)];
        assert_eq!(share(&both, &hotspots), Some(0.75));
        assert_eq!(share(&both, &[]), None);
        assert_eq!(share(&Change::default(), &hotspots), None, "it concerns no lines");
    }
}
