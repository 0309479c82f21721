//! Settings that were probably meant by names that do not exist.

use super::declared::SETTINGS;
use std::fmt::Write;
use toml::Table;

/// Beginning of the names of most variables.
const PREFIX: &str = "PROFILER_";
/// Maximum number of letters that are added, left out, changed or swapped in a misspelt name.
const MAX_EDITS: usize = 2;
/// Similarity, from 0 to 1, above which a name is taken for another one with more words.
const ALIKE: f64 = 0.9;

/// Returns a sentence for each of these environment variables that is no setting, but whose name
/// is similar to that of a setting. Other programs have variables too, so any other name is fine.
pub fn misspelt_variables<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let is_known = |name: &str| SETTINGS.iter().any(|setting| setting.variable == name);
    let unknown = names.into_iter().filter(|name| !is_known(name));
    let hint = |name: &str| {
        let meant = meant(name, SETTINGS.iter().map(|setting| setting.variable))?;
        Some(format!("the variable {name} has no effect; did you mean {meant}?"))
    };
    unknown.filter_map(hint).collect()
}

/// Returns a line for each key of a file that is no setting, but similar to one.
pub(super) fn of_file(text: &str) -> String {
    let Ok(root) = text.parse::<Table>() else { return String::new() };
    let mut hints = String::new();
    for (name, value) in &root {
        let inner = value.as_table().into_iter().flat_map(Table::keys);
        let keys = inner.map(|key| format!("{name}.{key}"));
        let own = (!value.is_table()).then(|| name.clone());
        for key in own.into_iter().chain(keys) {
            let is_known = SETTINGS.iter().any(|setting| setting.key == key);
            let meant = meant(&key, SETTINGS.iter().map(|setting| setting.key));
            if let Some(meant) = meant.filter(|_| !is_known) {
                // Writing to a string cannot fail.
                let _ = write!(hints, "\n{key} is no setting; did you mean {meant}?");
            }
        }
    }
    hints
}

/// Returns the known name that is most similar to the written one, if one is similar.
fn meant<'k>(written: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let edits = |name: &str| strsim::osa_distance(written, name);
    let known: Vec<_> = known.collect();
    let nearest = known.iter().copied().min_by_key(|name| edits(name));
    nearest.filter(|name| edits(name) <= MAX_EDITS).or_else(|| {
        let written = written.strip_prefix(PREFIX)?;
        let own = known.iter().filter_map(|name| Some((*name, name.strip_prefix(PREFIX)?)));
        let alike = own.map(|(name, rest)| (name, strsim::jaro_winkler(written, rest)));
        let best = alike.max_by(|(_, a), (_, b)| a.total_cmp(b));
        best.filter(|(_, likeness)| *likeness > ALIKE).map(|(name, _)| name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_variables_are_named_with_what_was_meant() {
        for (written, meant) in [
            ("PROFILER_CONCURENCY", "PROFILER_CONCURRENCY"),
            ("PROFILER_QUOTA_LIVE", "PROFILER_QUOTA_LIVE_RUNS"),
            ("PROFILER_MAX_QUEUE", "PROFILER_MAX_QUEUED"),
            ("SANDBOX_MEM_MIB", "SANDBOX_MEM_MB"),
        ] {
            let hint = format!("the variable {written} has no effect; did you mean {meant}?");
            assert_eq!(misspelt_variables([written]), [hint]);
        }
    }

    #[test]
    fn other_variables_are_fine() {
        let other = ["PATH", "HOME", "LANG", "PROFILER_TEST_NATS", "PROFILER_GOLDEN", "SWIFTPROF"];
        let own = SETTINGS.iter().map(|setting| setting.variable);
        assert_eq!(misspelt_variables(other.into_iter().chain(own)), [""; 0]);
    }

    #[test]
    fn misspelt_settings_of_a_file_are_named_with_what_was_meant() {
        let text = "max_queue = 1\nlog_level = 'info'\n[quota]\nlive_run = 2\nother = 3\n";
        let hints = of_file(text);
        let lines: Vec<_> = hints.lines().skip(1).collect();
        assert_eq!(
            lines,
            [
                "max_queue is no setting; did you mean max_queued?",
                "quota.live_run is no setting; did you mean quota.live_runs?",
            ]
        );
    }
}
