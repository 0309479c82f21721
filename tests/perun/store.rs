//! `swiftprof perun store` in a repository with git and Perun.

use super::accept::accepted;
use super::{path, python};
use profiler_tests::swiftprof::swiftprof;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use tokio::process::Command;

/// A repository with one commit.
struct Repository {
    folder: TempDir,
}

impl Repository {
    async fn new() -> Self {
        let repository = Self { folder: TempDir::new().unwrap() };
        repository.git(&["init", "--quiet"]).await;
        repository.commit().await;
        repository
    }

    async fn commit(&self) -> String {
        let author = ["-c", "user.name=tester", "-c", "user.email=tester@localhost"];
        let commit = ["commit", "--quiet", "--allow-empty", "-m", "change"];
        self.git(&[&author[..], &commit].concat()).await;
        self.git(&["rev-parse", "HEAD"]).await.trim().to_owned()
    }

    async fn git(&self, args: &[&str]) -> String {
        said(&self.here(Command::new("git").args(args)).await)
    }

    /// Runs the real `perun` that is installed next to its Python.
    async fn perun(&self, python: &str, args: &[&str]) -> String {
        let program = Path::new(python).with_file_name("perun");
        said(&self.here(Command::new(program).arg("--no-pager").args(args)).await)
    }

    async fn store(&self, profile: &Path) -> Output {
        self.here(swiftprof(&["perun", "store"]).arg(profile)).await
    }

    async fn here(&self, command: &mut Command) -> Output {
        let home = self.folder.path();
        command.current_dir(home).env("HOME", home).output().await.unwrap()
    }
}

/// The output of a command, which must succeed.
fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stored(output: &Output) -> PathBuf {
    PathBuf::from(said(output).trim_end())
}

fn origin(profile: &Path) -> String {
    let profile = profiler_perun::Profile::read(fs::File::open(profile).unwrap()).unwrap();
    profile.document()["origin"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn perun_lists_loads_and_adds_what_is_stored() {
    let Some(python) = python() else { return };
    let repository = Repository::new().await;
    repository.perun(&python, &["init", "--vcs-type", "git"]).await;
    let head = repository.commit().await;
    for sample in ["memory.json", "complexity_native.json", "time.json"] {
        let file = stored(&repository.store(&path(sample)).await);
        assert_eq!(origin(&file), head, "{sample}");
        accepted(&python, &file).await;
        let name = file.file_name().unwrap().to_str().unwrap();
        let listed = repository.perun(&python, &["status"]).await;
        assert!(listed.contains(name), "{listed}");
    }
    repository.perun(&python, &["add", "0@p", "1@p", "2@p"]).await;
    let tracked = repository.perun(&python, &["status", "--short"]).await;
    assert!(tracked.contains("3 tracked profiles"), "{tracked}");
}

#[tokio::test]
async fn profile_of_an_earlier_commit_stays_with_it() {
    let repository = Repository::new().await;
    fs::create_dir(repository.folder.path().join(".perun")).unwrap();
    let earlier = repository.commit().await;
    let first = stored(&repository.store(&path("time.json")).await);
    assert_eq!(origin(&first), earlier);
    let head = repository.commit().await;
    let second = stored(&repository.store(&first).await);
    assert_eq!(origin(&second), earlier);
    assert_ne!(first, second, "nothing is overwritten");
    assert_eq!(origin(&stored(&repository.store(&path("time.json")).await)), head);
}

#[tokio::test]
async fn missing_requirement_of_storing_is_named() {
    let repository = Repository::new().await;
    let refused = |output: Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let problem = refused(repository.store(&path("time.json")).await);
    assert!(problem.contains("no .perun folder") && problem.contains("perun init"), "{problem}");
    fs::create_dir(repository.folder.path().join(".perun")).unwrap();
    let problem = refused(repository.store(&path("bad/header_no_workload.json")).await);
    assert!(problem.contains("header.workload"), "{problem}");
    fs::remove_dir_all(repository.folder.path().join(".git")).unwrap();
    let problem = refused(repository.store(&path("time.json")).await);
    assert!(problem.contains("git finds no commit"), "{problem}");
}
