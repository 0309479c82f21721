//! The files that a command names, which its programs must not include.

use crate::args::{CheckerChoice, JobArgs};
use profiler_proto::file::named_files;
use std::path::PathBuf;

/// The files and folders that the options of a job name, and the files that its specs name.
pub(crate) fn named_by(args: &JobArgs) -> Vec<PathBuf> {
    let checker = match &args.checker {
        CheckerChoice::Program(checker) => Some(checker),
        CheckerChoice::Word(_) => None,
    };
    let judges = args.interactor.iter().chain(checker).chain(&args.validator);
    let others = judges.chain(&args.testlib).chain(&args.inputs).chain(&args.tests);
    let specs = args.input_spec.iter().chain(&args.task).cloned();
    [with_specs(specs), others.cloned().collect()].concat()
}

/// The files of specs, and the files that these specs name.
pub(crate) fn with_specs(specs: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let with_named = |spec: PathBuf| [named_files(&spec), vec![spec]].concat();
    specs.into_iter().flat_map(with_named).collect()
}
