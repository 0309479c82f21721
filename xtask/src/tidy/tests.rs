//! The rules on crates of a few lines, and on this workspace.

use super::rules;
use super::source::Crate;
use crate::steps::shell::root;
use std::fs;

/// Returns the faults of a crate of these files.
fn wrong(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let source = Crate::read(&folder.path().join("lib.rs")).unwrap();
    rules::check(&source, folder.path()).unwrap()
}

#[test]
fn two_files_that_import_each_other_are_a_circle() {
    let tidy =
        [("lib.rs", "mod a;\nmod b;"), ("a.rs", "use crate::b::B;"), ("b.rs", "pub struct B;")];
    assert_eq!(wrong(&tidy), Vec::<String>::new());
    let mut circle = tidy;
    circle[2].1 = "pub struct B;\nfn f() { crate::a::g(); }";
    assert_eq!(wrong(&circle), ["these files import each other: a.rs, b.rs"]);
}

#[test]
fn circle_is_seen_however_the_import_is_written() {
    for import in [
        "use super::a::A;",
        "use super::{a::{self}}; fn f() { a::g(); }",
        "use super::a; fn f() { a::g(); }",
        "use crate::a as other; fn f() -> other::A { other::g() }",
        "fn f() { use crate::a::A; }",
        "fn f() { println!(\"{}\", crate::a::g()); }",
        "use crate::a::*;",
        "use crate::A;",
    ] {
        let files = [
            ("lib.rs", "mod a;\nmod b;\npub use a::A;"),
            ("a.rs", "use crate::b::B; pub struct A; pub fn g() {}"),
            ("b.rs", &format!("pub struct B;\n{import}")),
        ];
        assert_eq!(wrong(&files), ["these files import each other: a.rs, b.rs"], "{import}");
    }
}

#[test]
fn child_that_imports_what_its_parent_defines_is_in_a_circle() {
    let parent = "mod child;\nuse child::f;\npub struct P;";
    let child = ("p/child.rs", "use super::P;\npub fn f() {}");
    let wrong_files = wrong(&[("lib.rs", "mod p;"), ("p.rs", parent), child]);
    assert_eq!(wrong_files, ["these files import each other: p.rs, p/child.rs"]);
}

#[test]
fn face_that_only_reexports_is_in_no_circle() {
    let face = "mod a;\nmod b;\npub use a::A;\npub use b::B;";
    let files = [
        ("lib.rs", "mod p;"),
        ("p/mod.rs", face),
        ("p/a.rs", "use super::B; pub struct A(B);"),
        ("p/b.rs", "pub struct B;"),
    ];
    assert_eq!(wrong(&files), Vec::<String>::new());
}

#[test]
fn import_by_tests_alone_is_no_circle() {
    let files = [
        ("lib.rs", "mod a;\nmod b;"),
        ("a.rs", "use crate::b::B; pub struct A;"),
        (
            "b.rs",
            "pub struct B;\n#[cfg(test)]\nuse crate::a::A;\n#[cfg(test)]\nmod tests { use crate::a::A; }",
        ),
    ];
    assert_eq!(wrong(&files), Vec::<String>::new());
}

#[test]
fn folder_of_thirteen_names_is_too_full() {
    let names: Vec<String> = ('a'..='l').map(|name| format!("{name}.rs")).collect();
    let root = ('a'..='l').map(|name| format!("mod {name};\n")).collect::<Vec<_>>().concat();
    let mut files = vec![("lib.rs", root.as_str())];
    files.extend(names.iter().map(|name| (name.as_str(), "")));
    let full = wrong(&files);
    assert!(full.len() == 1 && full[0].contains("13 names"), "{full:?}");
    // One less; and a file with the folder of its name is one name.
    let root = root.replace("mod l;\n", "");
    files[0].1 = &root;
    files[1].1 = "mod inner;";
    files.pop();
    files.push(("a/inner.rs", ""));
    assert_eq!(wrong(&files), Vec::<String>::new());
}

#[test]
fn long_comments_and_long_files_are_found() {
    let comment = format!("// {}", "x".repeat(98));
    let found = wrong(&[("lib.rs", &comment)]);
    assert_eq!(found, ["lib.rs:1: a comment of 101 columns; at most 100"]);
    let found = wrong(&[("lib.rs", &"const _: () = ();\n".repeat(401))]);
    assert_eq!(found, ["lib.rs has 401 lines; at most 400"]);
}

#[test]
fn doc_comments_that_open_with_a_clause_are_found() {
    let text = "//! How it works.\n\n/// Cost of a run.\n///\n/// It is paid.\npub fn f() {}\n/// Why.\nfn g() {}";
    let said = |line, word| {
        format!("lib.rs:{line}: a doc comment that opens with {word:?}, not with a noun or a verb")
    };
    assert_eq!(wrong(&[("lib.rs", text)]), [said(1, "How"), said(7, "Why")]);
}

#[test]
fn own_workspace_is_tidy() {
    super::check(&root()).unwrap();
}
