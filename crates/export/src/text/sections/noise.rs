//! Noise at several sizes in one sentence.

use super::size_table::half_share;
use profiler_proto::v1::{ProfileReport, SizeResult, WarningCode};

/// Returns the number of noisy times and the load of the host. `None` if at most one time is noisy:
/// its own warning says so.
pub(in crate::text) fn sentence(report: &ProfileReport) -> Option<String> {
    let noisy = report.warnings.iter().filter(|warning| warning.code() == WarningCode::Noisy);
    let noisy = noisy.filter_map(|warning| Some((warning.size?, warning.candidate.unwrap_or(0))));
    let noisy: Vec<_> = noisy.collect();
    if noisy.len() < 2 {
        return None;
    }
    let is_noisy = |size: &&SizeResult| noisy.contains(&(size.size, size.candidate));
    let worst = report.sizes.iter().filter(is_noisy).filter_map(half_share).reduce(f64::max);
    let worst = worst.map(|share| format!(", at worst to ± {:.1} %", share * 100.0));
    let load = load(report).map(|share| {
        format!("; programs waited {:.1} % of their time for a processor", share * 100.0)
    });
    Some(format!(
        "{} of {} runtimes are not known precisely{}{}",
        noisy.len(),
        report.sizes.len(),
        worst.unwrap_or_default(),
        load.unwrap_or_default()
    ))
}

/// Share of the programs' time in which they waited for a processor; `None` if no kernel counted
/// it.
fn load(report: &ProfileReport) -> Option<f64> {
    let figures = report.sizes.iter().filter_map(|size| size.figures.as_ref());
    let both = figures.filter_map(|figures| figures.run_delay_ms.zip(figures.wall_ms));
    let (delay, wall) = both.fold((0.0, 0.0), |(delay, wall), (more_delay, more_wall)| {
        (delay + more_delay.median, wall + more_wall.median)
    });
    (wall > 0.0).then(|| delay / wall)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample_reports::{ok, report};
    use profiler_proto::v1::Warning;

    #[test]
    fn noise_is_a_sentence_with_the_load_from_two_sizes_on() {
        let mut report = report(vec![ok(1, 1.0, 3.5), ok(2, 1.0, 3.5), ok(3, 2.0, 3.5)]);
        let noisy = |size| {
            let code = WarningCode::Noisy.into();
            Warning { code, size: Some(size), ..Warning::default() }
        };
        report.warnings = vec![noisy(1)];
        assert_eq!(sentence(&report), None);
        report.warnings.push(noisy(3));
        assert_eq!(
            sentence(&report).unwrap(),
            "2 of 3 runtimes are not known precisely, at worst to ± 2.0 %; programs waited 1.5 % of \
             their time for a processor"
        );
    }
}
