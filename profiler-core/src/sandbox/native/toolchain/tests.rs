use super::*;

#[test]
fn changed_or_added_files_change_the_identity() {
    let folder = tempfile::tempdir().expect("a folder");
    let deep = folder.path().join("bits");
    fs::create_dir(&deep).expect("a folder");
    let digest = || {
        let mut watch = Watch::new();
        let mut seen = Seen::new(&mut watch);
        seen.tree(folder.path().into()).expect("few files");
        seen.finish("g++").0
    };
    let mut digests = vec![digest()];
    for (name, text) in [("a.h", "1"), ("a.h", "22"), ("b.h", "")] {
        fs::write(deep.join(name), text).expect("a file");
        digests.push(digest());
    }
    assert_eq!(digests.last(), Some(&digest()), "looking changes nothing");
    digests.sort_unstable();
    digests.dedup();
    assert_eq!(digests.len(), 4, "{digests:#?}");
}

#[test]
fn toolchain_is_examined_again_only_after_a_change() {
    let examiner = Examiner::default();
    let Some(first) = examiner.toolchain() else {
        println!("this host has no g++");
        return;
    };
    let marked = Toolchain { identity: "marked".into(), ..first.clone() };
    let keep = |watch| *examiner.last.lock().expect("no panic") = Some((marked.clone(), watch));
    let watch = examiner.last.lock().expect("no panic").take().expect("it was examined").1;
    if watch.is_quiet() {
        keep(watch);
        assert_eq!(examiner.toolchain().as_ref(), Some(&marked));
    }
    let mut changed = Watch::new();
    changed.add(Path::new("/there/is/none"));
    keep(changed);
    assert_eq!(examiner.toolchain(), Some(first));
}

#[tokio::test]
async fn new_process_takes_an_unchanged_toolchain_from_the_record() {
    let cache = tempfile::tempdir().expect("a folder");
    let new = || Arc::new(Examiner::new(Some(cache.path())));
    let Some(first) = new().look().await else {
        println!("this host has no g++");
        return;
    };
    let record = Record::in_folder(cache.path());
    if record.base().is_none() {
        println!("g++ has just changed, or is on a file system that may be shared");
        return;
    }
    let marked = Toolchain { identity: "marked".into(), ..first.clone() };
    let (_, examined) = Toolchain::look(&mut Watch::default()).expect("the same g++");
    record.keep(&marked, examined, SystemTime::now()).expect("kept");
    assert_eq!(new().glance().await.as_ref(), Some(&marked));
    let second = new();
    assert_eq!(second.look().await.as_ref(), Some(&marked));
    assert_eq!(second.look().await.as_ref(), Some(&marked), "watched from now on");

    let own = cache.path().join("a.h");
    fs::write(&own, "").expect("a file");
    let facts = Facts::of(&own.metadata().expect("a file"));
    let files = vec![(own.clone().into_os_string(), facts)];
    let none = BTreeSet::new;
    let examined = Examined { folders: Vec::new(), files, headers: none(), searched: none() };
    let later = SystemTime::now() + std::time::Duration::from_secs(60);
    record.keep(&marked, examined, later).expect("kept");
    fs::remove_file(&own).expect("removed");
    let third = new();
    assert_eq!(third.glance().await.as_ref(), Some(&first));
}
