//! The precompiled headers of the standard library, of which a compilation uses one.

use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use runner_protocol::{
    Compile, LEAN_HEADER, LEAN_NAMES, MAX_SOURCE_BYTES, PRECOMPILED_DIR, PRECOMPILED_FLAGS,
    PRECOMPILED_HEADER, Variant, WHOLE_HEADER, header_folder,
};
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

/// Maximum size of the list of names, in bytes. That of GCC 12 has 15 kB.
const MAX_NAMES_BYTES: usize = 1 << 20;
/// Directives that include a file.
const INCLUDES: [&[u8]; 3] = [b"include", b"include_next", b"import"];
/// Operators of the preprocessor that join two tokens to a name.
const JOINS: [&[u8]; 2] = [b"##", b"%:%:"];

/// Returns the folders of the headers that a compilation may use, in the order in which they are to
/// be tried. The headers were precompiled for exactly these flags: with others g++ may accept them
/// too, and then generate different code. Line information makes no difference.
pub(crate) fn folders(request: &Compile) -> Result<Vec<PathBuf>> {
    let differs = matches!(request.variant, Variant::Gprof | Variant::Allocations);
    let all = Path::new(PRECOMPILED_DIR).join(header_folder());
    let whole = all.join(WHOLE_HEADER);
    if differs || request.flags != PRECOMPILED_FLAGS || !whole.is_dir() {
        return Ok(Vec::new());
    }
    let source = match request.variant {
        Variant::Interactor => WorkFile::INTERACTOR,
        _ => WorkFile::SOURCE,
    };
    let lean = all.join(LEAN_HEADER);
    // Without the list, nobody knows which programs the lean header serves.
    let Ok(names) = File::open(lean.join(LEAN_NAMES)) else { return Ok(vec![whole]) };
    let names =
        files::read_at_most(names, MAX_NAMES_BYTES).stage("read the lean header's names")?;
    let source = files::read_at_most(source.open()?, MAX_SOURCE_BYTES).stage("read the source")?;
    let is_lean = needs_none_of(&source, &names);
    Ok([lean].into_iter().filter(|_| is_lean).chain([whole]).collect())
}

/// Whether a source includes the standard library and nothing else, and has none of `names`, which
/// are on a line each. Comments and texts count as code, and so does what the preprocessor may join
/// to a name: then the whole header serves, as it does every source.
fn needs_none_of(source: &[u8], names: &[u8]) -> bool {
    let names: BTreeSet<&[u8]> = names.split(|&byte| byte == b'\n').collect();
    let is_include = |line: &&[u8]| {
        let line = line.iter().filter(|byte| !byte.is_ascii_whitespace()).copied();
        line.eq(format!("#include<{PRECOMPILED_HEADER}>").bytes())
    };
    let known = source.split(|&byte| byte == b'\n').filter(is_include).count();
    let words = || source.split(|&byte| !is_of_name(byte)).filter(|word| !word.is_empty());
    let includes = words().filter(|word| INCLUDES.contains(word)).count();
    known == includes && !joins_tokens(source) && words().all(|word| !names.contains(word))
}

fn joins_tokens(source: &[u8]) -> bool {
    let has_operator =
        JOINS.iter().any(|join| source.windows(join.len()).any(|part| part == *join));
    // A backslash at the end of a line can split a name.
    let splits = |part: &[u8]| part[0] == b'\\' && matches!(part[1], b'\n' | b'\r');
    has_operator
        || source.windows(3).any(|part| is_of_name(part[0]) && splits(&part[1..]))
        || source.starts_with(b"\\\n")
}

fn is_of_name(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::needs_none_of;

    const NAMES: &[u8] = b"__has_include\nfilesystem\nregex\nthread\n";

    fn is_lean(body: &str) -> bool {
        needs_none_of(format!("#include <bits/stdc++.h>\n{body}\n").as_bytes(), NAMES)
    }

    #[test]
    fn source_without_the_names_is_lean() {
        assert!(is_lean("int main() { std::map<int, int> threads; }"));
        assert!(is_lean("# include  <bits/stdc++.h>"));
        assert!(is_lean("#define SUM(a, b) \\\n    ((a) + (b))"));
        assert!(needs_none_of(b"", NAMES));
    }

    #[test]
    fn any_name_or_other_include_needs_the_whole_header() {
        for body in [
            "std::regex digits;",
            "// thread",
            "auto x = \"regex\";",
            "#include <filesystem>",
            "#include <vector>",
            "#include \"bits/stdc++.h\"",
            "#import <bits/stdc++.h>",
            "#define HEADER <bits/stdc++.h>\n#include HEADER",
            "#if __has_include(<version>)\n#endif",
            "#define JOIN(a, b) a##b\nJOIN(reg, ex) digits;",
            "#define JOIN(a, b) a %:%: b",
            "std::reg\\\nex digits;",
            "std::reg\\\r\nex digits;",
        ] {
            assert!(!is_lean(body), "{body}");
        }
    }
}
