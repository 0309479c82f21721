//! The list of all libraries in the program, as `CycloneDX`.
//!
//! It is written here, because cargo-cyclonedx gives every file a random number and the time of the
//! day, and takes minutes to build.

use super::target::PACKAGE;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The list, for all targets together. The lock file decides it.
pub(crate) fn write() -> Result<String, Failure> {
    let words = ["metadata", "--locked", "--format-version=1"];
    let metadata = output(&mut command("cargo", words))?;
    let unreadable = |what: &str| Failure::Missing(format!("cargo metadata: {what}"));
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|cause| unreadable(&cause.to_string()))?;
    let list = list(&metadata).ok_or_else(|| unreadable("it lacks the program's libraries"))?;
    Ok(format!("{list:#}\n"))
}

fn list(metadata: &Value) -> Option<Value> {
    let packages = by_id(metadata.get("packages")?)?;
    let nodes = by_id(metadata.get("resolve")?.get("nodes")?)?;
    let (program, _) = packages.iter().find(|(_, package)| package["name"] == PACKAGE)?;
    let mut reached = BTreeSet::new();
    let mut open = vec![*program];
    while let Some(id) = open.pop() {
        if !reached.insert(id) {
            continue;
        }
        let dependencies = nodes.get(id)?.get("deps")?.as_array()?.iter();
        let shipped = dependencies.filter(|dependency| is_shipped(dependency));
        open.extend(shipped.filter_map(|dependency| dependency["pkg"].as_str()));
    }
    let components: Option<Vec<_>> = reached
        .iter()
        .filter(|id| *id != program)
        .map(|id| packages.get(id).map(|package| component(package)))
        .collect();
    Some(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": component(packages.get(program)?) },
        "components": components?,
    }))
}

/// Whether a dependency ends in the program, rather than in its build or its tests.
fn is_shipped(dependency: &Value) -> bool {
    let kinds = dependency["dep_kinds"].as_array();
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind["kind"].is_null()))
}

fn by_id(list: &Value) -> Option<BTreeMap<&str, &Value>> {
    list.as_array()?.iter().map(|item| Some((item.get("id")?.as_str()?, item))).collect()
}

fn component(package: &Value) -> Value {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    let (name, version) = (text("name"), text("version"));
    let kind = if name == PACKAGE { "application" } else { "library" };
    let mut component = json!({ "type": kind, "name": name, "version": version });
    // The workspace's own packages are in no registry, and have no licence yet.
    if package["source"].is_string() {
        component["purl"] = format!("pkg:cargo/{name}@{version}").into();
    }
    if let Some(licence) = package["license"].as_str() {
        // Old packages write `/` for `OR`.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    component
}

#[cfg(test)]
mod tests {
    use super::write;
    use serde_json::Value;

    #[test]
    fn the_programs_libraries_are_listed_and_those_of_tests_are_not() {
        let list: Value = serde_json::from_str(&write().unwrap()).unwrap();
        let components = list["components"].as_array().unwrap();
        let find = |name: &str| components.iter().find(|component| component["name"] == name);
        let tonic = find("tonic").unwrap();
        let version = tonic["version"].as_str().unwrap();
        assert_eq!(tonic["purl"], format!("pkg:cargo/tonic@{version}"));
        assert_eq!(tonic["licenses"][0]["expression"], "MIT");
        assert!(find("profiler-core").unwrap().get("purl").is_none());
        assert!(find("insta").is_none() && find("profiler-cli").is_none());
        assert_eq!(list["metadata"]["component"]["name"], "profiler-cli");
    }
}
