//! Budget of a tier: minutes that its steps and suites may take on two cores.

use crate::steps::failure::Failure;
use crate::steps::shell::root;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

/// The committed budgets. They change on purpose, in the commit that costs or saves the time.
const FILE: &str = ".config/budget.toml";
/// Factor by which a time can exceed its budget before it is named.
const TOLERANCE: f64 = 1.2;
/// Minimum time that is printed if there is no budget, in minutes.
const LISTED_MINUTES: f64 = 0.1;

/// Minutes of one tier.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Budget {
    /// Minutes of the whole tier.
    pub(crate) minutes: f64,
    /// Minutes of each step, by its name.
    #[serde(default)]
    pub(crate) steps: BTreeMap<String, f64>,
    /// Minutes of each suite, by the name that nextest gives it.
    #[serde(default)]
    pub(crate) suites: BTreeMap<String, f64>,
}

impl Budget {
    /// Reads the budget of a tier.
    pub(crate) fn read(tier: &str) -> Result<Self, Failure> {
        let text = fs::read_to_string(root().join(FILE)).map_err(Failure::file(FILE))?;
        let mut tiers: BTreeMap<String, Self> =
            toml::from_str(&text).map_err(|cause| Failure::Missing(format!("{FILE}: {cause}")))?;
        tiers.remove(tier).ok_or_else(|| Failure::Missing(format!("{FILE} has no [{tier}]")))
    }
}

/// Prints the times of steps or suites next to their budget, and names each that exceeded it.
pub(crate) fn print<'a>(
    kind: &str,
    budget: &BTreeMap<String, f64>,
    taken: impl IntoIterator<Item = (&'a str, Duration)>,
) {
    println!("\n{:>8} {:>8}  {kind}", "minutes", "budget");
    for (name, took) in taken {
        let minutes = took.as_secs_f64() / 60.0;
        match budget.get(name) {
            Some(&allowed) => {
                let mark = if exceeds(minutes, allowed) { "  OVER ITS BUDGET" } else { "" };
                println!("{minutes:8.1} {allowed:8.1}  {name}{mark}");
            }
            None if minutes >= LISTED_MINUTES => println!("{minutes:8.1} {:>8}  {name}", "-"),
            None => {}
        }
    }
}

/// Whether a time is more than its budget allows, by more than the noise of a machine.
fn exceeds(minutes: f64, allowed: f64) -> bool {
    minutes > TOLERANCE * allowed
}

#[cfg(test)]
mod tests {
    use super::{Budget, exceeds};

    #[test]
    fn budget_of_every_tier_can_be_read() {
        for tier in ["check", "quick", "test"] {
            assert!(Budget::read(tier).unwrap().minutes > 0.0, "{tier}");
        }
    }

    #[test]
    fn excess_begins_a_fifth_above_the_budget() {
        assert!(!exceeds(11.9, 10.0));
        assert!(exceeds(12.1, 10.0));
    }
}
