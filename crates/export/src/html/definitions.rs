//! Definitions of every figure on the page. Titles of tables and plots link here.

/// A term: its anchor, its name, and its meaning.
struct Definition(&'static str, &'static str, &'static str);

/// All definitions, grouped by subject.
const GROUPS: [(&str, &[Definition]); 5] = [
    ("Time", TIME),
    ("Memory", MEMORY),
    ("How figures are made", METHOD),
    ("Growth", GROWTH),
    ("Where the work is done", WORK),
];

const TIME: &[Definition] = &[
    Definition(
        "runtime",
        "runtime_ms",
        "The headline: the wall clock minus the run delay, which is the wall clock of an unloaded machine. It is the minimum of the repetitions. For several threads or processes it is the wall clock, and for an interactive task the processor time; the report names the clock. A size that did not end OK is infinite.",
    ),
    Definition(
        "interval",
        "interval",
        "The confidence interval of the figure, with its coverage. The headline is a minimum, so its interval lies below it and covers the undisturbed time (Weissman 1981). Other intervals are those of the median.",
    ),
    Definition(
        "net-runtime",
        "net_runtime_ms",
        "The headline minus the start-up, which is the headline of an empty program with the same flags. Noise can make it negative.",
    ),
    Definition(
        "noise-floor",
        "noise floor",
        "A size is below the noise floor if net_runtime_ms is at most the width of the interval of its headline or of the start-up. It is then too short to measure.",
    ),
    Definition(
        "wall",
        "wall_ms",
        "The monotonic clock from the start of the program to its end; the median of the repetitions.",
    ),
    Definition(
        "cpu",
        "cpu_ms",
        "Processor time of all processes of the program, from the scheduler's accounting.",
    ),
    Definition(
        "user-sys",
        "user_ms, sys_ms",
        "Processor time in the program's own code and in the kernel. Most kernels sample the two at clock ticks, so they never decide a verdict.",
    ),
    Definition(
        "run-delay",
        "run_delay_ms",
        "The time in which the program was ready to run but waited for a processor, from the kernel's schedstat. Other programs cause it, so the headline excludes it.",
    ),
    Definition(
        "blocked",
        "blocked_ms",
        "Wall clock minus processor time minus run delay: the program waited for input or output, or slept.",
    ),
    Definition(
        "start-up",
        "start-up",
        "The cost of starting alone: an empty main, compiled with the same flags, run under the same limits before the first size.",
    ),
    Definition(
        "instructions",
        "instructions",
        "Instructions executed in user mode, counted exactly by a binary translator in a separate, untimed run. Two runs give exactly the same count.",
    ),
];

const MEMORY: &[Definition] = &[
    Definition(
        "peak-memory",
        "peak_memory_mb",
        "The peak resident set size: the most physical memory that the program held at one time, in MiB; the maximum of the repetitions. If a memory cgroup counted over 16 MiB more in the memory probe, or the warm-up was that much larger, it is that. ≥ marks the peak of the largest process, where no cgroup counted what all processes held. The kernel counts pages in batches, so differences below half a MiB say nothing.",
    ),
    Definition(
        "data-stack",
        "data + stack",
        "VmData + VmStk: private writable mappings, touched or not. The maximum seen in a separate run that is stopped and inspected.",
    ),
    Definition(
        "heap-stack",
        "heap, stack",
        "The resident part of the heap and of the first thread's stack; the maximum seen. Large blocks with their own mapping are in neither.",
    ),
    Definition(
        "address-space",
        "address space",
        "VmPeak: the largest size of all mappings together, touched or not.",
    ),
    Definition(
        "live",
        "live bytes",
        "Memory allocated and not yet freed, in requested bytes. The allocator's overhead is excluded.",
    ),
    Definition(
        "peak-site",
        "at the peak",
        "The live bytes of a call site when the whole program had the most live bytes.",
    ),
    Definition(
        "left",
        "left at the end",
        "Blocks that were still live when the program ended, told apart as valgrind does. Lost: nothing points to the block. Indirectly lost: only lost blocks do. Possibly lost: only pointers into its middle are left. Still reachable: the program could still have freed it. Buffers for streams are their library's own, and never a leak. The kind is not known where nobody looked, for example because a signal ended the program.",
    ),
    Definition(
        "heap-map",
        "heap map",
        "Every block as a rectangle: its lifetime from left to right, its addresses from bottom to top. Unused ranges of addresses are left out.",
    ),
];

const METHOD: &[Definition] = &[
    Definition(
        "repetitions",
        "repetitions",
        "The number of runs at this size without the warm-up. Runs repeat until the headline is known to 1 % or 50 µs: at least 5 and at most 100 times, fewer if the time budget ends first.",
    ),
    Definition(
        "outcome",
        "outcome",
        "How the program ended: OK, TIME_LIMIT, MEMORY_LIMIT, OUTPUT_LIMIT or RUNTIME_ERROR, with evidence: the limit, the value that reached it, and who killed the program. An interactive task can also end with PROTOCOL_ERROR or INTERACTOR_FAILED. NOT_RUN is a size that was left out, because two smaller sizes in a row exceeded a limit, because the program was not fed what it reads, or because it is wrong on a test case; or a test case that was left out, because another failed before, or the time for test cases was spent.",
    ),
    Definition(
        "candidate",
        "candidate",
        "One of several input specs, each a guess at the worst case. Every size is measured with each candidate, and the headline lists show the worst.",
    ),
    Definition(
        "input",
        "input",
        "The length of the program's stdin. The input is generated before the program starts, and costs the program neither time nor memory.",
    ),
    Definition(
        "calibration",
        "calibration",
        "The time of a fixed piece of work on this host. Hosts with different calibrations have different speeds.",
    ),
    Definition(
        "fingerprint",
        "fingerprint",
        "A digest of the processor model, the number of processors, the kernel and the toolchain. Reports with equal fingerprints have comparable times.",
    ),
    Definition(
        "absent",
        "– and ∞",
        "A dash is a figure that could not be measured; it is never written as 0. Infinity is the figure of a size that did not end OK.",
    ),
];

const GROWTH: &[Definition] = &[
    Definition(
        "class",
        "class",
        "How the figure grows with n, up to constant factors: 1, log n, log² n, √n, n, n log n, n log² n, n√n, n², n² log n, n³, φⁿ, 2ⁿ, n·2ⁿ, 3ⁿ or n!, or another power of n.",
    ),
    Definition(
        "confidence",
        "confidence",
        "The probability that the class is right, given the models and the noise.",
    ),
    Definition(
        "undecided",
        "cannot tell",
        "The measurements do not decide between classes. The report says why, and what would help: more sizes, larger sizes, an input spec, or instruction counts.",
    ),
    Definition(
        "exponent",
        "exponent",
        "The slope on logarithmic axes near the largest size, without the start-up: 1 for a linear program, 2 for a quadratic one, a little above 1 for n log n.",
    ),
    Definition(
        "signal",
        "signal",
        "One figure over n: time, instructions, instructions of the program's own code or of one line, memory. Each is evidence for a class; confidence is high if independent signals agree.",
    ),
    Definition(
        "curve",
        "fitted curve",
        "constant + coefficient × f(n), where f is the class, fitted to the headlines.",
    ),
    Definition(
        "prediction",
        "prediction",
        "The estimated figure at the bound of n, with its interval and the limit. If the limit lies within the interval, there is no verdict.",
    ),
];

const WORK: &[Definition] = &[
    Definition(
        "self",
        "self",
        "The share of a line or a function in the total cost. Library code that it calls or inlines is included; other functions of the submitted source are not.",
    ),
    Definition(
        "inclusive",
        "inclusive",
        "The share including everything called from there. Recursion counts once.",
    ),
    Definition(
        "executions",
        "count",
        "How often a line was executed: the highest count of its instructions. For a function, how often it was called.",
    ),
    Definition(
        "exact",
        "exact counts",
        "Hotspots by instructions are exact counts from a separate run, so they are valid for runs of a millisecond. Hotspots by gprof are samples, one every 10 ms.",
    ),
    Definition(
        "flame-graph",
        "flame graph",
        "Who called whom. A function's frame lies on its caller's frame, and its width is its share of the instructions. Frames are ordered by name, not by time.",
    ),
];

/// A link to the definition of a term. The label must not be foreign text.
pub(super) fn term(anchor: &str, label: &str) -> String {
    debug_assert!(
        GROUPS.iter().any(|(_, group)| group.iter().any(|term| term.0 == anchor)),
        "{anchor}"
    );
    format!("<a class=\"term\" href=\"#def-{anchor}\">{label}</a>")
}

/// The section of all definitions.
pub(super) fn definitions() -> String {
    let mut page = String::from("<div class=\"definitions\">");
    for (title, group) in GROUPS {
        page += &format!("<div><h3>{title}</h3><dl>");
        for Definition(anchor, name, meaning) in group {
            page += &format!("<div id=\"def-{anchor}\"><dt>{name}</dt><dd>{meaning}</dd></div>");
        }
        page += "</dl></div>";
    }
    page + "</div>"
}
