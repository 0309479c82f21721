//! The image of the sandboxes for this machine's processor, and the list of what is in it. Docker
//! makes the image here, so its bytes differ each time; the list says what they are made of.

use super::layout::Image;
use super::sbom;
use super::target::{PROGRAM, VERSION};
use crate::install::{base, debian};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, pipe, target};
use serde_json::Value;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Stdio;

/// The program in the image that lists Debian's packages.
const LISTER: &str = "dpkg-query";
/// Prints the name, version and architecture of each package, a line each.
const FORMAT: &str = "--showformat=${Package} ${Version} ${Architecture}\\n";

/// Writes the image and its list to a folder; returns their names. `program` has the runner in it.
/// The Docker daemon must answer.
pub(crate) fn write(program: &Path, folder: &Path, seconds: &str) -> Result<[String; 2], Failure> {
    base::ensure()?;
    // Docker's progress goes to stderr and is shown. stdout is the image's name.
    let built = output(command(program, ["image", "build"]).stderr(Stdio::inherit()))?;
    let image = built.trim();
    let isolated = ["run", "--rm", "--network=none", "--entrypoint", LISTER, image];
    let packages = output(command("docker", isolated).args(["--show", FORMAT]))?;

    let stem = format!("{PROGRAM}-sandbox-{VERSION}-{}", debian::own_arch()?);
    let names = [format!("{stem}.oci.tar"), format!("{stem}.sbom.cdx.json")];
    fs::write(folder.join(&names[1]), sbom::of_sandbox(image, &packages)?)
        .map_err(Failure::file("write the list of packages"))?;
    let saved = target("xtask/saved-image")?;
    let unpack = ["-C", &saved.to_string_lossy(), "-xf", "-"];
    pipe(&mut command("docker", ["save", image]), &mut command("tar", unpack))?;
    repack(&saved, image, seconds.parse().unwrap_or_default(), &folder.join(&names[0]))
        .map_err(Failure::file("pack the sandbox image"))?;
    fs::remove_dir_all(saved).map_err(Failure::file("remove what was packed"))?;
    Ok(names)
}

/// Packs what `docker save` wrote into `saved`. The configuration keeps its bytes, so the image
/// keeps its identifier.
fn repack(saved: &Path, name: &str, seconds: u64, to: &Path) -> io::Result<()> {
    let manifest: Value = serde_json::from_slice(&fs::read(saved.join("manifest.json"))?)?;
    let read = |path: &Value| fs::read(saved.join(path.as_str().unwrap_or_default()));
    let config = read(&manifest[0]["Config"])?;
    let layers = manifest[0]["Layers"].as_array().into_iter().flatten();
    Image { name, config: &config, seconds }.write(to, layers.map(read))
}

#[cfg(test)]
mod tests {
    use super::repack;
    use crate::steps::shell::{command, output};
    use serde_json::{Value, json};
    use std::fs;

    /// Layouts of an image as Docker 20.10 and Docker 28 save it.
    const SAVED: [[&str; 3]; 2] =
        [["c0.json", "l0/layer.tar", "l1/layer.tar"], ["blobs/c0", "blobs/l0", "blobs/l1"]];

    #[test]
    fn saved_image_becomes_the_same_archive_whatever_docker_saved_it() {
        let archives = SAVED.map(|[config, lower, upper]| {
            let folder = tempfile::tempdir().unwrap();
            let manifest = json!([{ "Config": config, "Layers": [lower, upper] }]).to_string();
            let files =
                [("manifest.json", &*manifest), (config, "{}"), (lower, "lower"), (upper, "upper")];
            for (name, content) in files {
                let file = folder.path().join(name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, content).unwrap();
            }
            let archive = folder.path().join("image");
            repack(folder.path(), "sand/box:tag", 7, &archive).unwrap();
            let read = |name: &str| {
                let text = output(command("tar", ["-xOf"]).arg(&archive).arg(name)).unwrap();
                serde_json::from_str::<Value>(&text).unwrap()
            };
            let (docker, index) = (read("manifest.json"), read("index.json"));
            assert_eq!(docker[0]["RepoTags"][0], "sand/box:tag");
            let tag = &index["manifests"][0]["annotations"]["org.opencontainers.image.ref.name"];
            assert_eq!(tag, "tag");
            let layer = docker[0]["Layers"][1].as_str().unwrap();
            let layer = output(command("tar", ["-xOf"]).arg(&archive).arg(layer)).unwrap();
            assert_eq!(layer, "upper");
            fs::read(archive).unwrap()
        });
        assert!(archives[0] == archives[1]);
    }
}
