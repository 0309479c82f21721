//! Checks of the job's own program: its source, or an executable that the caller has compiled.

use crate::error::Violations;
use crate::limits::MAX_PROGRAM_BYTES;
use profiler_decode::elf::Linkage;
use profiler_proto::v1::{self, CodeMessage};
use runner_protocol::{FURTHER_LIBRARIES, LIBRARIES, LOADER};

const FIELD: &str = "code.program";
/// The flag of a program that needs no libraries.
const STATIC: &str = "-static";
/// Maximum number of absent libraries that are named.
const MAX_NAMED: usize = 5;

impl Violations {
    /// Checks the job's own program, and what is requested of it. Returns the flags with which the
    /// empty program starts as this one does, in addition to the job's.
    pub(super) fn program(
        &mut self,
        code: &CodeMessage,
        source: &[u8],
        request: &v1::Job,
    ) -> Vec<String> {
        if code.program.is_empty() {
            self.source("code.code_cpp", source);
            return Vec::new();
        }
        for (field, is_set) in [
            (FIELD, !source.is_empty()),
            ("code.compiler_flags", !code.compiler_flags.is_empty()),
            ("code.files", !code.files.is_empty()),
            ("advice", request.advice),
            ("allocations", request.allocations),
            ("sanitize", request.sanitize),
            ("against", request.against.is_some()),
        ] {
            self.check(!is_set, field, || match field {
                FIELD => "cannot be used with code_cpp".into(),
                _ => "requires the source: cannot be used with a compiled program".into(),
            });
        }
        let bytes = code.program.len();
        self.check(bytes <= MAX_PROGRAM_BYTES, FIELD, || {
            format!("must have at most {MAX_PROGRAM_BYTES} bytes, not {bytes}")
        });
        match Linkage::read(&code.program[..]) {
            Ok(linkage) => {
                self.linkage(&linkage);
                linkage.loader.is_none().then(|| STATIC.to_owned()).into_iter().collect()
            }
            Err(why) => {
                self.add(FIELD, format!("cannot be measured: {why}"));
                Vec::new()
            }
        }
    }

    /// Refuses a program whose loader or libraries no sandbox has.
    fn linkage(&mut self, linkage: &Linkage) {
        const REMEDY: &str = "which no sandbox has: link it with -static";
        if let Some(loader) = linkage.loader.as_deref().filter(|path| *path != LOADER) {
            self.add(FIELD, format!("needs the dynamic loader {loader:?}, {REMEDY}"));
        }
        let has = |name: &&str| LIBRARIES.contains(name) || FURTHER_LIBRARIES.contains(name);
        let names = linkage.libraries.iter().map(String::as_str);
        let absent: Vec<_> = names.filter(|name| !has(name)).take(MAX_NAMED).collect();
        if !absent.is_empty() {
            self.add(FIELD, format!("needs {}, {REMEDY}", absent.join(", ")));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::job::{DEFAULT_FLAGS, Draft, Job};
    use profiler_proto::v1::{self, CodeMessage, OtherProgram, WorstGoal, WorstSearch};
    use profiler_test_support::elf::executable;
    use runner_protocol::LOADER;

    fn draft(program: Vec<u8>) -> Draft {
        let mut draft = Draft::new("task", "");
        draft.request.input_sizes = vec![1];
        draft.request.code.get_or_insert_default().program = program;
        draft
    }

    fn refused(draft: Draft) -> Vec<String> {
        let bad = Job::try_from(draft).unwrap_err();
        bad.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn empty_program_starts_as_the_compiled_one_does() {
        let flags = |program: Vec<u8>| {
            let job = Job::try_from(draft(program.clone())).unwrap();
            assert_eq!((job.bytes(), job.program), (program.len(), program));
            job.flags
        };
        assert_eq!(flags(executable(LOADER, &["libc.so.6", "libdl.so.2"])), DEFAULT_FLAGS);
        assert_eq!(flags(executable("", &[])), [&DEFAULT_FLAGS[..], &["-static"]].concat());
    }

    #[test]
    fn what_no_sandbox_has_is_named() {
        let needs = |loader, libraries: &[&str]| refused(draft(executable(loader, libraries)));
        assert_eq!(
            needs(LOADER, &["libc.so.6", "libfoo.so.1", "libz.so.1"]),
            ["code.program: needs libfoo.so.1, libz.so.1, which no sandbox has: link it with \
                 -static"]
        );
        assert_eq!(
            needs("/lib/ld-musl-x86_64.so.1", &[]),
            ["code.program: needs the dynamic loader \"/lib/ld-musl-x86_64.so.1\", which no \
                 sandbox has: link it with -static"]
        );
    }

    #[test]
    fn file_that_is_no_program_is_refused() {
        assert_eq!(
            refused(draft(b"#!/bin/sh\n".to_vec())),
            ["code.program: cannot be measured: it is a script"]
        );
        let mut large = executable("", &[]);
        large.resize((16 << 20) + 1, 0);
        assert_eq!(
            refused(draft(large)),
            ["code.program: must have at most 16777216 bytes, not 16777217"]
        );
    }

    #[test]
    fn what_needs_the_source_is_refused_by_its_field() {
        let mut draft = draft(executable("", &[]));
        draft.source = b"int main() {}".into();
        let code = draft.request.code.take().unwrap_or_default();
        let code_cpp = "int main() {}".into();
        draft.request = v1::Job {
            code: Some(CodeMessage { compiler_flags: vec!["-O3".into()], ..code }),
            advice: true,
            allocations: true,
            against: Some(OtherProgram { code_cpp, ..OtherProgram::default() }),
            ..draft.request
        };
        let said = refused(draft);
        assert_eq!(said[0], "advice: cannot be used with against");
        assert_eq!(said[1], "code.program: cannot be used with code_cpp");
        let why = "requires the source: cannot be used with a compiled program";
        let fields = ["code.compiler_flags", "advice", "allocations", "against"];
        assert_eq!(said[2..], fields.map(|field| format!("{field}: {why}")));
    }

    #[test]
    fn search_by_what_needs_the_source_is_refused() {
        let mut draft = draft(executable("", &[]));
        let goal = WorstGoal::Allocations.into();
        draft.request.worst = Some(WorstSearch { goal, ..WorstSearch::default() });
        let said = refused(draft);
        assert!(
            said.iter().any(|it| it.starts_with("worst.goal: requires the source")),
            "{said:?}"
        );
    }
}
