//! The ways in which a search chooses inputs, with the effort and the result of each.

use super::counting::Counting;
use profiler_proto::v1::{SearchWay, SearchWayKind};
use profiler_search::Way;
use std::collections::BTreeMap;

/// The inputs of each way.
#[derive(Debug, Clone, Default)]
pub(super) struct Ways {
    ways: BTreeMap<Way, SearchWay>,
    /// The highest cost so far.
    most: Option<u64>,
}

impl Ways {
    /// Records an input that took this many seconds.
    pub(super) fn tell(&mut self, way: Way, seconds: f64, counting: &Counting) {
        let kind = match way {
            Way::Random => SearchWayKind::Random,
            Way::Vocabulary => SearchWayKind::Vocabulary,
            Way::Mutation => SearchWayKind::Mutation,
            Way::Exhaustive => SearchWayKind::Exhaustive,
            Way::Adversary => SearchWayKind::Adversary,
        };
        let effort = self.ways.entry(way).or_default();
        effort.kind = kind.into();
        effort.inputs += 1;
        effort.seconds += seconds;
        let Counting::Counted(cost, _) = counting else { return };
        let cost = Some(cost.all);
        effort.cost = effort.cost.max(cost);
        effort.records += u32::from(cost > self.most);
        self.most = self.most.max(cost);
    }

    /// Returns the ways that were used.
    pub(super) fn found(&self) -> Vec<SearchWay> {
        self.ways.values().copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::worst::RunCost;

    #[test]
    fn each_way_has_its_effort_and_its_records() {
        let mut ways = Ways::default();
        let counted = |all| Counting::Counted(RunCost { all, own: None }, BTreeMap::new());
        ways.tell(Way::Mutation, 1.0, &counted(5));
        ways.tell(Way::Random, 0.5, &counted(7));
        ways.tell(Way::Random, 0.5, &counted(6));
        ways.tell(Way::Random, 0.5, &Counting::Failed("SIGSEGV".into()));
        ways.tell(Way::Mutation, 1.0, &counted(9));
        ways.tell(Way::Mutation, 1.0, &counted(9));
        let way = |kind: SearchWayKind, inputs, seconds, cost, records| SearchWay {
            kind: kind.into(),
            inputs,
            seconds,
            cost: Some(cost),
            records,
        };
        let random = way(SearchWayKind::Random, 3, 1.5, 7, 1);
        let mutation = way(SearchWayKind::Mutation, 3, 3.0, 9, 2);
        assert_eq!(ways.found(), [random, mutation]);
    }
}
