//! Output of the compiler and the linker, which repeats what the program's author wrote.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_core::build::CompileLimits;
use profiler_core::build::compiler::{died, step_and_binary};
use profiler_core::sandbox::fake::ended;
use runner_protocol::{Compiled, Ending};

/// Maximum number of diagnostics in a report.
const MAX_DIAGNOSTICS: usize = 200;

fuzz_target!(|output: &[u8]| {
    let compiled = Compiled {
        command: "g++".into(),
        compiler: "12.2.0".into(),
        execution: ended(Ending::Exited(1), 1, 1),
        output: output.into(),
        truncated: false,
        binary: None,
        dependencies: Vec::new(),
    };
    let limits = CompileLimits::default();
    let (step, binary) = step_and_binary(&compiled, limits);
    assert!(step.diagnostics.len() <= MAX_DIAGNOSTICS);
    for diagnostic in &step.diagnostics {
        assert!(!diagnostic.message.contains('\n') && !diagnostic.file.contains('\n'));
        assert!(output.len() >= diagnostic.message.len() / '\u{fffd}'.len_utf8());
    }
    // Two lines may be added: the count of further errors, and a hint.
    assert!(step.error_text.lines().count() <= step.output.lines().count() + 2);
    assert!(binary.is_err_and(|why| !why.contains('\n')));
    let _ = died(&compiled, limits);
});
