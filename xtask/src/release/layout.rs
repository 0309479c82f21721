//! The archive of an image, without a registry or a daemon.
//!
//! It is an OCI layout with the `manifest.json` of `docker save`, so that old Docker, new Docker
//! and Podman all load it.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// An archive in which every file has the time `seconds` after the epoch.
pub(super) struct Tar<W: Write> {
    pub(super) builder: tar::Builder<W>,
    pub(super) seconds: u64,
}

impl<W: Write> Tar<W> {
    pub(super) fn new(writer: W, seconds: u64) -> Self {
        Self { builder: tar::Builder::new(writer), seconds }
    }

    pub(super) fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> io::Result<()> {
        self.entry(path, tar::EntryType::Regular, (mode, 0), content)
    }

    pub(super) fn folder(&mut self, path: &str, mode: u32, user: u64) -> io::Result<()> {
        self.entry(path, tar::EntryType::Directory, (mode, user), &[])
    }

    fn entry(
        &mut self,
        path: &str,
        kind: tar::EntryType,
        (mode, user): (u32, u64),
        content: &[u8],
    ) -> io::Result<()> {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(mode);
        header.set_mtime(self.seconds);
        header.set_uid(user);
        header.set_gid(user);
        self.builder.append_data(&mut header, path, content)
    }

    /// Adds a blob under its hash, and returns its descriptor.
    fn blob(&mut self, kind: &str, content: &[u8]) -> io::Result<Value> {
        let hash = hash(content);
        self.file(&format!("blobs/sha256/{hash}"), 0o644, content)?;
        let digest = format!("sha256:{hash}");
        Ok(json!({ "mediaType": kind, "digest": digest, "size": content.len() }))
    }
}

/// An image in the form that engines load.
pub(super) struct Image<'a> {
    /// The name under which engines load it, with its tag.
    pub(super) name: &'a str,
    pub(super) config: &'a [u8],
    pub(super) seconds: u64,
}

impl Image<'_> {
    /// Writes the archive. The layers are uncompressed, the lowest first.
    pub(super) fn write(
        &self,
        to: &Path,
        layers: impl IntoIterator<Item = io::Result<Vec<u8>>>,
    ) -> io::Result<()> {
        let mut tar = Tar::new(BufWriter::new(File::create(to)?), self.seconds);
        let layers = layers
            .into_iter()
            .map(|layer| tar.blob("application/vnd.oci.image.layer.v1.tar", &layer?))
            .collect::<io::Result<Vec<_>>>()?;
        let config = tar.blob("application/vnd.oci.image.config.v1+json", self.config)?;
        let docker = json!([{
            "Config": path(&config),
            "RepoTags": [self.name],
            "Layers": layers.iter().map(path).collect::<Vec<_>>(),
        }]);
        let kind = "application/vnd.oci.image.manifest.v1+json";
        let manifest =
            json!({ "schemaVersion": 2, "mediaType": kind, "config": config, "layers": layers });
        let mut listed = tar.blob(kind, manifest.to_string().as_bytes())?;
        listed["annotations"] = json!({
            // Docker with containerd's store takes the name from here.
            "io.containerd.image.name": format!("docker.io/{}", self.name),
            "org.opencontainers.image.ref.name": self.name.rsplit(':').next(),
        });
        let files = [
            ("index.json", json!({ "schemaVersion": 2, "manifests": [listed] })),
            ("manifest.json", docker),
            ("oci-layout", json!({ "imageLayoutVersion": "1.0.0" })),
        ];
        for (name, value) in files {
            tar.file(name, 0o644, value.to_string().as_bytes())?;
        }
        tar.builder.into_inner()?.flush()
    }
}

/// Returns the path of a descriptor's blob.
fn path(descriptor: &Value) -> String {
    let digest = descriptor["digest"].as_str().unwrap_or_default();
    format!("blobs/{}", digest.replace(':', "/"))
}

pub(super) fn hash(content: &[u8]) -> String {
    format!("{:x}", Sha256::digest(content))
}
