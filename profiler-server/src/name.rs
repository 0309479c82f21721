//! The names of runs: a later run has the greater one.

use std::sync::Mutex;
use std::time::Duration;
use uuid::{ContextV7, Timestamp, Uuid};

/// The step of a name's time (RFC 9562, section 5.7).
const STEP: Duration = Duration::from_millis(1);

/// Names that rise with the time, and go on rising while a clock that was set back catches up.
#[derive(Debug)]
pub(crate) struct Names(Mutex<ContextV7>);

impl Names {
    /// Names greater than `newest`, which an earlier server may have given by another clock.
    pub(crate) fn after(newest: Option<&str>) -> Self {
        let names = Mutex::new(ContextV7::new());
        let newest = newest.and_then(|name| Uuid::try_parse(name).ok()?.get_timestamp());
        if let Some((seconds, nanos)) = newest.map(|time| time.to_unix()) {
            let passed = Duration::new(seconds, nanos).saturating_add(STEP);
            let _ = Timestamp::from_unix(&names, passed.as_secs(), passed.subsec_nanos());
        }
        Self(names)
    }

    pub(crate) fn next(&self) -> String {
        Uuid::new_v7(Timestamp::now(&self.0)).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_rise() {
        let names = Names::after(None);
        let given: Vec<_> = (0..1000).map(|_| names.next()).collect();
        assert!(given.is_sorted_by(|before, after| before < after));
    }

    #[test]
    fn names_rise_also_behind_one_from_the_future() {
        let newest = "7fffffff-ffff-7fff-bfff-ffffffffffff";
        let names = Names::after(Some(newest));
        let given = [names.next(), names.next()];
        assert!(newest < given[0].as_str() && given[0] < given[1], "{given:?}");
    }
}
