use super::super::Seen;
use super::*;
use std::fs::File;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::fs::symlink;
use std::time::Duration;
use tempfile::TempDir;

/// Distance of the places where a record is cut, in bytes.
const STEP: usize = 13;
/// Age that the files appear to have.
const LATER: Duration = Duration::from_secs(60);

/// A toolchain of a compiler and two folders of headers, of which the second one has headers, a
/// linked one and a linked folder. A third folder does not exist. The host has no database of
/// packages.
struct Fake {
    folder: TempDir,
    record: Record,
}

impl Fake {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |path: &str| folder.path().join(path);
        for path in [
            "bin/cc1plus",
            "first/bits/z.h",
            "second/bits/a.h",
            "second/apart/e.h",
            "second/tbb/t.h",
            "v1/b.h",
            "v2/b.h",
            "outside/deep/d.h",
        ] {
            let path = at(path);
            path.parent().map_or(Ok(()), fs::create_dir_all).expect("a folder");
            fs::write(path, "1").expect("a file");
        }
        fs::write(at("second/asks.h"), "#if __has_include(<tbb/tbb.h>)\n").expect("a header");
        symlink("v1", at("current")).expect("a link");
        symlink("../current/b.h", at("second/b.h")).expect("a link");
        symlink("../missing/c.h", at("second/c.h")).expect("a link");
        symlink("../outside", at("second/outside")).expect("a link");
        let record = Record::in_folder(&at("cache"));
        Self { folder, record }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn examine(&self) -> (Toolchain, Examined) {
        let mut watch = Watch::default();
        watch.add_reached(&self.at("third/include"));
        let mut seen = Seen::new(&mut watch);
        seen.file(&self.at("bin/cc1plus"));
        for folder in ["first", "second"] {
            seen.tree(self.at(folder)).expect("few files");
        }
        let (identity, examined) = seen.finish("g++");
        (Toolchain { identity, header: Some(self.at("second/bits/a.h")) }, examined)
    }

    /// Records the toolchain as if its files were old.
    fn keep(&self) -> Toolchain {
        // The folder of the cache is within a folder that was examined.
        fs::create_dir_all(self.at("cache")).expect("a folder");
        let (toolchain, examined) = self.examine();
        self.record.keep(&toolchain, examined, SystemTime::now() + LATER).expect("kept");
        toolchain
    }

    /// The files that a compilation has read which included three headers, one of them by a link.
    fn files_read(&self, toolchain: &Toolchain) -> Option<FilesRead> {
        let headers = ["bits/a.h", "b.h", "asks.h"].map(|name| self.at("second").join(name));
        let [a, b, asks] = headers.each_ref().map(|header| header.display());
        let list = format!("main.o: {a} \\\n lib/own.h {b} {asks}\n");
        self.record.files_read(&toolchain.identity, list.as_bytes())
    }

    fn unchanged(&self) -> Option<Toolchain> {
        self.record.unchanged(&mut Watch::default())
    }
}

#[test]
fn unchanged_toolchain_is_as_recorded() {
    let fake = Fake::new();
    assert_eq!((fake.record.base(), fake.unchanged()), (None, None));
    let toolchain = fake.keep();
    tick();
    assert_eq!(fake.unchanged().as_ref(), Some(&toolchain));
    assert_eq!(fake.record.base(), Some(toolchain.clone()));
    assert_eq!(fake.examine().0, toolchain, "looking changes nothing");
    let without = Toolchain { header: None, ..toolchain };
    fake.record.keep(&without, fake.examine().1, SystemTime::now() + LATER).expect("kept");
    assert_eq!(fake.unchanged(), Some(without));
}

/// Waits until the kernel gives a file another time than now.
fn tick() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let changed = || {
        fs::write(&file, "1").expect("written");
        let meta = file.path().metadata().expect("a file");
        (meta.ctime(), meta.ctime_nsec())
    };
    let now = changed();
    while changed() == now {}
}

/// Writes a header of the same size in place, and gives it the time that it had.
fn edit_in_place(fake: &Fake) -> io::Result<()> {
    let header = fake.at("second/bits/a.h");
    let time = header.metadata()?.modified()?;
    fs::write(&header, "2")?;
    File::options().write(true).open(header)?.set_modified(time)
}

fn upgrade_by_rename(fake: &Fake) -> io::Result<()> {
    let (new, header) = (fake.at("second/bits/a.h.dpkg-new"), fake.at("second/bits/a.h"));
    fs::write(&new, "2")?;
    File::options().write(true).open(&new)?.set_modified(header.metadata()?.modified()?)?;
    fs::rename(new, header)
}

#[test]
fn every_change_of_a_toolchain_is_noticed() {
    type Change<'a> = (&'a str, &'a dyn Fn(&Fake) -> io::Result<()>);
    let changes: [Change<'_>; 9] = [
        ("edited in place", &edit_in_place),
        ("upgraded by a rename", &upgrade_by_rename),
        ("shadowed", &|fake| fs::write(fake.at("first/bits/a.h"), "1")),
        ("removed", &|fake| fs::remove_file(fake.at("second/bits/a.h"))),
        ("a link's target edited in place", &|fake| fs::write(fake.at("v1/b.h"), "2")),
        ("edited in place below a linked folder", &|fake| {
            fs::write(fake.at("outside/deep/d.h"), "2")
        }),
        ("a link leads elsewhere", &|fake| {
            symlink("v2", fake.at("next"))?;
            fs::rename(fake.at("next"), fake.at("current"))
        }),
        ("a link's target appears", &|fake| {
            fs::create_dir(fake.at("missing"))?;
            fs::write(fake.at("missing/c.h"), "1")
        }),
        ("a missing folder appears", &|fake| fs::create_dir_all(fake.at("third/include"))),
    ];
    for (change, make) in changes {
        let fake = Fake::new();
        let toolchain = fake.keep();
        tick();
        assert_eq!(fake.unchanged().as_ref(), Some(&toolchain), "before: {change}");
        make(&fake).expect(change);
        assert_eq!(fake.unchanged(), None, "{change}");
    }
}

/// Whether a binary may be reused after a change: what every compilation depends on, and what this
/// one has read.
#[test]
fn binary_is_reused_only_if_nothing_that_it_depends_on_has_changed() {
    type Change<'a> = (&'a str, [bool; 2], &'a dyn Fn(&Fake) -> io::Result<()>);
    let changes: [Change<'_>; 12] = [
        ("a header edited in place", [true, false], &edit_in_place),
        ("a header upgraded by a rename", [true, false], &upgrade_by_rename),
        ("a header shadowed", [true, false], &|fake| fs::write(fake.at("first/bits/a.h"), "1")),
        ("a header removed", [true, false], &|fake| fs::remove_file(fake.at("second/bits/a.h"))),
        ("a header appears that was asked for", [true, false], &|fake| {
            fs::write(fake.at("second/tbb/tbb.h"), "1")
        }),
        ("a header appears in the first folder", [false, true], &|fake| {
            fs::write(fake.at("first/new.h"), "1")
        }),
        ("a link's target edited in place", [false, false], &|fake| {
            fs::write(fake.at("v1/b.h"), "2")
        }),
        ("the compiler edited in place", [false, true], &|fake| {
            fs::write(fake.at("bin/cc1plus"), "2")
        }),
        ("the compiler upgraded by a rename", [false, true], &|fake| {
            fs::write(fake.at("bin/new"), "1")?;
            fs::rename(fake.at("bin/new"), fake.at("bin/cc1plus"))
        }),
        ("a missing folder appears", [false, true], &|fake| {
            fs::create_dir_all(fake.at("third/include"))
        }),
        ("another header edited in place", [true, true], &|fake| {
            fs::write(fake.at("second/apart/e.h"), "2")
        }),
        ("a header added apart", [true, true], &|fake| fs::write(fake.at("second/apart/f.h"), "1")),
    ];
    for (change, expected, make) in changes {
        let fake = Fake::new();
        let toolchain = fake.keep();
        let read = fake.files_read(&toolchain).expect("what it read");
        tick();
        assert!(read.are_unchanged(), "before: {change}");
        assert_eq!(fake.record.base().as_ref(), Some(&toolchain), "before: {change}");
        make(&fake).expect(change);
        assert_eq!([fake.record.base().is_some(), read.are_unchanged()], expected, "{change}");
        assert_eq!(fake.unchanged(), None, "{change}");
    }
}

#[test]
fn compilation_whose_files_are_not_all_known_has_no_list_of_them() {
    let fake = Fake::new();
    let toolchain = fake.keep();
    let list = |text: &str| fake.record.files_read(&toolchain.identity, text.as_bytes());
    assert!(list("main.o:\n").is_some());
    fs::write(fake.at("other.h"), "1").expect("a file");
    for other in [fake.at("other.h"), fake.at("second/missing.h")] {
        assert_eq!(list(&format!("main.o: {}\n", other.display())), None, "{other:?}");
    }
    assert_eq!(list(""), None);
    let upgraded = Toolchain { identity: "another".into(), ..toolchain };
    assert_eq!(fake.files_read(&upgraded), None);
}

#[test]
fn header_edited_in_place_has_another_identity() {
    let fake = Fake::new();
    let before = fake.examine().0.identity;
    tick();
    edit_in_place(&fake).expect("edited");
    assert_ne!(fake.examine().0.identity, before);
}

/// The next change could leave the same times.
#[test]
fn toolchain_that_has_just_changed_is_not_recorded() {
    let fake = Fake::new();
    let (toolchain, examined) = fake.examine();
    fake.record.keep(&toolchain, examined, SystemTime::now()).expect("nothing fails");
    assert_eq!(fake.record.base(), None);
}

#[test]
fn broken_record_is_not_believed() {
    let fake = Fake::new();
    fake.keep();
    let whole = fs::read(&fake.record.0).expect("a record");
    for length in (0..whole.len()).step_by(STEP) {
        fs::write(&fake.record.0, &whole[..length]).expect("written");
        assert_eq!(fake.unchanged(), None, "{length} of {} bytes", whole.len());
    }
    let other = String::from_utf8_lossy(&whole[8..8 + FORMAT.len()]).replace("swift", "other");
    let other = [&whole[..8], other.as_bytes(), &whole[8 + FORMAT.len()..]].concat();
    fs::write(&fake.record.0, other).expect("written");
    assert_eq!((fake.record.base(), fake.unchanged()), (None, None));
    fs::write(&fake.record.0, whole).expect("written");
    assert!(fake.unchanged().is_some());
}

#[test]
fn record_that_others_can_write_is_not_believed() {
    let fake = Fake::new();
    let toolchain = fake.keep();
    for (mode, expected) in [(0o666, None), (0o644, Some(toolchain))] {
        fs::set_permissions(&fake.record.0, fs::Permissions::from_mode(mode)).expect("a mode");
        assert_eq!(fake.record.base(), expected, "{mode:o}");
    }
}
