//! Figures taken in turn, and their spread.

use std::time::Duration;

/// Durations of one procedure, round by round.
#[derive(Clone)]
pub(crate) struct Series {
    name: String,
    rounds: Vec<Duration>,
}

impl Series {
    pub(crate) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), rounds: Vec::new() }
    }

    pub(crate) fn add(&mut self, took: Duration) {
        self.rounds.push(took);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }
}

/// Prints minimum, median and maximum of every series in milliseconds, and of its ratio to the
/// first series round by round. A disturbance of the machine affects both values of a ratio.
pub(crate) fn print(title: &str, series: &[Series]) {
    println!("{title}, {} rounds in turn", series.first().map_or(0, |s| s.rounds.len()));
    println!(
        "{:<34} {:>10} {:>10} {:>10}   {:>24}",
        "", "min ms", "median ms", "max ms", "ratio min/median/max"
    );
    for one in series {
        let ms = spread(one.rounds.iter().map(|d| d.as_secs_f64() * 1e3));
        let base = series.iter().flat_map(|first| &first.rounds);
        let ratio = spread(one.rounds.iter().zip(base).map(|(d, b)| d.div_duration_f64(*b)));
        let [low, middle, high] = ms;
        let [least, median, most] = ratio;
        let name = &one.name;
        println!(
            "{name:<34} {low:>10.3} {middle:>10.3} {high:>10.3}   {least:>8.2}{median:>8.2}{most:>8.2}"
        );
    }
}

/// Prints minimum, median and maximum of the things a second of every series, whose rounds had
/// `count` things each.
pub(crate) fn print_rates(title: &str, series: &[Series], count: usize) {
    println!("{title}, {} rounds in turn", series.first().map_or(0, |s| s.rounds.len()));
    println!("{:<34} {:>10} {:>10} {:>10}", "", "min", "median", "max");
    for Series { name, rounds } in series {
        let rates = spread(rounds.iter().map(|took| count as f64 / took.as_secs_f64()));
        let [low, middle, high] = rates;
        println!("{name:<34} {low:>10.0} {middle:>10.0} {high:>10.0}");
    }
}

fn spread(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    let value_at = |index: usize| sorted.get(index).copied().unwrap_or(f64::NAN);
    [value_at(0), value_at(sorted.len() / 2), value_at(sorted.len().saturating_sub(1))]
}
