//! The process between `/usr/bin/time` and the program in a warm-up: it measures the program as every
//! other run is measured, and writes what it saw where the program cannot reach.

use crate::child::Spec;
use crate::fault::{At, Fault, Result};
use crate::files::Own;
use crate::measure::{self, Kit};
use crate::slim;
use nix::sys::prctl;
use runner_protocol::{Limits, read_frame, write_frame};
use serde::{Deserialize, Serialize};

/// The argument that selects this mode.
pub(crate) const ARGUMENT: &str = "once";
/// What every program sees as its own name.
pub(crate) const ARGV0: &str = "./main.out";

/// What to run.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) binary: String,
    pub(crate) limits: Limits,
    pub(crate) core: Option<u32>,
}

/// Runs the task that the runner left, on this process's own stdin, stdout and stderr.
pub(crate) fn once() -> Result<()> {
    prctl::set_dumpable(false).at("set undumpable")?;
    let task: Task = read_frame(&mut Own::WarmUp.open()?)
        .at("read the task")?
        .ok_or_else(|| Fault::new("read the task", "it is empty"))?;
    let spec = Spec {
        path: &task.binary,
        argv: vec![ARGV0.into()],
        limits: Some(&task.limits),
        core: task.core,
        ..Spec::default()
    };
    let kit = Kit::prepare(None)?;
    slim::down()?;
    let execution = measure::run(&kit, &spec, &task.limits, None)?;
    write_frame(&mut Own::WarmUpResult.create()?, &execution).at("write the result")
}
