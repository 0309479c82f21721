//! The program's other files: headers, and sources that are compiled together with the first one.

use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use profiler_decode::addr2line::OwnFiles;
use runner_protocol::{ListedFile, SCRATCH_DIR, read_list};
use std::fs::{self, DirBuilder, File};
use std::io::{self, BufReader, Read};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// The mode of folders that only the runner may write.
const FOLDER: u32 = 0o755;
/// The mode of files that only the runner may write.
const FILE: u32 = 0o644;

/// The files in scratch.
#[derive(Default)]
pub(super) struct SourceFiles {
    files: Vec<ListedFile>,
    /// Folders that were made for them, each after the folder that it is in.
    folders: Vec<PathBuf>,
}

impl SourceFiles {
    /// Places the files that the host has put into the sandbox. The host has checked the paths.
    pub(super) fn place() -> Result<Self> {
        let Some(mut bundle) = bundle()? else { return Ok(Self::default()) };
        let list = read_list(&mut bundle).stage("read the list of files")?;
        let mut placed = Self::default();
        for listed in list {
            placed.make_folders(&listed.path).stage("make a folder of the program")?;
            let mut file = files::create(&in_scratch(&listed.path), FILE).stage("place a file")?;
            let mut text = (&mut bundle).take(listed.bytes);
            io::copy(&mut text, &mut file).stage("place a file")?;
            placed.files.push(listed);
        }
        Ok(placed)
    }

    fn make_folders(&mut self, path: &str) -> io::Result<()> {
        for (end, _) in path.match_indices('/') {
            let folder = in_scratch(&path[..end]);
            if !self.folders.contains(&folder) {
                DirBuilder::new().mode(FOLDER).create(&folder)?;
                self.folders.push(folder);
            }
        }
        Ok(())
    }

    /// The paths of the sources.
    pub(super) fn compiled(&self) -> impl Iterator<Item = String> {
        self.files.iter().filter(|file| file.is_compiled).map(|file| file.path.clone())
    }

    /// Removes the files. They belong to the runner, so nobody else can.
    pub(super) fn remove(&self) -> Result<()> {
        for ListedFile { path, .. } in &self.files {
            files::remove(&in_scratch(path)).stage("remove a file of the program")?;
        }
        for folder in self.folders.iter().rev() {
            // If a compiler of the runner's own user left something in it, emptying scratch
            // removes both.
            let _ = fs::remove_dir(folder);
        }
        Ok(())
    }
}

/// The paths of the files that the host has put into the sandbox.
pub(crate) fn own_files() -> Result<OwnFiles> {
    let Some(mut bundle) = bundle()? else { return Ok(OwnFiles::default()) };
    let list = read_list(&mut bundle).stage("read the list of files")?;
    Ok(OwnFiles::new(list.into_iter().map(|file| file.path)))
}

fn bundle() -> Result<Option<BufReader<File>>> {
    let is_there = WorkFile::FILES.path().try_exists().stage("look for files")?;
    is_there.then(|| WorkFile::FILES.open().map(BufReader::new)).transpose()
}

fn in_scratch(path: &str) -> PathBuf {
    Path::new(SCRATCH_DIR).join(path)
}
