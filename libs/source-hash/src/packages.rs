//! Manifests, and the locked packages that crates need.

use crate::error::{Error, read};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use toml::{Table, Value};

/// Parts of a manifest that do not affect the compiled code. The package's `description` is left
/// out as well.
const NOT_COMPILED: [&str; 3] = ["dev-dependencies", "build-dependencies", "lints"];

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    checksum: Option<String>,
    /// Each is `name`, or `name version` if several versions are locked.
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The manifests of `crates`, what the workspace says about their dependencies, and every locked
/// package that they need, as text.
pub(crate) fn needed(workspace: &Path, crates: &[&str]) -> Result<String, Error> {
    let root: Table = parse(&workspace.join("Cargo.toml"))?;
    let lock: Lock = parse(&workspace.join("Cargo.lock"))?;
    let mut text = String::new();
    let (mut names, mut todo) = (BTreeSet::new(), Vec::new());
    for folder in crates {
        let mut manifest: Table = parse(&workspace.join(folder).join("Cargo.toml"))?;
        manifest.retain(|part, _| !NOT_COMPILED.contains(&part));
        let mut name = String::new();
        if let Some(Value::Table(package)) = manifest.get_mut("package") {
            package.remove("description");
            name = package.get("name").and_then(Value::as_str).unwrap_or_default().into();
        }
        let direct = table(&manifest, "dependencies");
        for dependency in direct.keys() {
            let shared = table(table(&root, "workspace"), "dependencies").get(dependency);
            if let Some(shared) = shared {
                write(shared, &mut text);
            }
        }
        // The lock file names what tests and build scripts need as well.
        let is_own = |package: &&Package| package.name == name && package.checksum.is_none();
        let own = lock.package.iter().find(is_own).ok_or(Error::NotLocked(name.clone()))?;
        todo.extend(own.dependencies.iter().filter(|locked| direct.contains_key(parts(locked).0)));
        write(&Value::Table(manifest), &mut text);
        names.insert(name);
    }
    let mut packages = BTreeSet::new();
    while let Some(locked) = todo.pop() {
        let (name, version) = parts(locked);
        let is_it = |package: &&Package| {
            package.name == name && version.is_none_or(|version| package.version == version)
        };
        for Package { version, checksum, dependencies, .. } in lock.package.iter().filter(is_it) {
            // Crates of the workspace have no checksum.
            let Some(checksum) = checksum else {
                if names.contains(name) {
                    continue;
                }
                return Err(Error::NotHashed(name.into()));
            };
            if packages.insert((name, version, checksum)) {
                todo.extend(dependencies);
            }
        }
    }
    for (name, version, checksum) in packages {
        let _ = writeln!(text, "{name} {version} {checksum}");
    }
    Ok(text)
}

fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, Error> {
    toml::from_str(&read(path)?).map_err(|cause| Error::Toml { path: path.into(), cause })
}

/// The table `name` of `parent`; an empty one if there is none.
fn table<'a>(parent: &'a Table, name: &str) -> &'a Table {
    static NONE: std::sync::LazyLock<Table> = std::sync::LazyLock::new(Table::new);
    parent.get(name).and_then(Value::as_table).unwrap_or(&NONE)
}

/// The name of a locked dependency, and its version if that is given.
fn parts(locked: &str) -> (&str, Option<&str>) {
    let mut parts = locked.split(' ');
    (parts.next().unwrap_or_default(), parts.next())
}

/// Writes a value with its keys in order. A feature of `toml` that another build script may enable
/// alters the order that `toml` itself prints.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::Table(table) => {
            let mut keys: Vec<_> = table.iter().collect();
            keys.sort_unstable_by_key(|(key, _)| *key);
            for (key, value) in keys {
                let _ = write!(text, "{key}=");
                write(value, text);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| write(value, text)),
        plain => {
            let _ = writeln!(text, "{plain}");
        }
    }
}
