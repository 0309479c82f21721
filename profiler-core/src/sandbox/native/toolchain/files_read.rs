//! Finds what a compilation has read, among the files and folders of a recorded toolchain.
//!
//! g++ lists the headers that it read. It also depends on the folders in which it looked for them,
//! and for those of which a header only asks whether they exist: a new file there could take the
//! place of another one. A folder counts if each part of its path, below the folder in which g++
//! begins to search, is part of the path of a header that was read or asked for.

use crate::sandbox::FilesRead;
use profiler_decode::diagnostics::dependencies::system_files;
use regex::bytes::Regex;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::LazyLock;

/// Pattern of a question whether a header exists. The header is in the first group; anything else
/// that is asked for is in the second.
const ASKED: &str = r#"has_include(?:_next)?\s*\(\s*(?:[<"]([^>"\n]*)|(?s-u:(.)))"#;

#[expect(clippy::expect_used, reason = "the pattern is a constant, and every test compiles it")]
static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ASKED).expect("constant pattern"));

/// A path, and the numbers of its facts.
pub(super) type Entry<'a> = (&'a Path, &'a [u8]);

/// Returns what a compilation with these dependencies has read. `inner` are the folders of headers
/// below those that are compared for every compilation, parents first. `None` if the compilation
/// has read a file that is not among `files`, or if a header asks for others in an unknown way.
pub(super) fn files_read(
    inner: &[Entry<'_>],
    files: &HashMap<&Path, &[u8]>,
    dependencies: &[u8],
) -> Option<FilesRead> {
    let (mut read, mut names) = (BTreeMap::new(), BTreeSet::new());
    for header in system_files(dependencies)? {
        let header = Path::new(header);
        read.insert(header.to_str()?, *files.get(header)?);
        if header.is_symlink() {
            // A link to a link would be a third file.
            let next = header.parent()?.join(fs::read_link(header).ok()?);
            (!next.is_symlink()).then_some(())?;
            let (target, facts) = files.get_key_value(header.canonicalize().ok()?.as_path())?;
            read.insert(target.to_str()?, facts);
        }
        names.extend(header.parent()?.iter().map(OsString::from));
        names.extend(asked_for(&fs::read(header).ok()?)?);
    }
    let all: BTreeSet<_> = inner.iter().map(|(folder, _)| *folder).collect();
    for (folder, facts) in inner {
        let parent = folder.parent()?;
        let is_reached = !all.contains(parent) || read.contains_key(parent.to_str()?);
        if is_reached && names.contains(folder.file_name()?) {
            read.insert(folder.to_str()?, facts);
        }
    }
    Some(FilesRead::new(read))
}

/// Returns the folders in the paths of the headers of which a header asks whether they exist.
fn asked_for(header: &[u8]) -> Option<Vec<OsString>> {
    let mut names = Vec::new();
    for asked in PATTERN.captures_iter(header) {
        let mut parts: Vec<_> = asked.get(1)?.as_bytes().split(|byte| *byte == b'/').collect();
        parts.pop();
        (!parts.contains(&&b".."[..])).then_some(())?;
        names.extend(parts.into_iter().map(|part| OsStr::from_bytes(part).to_owned()));
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_ask_for_others_by_name() {
        let text = b"#ifdef __has_include\n# if __has_include (<tbb/tbb.h>)\n#endif\n\
                     #define A __has_include_next(\"a/b/c.h\") || __has_include(<d>) // \xff\n";
        let names = ["tbb", "a", "b"].map(OsString::from);
        assert_eq!(asked_for(text), Some(names.into()));
        assert_eq!(asked_for(b"/* __has_include */"), Some(Vec::new()));
        for unknown in ["__has_include(HEADER)", "__has_include(<../a.h>)"] {
            assert_eq!(asked_for(unknown.as_bytes()), None, "{unknown}");
        }
    }
}
