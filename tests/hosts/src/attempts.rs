//! The command of each attempt, and what must come of it.

use super::arch::Arch;
use super::engine::Engine;
use super::hosts::{AT_ROOT, Host, Try, UNIT};
use super::machine::{PROGRAMS, quoted};
use super::suite;
use serde_json::Value;
use xtask::install::base::BASE;
use xtask::steps::shell::root;

/// The AppArmor profile that lets swiftprof make namespaces.
const PROFILE: &str = "packaging/apparmor/swiftprof";
/// Longest time until a run has started its program, in seconds.
const STARTED_SECONDS: u32 = 15;
/// Counts the groups of sandboxes at the root of the tree.
const LEFT_AT_ROOT: &str = "cd /sys/fs/cgroup/swiftprof && echo left $(ls | grep -c ^box-)";
/// Counts the scopes that swiftprof's processes have asked systemd for, as soon as systemd has
/// removed them, or after ten seconds.
const LEFT_OF_SESSION: &str = "scopes() { find /sys/fs/cgroup -name 'swiftprof-*.scope' | wc -l; }; \
    for i in $(seq 100); do test $(scopes) = 0 && break; sleep 0.1; done; echo left $(scopes)";
/// Counts those below a unit's group. systemd runs it when the unit's program has ended, in a
/// group beside them, and removes them all afterwards. It makes one `$` of two.
const LEFT_OF_UNIT: &str = "cd /sys/fs/cgroup$$(cut -d: -f3 /proc/self/cgroup)/.. && \
    test -d supervisor -a $$SERVICE_RESULT = success && echo left $$(ls | grep -c ^box-)";

impl Try {
    /// The command.
    pub(super) fn command(self, host: &Host) -> String {
        let repository = quoted(&root().to_string_lossy());
        format!("REPOSITORY={repository}; BASE={BASE}; {}", self.bare_command(host))
    }

    fn bare_command(self, host: &Host) -> String {
        let prefix = format!("{} env {}", host.prefix, host.engine.address());
        let backend = host.backend.name();
        let source = |program: &str| {
            let path = root().join("tests/programs").join(program).with_extension("cpp");
            quoted(&path.to_string_lossy())
        };
        let run = |program: &str, mb: u32| {
            format!(
                "{PROGRAMS}/swiftprof run {} --backend {backend} --sizes 1 --timeout 20s \
                 --memory-mb {mb} --format json",
                source(program)
            )
        };
        let benign = run("hello", 512);
        let hostile = |rows| format!("{prefix} {}", suite::run(rows, backend));
        match self {
            Self::Doctor => format!("{prefix} {PROGRAMS}/swiftprof doctor"),
            Self::Benign | Self::Refused => format!("{prefix} {benign}"),
            Self::Hog => format!("{prefix} {}", run("eats_memory", host.limit_mb)),
            Self::Evidence => format!(
                "{prefix} {PROGRAMS}/swiftprof run {} --backend {backend} --sizes 4 --timeout 20s \
                 --instructions --hotspots --allocations --format json",
                source("hot_line")
            ),
            Self::Hostile => hostile(suite::FIRST),
            Self::Memory => hostile(suite::MEMORY),
            Self::Whole => hostile(suite::ALL),
            Self::Killed => {
                let boxes = match host.engine {
                    Engine::None => "find /sys/fs/cgroup -type d -name 'box-*'",
                    engine => engine.containers(),
                };
                let endless = run("endless_loop", 512);
                let script = format!(
                    "{endless} & sleep {STARTED_SECONDS}; echo there $({boxes} | wc -l); kill -9 $!; \
                     echo left $({boxes} | wc -l)\n{benign} > /dev/null 2>&1; echo then $({boxes} | wc -l)"
                );
                format!("{prefix} sh -c {}", quoted(&script))
            }
            Self::Left => left(host, &prefix, &benign),
            Self::Profile => {
                let profile = quoted(&root().join(PROFILE).to_string_lossy());
                format!(
                    "{prefix} sh -c 'apparmor_parser --version | head -n 1; apparmor_parser \
                     --skip-kernel-load --skip-cache \"$0\" && echo accepted' {profile}"
                )
            }
        }
    }

    /// Says in short what the command printed, and whether that is right.
    pub(super) fn judge(self, host: &Host, arch: Arch, printed: &str) -> (String, bool) {
        let line = |starts: &str| {
            let found = printed.lines().find_map(|line| line.trim().strip_prefix(starts));
            found.map(|rest| rest.trim().to_owned()).unwrap_or_default()
        };
        match self {
            Self::Doctor => {
                let (name, begins) = host.doctor;
                let said = line(name);
                let is_right = said.starts_with(begins);
                (said, is_right)
            }
            Self::Benign => judge_run(host, arch, printed, "OK", "UNSPECIFIED"),
            Self::Evidence => judge_evidence(arch, &json(printed)),
            Self::Refused => {
                let names_it = printed.contains(host.notices) && json(printed)["sizes"].is_null();
                let what = if names_it { "refused, names" } else { "does not name" };
                (format!("{what} {}", host.notices), names_it)
            }
            Self::Hog if host.notices == UNIT => {
                let error = json(printed);
                let code = word(&error["code"], "ERROR_CODE_");
                let names_it = error["message"].as_str().is_some_and(|said| said.contains(UNIT));
                let is_right = code == "INTERNAL" && names_it;
                (if names_it { format!("{code}, names {UNIT}") } else { code }, is_right)
            }
            Self::Hog => judge_run(host, arch, printed, "MEMORY_LIMIT", host.notices),
            Self::Hostile | Self::Memory | Self::Whole => suite::judge(printed),
            Self::Killed => {
                let counted =
                    ["there ", "left ", "then "].map(|word| line(word).parse::<u32>().ok());
                // In a session, systemd removes what is left. Elsewhere, without something left,
                // nothing shows that the next start removes it.
                let least = u32::from(!host.is_session());
                let is_right = matches!(counted, [Some(1..), Some(left), Some(0)] if left >= least);
                let [there, left, then] =
                    counted.map(|count| count.map_or("?".into(), |n| n.to_string()));
                (format!("{there} there, {left} left, {then} after the next start"), is_right)
            }
            Self::Left => {
                let left = line("left ");
                let is_right = left == "0";
                (format!("{left} left"), is_right)
            }
            Self::Profile => {
                let is_right = printed.lines().any(|line| line == "accepted");
                (format!("version {}", line("AppArmor parser version")), is_right)
            }
        }
    }
}

/// Runs a job and counts what is left. It counts only after the job was right, and where it has
/// seen that it looks at the right place.
fn left(host: &Host, prefix: &str, benign: &str) -> String {
    if host.engine != Engine::None {
        let containers = host.engine.containers();
        let script = format!(
            "{benign} > /dev/null && ids=$({containers}) && echo left $(echo $ids | wc -w)"
        );
        return format!("{prefix} sh -c {}", quoted(&script));
    }
    if host.is_session() {
        return format!("{benign} > /dev/null && {{ {LEFT_OF_SESSION}; }}");
    }
    if host.doctor == AT_ROOT {
        let script = format!("{benign} > /dev/null && {LEFT_AT_ROOT}");
        return format!("{prefix} sh -c {}", quoted(&script));
    }
    format!("{} -p 'ExecStopPost=sh -c \"{LEFT_OF_UNIT}\"' {benign}", host.prefix)
}

/// The report or the error that a run prints.
fn json(printed: &str) -> Value {
    // Progress comes first.
    let begin = printed.find("{\n").unwrap_or_default();
    serde_json::from_str(&printed[begin..]).unwrap_or_default()
}

/// The name of an enum's value without its prefix.
fn word(value: &Value, prefix: &str) -> String {
    let text = value.as_str().unwrap_or("?");
    text.strip_prefix(prefix).unwrap_or(text).to_owned()
}

/// Judges the report of a run of one size.
fn judge_run(
    host: &Host,
    arch: Arch,
    printed: &str,
    outcome: &str,
    method: &str,
) -> (String, bool) {
    let report = json(printed);
    let size = &report["sizes"][0];
    let found = word(&size["outcome"], "OUTCOME_");
    let by = word(&size["evidence"]["method"], "DETECTION_METHOD_");
    let lacking = report["host"]["not_enforced"].as_array();
    let lacking: Vec<_> = lacking.into_iter().flatten().filter_map(Value::as_str).collect();
    let told: Vec<_> = host.lacking_on(arch).collect();
    let is_said = |part: &&str| lacking.iter().any(|sentence| sentence.contains(part));
    let lacks_as_told = lacking.len() == told.len() && told.iter().all(is_said);
    let is_right = found == outcome && by == method && lacks_as_told;
    (format!("{found} by {by}, {} not enforced", lacking.len()), is_right)
}

/// Judges whether a report has what the counter finds and what the allocator tells. Without
/// counts, it must say which processor they need, and hotspots come from gprof.
fn judge_evidence(arch: Arch, report: &Value) -> (String, bool) {
    let warnings = report["warnings"].as_array().into_iter().flatten();
    let is_unsupported =
        |warning: &&Value| word(&warning["code"], "WARNING_CODE_") == "INSTRUCTIONS_UNSUPPORTED";
    let mut reasons = warnings.filter(is_unsupported);
    let names_it = reasons
        .any(|warning| warning["message"].as_str().is_some_and(|said| said.contains("x86-64")));
    let has_counts = !report["sizes"][0]["instructions"].is_null();
    let hotspots = word(&report["hotspots_method"], "HOTSPOTS_METHOD_");
    let found = if arch.counts() {
        [("counts", has_counts), ("hotspots", hotspots == "INSTRUCTIONS")]
    } else {
        [
            ("says why no counts", !has_counts && names_it),
            ("hotspots by gprof", hotspots == "GPROF"),
        ]
    };
    let allocations = ("allocations", report["allocations"].is_object());
    let there: Vec<_> = found.into_iter().chain([allocations]).filter(|found| found.1).collect();
    let names: Vec<_> = there.iter().map(|found| found.0).collect();
    (names.join(", "), there.len() == found.len() + 1)
}

#[cfg(test)]
mod tests {
    use super::super::hosts::{HOSTS, NO_RUN_CGROUP};
    use super::*;

    fn host(name: &str) -> &'static Host {
        HOSTS.iter().find(|host| host.name == name).unwrap()
    }

    fn is_right(tried: Try, name: &str, printed: &str) -> bool {
        tried.judge(host(name), Arch::Amd64, printed).1
    }

    fn report(outcome: &str, method: &str, lacking: &str) -> String {
        format!(
            "compiled\n{{\n\"sizes\":[{{\"outcome\":\"OUTCOME_{outcome}\",\"evidence\":\
             {{\"method\":\"DETECTION_METHOD_{method}\"}}}}],\
             \"host\":{{\"not_enforced\":[{lacking}]}}}}"
        )
    }

    #[test]
    fn command_that_prints_nothing_is_wrong_everywhere() {
        for host in &HOSTS {
            for tried in host.tries {
                assert!(!tried.judge(host, Arch::Amd64, "").1, "{}: {tried:?}", host.name);
            }
        }
    }

    #[test]
    fn doctor_must_say_what_the_host_gives() {
        let said = |rest: &str| format!("  memory cgroup         {rest}\n");
        let delegated = said("version 2, in the delegated /sys/fs/cgroup/a");
        assert!(is_right(Try::Doctor, "root, service", &delegated));
        let not = said("none: /sys/fs/cgroup/a is not delegated");
        assert!(!is_right(Try::Doctor, "root, service", &not));
        assert!(is_right(Try::Doctor, "user, service without delegation", &not));
        assert!(!is_right(Try::Doctor, "root, Docker", "  docker   does not work: no\n"));
        assert!(is_right(Try::Doctor, "root, Docker", "  docker   works\n"));
    }

    #[test]
    fn run_must_end_so_and_lack_what_is_told() {
        let [ok, hog] = [("OK", "UNSPECIFIED"), ("MEMORY_LIMIT", "OOM_KILL")];
        let of = |(outcome, method), lacking| report(outcome, method, lacking);
        assert!(is_right(Try::Benign, "root, service", &of(ok, "")));
        assert!(is_right(Try::Hog, "root, service", &of(hog, "")));
        assert!(!is_right(Try::Hog, "root, service", &of(("MEMORY_LIMIT", "POLLED"), "")));
        assert!(!is_right(Try::Benign, "root, service", &of(ok, "\"no memory cgroup here\"")));
        let one = "\"the program runs as the runner's own user; and so on\"";
        assert!(is_right(Try::Benign, "user, scope", &of(ok, one)));
        assert!(!is_right(Try::Benign, "user, scope", &of(ok, "")));
        assert!(!is_right(Try::Benign, "user, scope", &of(ok, "\"no memory cgroup here\"")));
    }

    #[test]
    fn repetitions_on_arm_have_no_own_cgroup() {
        let told = format!("\"repetitions share it: {NO_RUN_CGROUP}: ENOSYS)\"");
        let benign = |name: &str, lacking| {
            let printed = report("OK", "UNSPECIFIED", lacking);
            Try::Benign.judge(host(name), Arch::Arm64, &printed).1
        };
        assert!(benign("root, service", &told) && !benign("root, service", ""));
        assert!(benign("root, Docker", "") && !benign("root, Docker", &told));
    }

    #[test]
    fn evidence_is_counts_hotspots_and_allocations() {
        let report = |size, method, last| {
            format!(
                "{{\n\"sizes\":[{{\"{size}\":4000}}],\"hotspots_method\":\
                 \"HOTSPOTS_METHOD_{method}\",\"{last}\":{{}}}}"
            )
        };
        let is_right = |printed: &str| is_right(Try::Evidence, "root, service", printed);
        assert!(is_right(&report("instructions", "INSTRUCTIONS", "allocations")));
        assert!(!is_right(&report("size", "INSTRUCTIONS", "allocations")));
        assert!(!is_right(&report("instructions", "GPROF", "allocations")));
        assert!(!is_right(&report("instructions", "INSTRUCTIONS", "other")));
    }

    #[test]
    fn reason_for_absent_counts_names_the_processor() {
        let report = |code, said| {
            format!(
                "{{\n\"sizes\":[{{}}],\"hotspots_method\":\"HOTSPOTS_METHOD_GPROF\",\
                 \"allocations\":{{}},\"warnings\":[{{\"code\":\"WARNING_CODE_{code}\",\
                 \"message\":\"{said}\"}}]}}"
            )
        };
        let is_right = |code, said| {
            let printed = report(code, said);
            Try::Evidence.judge(host("root, service"), Arch::Arm64, &printed).1
        };
        assert!(is_right("INSTRUCTIONS_UNSUPPORTED", "this machine is not an x86-64"));
        assert!(!is_right("INSTRUCTIONS_UNSUPPORTED", "it does not work"));
        assert!(!is_right("NOT_COUNTED", "this machine is not an x86-64"));
    }

    #[test]
    fn unit_without_memory_is_an_error_that_names_it() {
        let error = |code, said| format!("{{\n\"code\":\"{code}\",\"message\":\"{said}\"}}");
        let is_right = |printed: &str| is_right(Try::Hog, "root, service of 400 MiB", printed);
        assert!(is_right(&error("ERROR_CODE_INTERNAL", "raise the unit's MemoryMax")));
        assert!(!is_right(&error("ERROR_CODE_INTERNAL", "raise it")));
        assert!(!is_right(&error("ERROR_CODE_CANCELLED", "MemoryMax")));
        assert!(!is_right(&report("MEMORY_LIMIT", "OOM_KILL", "")));
    }

    #[test]
    fn hostile_programs_must_have_run() {
        let ended = |counts: &str| format!("test result: {counts}; 0 ignored; 0 measured\n");
        let is_right = |counts| is_right(Try::Hostile, "root, Docker", &ended(counts));
        assert!(is_right("ok. 11 passed; 0 failed"));
        assert!(!is_right("ok. 0 passed; 0 failed"));
        assert!(!is_right("FAILED. 10 passed; 1 failed"));
    }

    #[test]
    fn remaining_processes_are_counted() {
        let is_right = |tried, printed| is_right(tried, "root, Docker", printed);
        assert!(is_right(Try::Killed, "there 1\nleft 1\nthen 0\n"));
        assert!(!is_right(Try::Killed, "there 1\nleft 0\nthen 0\n"));
        assert!(!is_right(Try::Killed, "there 1\nleft 1\nthen 1\n"));
        assert!(!is_right(Try::Killed, "there 1\nleft\nthen 0\n"));
        let in_session =
            |printed: &str| Try::Killed.judge(host("root, ssh session"), Arch::Amd64, printed).1;
        assert!(in_session("there 1\nleft 0\nthen 0\n"));
        assert!(!in_session("there 1\nleft 0\nthen 1\n"));
        assert!(!in_session("there 0\nleft 0\nthen 0\n"));
        assert!(is_right(Try::Left, "left 0\n") && !is_right(Try::Left, "left 2\n"));
    }

    #[test]
    fn profile_must_be_accepted() {
        let is_right = |printed| is_right(Try::Profile, "root, ssh session", printed);
        assert!(is_right("AppArmor parser version 4.1.0\naccepted\n"));
        assert!(!is_right("AppArmor parser version 4.1.0\nAppArmor parser error\n"));
    }
}
