//! Prints the figures.

use crate::fleet::speed::cell::{Cell, Figures};
use crate::tools::spread::Spread;

/// Prints the header of the table.
pub(crate) fn print(rounds: usize, seconds: u64, disk: &[f64]) {
    let disk: Spread = disk.iter().copied().collect();
    println!(
        "a job's 11 events, sandboxes that run nothing; {rounds} rounds of {seconds} s in turn; \
         min, median, max"
    );
    println!(
        "synced writes of 4 KiB a second: {:.0} {:.0} {:.0}",
        disk.permille(0),
        disk.median(),
        disk.max()
    );
    println!(
        "{:>7} {:>7} {:>7} | {:^20} | {:^20} | {:^23} | {:^26} | {:>5} | {:>9} | {:>10}",
        "servers",
        "workers",
        "callers",
        "jobs a second",
        "event p50 ms",
        "event p99 ms",
        "CPU ms a job: srv wrk gw",
        "busy",
        "idle ms/s",
        "unanswered"
    );
}

/// Prints a row: the least, the median and the greatest of the rounds, and the medians of costs.
pub(crate) fn print_row(cell: &Cell, rounds: &[Figures]) {
    let of = |figure: &dyn Fn(&Figures) -> f64| rounds.iter().map(figure).collect::<Spread>();
    let three = |spread: Spread, width: usize| {
        let figures = [spread.permille(0), spread.median(), spread.max()];
        figures.map(|figure| format!("{figure:>width$.1}")).join(" ")
    };
    let cost = [0, 1, 2].map(|part| of(&|figures| figures.job_ms[part]).median());
    println!(
        "{:>7} {:>7} {:>7} | {} | {} | {} | {:>8.2} {:>8.2} {:>8.2} | {:>5.2} | {:>9.1} | {:>10}",
        cell.servers,
        cell.workers,
        cell.callers,
        three(of(&|figures| figures.jobs_a_second), 6),
        three(of(&|figures| figures.latency_ms.median()), 6),
        three(of(&|figures| figures.latency_ms.permille(990)), 7),
        cost[0],
        cost[1],
        cost[2],
        of(&|figures| figures.busy).median(),
        of(&|figures| figures.idle_ms).median(),
        of(&|figures| figures.unanswered).max()
    );
}
