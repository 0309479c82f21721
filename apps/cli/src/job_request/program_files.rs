//! The headers and further sources of a program: what its files include, and the sources in its
//! folder.

use super::source::{is_stdin, read};
use crate::exit::Failure;
use crate::stderr::tell;
use profiler_core::job::{
    SOURCE_FILE, defines_main, included, is_program_file, is_source, local_includes,
    program_files_rule,
};
use profiler_core::limits::{MAX_FILES, MAX_SOURCE_BYTES};
use profiler_proto::v1::SourceFile;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Maximum number of files and folders that are looked at in the folder of a program.
const MAX_ENTRIES: usize = 10_000;
/// Maximum number of files in a message.
const MAX_TOLD: usize = 3;

/// The files of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// The argument that names the program: a file or a folder.
    pub(super) named: PathBuf,
    /// The source with `main`.
    pub(crate) main: PathBuf,
    /// Further sources, in the folder of `main` or below it.
    sources: Vec<PathBuf>,
}

/// Files of a program, without the one that defines `main`.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The files, by path.
    pub(crate) files: Vec<SourceFile>,
    /// Paths of files that the program includes and does not get.
    pub(super) left_out: Vec<String>,
}

impl Found {
    /// Tells which files the program includes and does not get.
    pub(super) fn tell_left_out(&self, name: &str) {
        let (told, others) = self.left_out.split_at(self.left_out.len().min(MAX_TOLD));
        if told.is_empty() {
            return;
        }
        let more = if others.is_empty() { "" } else { ", ..." };
        tell(format_args!(
            "swiftprof: {name} includes files that it does not get: {}{more}. The path of a \
             program's file {}, and it must not be a file of the job, such as a checker",
            told.join(", "),
            program_files_rule()
        ));
    }
}

impl Program {
    /// The program in a file or in a folder. A folder has one source with `main`, directly in it.
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        if !path.is_dir() {
            return Ok(Self { named: path.into(), main: path.into(), sources: Vec::new() });
        }
        let mut found = Vec::new();
        collect(path, &mut found, &mut 0)?;
        found.sort_unstable();
        let is_main = |file: &&PathBuf| file.parent() == Some(path) && has_main(file);
        let mains: Vec<_> = found.iter().filter(is_main).cloned().collect();
        let [main] = mains.as_slice() else {
            let problem = format!(
                "is a folder: name the programs in it, such as {}; a folder is one program if one \
                 source in it defines main, not {}",
                path.join("*.cpp").display(),
                mains.len()
            );
            return Err(Failure::argument(path.display().to_string(), problem));
        };
        found.retain(|file| file != main);
        Ok(Self { named: path.into(), main: main.clone(), sources: found })
    }

    /// The program in several sources, if only one of them defines `main`; else they are several
    /// programs.
    pub(crate) fn of_sources(files: &[PathBuf]) -> Option<Self> {
        let is_file = |file: &PathBuf| !is_stdin(file) && file.is_file();
        if files.len() < 2 || !files.iter().all(is_file) {
            return None;
        }
        let (mains, sources): (Vec<_>, Vec<_>) =
            files.iter().cloned().partition(|file| has_main(file));
        match mains.as_slice() {
            [main] => Some(Self { named: main.clone(), main: main.clone(), sources }),
            _ => None,
        }
    }

    /// Reads the further sources, and the files that they and `main` include. A name that leaves
    /// the program's folder or leads through a symbolic link, and a file that is not there, are
    /// left to the compiler. So are files that are no headers or sources, and those of the job
    /// itself, at or below `withheld`: their names are in the result.
    pub(crate) fn files(&self, main: &str, withheld: &[PathBuf]) -> Result<Found, Failure> {
        if is_stdin(&self.main) {
            return Ok(Found::default());
        }
        let folder = self.folder();
        let withheld = Withheld::new(folder, withheld);
        let (mut files, mut left_out) = (Vec::new(), Vec::new());
        for source in &self.sources {
            let path = relative(folder, source).ok_or_else(|| {
                let problem = format!("must be in {} or below it", folder.display());
                Failure::argument(source.display().to_string(), problem)
            })?;
            // Sources of a folder are there without being named.
            if self.named != self.main && withheld.has(source) {
                left_out.push(path);
                continue;
            }
            files.push(SourceFile { path, text: text(source)? });
        }
        let mut seen: BTreeSet<_> =
            files.iter().map(|file| &file.path).chain(&left_out).cloned().collect();
        let mut names = includes(SOURCE_FILE, main);
        names.extend(files.iter().flat_map(|file| includes(&file.path, &file.text)));
        while let Some(path) = names.pop() {
            let is_other = path != SOURCE_FILE && folder.join(&path) != self.main;
            if is_other
                && files.len() <= MAX_FILES
                && is_plain(folder, &path)
                && seen.insert(path.clone())
            {
                if !is_program_file(&path) || withheld.has(&folder.join(&path)) {
                    left_out.push(path);
                    continue;
                }
                let text = text(&folder.join(&path))?;
                names.extend(includes(&path, &text));
                files.push(SourceFile { path, text });
            }
        }
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        Ok(Found { files, left_out })
    }

    /// The paths of these files of the program.
    pub(crate) fn paths(&self, files: &[SourceFile]) -> Vec<PathBuf> {
        files.iter().map(|file| self.folder().join(&file.path)).collect()
    }

    fn folder(&self) -> &Path {
        self.main.parent().unwrap_or(Path::new(""))
    }
}

/// Adds the sources in a folder and below it, without hidden folders and symbolic links.
fn collect(folder: &Path, found: &mut Vec<PathBuf>, seen: &mut usize) -> Result<(), Failure> {
    let unreadable = |cause| Failure::Unreadable { path: folder.into(), cause };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        *seen += 1;
        if *seen > MAX_ENTRIES {
            let problem = format!("has more than {MAX_ENTRIES} files; name the sources");
            return Err(Failure::argument(folder.display().to_string(), problem));
        }
        let (kind, name) = (entry.file_type().map_err(unreadable)?, entry.file_name());
        let name = name.to_string_lossy();
        if kind.is_dir() && !name.starts_with('.') {
            collect(&entry.path(), found, seen)?;
        } else if kind.is_file() && is_source(&name) {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn has_main(file: &Path) -> bool {
    text(file).is_ok_and(|text| defines_main(&text))
}

/// Reads a file. Its comments may have any encoding.
fn text(file: &Path) -> Result<String, Failure> {
    Ok(String::from_utf8_lossy(&read(file, MAX_SOURCE_BYTES)?).into_owned())
}

fn includes(from: &str, text: &str) -> Vec<String> {
    local_includes(text).filter_map(|name| included(from, name)).collect()
}

/// The path of a source within a folder, with slashes. Symbolic links are resolved.
fn relative(folder: &Path, source: &Path) -> Option<String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let (folder, source) = (fs::canonicalize(folder).ok()?, fs::canonicalize(source).ok()?);
    let normal = |part: Component<'_>| part.as_os_str().to_str().map(str::to_owned);
    let parts: Option<Vec<_>> =
        source.strip_prefix(folder).ok()?.components().map(normal).collect();
    parts.map(|parts| parts.join("/"))
}

/// Files and folders of a job, which its program must not have. Symbolic links are resolved.
struct Withheld(Vec<PathBuf>);

impl Withheld {
    /// A folder that has the program's own folder withholds nothing.
    fn new(folder: &Path, named: &[PathBuf]) -> Self {
        let folder = if folder == Path::new("") { Path::new(".") } else { folder };
        let folder = fs::canonicalize(folder).unwrap_or_default();
        let real = named.iter().filter_map(|path| fs::canonicalize(path).ok());
        Self(real.filter(|path| !folder.starts_with(path)).collect())
    }

    fn has(&self, path: &Path) -> bool {
        let real = fs::canonicalize(path).unwrap_or_default();
        self.0.iter().any(|withheld| real.starts_with(withheld))
    }
}

/// Whether a path leads to a regular file, and through no symbolic link.
fn is_plain(folder: &Path, path: &str) -> bool {
    let mut at = folder.to_path_buf();
    let mut parts = path.split('/').peekable();
    while let Some(part) = parts.next() {
        at.push(part);
        let Ok(found) = fs::symlink_metadata(&at) else { return false };
        let is_good = if parts.peek().is_some() { found.is_dir() } else { found.is_file() };
        if !is_good {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn paths(program: &Program) -> Vec<String> {
        let main = fs::read_to_string(&program.main).unwrap();
        let found = program.files(&main, &[]).unwrap();
        found.files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn folder_gives_no_source_of_the_job() {
        let folder = folder(&[
            ("main.cpp", "#include \"judge/ref.cpp\"\nint main() {}\n"),
            ("judge/ref.cpp", "int answer();\n"),
            ("util.cpp", "int util();\n"),
        ]);
        let program = Program::at(folder.path()).unwrap();
        let main = fs::read_to_string(&program.main).unwrap();
        let named = [folder.path().to_owned(), folder.path().join("judge/ref.cpp")];
        let found = program.files(&main, &named).unwrap();
        let paths: Vec<_> = found.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!((paths, found.left_out), (vec!["util.cpp"], vec!["judge/ref.cpp".to_owned()]));
    }

    #[test]
    fn headers_are_found_through_headers() {
        let main = "#include \"lib/a.h\"\n#include \"absent.h\"\nint main() {}";
        let folder = folder(&[
            ("p/main.cpp", main),
            ("p/lib/a.h", "#include \"b.h\"\n#include \"../c.h\"\n#include \"a.h\""),
            ("p/lib/b.h", ""),
            ("p/c.h", "#include \"main.cpp\""),
            ("p/other.h", ""),
        ]);
        let program = Program::at(&folder.path().join("p/main.cpp")).unwrap();
        assert_eq!(paths(&program), ["c.h", "lib/a.h", "lib/b.h"]);
    }

    #[test]
    fn name_that_leaves_the_folder_is_not_followed() {
        let main = "#include \"../secret.h\"\n#include \"/etc/passwd\"\n#include \"link.h\"\n\
                    #include \"away/secret.h\"\n#include \"lib/../../secret.h\"\nint main() {}";
        let folder = folder(&[("p/a.cpp", main), ("secret.h", "secret"), ("p/lib/x.h", "")]);
        symlink("../secret.h", folder.path().join("p/link.h")).unwrap();
        symlink("..", folder.path().join("p/away")).unwrap();
        let program = Program::at(&folder.path().join("p/a.cpp")).unwrap();
        assert_eq!(paths(&program), [""; 0]);
    }

    #[test]
    fn data_and_files_of_the_job_are_left_out() {
        let main = "#if 0\n#include \"t/1.out\"\n#include \".env\"\n#include \".git/a.h\"\n\
                    #include \"checker.cpp\"\n#include \"judges/a.h\"\n#include \"a.h\"\n#endif\n\
                    int main() {}";
        let data = [".env", ".git/a.h", "checker.cpp", "judges/a.h", "t/1.out"];
        let all: Vec<_> = data.iter().map(|path| (*path, "secret")).collect();
        let folder = folder(&[&[("a.cpp", main), ("a.h", "")][..], &all].concat());
        let program = Program::at(&folder.path().join("a.cpp")).unwrap();
        let of_job = ["checker.cpp", "judges", ""].map(|path| folder.path().join(path));
        let Found { files, mut left_out } = program.files(main, &of_job).unwrap();
        let paths: Vec<_> = files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["a.h"]);
        left_out.sort_unstable();
        assert_eq!(left_out, data);
    }

    #[test]
    fn folder_with_one_main_is_a_program() {
        let files = [
            ("a.cpp", "#include \"u/u.h\"\nint main() {}"),
            ("u/u.cpp", ""),
            ("u/u.h", ""),
            ("u/v.cc", ""),
            (".git/x.cpp", ""),
            ("u/test.txt", ""),
        ];
        let one = folder(&files);
        let program = Program::at(one.path()).unwrap();
        assert_eq!(program.main, one.path().join("a.cpp"));
        assert_eq!(paths(&program), ["u/u.cpp", "u/u.h", "u/v.cc"]);
        fs::write(one.path().join("b.cpp"), "int main() {}").unwrap();
        let refusal = Program::at(one.path()).unwrap_err().to_string();
        assert!(refusal.contains("is a folder: name the programs in it"), "{refusal}");
    }

    #[test]
    fn several_sources_are_one_program_if_one_defines_main() {
        let folder = folder(&[
            ("a.cpp", "int main() {}"),
            ("b.cpp", "int main() {}"),
            ("u.cpp", ""),
            ("v.cpp", ""),
        ]);
        let path = |name: &str| folder.path().join(name);
        let program = Program::of_sources(&[path("u.cpp"), path("a.cpp")]).unwrap();
        assert_eq!((&program.main, paths(&program)), (&path("a.cpp"), vec!["u.cpp".to_owned()]));
        for several in
            [&["a.cpp", "b.cpp"][..], &["a.cpp", "b.cpp", "u.cpp"], &["u.cpp", "v.cpp"], &["a.cpp"]]
        {
            let files: Vec<_> = several.iter().map(|&name| path(name)).collect();
            assert_eq!(Program::of_sources(&files), None, "{several:?}");
        }
        let away = Program::of_sources(&[path("a.cpp"), "/dev/null/x.cpp".into()]);
        assert_eq!(away, None);
    }
}
