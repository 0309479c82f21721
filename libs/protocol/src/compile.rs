//! Files that enter and leave the sandbox, and compilation.

pub(crate) mod libraries;

use crate::execution::Execution;
use crate::run::Limits;
use crate::variant::Variant;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::io::{self, BufRead, Read};

/// The folder of precompiled headers, which has a [`header_folder`] for each list of flags. It is
/// outside of the folders that a native sandbox shares with the host.
pub const PRECOMPILED_DIR: &str = "/opt/swiftprof/precompiled";
/// The header that is precompiled: all of the standard library.
pub const PRECOMPILED_HEADER: &str = "bits/stdc++.h";
/// The list of the files that a precompiled header was made from, in its folder, as g++ writes it
/// for make.
pub const PRECOMPILED_DEPENDENCIES: &str = "bits/stdc++.h.d";
/// Flags of a job that names none.
pub const DEFAULT_FLAGS: [&str; 2] = ["-O2", "-std=c++17"];
/// Flags that add functions, inlined calls and lines to a binary, and change no byte of its code.
/// The version comes first, because it implies a level, which `-g1` replaces. binutils 2.40 reads
/// the lines of inlined calls wrongly from DWARF 5.
pub const LINE_FLAGS: [&str; 2] = ["-gdwarf-4", "-g1"];
/// Beginnings of flags that change the code of a header. A list has at most one of each.
const LEVELS: [&str; 4] = ["-O", "-std=", "-march=", "-mtune="];
/// Ending of a flag whose meaning depends on the processor.
const OF_THIS_PROCESSOR: &str = "=native";
/// Flags that define macros which the standard library reads.
const LIBRARY_MACROS: [&str; 5] = [
    "-DNDEBUG",
    "-D_GLIBCXX_ASSERTIONS",
    "-D_GLIBCXX_DEBUG",
    "-D_GLIBCXX_DEBUG_PEDANTIC",
    "-pthread",
];
/// Longest name of a folder on common file systems, in bytes.
const MAX_FOLDER_BYTES: usize = 255;
/// Maximum size of the list at the beginning of [`File::Files`], in bytes.
const MAX_LIST_BYTES: u64 = 64 << 10;
/// Words for the kinds of files in that list.
const SOURCE: &str = "source";
const HEADER: &str = "header";
/// Parts of the names of warnings that g++ gives about headers.
const ABOUT_HEADERS: [&str; 2] = ["invalid-pch", "system-headers"];

/// A file in [`File::Files`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedFile {
    /// Path from the folder of the submitted source. It has no line break.
    pub path: String,
    /// Length of its text, in bytes.
    pub bytes: u64,
    /// Whether it is compiled together with the submitted source.
    pub is_compiled: bool,
}

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// File that the piece belongs to.
    pub file: File,
    /// Whether it is the first piece, which replaces the file.
    pub first: bool,
    /// Content of the piece, at most [`MAX_PIECE_BYTES`](crate::MAX_PIECE_BYTES).
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// A file that the host puts into the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum File {
    /// The submitted source.
    Source,
    /// The other files of the program, as [`bundled`]. Without them, it has none.
    Files,
    /// The input of the next run whose input is [`Input::Put`](crate::Input::Put).
    Input,
    /// The inputs of the next [`CountSeries`](crate::CountSeries): each is a little-endian `u32`
    /// length and that many bytes.
    Inputs,
    /// The recipe for [`Generate`].
    Recipe,
    /// The source of the interactor.
    Interactor,
    /// A file that a checker reads.
    Checked(CheckedFile),
    /// A binary that was compiled earlier, from the same source by the same toolchain.
    Binary(Variant),
    /// The instruction counter: a static executable.
    Counter,
    /// The input generator: a static executable.
    Generator,
}

/// A file that a checker reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum CheckedFile {
    /// The input of the program.
    Input,
    /// The program's output.
    Output,
    /// The expected output.
    Answer,
}

/// Request to generate an input from [`File::Recipe`], in place of [`File::Input`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generate {
    /// Limits of the generator's process, which ends before the runner answers.
    pub limits: Limits,
}

/// The result of generating an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// Ending and figures of the process.
    pub execution: Execution,
    /// The length of the input.
    pub bytes: u64,
    /// The SHA-256 of the input.
    pub sha256: [u8; 32],
    /// The end of the process's stderr.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// Request to compile [`File::Source`], or the other source that the build is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compile {
    /// The build.
    pub variant: Variant,
    /// The flags for g++, already checked.
    pub flags: Vec<String>,
    /// Limits of the compiler and of the tools that it starts.
    pub limits: Limits,
    /// Whether g++ may use a precompiled header.
    pub may_use_header: bool,
}

/// The result of a compilation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// The command line.
    pub command: String,
    /// The compiler's version, from `g++ -dumpfullversion`.
    pub compiler: String,
    /// Ending and figures of g++.
    pub execution: Execution,
    /// The beginning of the output of g++.
    #[serde(with = "serde_bytes")]
    pub output: Vec<u8>,
    /// Whether the output was cut.
    pub truncated: bool,
    /// The binary, if there is one.
    pub binary: Option<Binary>,
    /// The files that g++ read, those of a precompiled header included, as g++ writes them for
    /// make. Empty if they are unknown, or if the list is longer than
    /// [`MAX_DEPENDENCIES_BYTES`](crate::MAX_DEPENDENCIES_BYTES).
    #[serde(with = "serde_bytes")]
    pub dependencies: Vec<u8>,
}

/// A compiled program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Size of the file.
    pub bytes: u64,
    /// Sum of `p_memsz` over its `PT_LOAD` segments: the memory that exec alone maps.
    pub segment_bytes: u64,
}

/// Request for a part of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetch {
    /// The build.
    pub variant: Variant,
    /// The offset of the part, in bytes.
    pub offset: u64,
}

/// Request for a part of the last run's stdout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FetchStdout {
    /// The offset of the part, in bytes.
    pub offset: u64,
}

/// Returns the content of [`File::Files`]: a list with the length, the kind and the path of each
/// file, an empty line, and the texts in the same order.
pub fn bundled(files: &[ListedFile], texts: &[&str]) -> Vec<u8> {
    let kind = |file: &ListedFile| if file.is_compiled { SOURCE } else { HEADER };
    let list = files.iter().map(|file| format!("{} {} {}\n", file.bytes, kind(file), file.path));
    let mut bundle: String = list.chain(["\n".to_owned()]).collect();
    bundle.extend(texts.iter().copied());
    bundle.into_bytes()
}

/// Reads the list of [`bundled`] files. The texts follow.
///
/// # Errors
/// Returns an error if the list is broken or cannot be read.
pub fn read_list(from: &mut impl BufRead) -> io::Result<Vec<ListedFile>> {
    let mut list = Vec::new();
    let mut from = from.take(MAX_LIST_BYTES);
    let broken = || io::Error::from(io::ErrorKind::InvalidData);
    loop {
        let mut line = String::new();
        from.read_line(&mut line)?;
        let line = line.strip_suffix('\n').ok_or_else(broken)?;
        if line.is_empty() {
            return Ok(list);
        }
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().ok_or_else(broken);
        let (bytes, kind, path) = (word()?, word()?, word()?.to_owned());
        let bytes = bytes.parse().map_err(io::Error::other)?;
        list.push(ListedFile { path, bytes, is_compiled: kind == SOURCE });
    }
}

/// Returns the flags of the precompiled header for a compilation with `flags`; `None` if no header
/// is made for it.
///
/// g++ accepts a header that was made with some other flags, such as another `-O`, and then
/// generates other code. So the header is made with every flag that changes code. Warnings, debug
/// information and linking change none. Neither do macros whose names the header never mentions; if
/// it mentions one, g++ itself refuses the header.
pub fn header_flags(flags: &[impl AsRef<str>]) -> Option<Vec<&str>> {
    let mut kept = Vec::new();
    for flag in flags {
        let flag = flag.as_ref();
        if is_kept(flag) {
            kept.push(flag);
        } else if !is_left_out(flag) {
            return None;
        }
    }
    kept.sort_unstable();
    let repeats = kept.windows(2).any(|pair| option(pair[0]) == option(pair[1]));
    kept.extend(LINE_FLAGS);
    let fits = header_folder(&kept).len() <= MAX_FOLDER_BYTES;
    (!repeats && fits).then_some(kept)
}

/// Returns the name of the folder of the header that is made with these flags.
pub fn header_folder<S: Borrow<str>>(header_flags: &[S]) -> String {
    header_flags.join("_")
}

fn is_kept(flag: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-=+.".contains(&byte);
    let is_level = LEVELS.iter().any(|begin| flag.starts_with(begin));
    let is_level = is_level && flag.bytes().all(is_plain) && !flag.ends_with(OF_THIS_PROCESSOR);
    is_level || LIBRARY_MACROS.contains(&flag)
}

fn is_left_out(flag: &str) -> bool {
    // A comma passes an option on to the preprocessor, the assembler or the linker.
    let warns = flag.starts_with("-W") && !flag.contains(',');
    let warns = warns && !ABOUT_HEADERS.iter().any(|part| flag.contains(part));
    warns || flag.starts_with("-D") || ["-g", "-static"].contains(&flag)
}

/// Returns the part of `flag` that it shares with other values of its option.
fn option(flag: &str) -> &str {
    LEVELS.into_iter().find(|begin| flag.starts_with(begin)).unwrap_or(flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(flags: &[&str]) -> Option<String> {
        header_flags(flags).map(|flags| header_folder(&flags))
    }

    #[test]
    fn header_has_the_flags_that_change_its_code() {
        let default = folder(&DEFAULT_FLAGS).expect("a header");
        assert_eq!(default, "-O2_-std=c++17_-gdwarf-4_-g1");
        let mut all = vec![default];
        for flags in [
            &["-O2"][..],
            &[],
            &["-O3", "-std=c++17"],
            &["-Ofast", "-std=c++17"],
            &["-O2", "-std=gnu++17"],
            &["-O2", "-std=c++17", "-DNDEBUG"],
            &["-O2", "-std=c++17", "-pthread"],
            &["-O2", "-std=c++17", "-march=x86-64-v2"],
            &["-O2", "-std=c++17", "-mtune=generic"],
        ] {
            all.push(folder(flags).expect("a header"));
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count, "{all:#?}");
    }

    #[test]
    fn bundle_is_read_back() {
        let file =
            |path: &str, bytes, is_compiled| ListedFile { path: path.into(), bytes, is_compiled };
        let files = [file("lib/a b.h", 9, false), file("é.cpp", 0, true), file("c.cpp", 1, false)];
        let bytes = bundled(&files, &["int f();\n", "", "x"]);
        let mut from = bytes.as_slice();
        assert_eq!(read_list(&mut from).unwrap(), files);
        assert_eq!(from, b"int f();\nx");
        assert_eq!(read_list(&mut bundled(&[], &[]).as_slice()).unwrap(), []);
        for broken in ["", "3 source a.h\n", "x source a.h\n\n", "3 source\n\n"] {
            assert!(read_list(&mut broken.as_bytes()).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn order_and_other_flags_do_not_matter() {
        let flags = ["-g", "-std=c++17", "-DONLINE_JUDGE", "-Wall", "-O2", "-DF(x)=x", "-static"];
        assert_eq!(folder(&flags), folder(&DEFAULT_FLAGS));
    }

    #[test]
    fn unusual_flags_get_no_header() {
        for flag in [
            "-include",
            "-x",
            "-MD",
            "-fplugin=a.so",
            "-fno-exceptions",
            "-m32",
            "-march=native",
            "-march=a:/tmp",
            "-march=../a",
            "-O3",
            "-std=c++20",
            "-g3",
            "-gstabs",
            "-UNDEBUG",
            "-Wp,-include,a.h",
            "-Winvalid-pch",
            "-Wsystem-headers",
            "a.cpp",
        ] {
            assert_eq!(folder(&["-O2", "-std=c++17", flag]), None, "{flag}");
        }
    }
}
