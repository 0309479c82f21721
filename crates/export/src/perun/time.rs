//! Time profiles: the time of each run over the size.

use super::document::{Profile, Snapshot};
use crate::call_stacks::frame_name;
use crate::error::Error;
use crate::report::candidate_name;
use profiler_perun::regression::{Method, Settings, analyse};
use profiler_proto::v1::{ProfileReport, RuntimeClock, Sample, SizeResult, Statistics};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// Minimum number of different sizes. With fewer, Perun's regression divides by zero.
const FEWEST_SIZES: usize = 3;
/// The key of the dependent variable in Perun's regression.
const AMOUNT: &str = "amount";
/// The key of the independent variable.
const SIZE: &str = "structure-unit-size";
const NS_PER_MS: f64 = 1e6;
/// The subtype of a mixed profile.
const SUBTYPE: &str = "time delta";
/// The uid of a mixed profile.
const WHOLE_PROGRAM: &str = "main";

/// One resource: the time of one repetition at one size.
struct Timing {
    uid: String,
    size: u64,
    /// Number of the repetition, from 1. Without raw samples there is only one.
    order: usize,
    ns: u64,
}

/// Writes a time profile in nanoseconds: `real`, `user` and `sys` as in the time utility, and
/// `runtime` on the headline's clock. With raw samples it has every repetition, else the medians
/// and the headline.
pub(crate) fn time(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let mut timings = timings(report, &["runtime", "real", "user", "sys"]);
    // Perun takes logarithms and skips values without one. It cannot fit a series that is left with
    // one size, such as a system time that the kernel rounds to 0 at the other sizes.
    let (all, logarithmic) =
        (sizes(&timings), sizes(timings.iter().filter(|it| it.ns > 0 && it.size > 0)));
    let is_lost = |uid: &str| {
        all.get(uid).is_some_and(|sizes| sizes.len() >= FEWEST_SIZES)
            && logarithmic.get(uid).is_some_and(|sizes| sizes.len() == 1)
    };
    timings.retain(|it| !is_lost(&it.uid));
    if timings.is_empty() {
        return Err(lacking("size that ended OK"));
    }
    // Perun fits a curve over a size, and needs the same keys in all resources.
    let is_series = sizes(&timings).values().all(|sizes| sizes.len() >= FEWEST_SIZES);
    let resource = |it: &Timing| {
        let mut resource =
            json!({ AMOUNT: it.ns, "type": "time", "uid": it.uid, "order": it.order });
        let place = if is_series { SIZE } else { "n" };
        resource[place] = it.size.into();
        resource
    };
    let resources = timings.iter().map(resource).collect();
    let profile = profile(report, "time", &json!({ "time": "ns" }), resources)?;
    Ok(serde_json::to_vec_pretty(&profile)?)
}

/// Writes a mixed profile in nanoseconds: the headline's clock of the whole program over the size,
/// and Perun's models of it. Candidates with fewer than three sizes are left out, because with them
/// Perun would not model any candidate.
pub(crate) fn mixed(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let mut timings = timings(report, &["runtime"]);
    let mut series = sizes(&timings);
    series.retain(|_, sizes| sizes.len() >= FEWEST_SIZES);
    timings.retain(|it| series.contains_key(&it.uid));
    if timings.is_empty() {
        return Err(lacking("three sizes that ended OK"));
    }
    let resource = |it: &Timing| {
        let uid = it.uid.replacen("runtime", WHOLE_PROGRAM, 1);
        json!({
            AMOUNT: it.ns, "subtype": SUBTYPE, "type": "mixed", "uid": uid, SIZE: it.size,
        })
    };
    let units = json!({ format!("mixed({SUBTYPE})"): "ns" });
    modelled(&profile(report, "mixed", &units, timings.iter().map(resource).collect())?)
}

/// Adds the models that Perun would fit. A model that cannot be fitted is absent.
fn modelled(profile: &Profile<Value>) -> Result<Vec<u8>, Error> {
    let document: Map<_, _> = serde_json::from_value(serde_json::to_value(profile)?)?;
    let mut profile = profiler_perun::Profile::from_document(document)?;
    let settings = Settings {
        of: AMOUNT.into(),
        per: SIZE.into(),
        models: Vec::new(),
        method: Method::Full,
        steps: NonZeroUsize::MIN,
    };
    let models = analyse(&profile, &settings)?.models;
    profile.add_models(models, settings.postprocessor())?;
    Ok(serde_json::to_vec_pretty(profile.document())?)
}

/// The different sizes of each uid.
fn sizes<'a>(timings: impl IntoIterator<Item = &'a Timing>) -> BTreeMap<String, BTreeSet<u64>> {
    let mut sizes = BTreeMap::<_, BTreeSet<_>>::new();
    for it in timings {
        sizes.entry(it.uid.clone()).or_default().insert(it.size);
    }
    sizes
}

fn lacking(what: &'static str) -> Error {
    Error::Lacks { what, field: None, reason: "a profile of time is made of their figures" }
}

fn profile(
    report: &ProfileReport,
    kind: &str,
    units: &Value,
    resources: Vec<Value>,
) -> Result<Profile<Value>, Error> {
    let params = json!({
        "clock": report.runtime_clock().as_str_name(),
        "compiler": report.compile.as_ref().map(|step| &step.command),
    });
    let snapshots = vec![Snapshot::new(0.0, resources)];
    Profile::new(report, kind, units, &params, snapshots)
}

/// The named figures of every size that ended OK.
fn timings(report: &ProfileReport, figures: &[&str]) -> Vec<Timing> {
    let clock = report.runtime_clock();
    let mut all = Vec::new();
    for size in &report.sizes {
        if !size.runtime_ms.is_some_and(f64::is_finite) {
            continue;
        }
        for figure in figures {
            let uid = match candidate_name(report, size.candidate) {
                Some(candidate) => format!("{figure} ({})", frame_name(candidate)),
                None => (*figure).to_owned(),
            };
            let values: Vec<_> = if size.samples.is_empty() {
                summary(size, figure).into_iter().collect()
            } else {
                size.samples.iter().filter_map(|sample| sampled(sample, figure, clock)).collect()
            };
            all.extend(values.into_iter().enumerate().map(|(at, ns)| Timing {
                uid: uid.clone(),
                size: size.size,
                order: at + 1,
                ns,
            }));
        }
    }
    all
}

/// The figure of one repetition that Perun calls `figure`, in nanoseconds. `None` if it was not
/// measured.
fn sampled(sample: &Sample, figure: &str, clock: RuntimeClock) -> Option<u64> {
    match figure {
        "real" => Some(sample.wall_ns),
        "user" => sample.user_ns,
        "sys" => sample.sys_ns,
        _ => match clock {
            RuntimeClock::Wall => Some(sample.wall_ns),
            RuntimeClock::Cpu => sample.cpu_ns,
            RuntimeClock::Unloaded | RuntimeClock::Unspecified => {
                Some(sample.wall_ns.saturating_sub(sample.run_delay_ns?))
            }
        },
    }
}

fn summary(size: &SizeResult, figure: &str) -> Option<u64> {
    let figures = size.figures.as_ref();
    let median = |statistics: Option<&Statistics>| statistics.map(|it| it.median);
    let ms = match figure {
        "real" => median(figures.and_then(|it| it.wall_ms.as_ref())),
        "user" => median(figures.and_then(|it| it.user_ms.as_ref())),
        "sys" => median(figures.and_then(|it| it.sys_ms.as_ref())),
        _ => size.runtime_ms,
    };
    ms.filter(|ms| ms.is_finite() && *ms >= 0.0).map(nanoseconds)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and no run takes 2^64 ns"
)]
fn nanoseconds(ms: f64) -> u64 {
    (ms * NS_PER_MS).round() as u64
}
