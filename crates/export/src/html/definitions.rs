//! Definitions of every figure on the page. Titles of tables and plots link here. The meaning of a
//! field is declared at the field. The texts of this file explain the page, or terms that are not
//! fields.

use crate::html::escape::escaped_up_to;
use profiler_growth::Class;
use profiler_proto::v1::{
    AllocationSite, AllocationSnapshot, Figures, GrowthClassification, Headline, Host, Hotspot,
    HotspotFunction, MemoryFigures, ProfileReport, SizeResult,
};
use profiler_proto::{Figure, SIZE_FIGURES};
use std::sync::LazyLock;

/// Maximum length of the meaning of a term on the page, in bytes.
const MAX_MEANING_BYTES: usize = 1500;

/// Term: its anchor, its name, its meaning, and a remark.
struct Definition(&'static str, &'static str, &'static str, &'static str);

/// Definition without a remark.
const fn plain(anchor: &'static str, name: &'static str, meaning: &'static str) -> Definition {
    Definition(anchor, name, meaning, "")
}

/// All definitions, grouped by subject.
static GROUPS: LazyLock<[(&str, &[Definition]); 5]> = LazyLock::new(|| {
    [
        ("Time", TIME),
        ("Memory", MEMORY),
        ("How figures are made", METHOD),
        ("Growth", GROWTH.as_slice()),
        ("Where the work is done", WORK),
    ]
});

const TIME: &[Definition] = &[
    plain("runtime", "runtime_ms", SizeResult::RUNTIME_MS.meaning),
    Definition(
        "interval",
        "interval",
        Headline::INTERVAL.meaning,
        "Other intervals are those of the median.",
    ),
    plain("net-runtime", "net_runtime_ms", SizeResult::NET_RUNTIME_MS.meaning),
    plain("noise-floor", "noise floor", SizeResult::BELOW_NOISE_FLOOR.meaning),
    Definition(
        "wall",
        "wall_ms",
        Figures::WALL_MS.meaning,
        "Tables show the median of the repetitions, here and below.",
    ),
    plain("cpu", "cpu_ms", Figures::CPU_MS.meaning),
    Definition("user-sys", "user_ms, sys_ms", Figures::USER_MS.meaning, Figures::SYS_MS.meaning),
    plain("run-delay", "run_delay_ms", Figures::RUN_DELAY_MS.meaning),
    plain("blocked", "blocked_ms", Figures::BLOCKED_MS.meaning),
    plain("start-up", "start-up", ProfileReport::START_UP.meaning),
    plain("instructions", "instructions", SizeResult::INSTRUCTIONS.meaning),
];

const MEMORY: &[Definition] = &[
    Definition(
        "peak-memory",
        "peak_memory_mb",
        SizeResult::PEAK_MEMORY_MB.meaning,
        "≥ marks the peak of the largest process, where no cgroup counted what all processes held.",
    ),
    Definition(
        "data-stack",
        "data + stack",
        MemoryFigures::DATA_STACK_MB.meaning,
        "The memory probe, a run of its own, is stopped and inspected for it.",
    ),
    Definition(
        "heap-stack",
        "heap, stack",
        MemoryFigures::HEAP_MB.meaning,
        MemoryFigures::STACK_MB.meaning,
    ),
    plain("address-space", "address space", MemoryFigures::SIZE_MB.meaning),
    plain("live", "live bytes", AllocationSnapshot::LIVE_BYTES.meaning),
    plain("peak-site", "at the peak", AllocationSite::PEAK_BYTES.meaning),
    plain(
        "left",
        "left at the end",
        "Blocks that were still live when the program ended, classified as valgrind does. Lost: nothing points to the block. Indirectly lost: only lost blocks do. Possibly lost: only pointers into its middle are left. Still reachable: the program could still have freed it. Buffers for streams are their library's own, and never a leak. The kind is unknown if the blocks could not be examined, for example because a signal ended the program.",
    ),
    plain(
        "heap-map",
        "heap map",
        "Every block as a rectangle: its lifetime from left to right, its addresses from bottom to top. Unused ranges of addresses are left out.",
    ),
];

const METHOD: &[Definition] = &[
    plain(
        "repetitions",
        "repetitions",
        "The number of runs at this size without the warm-up. Runs repeat until the headline is known to 1 % or 50 µs: at least 5 and at most 100 times, fewer if the time budget ends first.",
    ),
    plain(
        "outcome",
        "outcome",
        "How the program ended: OK, TIME_LIMIT, MEMORY_LIMIT, OUTPUT_LIMIT or RUNTIME_ERROR, with evidence: the limit, the value that reached it, and who killed the program. An interactive task can also end with PROTOCOL_ERROR or INTERACTOR_FAILED. NOT_RUN is a size that was left out, because two smaller sizes in a row exceeded a limit, because the program lacked input, or because it did not pass all test cases; or a test case that was left out, because another failed before, or the time for test cases was spent.",
    ),
    plain(
        "candidate",
        "candidate",
        "One of several input specs, each a guess at the worst case. Every size is measured with each candidate, and the headline lists show the worst.",
    ),
    Definition(
        "input",
        "input",
        SizeResult::INPUT_BYTES.meaning,
        "The input is generated before the program starts, and costs the program neither time nor memory.",
    ),
    plain("calibration", "calibration", Host::CALIBRATION_MS.meaning),
    plain("fingerprint", "fingerprint", Host::FINGERPRINT.meaning),
    plain(
        "absent",
        "– and ∞",
        "A dash is a figure that could not be measured; it is never written as 0. Infinity is the figure of a size that did not end OK.",
    ),
];

static GROWTH: LazyLock<[Definition; 7]> = LazyLock::new(|| {
    [
        plain("class", "class", &CLASSES),
        plain("confidence", "confidence", GrowthClassification::CONFIDENCE.meaning),
        plain(
            "undecided",
            "cannot tell",
            "The measurements do not decide between classes. The report says why, and what would help: more sizes, larger sizes, an input spec, or instruction counts.",
        ),
        plain("exponent", "exponent", GrowthClassification::EXPONENT.meaning),
        plain(
            "signal",
            "signal",
            "One figure over n: time, instructions, instructions of the program's own code or of one line, memory. Each is evidence for a class; confidence is high if independent signals agree.",
        ),
        plain("curve", "fitted curve", GrowthClassification::CURVE.meaning),
        plain("prediction", "prediction", GrowthClassification::PREDICTION.meaning),
    ]
});

/// Meaning of a class, with the names of all classes.
static CLASSES: LazyLock<String> = LazyLock::new(|| {
    let [names @ .., last] = Class::NAMED.map(Class::name);
    format!(
        "How the figure grows with n, up to constant factors: {} or {last}, another power of n, or an exponential with another base.",
        names.join(", ")
    )
});

const WORK: &[Definition] = &[
    Definition("self", "self", Hotspot::SELF_SHARE.meaning, HotspotFunction::SELF_SHARE.meaning),
    Definition(
        "inclusive",
        "inclusive",
        Hotspot::INCLUSIVE_SHARE.meaning,
        HotspotFunction::INCLUSIVE_SHARE.meaning,
    ),
    Definition("executions", "count", Hotspot::COUNT.meaning, HotspotFunction::CALLS.meaning),
    plain(
        "exact",
        "exact counts",
        "Hotspots by instructions are exact counts from a separate run, so they are valid for runs of a millisecond. Instructions take different times: where a line's share of the time differs by more than a factor of two, it is named as well, from samples of another run, one every millisecond. Hotspots by gprof are samples, one every 10 ms.",
    ),
    plain(
        "flame-graph",
        "flame graph",
        "Who called whom. A function's frame lies on its caller's frame, and its width is its share of the instructions. Frames are ordered by name, not by time.",
    ),
];

/// Link to the definition of a term. The label must not be foreign text.
pub(super) fn term(anchor: &str, label: &str) -> String {
    debug_assert!(definitions_of_groups().any(|it| it.0 == anchor), "{anchor}");
    link(anchor, label)
}

/// Link from the title of a figure to the definition that explains it.
pub(super) fn figure_term(figure: &Figure) -> String {
    link(explained_at(figure).unwrap_or(figure.column), figure.title)
}

fn link(anchor: &str, label: &str) -> String {
    format!("<a class=\"term\" href=\"#def-{anchor}\">{label}</a>")
}

fn definitions_of_groups() -> impl Iterator<Item = &'static Definition> {
    GROUPS.iter().flat_map(|(_, group)| *group)
}

/// Returns the anchor of the definition that has the meaning of a figure, if a group has one.
fn explained_at(figure: &Figure) -> Option<&'static str> {
    let has_meaning = |it: &&Definition| [it.2, it.3].contains(&figure.meaning);
    definitions_of_groups().find(has_meaning).map(|it| it.0)
}

/// The section of all definitions.
pub(super) fn definitions() -> String {
    let mut page = String::from("<div class=\"definitions\">");
    let unexplained = SIZE_FIGURES
        .iter()
        .map(|it| &it.figure)
        .filter(|it| !it.title.is_empty() && explained_at(it).is_none());
    let others = unexplained.map(|it| plain(it.column, it.title, it.meaning)).collect::<Vec<_>>();
    let others = (!others.is_empty()).then_some(("Other columns", others.as_slice()));
    for (title, group) in GROUPS.iter().copied().chain(others) {
        page += &format!("<div><h3>{title}</h3><dl>");
        for Definition(anchor, name, meaning, more) in group {
            let said = escaped_up_to(format!("{meaning} {more}").trim_end(), MAX_MEANING_BYTES);
            page += &format!("<div id=\"def-{anchor}\"><dt>{name}</dt><dd>{said}</dd></div>");
        }
        page += "</dl></div>";
    }
    page + "</div>"
}
