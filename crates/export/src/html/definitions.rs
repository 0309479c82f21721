//! What every figure of the page means: each title of a table or of a plot links here.

/// A term: its anchor, its name, and its meaning.
struct Definition(&'static str, &'static str, &'static str);

/// In the order in which they are read, grouped by what they are about.
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
        "The headline: the wall clock less the run delay, which is what the wall clock would show on an unloaded machine. It is the least of the repetitions. Where a program has several threads or processes, it is the wall clock, and of an interactive task it is the processor time; the report names its clock. A size that did not end OK is infinite.",
    ),
    Definition(
        "interval",
        "interval",
        "Where the figure lies, with the coverage that is named. The headline's interval lies below it, for it is a minimum, and holds the undisturbed time (Weissman 1981); the interval of any other figure is that of its median.",
    ),
    Definition(
        "net-runtime",
        "net_runtime_ms",
        "The headline less the start-up: that of an empty program with the same flags. Noise can make it negative, and then it is shown so.",
    ),
    Definition(
        "noise-floor",
        "noise floor",
        "A size is below it where net_runtime_ms is at most as large as the interval of its own headline, or of the start-up's: it is too short to tell anything.",
    ),
    Definition(
        "wall",
        "wall_ms",
        "The monotonic clock over the interval from the start of the program until it ended; its median over the repetitions.",
    ),
    Definition(
        "cpu",
        "cpu_ms",
        "Processor time of the whole process tree, by the scheduler's own accounting.",
    ),
    Definition(
        "user-sys",
        "user_ms, sys_ms",
        "How the processor time divides into the program's own code and the kernel's. Most kernels sample it by ticks, so it is information and never a verdict.",
    ),
    Definition(
        "run-delay",
        "run_delay_ms",
        "The time in which the program could have run but waited for a processor, as the kernel tells in schedstat. Other programs of the machine are the reason for it, so the headline does not count it.",
    ),
    Definition(
        "blocked",
        "blocked_ms",
        "Wall clock less processor time less run delay: the program waited for input or output, or slept.",
    ),
    Definition(
        "start-up",
        "start-up",
        "What starting alone costs: an empty main, compiled with the same flags and run under the same limits before the first size.",
    ),
    Definition(
        "instructions",
        "instructions",
        "Instructions executed in user mode, counted exactly, in a run of its own that nothing is timed of, by a translator of machine code. Two runs give the same count to the last digit.",
    ),
];

const MEMORY: &[Definition] = &[
    Definition(
        "peak-memory",
        "peak_memory_mb",
        "The peak resident set: the most physical memory that the program held at one time, in MiB, the largest of the repetitions. The kernel counts it in batches, so differences below half a MiB say nothing.",
    ),
    Definition(
        "data-stack",
        "data + stack",
        "VmData + VmStk: private writable mappings, touched or not, the largest seen in a run of its own that is stopped and looked into.",
    ),
    Definition(
        "heap-stack",
        "heap, stack",
        "The resident part of the heap and of the first thread's stack, the largest seen. Large blocks that are mapped by themselves are in neither.",
    ),
    Definition(
        "address-space",
        "address space",
        "VmPeak: the largest size of all mappings together, touched or not.",
    ),
    Definition(
        "live",
        "live bytes",
        "What was allocated and not yet given back, in bytes as they were asked for; what the allocator adds to them is not in it.",
    ),
    Definition(
        "peak-site",
        "at the peak",
        "What a place in the program had live at the moment when the whole program had most live.",
    ),
    Definition("leak", "leak", "A block that was live at the program's end."),
    Definition(
        "heap-map",
        "heap map",
        "Every block as a rectangle: from left to right the time from its allocation until it was given back, from bottom to top its addresses. Unused stretches of the address space are left out.",
    ),
];

const METHOD: &[Definition] = &[
    Definition(
        "repetitions",
        "repetitions",
        "How often the program ran at this size, the warm-up apart: until the headline is known to 1 % or 50 µs, at least 5 and at most 100 times, fewer where the time budget ends first.",
    ),
    Definition(
        "outcome",
        "outcome",
        "How the program ended: OK, TIME_LIMIT, MEMORY_LIMIT, OUTPUT_LIMIT or RUNTIME_ERROR, with evidence: the limit, the value that met it, and who ended the program. In an interactive task the interactor can end it as PROTOCOL_ERROR or INTERACTOR_FAILED.",
    ),
    Definition(
        "candidate",
        "candidate",
        "One of several specs of the input, each a guess at the worst case. Every size is measured with each, and the headline lists have the worst.",
    ),
    Definition(
        "input",
        "input",
        "The length of what the program found on its stdin. It is made before the program starts, and costs it neither time nor memory.",
    ),
    Definition(
        "calibration",
        "calibration",
        "What a fixed piece of work took on this host. Reports of hosts that differ in it differ in speed.",
    ),
    Definition(
        "fingerprint",
        "fingerprint",
        "A digest over processor model, number of processors, kernel and toolchain. Reports with the same one have comparable times.",
    ),
    Definition(
        "absent",
        "– and ∞",
        "A dash is a figure that could not be measured; it is never written as 0. Infinite is a figure of a size that did not end OK.",
    ),
];

const GROWTH: &[Definition] = &[
    Definition(
        "class",
        "class",
        "How the figure grows with n, constant factors apart: 1, log n, √n, n, n log n, n√n, n², n² log n, n³, 2ⁿ or n!, or else a power of n.",
    ),
    Definition(
        "confidence",
        "confidence",
        "The probability that the class is right, given the models and the noise.",
    ),
    Definition(
        "undecided",
        "cannot tell",
        "The figures do not decide between classes. The report says why, and what would decide it: more sizes, larger ones, inputs that are described, or counting.",
    ),
    Definition(
        "exponent",
        "exponent",
        "The slope on two logarithmic axes towards the largest size, start-up and floor taken out: 1 for a linear program, 2 for a quadratic one, a little above 1 for n log n.",
    ),
    Definition(
        "signal",
        "signal",
        "One kind of figure over n: time, instructions, those of the program's own code, those of one line, memory. Each speaks for a class by itself; where independent signals agree, confidence is high.",
    ),
    Definition(
        "curve",
        "fitted curve",
        "constant + coefficient × f(n), f being the class, through the headline's figures.",
    ),
    Definition(
        "prediction",
        "prediction",
        "What the program would need at the bound of n, with an interval, beside the limit. Where the interval has the limit inside of it, whether it fits is not said.",
    ),
];

const WORK: &[Definition] = &[
    Definition(
        "self",
        "self",
        "The share of the whole that a line or a function costs, the libraries that it calls or that were inlined into it included, functions of the submitted source that it calls not.",
    ),
    Definition(
        "inclusive",
        "inclusive",
        "The share with all that was called from there; a recursion counts once.",
    ),
    Definition(
        "executions",
        "count",
        "How often a line was executed: the most that one of its instructions was. Of a function, how often it was called.",
    ),
    Definition(
        "exact",
        "exact counts",
        "Hotspots by instructions are counted one by one, in a build and a run of their own, so they hold for runs of a millisecond too. Those by gprof are sampled every 10 ms.",
    ),
    Definition(
        "flame-graph",
        "flame graph",
        "Who called whom: a function's frame lies on that of its caller and is as wide as its share of the instructions. The order from left to right is that of the names, not of time.",
    ),
];

/// A link to a term's meaning. The label is ours.
pub(super) fn term(anchor: &str, label: &str) -> String {
    debug_assert!(
        GROUPS.iter().any(|(_, group)| group.iter().any(|term| term.0 == anchor)),
        "{anchor}"
    );
    format!("<a class=\"term\" href=\"#def-{anchor}\">{label}</a>")
}

/// All terms.
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
