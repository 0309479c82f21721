//! Checks of a program's headers and further sources.

use crate::error::Violations;
use crate::job::{is_program_file, program_files_rule};
use crate::limits::{
    MAX_FILE_PATH_BYTES, MAX_FILES, MAX_FILES_BYTES, MAX_FOLDERS, MAX_SOURCE_BYTES,
};
use profiler_decode::SOURCE_FILE;
use profiler_proto::v1::SourceFile;
use std::collections::BTreeSet;

/// Names that the builds use themselves.
const TAKEN: [&str; 2] = ["main.out", "allocations.o"];
/// Characters that messages of g++ and debug information put around a path.
const AROUND_PATHS: [char; 7] = ['"', '\\', ':', '(', ')', '<', '>'];
/// Characters that make g++ take the path for a flag or for a file with flags.
const NO_PATH: [char; 2] = ['-', '@'];

impl Violations {
    /// Checks the files of the program in `field`.
    pub(super) fn files(&mut self, field: &str, files: &[SourceFile]) {
        self.check(files.len() <= MAX_FILES, field, || {
            format!("must have at most {MAX_FILES} files, not {}", files.len())
        });
        let total: usize = files.iter().map(|file| file.text.len()).sum();
        self.check(total <= MAX_FILES_BYTES, field, || {
            format!("must have at most {MAX_FILES_BYTES} bytes in total, not {total}")
        });
        let files = || files.iter().take(MAX_FILES);
        let folders: BTreeSet<_> = files().flat_map(|file| folders(&file.path)).collect();
        self.check(folders.len() <= MAX_FOLDERS, field, || {
            format!("must have at most {MAX_FOLDERS} folders, not {}", folders.len())
        });
        let mut seen = BTreeSet::new();
        for (at, SourceFile { path, text }) in files().enumerate() {
            let is_new = seen.insert(path.as_str());
            let problem = problem(path)
                .or_else(|| (!is_new).then(|| format!("{path:?} is listed twice")))
                .or_else(|| {
                    let is_folder = folders.contains(path.as_str());
                    is_folder.then(|| format!("{path:?} is also the folder of another file"))
                });
            if let Some(problem) = problem {
                self.add(format!("{field}[{at}].path"), problem);
            }
            self.check(text.len() <= MAX_SOURCE_BYTES, &format!("{field}[{at}].text"), || {
                format!("must have at most {MAX_SOURCE_BYTES} bytes, not {}", text.len())
            });
        }
    }
}

/// The folders on the way to a file.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.match_indices('/').map(|(end, _)| &path[..end])
}

/// Returns the problem of a path, if it has one.
fn problem(path: &str) -> Option<String> {
    if path.len() > MAX_FILE_PATH_BYTES {
        return Some(format!("must have at most {MAX_FILE_PATH_BYTES} bytes, not {}", path.len()));
    }
    if path.split('/').any(|part| ["", ".", ".."].contains(&part)) {
        return Some(format!(
            "must be a normalized path within the program's folder, not {path:?}"
        ));
    }
    let is_bad = |c: char| c.is_control() || AROUND_PATHS.contains(&c);
    if path.contains(is_bad) || path.starts_with(NO_PATH) {
        return Some(format!(
            "must not begin with - or @, or have control characters or any of \" \\ : ( ) < >, as \
             {path:?} does"
        ));
    }
    let first = path.split('/').next().unwrap_or(path);
    let is_taken = first == SOURCE_FILE || TAKEN.contains(&first);
    if is_taken {
        return Some(format!("must not be {first}, which has another meaning"));
    }
    (!is_program_file(path)).then(program_files_rule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Draft, Job};
    use profiler_proto::v1;

    fn draft(files: &[(&str, String)]) -> Draft {
        let mut draft = Draft::new("t", "int main() {}");
        draft.request.input_sizes = vec![1];
        let file = |(path, text): &(&str, String)| SourceFile {
            path: (*path).to_owned(),
            text: text.clone(),
        };
        draft.request.code.get_or_insert_default().files = files.iter().map(file).collect();
        draft
    }

    fn refused(files: &[(&str, String)]) -> Vec<String> {
        let bad = Job::try_from(draft(files)).unwrap_err();
        bad.iter().map(|violation| violation.field.clone()).collect()
    }

    #[test]
    fn files_belong_to_the_job() {
        let files = [("lib/a b.h", "x".to_owned()), ("util.cpp", String::new())];
        let job = Job::try_from(draft(&files)).unwrap();
        assert_eq!(job.files.len(), 2);
        assert_eq!(job.bytes(), Job::try_from(draft(&[])).unwrap().bytes() + 9 + 1 + 8);
    }

    #[test]
    fn path_that_leaves_the_folder_or_deceives_the_compiler_is_refused() {
        for path in [
            "",
            "/a.h",
            "../a.h",
            "a/../b.h",
            "./a.h",
            "a//b.h",
            "a/",
            "a\n.h",
            "a\0.h",
            "-o.cpp",
            "@a.cpp",
            "a:1.h",
            "a(1).h",
            "a\\b.h",
            "main.cpp",
            "main.cpp/a.h",
            "main.out",
            "allocations.o",
            "t7/1.out",
            ".git/a.h",
        ] {
            let good = ("good.h", String::new());
            let fields = refused(&[good, (path, String::new())]);
            assert_eq!(fields, ["code.files[1].path"], "{path:?}");
        }
        assert_eq!(refused(&[(&"a".repeat(257), String::new())]), ["code.files[0].path"]);
    }

    #[test]
    fn path_is_one_file() {
        let file = |path| (path, String::new());
        assert_eq!(refused(&[file("a.h"), file("a.h")]), ["code.files[1].path"]);
        assert_eq!(refused(&[file("a.h"), file("a.h/b.h")]), ["code.files[0].path"]);
    }

    #[test]
    fn files_are_bounded() {
        let names: Vec<_> = (0..=MAX_FILES).map(|at| format!("{at}.h")).collect();
        let many: Vec<_> = names.iter().map(|name| (name.as_str(), String::new())).collect();
        assert_eq!(refused(&many), ["code.files"]);
        let large = "x".repeat(MAX_SOURCE_BYTES + 1);
        assert_eq!(refused(&[("a.h", large.clone())]), ["code.files[0].text"]);
        let most = &large[1..];
        let three = ["a.h", "b.h", "c.h"].map(|name| (name, most.to_owned()));
        assert_eq!(refused(&three), ["code.files"]);
    }

    #[test]
    fn other_program_has_its_own_files() {
        let file = |path: &str| SourceFile { path: path.into(), text: String::new() };
        let against = |files| v1::OtherProgram {
            code_cpp: "int main() {}".into(),
            files,
            ..v1::OtherProgram::default()
        };
        let mut draft = draft(&[("a.h", String::new())]);
        draft.request.against = Some(against(vec![file("b.h")]));
        let job = Job::try_from(draft.clone()).unwrap();
        let other = job.opposite(job.against.as_ref().unwrap());
        assert_eq!(other.files, [file("b.h")]);
        draft.request.against = Some(against(vec![file("../b.h")]));
        let bad = Job::try_from(draft).unwrap_err();
        assert_eq!(bad.iter().next().unwrap().field, "against.files[0].path");
    }
}
