//! An image of the server without a registry or a daemon: the program, and a user for it.

use super::content::Content;
use super::layout::{Image, Tar, hash};
use super::target::{PROGRAM, Target, VERSION};
use crate::steps::failure::Failure;
use serde_json::json;
use std::fs;
use std::io;
use std::path::Path;

/// The name under which engines load it.
const NAME: &str = "swiftsolve/swiftprof";
/// User id of the server, which owns only the folders of its state and its sockets.
const USER: u64 = 10002;
/// Folder of the store, where a volume belongs.
const STATE: &str = "var/lib/swiftprof";
/// Folder for socket files, and where a volume for callers on the host belongs.
const SOCKETS: &str = "run/swiftprof";

/// Writes the image to a folder; returns its name.
pub(crate) fn write(content: &Content, target: &Target, folder: &Path) -> Result<String, Failure> {
    let name = format!("{PROGRAM}-{VERSION}-{}.oci.tar", target.debian);
    let program = fs::read(&content.program).map_err(Failure::file("read the program"))?;
    let sbom = fs::read(&content.sbom).map_err(Failure::file("read the list of libraries"))?;
    let seconds: u64 = content.seconds.parse().unwrap_or_default();
    let made = layer(&program, &sbom, seconds).and_then(|layer| {
        let config = config(&hash(&layer), target.debian);
        let image =
            Image { name: &format!("{NAME}:{VERSION}"), config: config.as_bytes(), seconds };
        image.write(&folder.join(&name), [Ok(layer)])
    });
    made.map_err(Failure::file(format!("write {name}")))?;
    Ok(name)
}

/// The files of the image.
fn layer(program: &[u8], sbom: &[u8], seconds: u64) -> io::Result<Vec<u8>> {
    let mut tar = Tar::new(Vec::new(), seconds);
    tar.folder("tmp/", 0o1777, 0)?;
    tar.folder(&format!("{STATE}/"), 0o700, USER)?;
    tar.folder(&format!("{SOCKETS}/"), 0o755, USER)?;
    tar.file("etc/passwd", 0o644, format!("{PROGRAM}:x:{USER}:{USER}::/{STATE}:\n").as_bytes())?;
    tar.file("etc/group", 0o644, format!("{PROGRAM}:x:{USER}:\n").as_bytes())?;
    tar.file("usr/bin/swiftprof", 0o755, program)?;
    tar.file("usr/share/doc/swiftprof/sbom.cdx.json", 0o644, sbom)?;
    tar.builder.into_inner()
}

/// Builds the configuration with which engines start the image, as JSON.
fn config(layer: &str, architecture: &str) -> String {
    let config = json!({
        "architecture": architecture,
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "Env": [format!("HOME=/{STATE}"), format!("PROFILER_STATE_DIR=/{STATE}")],
            "Entrypoint": ["/usr/bin/swiftprof"],
            "Cmd": ["serve"],
            "WorkingDir": format!("/{STATE}"),
            "Labels": {
                "org.opencontainers.image.title": PROGRAM,
                "org.opencontainers.image.version": VERSION,
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{layer}")] },
    });
    config.to_string()
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::stand_in;
    use super::super::target::named;
    use super::write;
    use serde_json::Value;
    use sha2::{Digest, Sha256};
    use std::collections::BTreeMap;
    use std::fs;
    use std::io::Read;

    #[test]
    fn same_content_gives_the_same_image_and_every_blob_is_its_hash() {
        let images = [0o700, 0o755].map(|mode| {
            let folder = tempfile::tempdir().unwrap();
            let content = stand_in(folder.path(), mode);
            let target = named("aarch64-unknown-linux-musl").unwrap();
            let name = write(&content, target, folder.path()).unwrap();
            fs::read(folder.path().join(name)).unwrap()
        });
        assert_eq!(images[0], images[1]);

        let mut archive = tar::Archive::new(images[0].as_slice());
        let mut files = BTreeMap::new();
        for entry in archive.entries().unwrap() {
            let mut entry = entry.unwrap();
            let mut content = Vec::new();
            entry.read_to_end(&mut content).unwrap();
            files.insert(entry.path().unwrap().to_string_lossy().into_owned(), content);
        }
        let blobs = files.iter().filter_map(|(path, content)| {
            Some((path.strip_prefix("blobs/sha256/")?.to_owned(), content))
        });
        for (name, content) in blobs {
            assert_eq!(name, format!("{:x}", Sha256::digest(content)));
        }
        let docker: Value = serde_json::from_slice(&files["manifest.json"]).unwrap();
        let layer = &files[docker[0]["Layers"][0].as_str().unwrap()];
        let config: Value =
            serde_json::from_slice(&files[docker[0]["Config"].as_str().unwrap()]).unwrap();
        assert_eq!(
            (&config["config"]["User"], &config["architecture"]),
            (&Value::from("10002:10002"), &Value::from("arm64"),)
        );
        let mut layer = tar::Archive::new(layer.as_slice());
        let owned: Vec<_> = layer
            .entries()
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let header = entry.header();
                let path = entry.path().unwrap().to_string_lossy().into_owned();
                (path, header.mode().unwrap(), header.uid().unwrap())
            })
            .collect();
        assert!(owned.contains(&("usr/bin/swiftprof".into(), 0o755, 0)), "{owned:?}");
        assert!(owned.contains(&("var/lib/swiftprof/".into(), 0o700, 10002)), "{owned:?}");
        assert!(owned.contains(&("run/swiftprof/".into(), 0o755, 10002)), "{owned:?}");
    }
}
