//! The process between `/usr/bin/time` and the program in a warm-up. It measures the program as in
//! every other run, and writes the result where the program cannot reach it.

use crate::process::context::ProcessContext;
use crate::process::measure;
use crate::process::spec::{PROGRAM_NAME, Place, Spec};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::WorkFile;
use crate::sys::proc_view;
use crate::sys::trim_self;
use nix::sys::prctl;
use runner_protocol::{Limits, NamedFiles, read_frame, write_frame};
use serde::{Deserialize, Serialize};
use std::os::fd::RawFd;

/// The argument that selects this mode.
pub(crate) const ARGUMENT: &str = "once";

/// The request of the runner.
#[derive(Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) binary: String,
    pub(crate) limits: Limits,
    pub(crate) core: Option<u32>,
    pub(crate) files: NamedFiles,
    /// The descriptor of the runner's view of `/proc`, which this process inherits.
    pub(crate) proc_view: Option<RawFd>,
}

/// Executes the runner's request, on this process's own stdin, stdout and stderr.
pub(crate) fn run() -> Result<()> {
    prctl::set_dumpable(false).stage("set undumpable")?;
    let task: Task = read_frame(&mut WorkFile::WARM_UP.open()?)
        .stage("read the task")?
        .ok_or_else(|| Fault::new("read the task", "it is empty"))?;
    task.proc_view.map_or(Ok(()), proc_view::inherit)?;
    WorkFile::WARM_UP.remove()?;
    let spec = Spec {
        path: task.binary.into(),
        argv: vec![PROGRAM_NAME.into()],
        limits: Some(&task.limits),
        core: task.core,
        files: task.files,
        ..Spec::default()
    };
    let context = ProcessContext::prepare(Ok(None))?;
    trim_self::trim()?;
    let execution = measure::measure(&context, &spec, &Place::default(), &task.limits, None)?;
    write_frame(&mut WorkFile::WARM_UP_RESULT.create()?, &execution).stage("write the result")
}
