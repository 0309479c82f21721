//! `init`: writes a spec and a task file to edit.

use crate::exit::{Exit, Failure};
use crate::output;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

/// The files and their content.
const FILES: [(&str, &str); 2] =
    [("spec.yaml", include_str!("spec.yaml")), ("task.json", include_str!("task.json"))];

/// Writes the files into a folder, which is made if needed. Writes neither file if one exists.
pub(crate) fn init(folder: &Path) -> Result<Exit, Failure> {
    let paths = FILES.map(|(name, content)| (folder.join(name), content));
    if let Some((path, _)) = paths.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        let name = path.display().to_string();
        return Err(Failure::argument(name, "already exists and is left unchanged"));
    }
    fs::create_dir_all(folder)
        .map_err(|cause| Failure::Unwritable { path: folder.into(), cause })?;
    for (path, content) in &paths {
        let written =
            File::create_new(path).and_then(|mut file| file.write_all(content.as_bytes()));
        written.map_err(|cause| Failure::Unwritable { path: path.clone(), cause })?;
    }
    let [spec, task] = paths.map(|(path, _)| path.display().to_string());
    output::print(&format!(
        "edit {spec} or {task}, then:\n  \
         swiftprof run a.cpp --input-spec {spec}\n  \
         swiftprof run a.cpp --task {task} --test-cases"
    ))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::task::Task;
    use profiler_proto::{file, v1};

    #[test]
    fn initial_files_can_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("new");
        init(&folder).unwrap();
        let specs: Vec<v1::InputSpec> = file::read(&folder.join("spec.yaml")).unwrap();
        assert_eq!(specs.len(), 1);
        let mut job = v1::Job::default();
        Task::read(&folder.join("task.json")).unwrap().apply(&mut job).unwrap();
        let unnamed = v1::InputSpec { name: String::new(), ..specs[0].clone() };
        assert_eq!(job.input_specs, [unnamed]);
    }

    #[test]
    fn files_that_are_there_stay() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("task.json");
        fs::write(&own, "mine").unwrap();
        let refused = init(folder.path()).unwrap_err().to_string();
        assert!(refused.contains("task.json: already exists"), "{refused}");
        assert_eq!(fs::read_to_string(own).unwrap(), "mine");
        assert!(!folder.path().join("spec.yaml").exists());
    }
}
