//! Jobs for tests to submit.

use profiler_client::v1::{CodeMessage, Job, RunLimits};

/// Longer than any test lets a program run.
const LONG_MS: f64 = 60_000.0;

/// A job of `source`, at the default sizes.
pub fn job(source: &str) -> Job {
    Job {
        code: Some(CodeMessage {
            task_id: "test".into(),
            code_cpp: source.into(),
            ..CodeMessage::default()
        }),
        ..Job::default()
    }
}

/// Number of sandboxes of a job with several sizes while it is measured: its own, that of the last
/// size, and that of the counts.
pub const SANDBOXES: usize = 3;

/// A valid job, for servers that run nothing.
pub fn plain() -> Job {
    job("int main() {}")
}

/// Returns a job of a program that runs until it is killed, and the name by which the host can find
/// the program's process.
pub fn endless() -> (Job, String) {
    let name = unique_name();
    let endless = named(&name, "for (volatile bool on = true; on;) {}");
    (endless, name)
}

/// Returns a job of a program that computes for `ms` at its one size, and the name of its process.
pub fn computing_ms(ms: u32) -> (Job, String) {
    let name = unique_name();
    let lasting = format!("while (std::clock() < {ms} * (CLOCKS_PER_SEC / 1000)) {{}}");
    (named(&name, &lasting), name)
}

fn named(name: &str, body: &str) -> Job {
    let source = format!(
        "#include <ctime>\n#include <sys/prctl.h>\nint main() {{ prctl(PR_SET_NAME, \"{name}\"); {body} }}\n"
    );
    Job {
        input_sizes: vec![1],
        limits: Some(RunLimits { timeout_ms: Some(LONG_MS), ..RunLimits::default() }),
        ..job(&source)
    }
}

/// Makes a name of at most 15 bytes, as a process can have. The end of a version 7 id is random.
fn unique_name() -> String {
    let id = uuid::Uuid::now_v7().simple().to_string();
    format!("p{}", &id[id.len() - 14..])
}
