use super::*;
use crate::sandbox::fake::ok;
use std::path::Path;
use std::thread;

/// A cache in a temporary folder.
fn cache() -> (BinaryCache, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (BinaryCache::in_folder(folder.path().join("binaries")), folder)
}

fn compiled() -> Compiled {
    Compiled {
        command: "g++ main.cpp".into(),
        compiler: "12.2.0".into(),
        execution: ok(7, 8),
        output: b"warning: mind the gap".into(),
        truncated: false,
        binary: None,
        dependencies: Vec::new(),
    }
}

fn entry(binary: &[u8]) -> Entry {
    let read = Some(FilesRead::new([("/usr/include/stdio.h", &b"facts"[..])]));
    Entry { compiled: compiled(), read, binary: binary.into() }
}

fn names(cache: &BinaryCache) -> Vec<String> {
    let entries = fs::read_dir(&cache.folder).expect("a folder").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into()).collect()
}

const KEY: Key = [1; 32];

#[test]
fn kept_binary_is_found_with_the_compilers_output() {
    let (cache, _folder) = cache();
    assert_eq!(cache.find(&KEY), None);
    cache.keep(&KEY, &entry(b"\x7fELF")).expect("kept");
    assert_eq!(cache.find(&KEY), Some(entry(b"\x7fELF")));
    assert_eq!(cache.find(&[2; 32]), None);
}

#[test]
fn entries_are_readable_by_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (cache, _folder) = cache();
    cache.keep(&KEY, &entry(b"binary")).expect("kept");
    let mode = |path: &Path| path.metadata().expect("it is there").permissions().mode() & 0o777;
    assert_eq!(mode(&cache.folder), PRIVATE);
    assert_eq!(mode(&cache.folder.join(hex(&KEY))), 0o600);
}

#[test]
fn broken_entry_is_removed_and_not_found() {
    let (cache, _folder) = cache();
    let path = cache.folder.join(hex(&KEY));
    let breaks: [fn(&mut Vec<u8>); 5] = [
        |bytes| bytes.truncate(bytes.len() - 1),
        |bytes| bytes.truncate(10),
        Vec::clear,
        |bytes| bytes.push(0),
        |bytes| bytes[40] ^= 1,
    ];
    for break_it in breaks {
        cache.keep(&KEY, &entry(b"binary")).expect("kept");
        let mut bytes = fs::read(&path).expect("an entry");
        break_it(&mut bytes);
        fs::write(&path, bytes).expect("written");
        assert_eq!(cache.find(&KEY), None);
        assert!(!path.exists());
    }
}

#[test]
fn entry_under_another_name_is_not_found() {
    let (cache, _folder) = cache();
    cache.keep(&KEY, &entry(b"binary")).expect("kept");
    let other = [2; 32];
    fs::rename(cache.folder.join(hex(&KEY)), cache.folder.join(hex(&other))).expect("moved");
    assert_eq!(cache.find(&other), None);
}

/// Makes an entry `seconds` old.
fn age(cache: &BinaryCache, key: &Key, seconds: u64) {
    let file = fs::File::open(cache.folder.join(hex(key))).expect("an entry");
    let then = SystemTime::now() - std::time::Duration::from_secs(seconds);
    file.set_modified(then).expect("a time");
}

#[test]
fn least_recently_used_goes_first() {
    for most in [(2, MAX_BYTES), (MAX_ENTRIES, 3000)] {
        let (cache, _folder) = cache();
        let cache = BinaryCache { most, ..cache };
        for (at, key) in [[1; 32], [2; 32]].iter().enumerate() {
            cache.keep(key, &entry(&[0; 1000])).expect("kept");
            age(&cache, key, 100 - at as u64);
        }
        assert!(cache.find(&[1; 32]).is_some(), "now 2 is the least recently used");
        cache.keep(&[3; 32], &entry(&[0; 1000])).expect("kept");
        let found = [1, 2, 3].map(|at| cache.find(&[at; 32]).is_some());
        assert_eq!(found, [true, false, true]);
    }
}

#[test]
fn many_can_keep_the_same_at_once() {
    let (cache, _folder) = cache();
    let large = vec![7; 50_000];
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    cache.keep(&KEY, &entry(&large)).expect("kept");
                    let found = cache.find(&KEY).expect("never half of it");
                    assert_eq!(found.binary, large);
                }
            });
        }
    });
    assert_eq!(names(&cache), [hex(&KEY)]);
}

#[test]
fn every_ingredient_changes_the_key() {
    let flags = |flags: &[&str]| flags.iter().copied().map(String::from).collect::<Vec<_>>();
    let [o2, split, order, merged] =
        [&["-O2", "-g"][..], &["-O2"], &["-g", "-O2"], &["-O2-g"]].map(flags);
    let base =
        Ingredients { flags: &o2, variant: Variant::Plain, source: b"int main() {}", files: &[] };
    let file = |path: &str, text: &str| [SourceFile { path: path.into(), text: text.into() }];
    let [header, renamed, changed] = [file("a.h", "1"), file("b.h", "1"), file("a.h", "2")];
    let all = [
        base,
        Ingredients { flags: &split, ..base },
        Ingredients { flags: &order, ..base },
        Ingredients { flags: &merged, ..base },
        Ingredients { variant: Variant::Gprof, ..base },
        Ingredients { variant: Variant::Empty, ..base },
        Ingredients { source: b"int main() { }", ..base },
        Ingredients { files: &header, ..base },
        Ingredients { files: &renamed, ..base },
        Ingredients { files: &changed, ..base },
    ];
    let mut keys: Vec<Key> = all.iter().filter_map(|of| of.key("a")).collect();
    assert_eq!(base.key("a"), base.key("a"));
    keys.extend(base.key("b"));
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all.len() + 1);
}

#[test]
fn sources_that_depend_on_time_or_processor_have_no_key() {
    let (plain, native) = (["-O2".into()], ["-march=native".into()]);
    let dated = ["-DWHEN=__TIME__".into()];
    let key = |flags: &[String], source: &[u8]| {
        Ingredients { flags, variant: Variant::Plain, source, files: &[] }.key("a")
    };
    assert!(key(&plain, b"int main() {}").is_some());
    for text in [
        &b"const char *when = __DATE__;"[..],
        b"const char *when = __DA\\ \r\nTE__;",
        b"asm(\".incbin \\\"/usr/share/a\\\"\");",
        b"as\\\nm(\"nop\");",
        b"#include \"/usr/share/a.h\"",
        b"#include </usr/share/a.h>",
        b"#include <../share/a.h>",
    ] {
        assert_eq!(key(&plain, text), None, "{}", text.escape_ascii());
    }
    assert_eq!(key(&native, b"int main() {}"), None);
    assert_eq!(key(&dated, b"int main() {}"), None);
}

#[test]
fn owner_does_not_find_what_another_has_kept() {
    let (cache, _folder) = cache();
    let (mine, yours) = (cache.for_owner("mine"), cache.for_owner("yours"));
    mine.keep(&KEY, &entry(b"binary")).expect("kept");
    assert!(mine.find(&KEY).is_some());
    assert_eq!([yours.find(&KEY), cache.find(&KEY)], [None, None]);
}
