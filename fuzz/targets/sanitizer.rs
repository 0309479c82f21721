//! The stderr of a program with sanitizers, which the program can forge.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_decode::addr2line::OwnFiles;
use profiler_decode::diagnostics::sanitizer::Finding;

/// The program's files besides the submitted source.
const FILES: [&str; 2] = ["lib/a.h", "util.cpp"];
/// Maximum length of a text in a finding, in characters.
const MAX_CHARS: usize = 200;

fuzz_target!(|stderr: &[u8]| {
    let own = OwnFiles::new(FILES.map(String::from));
    let Some(found) = Finding::parse(stderr, &own) else { return };
    for text in [&found.kind, &found.detail, &found.function] {
        assert!(text.chars().count() <= MAX_CHARS && !text.contains(char::is_control));
    }
    assert!(found.file.is_empty() || FILES.contains(&found.file.as_str()));
    assert!(found.line > 0 || (found.file.is_empty() && found.function.is_empty()));
});
