//! The list of the files that a compilation read, which g++ writes for make.

/// Returns the absolute paths in a list; `None` if it has no rule, or names a file in an unusual
/// way. Relative paths lead to the program's own files.
pub fn system_files(list: &[u8]) -> Option<Vec<&str>> {
    let list = std::str::from_utf8(list).ok()?;
    let (mut files, mut rules) = (Vec::new(), 0);
    for word in list.split_ascii_whitespace().filter(|word| *word != "\\") {
        let is_absolute = word.starts_with('/');
        // make's escapes, and paths that lead through a folder's parent.
        let is_unusual = word.contains(['\\', '$']) || word.split('/').any(|part| part == "..");
        match (is_unusual, word.ends_with(':')) {
            (true, _) => return None,
            (false, true) if is_absolute => return None,
            (false, true) => rules += 1,
            (false, false) if is_absolute => files.push(word),
            (false, false) => {}
        }
    }
    (rules > 0).then_some(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_paths_are_the_systems_files() {
        let list = b"main.o: /usr/include/stdc-predef.h \\\n lib/a.h /usr/include/c++/12/map\n\n\
                     header: /usr/include/stdio.h\n";
        let files =
            ["/usr/include/stdc-predef.h", "/usr/include/c++/12/map", "/usr/include/stdio.h"];
        assert_eq!(system_files(list), Some(files.into()));
        assert_eq!(system_files(b"main.o:\n"), Some(Vec::new()));
    }

    #[test]
    fn unusual_lists_have_no_files() {
        for list in [
            &b""[..],
            b"/usr/include/stdio.h",
            b"main.o: /usr/a\\ b.h",
            b"main.o: /usr/a$$b.h",
            b"main.o: ../usr/include/stdio.h",
            b"main.o: /usr/lib/../include/stdio.h",
            b"main.o: /usr/include/a:",
            b"main.o: /usr/include/\xff.h",
        ] {
            assert_eq!(system_files(list), None, "{:?}", String::from_utf8_lossy(list));
        }
    }
}
