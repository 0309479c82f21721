//! The hash of a small workspace, before and after a change.

use super::{Error, Sources};
use std::fs;
use std::path::Path;

const FILES: [(&str, &str); 6] = [
    ("Cargo.toml", "[workspace.dependencies]\nbig = { version = \"1\" }\nsmall = \"1\"\n"),
    (
        "Cargo.lock",
        r#"
[[package]]
name = "big"
version = "1.0.0"
checksum = "b1"
dependencies = ["inner 2.0.0"]

[[package]]
name = "inner"
version = "1.0.0"
checksum = "i1"

[[package]]
name = "inner"
version = "2.0.0"
checksum = "i2"

[[package]]
name = "program"
version = "0.1.0"
dependencies = ["big", "small"]

[[package]]
name = "small"
version = "1.0.0"
checksum = "s1"
"#,
    ),
    (
        "program/Cargo.toml",
        "[package]\nname = \"program\"\ndescription = \"Runs.\"\nedition = \"2024\"\n\n\
         [dependencies]\nbig.workspace = true\n\n[dev-dependencies]\nsmall.workspace = true\n",
    ),
    ("program/src/main.rs", "mod part;\n\n#[cfg(test)]\nmod tests;\n\nfn main() {}\n"),
    ("program/src/part.rs", "mod inner;\n"),
    ("program/src/part/inner.rs", "const LIMIT: u32 = 1;\n"),
];
const TESTS: (&str, &str) = ("program/src/tests.rs", "fn test() {}\n");
const HOOK: (&str, &str) = ("hook.cpp", "int hook;\n");

/// Writes the workspace into `folder`, with what `change` makes of a file's name and text.
fn write(folder: &Path, change: impl Fn(&str, &str) -> String) {
    for (name, text) in FILES.into_iter().chain([TESTS, HOOK]) {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, change(name, text)).unwrap();
    }
}

/// The hash after `from` became `to` in `file`.
fn hash_after(file: &str, from: &str, to: &str) -> Result<String, Error> {
    let workspace = tempfile::tempdir().unwrap();
    write(workspace.path(), |name, text| {
        assert!(name != file || text.contains(from), "{file} contains no {from}");
        if name == file { text.replacen(from, to, 1) } else { text.into() }
    });
    Sources { workspace: workspace.path(), crates: &["program"], included: &["hook.cpp"] }.hash()
}

fn hash() -> String {
    hash_after("program/src/main.rs", "", "").unwrap()
}

#[test]
fn comments_tests_and_unrelated_packages_keep_the_hash() {
    for (file, from, to) in [
        ("program/src/main.rs", "fn main", "// Here.\nfn main"),
        ("program/src/main.rs", "fn main", "/// Here.\nfn main"),
        ("program/src/main.rs", "#[cfg(test)]", "#[cfg(test)]\nuse std::fs;\n#[cfg(test)]"),
        ("program/src/part.rs", "mod inner;", "//! Part.\n\nmod inner;"),
        ("program/src/tests.rs", "fn test() {}", "fn other() {}"),
        ("program/Cargo.toml", "Runs.", "Runs programs."),
        ("program/Cargo.toml", "small.workspace", "# Small.\nsmall.workspace"),
        ("Cargo.toml", "small = \"1\"", "small = \"1.1\"\nother = \"1\""),
        ("Cargo.lock", "\"i1\"", "\"i0\""),
        ("Cargo.lock", "\"s1\"", "\"s0\""),
    ] {
        assert_eq!(hash_after(file, from, to).unwrap(), hash(), "{to}");
    }
}

#[test]
fn code_and_what_it_needs_alter_the_hash() {
    for (file, from, to) in [
        ("program/src/main.rs", "fn main() {}", "fn main() { drop(1) }"),
        ("program/src/part/inner.rs", "1", "2"),
        ("program/Cargo.toml", "2024", "2021"),
        ("program/Cargo.toml", "small.workspace = true", "[features]\nfast = []"),
        ("Cargo.toml", "\"1\" }", "\"1\", features = [\"fast\"] }"),
        ("Cargo.lock", "\"b1\"", "\"b0\""),
        ("Cargo.lock", "\"i2\"", "\"i0\""),
        ("hook.cpp", "int", "long"),
    ] {
        assert_ne!(hash_after(file, from, to).unwrap(), hash(), "{to}");
    }
}

/// Every path that the hash is taken over must be watched by the build script.
#[test]
fn every_file_is_watched() {
    let sources =
        Sources { workspace: Path::new(""), crates: &["program"], included: &["hook.cpp"] };
    let paths: Vec<_> = sources.paths().collect();
    for (file, _) in FILES.into_iter().chain([HOOK]) {
        assert!(paths.iter().any(|path| Path::new(file).starts_with(path)), "{file}");
    }
}

/// A crate of the workspace that the lock file lacks would hide what that crate needs.
#[test]
fn crate_that_is_not_locked_is_an_error() {
    let renamed = hash_after("program/Cargo.toml", "\"program\"", "\"renamed\"");
    assert!(matches!(renamed, Err(Error::NotLocked(name)) if name == "renamed"));
}

/// A needed crate that is not hashed could change without a change of the hash.
#[test]
fn needed_crate_of_the_workspace_that_is_not_hashed_is_an_error() {
    let forgotten = hash_after("Cargo.lock", "checksum = \"b1\"\n", "");
    assert!(matches!(forgotten, Err(Error::NotHashed(name)) if name == "big"));
}
