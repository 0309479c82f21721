//! Profiles of time: what each run took, over the size.

use super::document::{Profile, Snapshot};
use crate::call_stacks::frame_name;
use crate::error::Error;
use profiler_perun::regression::{Method, Model, Settings, analyse};
use profiler_proto::v1::{ProfileReport, RuntimeClock, Sample, SizeResult, Statistics};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

/// Fewer different sizes make Perun's regression divide by zero.
const FEWEST_SIZES: usize = 3;
/// What Perun's regression explains, and by what.
const AMOUNT: &str = "amount";
const SIZE: &str = "structure-unit-size";
const NS_PER_MS: f64 = 1e6;
/// What a mixed profile measures.
const SUBTYPE: &str = "time delta";
/// Whose time a mixed profile has.
const WHOLE_PROGRAM: &str = "main";

/// One resource: whose time, at which size, in which repetition.
struct Taken {
    uid: String,
    size: u32,
    /// From 1; there is one where the repetitions are not known one by one.
    order: usize,
    ns: u64,
}

/// A time profile in nanoseconds: `real`, `user` and `sys` as the time utility has them, and `runtime`, the
/// headline's clock; of each repetition where the report has raw samples, else the medians and the headline.
pub(crate) fn time(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let taken = taken(report, &["runtime", "real", "user", "sys"]);
    if taken.is_empty() {
        return Err(lacking("size that ended OK"));
    }
    // Perun takes a size for something to fit a curve over, and wants the same keys in all resources.
    let is_series = sizes(&taken).values().all(|sizes| sizes.len() >= FEWEST_SIZES);
    let resource = |it: &Taken| {
        let mut resource =
            json!({ AMOUNT: it.ns, "type": "time", "uid": it.uid, "order": it.order });
        let place = if is_series { SIZE } else { "n" };
        resource[place] = it.size.into();
        resource
    };
    let resources = taken.iter().map(resource).collect();
    let profile = profile(report, "time", &json!({ "time": "ns" }), resources)?;
    Ok(serde_json::to_vec_pretty(&profile)?)
}

/// A mixed profile in nanoseconds: the headline's clock of the whole program over the size, and Perun's models of
/// it. A candidate of fewer than three sizes is left out, for Perun would model none of them then.
pub(crate) fn mixed(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let mut taken = taken(report, &["runtime"]);
    let mut series = sizes(&taken);
    series.retain(|_, sizes| sizes.len() >= FEWEST_SIZES);
    taken.retain(|it| series.contains_key(&it.uid));
    if taken.is_empty() {
        return Err(lacking("three sizes that ended OK"));
    }
    let resource = |it: &Taken| {
        let uid = it.uid.replacen("runtime", WHOLE_PROGRAM, 1);
        json!({
            AMOUNT: it.ns, "subtype": SUBTYPE, "type": "mixed", "uid": uid, SIZE: it.size,
        })
    };
    let units = json!({ format!("mixed({SUBTYPE})"): "ns" });
    modelled(&profile(report, "mixed", &units, taken.iter().map(resource).collect())?)
}

/// The profile with the models that Perun would find in it. One that cannot be fitted is absent.
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
    let records = analyse(&profile, &settings)?.models.iter().map(Model::record).collect();
    profile.add_models(records, settings.postprocessor())?;
    Ok(serde_json::to_vec_pretty(profile.document())?)
}

/// The different sizes of each uid.
fn sizes(taken: &[Taken]) -> BTreeMap<String, BTreeSet<u32>> {
    let mut sizes = BTreeMap::<_, BTreeSet<_>>::new();
    for it in taken {
        sizes.entry(it.uid.clone()).or_default().insert(it.size);
    }
    sizes
}

fn lacking(what: &'static str) -> Error {
    Error::Lacks { what, reason: "a profile of time is made of their figures" }
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
fn taken(report: &ProfileReport, figures: &[&str]) -> Vec<Taken> {
    let clock = report.runtime_clock();
    let mut all = Vec::new();
    for size in &report.sizes {
        if !size.runtime_ms.is_some_and(f64::is_finite) {
            continue;
        }
        for figure in figures {
            let several = report.candidates.len() > 1;
            let candidate = report.candidates.get(size.candidate as usize).filter(|_| several);
            let uid = match candidate {
                Some(candidate) => format!("{figure} ({})", frame_name(candidate)),
                None => (*figure).to_owned(),
            };
            let values: Vec<_> = if size.samples.is_empty() {
                summary(size, figure).into_iter().collect()
            } else {
                size.samples.iter().filter_map(|sample| sampled(sample, figure, clock)).collect()
            };
            all.extend(values.into_iter().enumerate().map(|(at, ns)| Taken {
                uid: uid.clone(),
                size: size.size,
                order: at + 1,
                ns,
            }));
        }
    }
    all
}

/// A figure of one repetition.
fn sampled(sample: &Sample, figure: &str, clock: RuntimeClock) -> Option<u64> {
    match figure {
        "real" => Some(sample.wall_ns),
        "user" => sample.user_ns,
        "sys" => sample.sys_ns,
        _ => crate::report::headline_ns(sample, clock),
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
    reason = "not below zero, and no run takes 2^64 ns"
)]
fn nanoseconds(ms: f64) -> u64 {
    (ms * NS_PER_MS).round() as u64
}
