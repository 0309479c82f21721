//! The codes of `doctor`'s checks. Scripts rely on the codes; the names are for people.

/// Code of a check. JSON has it in snake case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Code {
    Docker,
    Native,
    Gxx,
    Gprof,
    GnuTime,
    FrequencyGovernor,
    Turbo,
    Smt,
    Swap,
    HugePages,
    Load,
    HardwareCounters,
    OneProcessor,
    MemoryCgroup,
    ClockSource,
    RunDelay,
    Isolation,
    Steal,
    Interrupts,
}

impl Code {
    /// The name in the text.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Docker => "docker",
            Self::Native => "native",
            Self::Gxx => "g++",
            Self::Gprof => "gprof",
            // An absolute path, because the shell has its own `time`, which measures no memory.
            Self::GnuTime => "/usr/bin/time",
            Self::FrequencyGovernor => "frequency governor",
            Self::Turbo => "turbo",
            Self::Smt => "SMT siblings",
            Self::Swap => "swap",
            Self::HugePages => "transparent huge pages",
            Self::Load => "load",
            Self::HardwareCounters => "hardware counters",
            Self::OneProcessor => "one processor",
            Self::MemoryCgroup => "memory cgroup",
            Self::ClockSource => "clock source",
            Self::RunDelay => "run delay",
            Self::Isolation => "isolation (optional)",
            Self::Steal => "steal",
            Self::Interrupts => "interrupts",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names that scripts may rely on.
    const ALL: [(Code, &str); 19] = [
        (Code::Docker, "docker"),
        (Code::Native, "native"),
        (Code::Gxx, "gxx"),
        (Code::Gprof, "gprof"),
        (Code::GnuTime, "gnu_time"),
        (Code::FrequencyGovernor, "frequency_governor"),
        (Code::Turbo, "turbo"),
        (Code::Smt, "smt"),
        (Code::Swap, "swap"),
        (Code::HugePages, "huge_pages"),
        (Code::Load, "load"),
        (Code::HardwareCounters, "hardware_counters"),
        (Code::OneProcessor, "one_processor"),
        (Code::MemoryCgroup, "memory_cgroup"),
        (Code::ClockSource, "clock_source"),
        (Code::RunDelay, "run_delay"),
        (Code::Isolation, "isolation"),
        (Code::Steal, "steal"),
        (Code::Interrupts, "interrupts"),
    ];

    #[test]
    fn every_check_has_a_stable_code_that_the_page_lists() {
        let page = include_str!("../../../../../docs/command-line.md");
        for (position, (code, written)) in ALL.into_iter().enumerate() {
            assert_eq!(code as usize, position);
            assert_eq!(serde_json::to_value(code).unwrap(), written);
            let row = format!("| `{written}` | {} |", code.name());
            assert!(page.contains(&row), "{row}");
        }
        assert_eq!(Code::Interrupts as usize + 1, ALL.len(), "the last one");
    }
}
