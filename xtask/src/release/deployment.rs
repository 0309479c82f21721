//! Files that start the image: the file for Compose, and the chart for Kubernetes.

use super::archive;
use super::content::place;
use super::target::VERSION;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root};
use std::fs;
use std::path::Path;

const COMPOSE: &str = "packaging/compose/compose.yaml";
/// Folder of the chart, and the chart's name.
const CHARTS: &str = "packaging/helm";
const CHART: &str = "swiftprof";
/// Folder that only the check of the chart reads.
const CHECKED_WITH: &str = "/ci/";

/// Writes both to a folder; returns their names. The chart's files have the time `seconds` after
/// the epoch.
pub(crate) fn write(folder: &Path, seconds: &str) -> Result<[String; 2], Failure> {
    let compose = format!("{CHART}-{VERSION}-compose.yaml");
    place(&root().join(COMPOSE), &folder.join(&compose), 0o644)?;
    // Files that nobody committed are in no package.
    let listed = output(command("git", ["ls-files", CHART]).current_dir(root().join(CHARTS)))?;
    let copy = folder.join(CHART);
    for file in listed.lines().filter(|file| !file.contains(CHECKED_WITH)) {
        place(&root().join(CHARTS).join(file), &folder.join(file), 0o644)?;
    }
    let archive = archive::write(&copy, seconds)?;
    let chart = format!("{CHART}-{VERSION}.tgz");
    fs::rename(folder.join(archive), folder.join(&chart)).map_err(Failure::file(&*chart))?;
    fs::remove_dir_all(&copy).map_err(Failure::file("remove what was packed"))?;
    Ok([compose, chart])
}

#[cfg(test)]
mod tests {
    use super::{VERSION, write};
    use crate::steps::shell::{command, output};

    #[test]
    fn chart_is_an_archive_that_helm_can_install() {
        let folder = tempfile::tempdir().unwrap();
        let [compose, chart] = write(folder.path(), "1000000000").unwrap();
        assert!(folder.path().join(compose).is_file());
        assert_eq!(chart, format!("swiftprof-{VERSION}.tgz"));
        let listed =
            output(command("tar", ["--list", "--file", &chart]).current_dir(folder.path()));
        let listed = listed.unwrap();
        for file in ["Chart.yaml", "values.yaml", "values.schema.json", "templates/service.yaml"] {
            assert!(listed.contains(&format!("swiftprof/{file}\n")), "{file} in {listed}");
        }
        assert!(!listed.contains("/ci/"), "{listed}");
    }
}
