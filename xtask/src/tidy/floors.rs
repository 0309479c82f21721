//! Floors of the house: the top folders, each of which may depend on those below it.

use serde_json::Value;
use std::path::{Component, Path};

/// Top folders, from the ground up. Packages elsewhere are tests and tools, above all of them.
const FLOORS: [&str; 8] = [
    "libs",
    "proto",
    "sandbox-image",
    "profiler-core",
    "profiler-client",
    "crates",
    "profiler-server",
    "apps",
];

/// Returns the dependencies of the packages of a workspace that lead upward, one sentence each.
/// `packages` are those of `cargo metadata`. Tests may use what is above.
pub(super) fn upward(packages: &[Value], root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for package in packages {
        let Some(own) = package["manifest_path"].as_str().map(|path| floor(path, root)) else {
            continue;
        };
        let needed = package["dependencies"].as_array().into_iter().flatten();
        for needed in needed.filter(|needed| needed["kind"].as_str() != Some("dev")) {
            if needed["path"].as_str().is_some_and(|path| floor(path, root) > own) {
                let [from, to] =
                    [package, needed].map(|it| it["name"].as_str().unwrap_or_default());
                found.push(format!("{from} depends on {to}, which is on a floor above"));
            }
        }
    }
    found
}

fn floor(path: &str, root: &Path) -> usize {
    let inside = Path::new(path).strip_prefix(root).unwrap_or(root);
    let top = inside.components().next().map(Component::as_os_str);
    let at = FLOORS.iter().position(|floor| top.is_some_and(|top| top == *floor));
    at.unwrap_or(FLOORS.len())
}

#[cfg(test)]
mod tests {
    use super::upward;
    use serde_json::json;
    use std::path::Path;

    #[test]
    fn arrow_upward_is_found_unless_tests_need_it() {
        let package = |folder: &str, needed: &str, kind: Option<&str>| {
            json!({
                "name": folder,
                "manifest_path": format!("/r/{folder}/Cargo.toml"),
                "dependencies": [{ "name": "b", "path": format!("/r/{needed}"), "kind": kind }],
            })
        };
        let packages = [
            package("libs/a", "proto", None),
            package("proto", "libs/a", None),
            package("libs/c", "tests", Some("dev")),
            package("libs/d", "crates/e", Some("build")),
            package("tests", "apps/cli", None),
        ];
        let found = upward(&packages, Path::new("/r"));
        let upward =
            ["libs/a", "libs/d"].map(|it| format!("{it} depends on b, which is on a floor above"));
        assert_eq!(found, upward);
    }
}
