//! Lists of all that is in the program and in the sandbox image, as `CycloneDX`.
//!
//! They are written here, because cargo-cyclonedx gives every file a random number and the time of
//! the day, and takes minutes to build.

use super::target::{PACKAGE, VERSION};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The package of the program that is in the sandbox image.
const RUNNER: &str = "swiftprof-runner";

/// Lists the libraries of the program, for all targets together, as the lock file decides them.
pub(crate) fn write() -> Result<String, Failure> {
    let [program, libraries @ ..] = &*shipped(PACKAGE)? else { return Err(unreadable(PACKAGE)) };
    Ok(document(program, libraries))
}

/// Lists Debian's packages in the sandbox image, and the runner with its libraries. A line of
/// `packages` is a name, a version and an architecture.
pub(crate) fn of_sandbox(image: &str, packages: &str) -> Result<String, Failure> {
    let lines = packages.lines().map(|line| debian(line).ok_or_else(|| unreadable(line)));
    let mut components = lines.collect::<Result<Vec<_>, _>>()?;
    components.extend(shipped(RUNNER)?);
    Ok(document(&json!({ "type": "container", "name": image, "version": VERSION }), &components))
}

fn document(about: &Value, components: &[Value]) -> String {
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": about },
        "components": components,
    });
    format!("{document:#}\n")
}

fn unreadable(what: &str) -> Failure {
    Failure::Missing(format!("the list of what is shipped: {what}"))
}

/// Describes a package of the sandbox image's Debian release.
fn debian(line: &str) -> Option<Value> {
    let [name, version, architecture] = line.split(' ').collect::<Vec<_>>().try_into().ok()?;
    // The specification of package URLs demands this form of these characters.
    let [escaped, exact] = [name, version].map(|text| text.replace('+', "%2B").replace(':', "%3A"));
    let purl = format!("pkg:deb/debian/{escaped}@{exact}?arch={architecture}&distro=bookworm");
    Some(json!({ "type": "library", "name": name, "version": version, "purl": purl }))
}

/// Lists a package of the workspace, and after it all libraries that are part of it.
fn shipped(package: &str) -> Result<Vec<Value>, Failure> {
    let words = ["metadata", "--locked", "--format-version=1"];
    let metadata = output(&mut command("cargo", words))?;
    let metadata: Value =
        serde_json::from_str(&metadata).map_err(|cause| unreadable(&cause.to_string()))?;
    list(&metadata, package).ok_or_else(|| unreadable("cargo metadata lacks libraries"))
}

fn list(metadata: &Value, package: &str) -> Option<Vec<Value>> {
    let packages = by_id(metadata.get("packages")?)?;
    let nodes = by_id(metadata.get("resolve")?.get("nodes")?)?;
    let (program, _) = packages.iter().find(|(_, found)| found["name"] == package)?;
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
    reached.remove(program);
    let ids = [*program].into_iter().chain(reached);
    ids.map(|id| packages.get(id).map(|package| component(package))).collect()
}

/// Whether a dependency is part of the program, rather than of its build or its tests.
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
    let kind = if [PACKAGE, RUNNER].contains(&name) { "application" } else { "library" };
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
    use super::{of_sandbox, write};
    use serde_json::Value;

    #[test]
    fn programs_libraries_are_listed_and_those_of_tests_are_not() {
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
    #[test]
    fn sandbox_image_has_debians_packages_and_the_runner_with_its_libraries() {
        let packages = "g++-12 4:12.2.0-3+b1 amd64\nlibc6 2.36-9+deb12u10 amd64\n";
        let list = of_sandbox("sand/box:tag", packages).unwrap();
        let list: Value = serde_json::from_str(&list).unwrap();
        let components = list["components"].as_array().unwrap();
        let purls: Vec<_> = components[..2].iter().map(|component| &component["purl"]).collect();
        assert_eq!(
            purls,
            [
                "pkg:deb/debian/g%2B%2B-12@4%3A12.2.0-3%2Bb1?arch=amd64&distro=bookworm",
                "pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64&distro=bookworm"
            ]
        );
        assert_eq!(components[2]["name"], "swiftprof-runner");
        assert!(components.iter().any(|component| component["name"] == "nix"), "{list:#}");
        assert!(of_sandbox("sand/box:tag", "g++\n").is_err());
    }
}
