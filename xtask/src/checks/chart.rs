//! Checks the chart for Kubernetes with helm's own check and the schemas of Kubernetes.

use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root, run, succeeds, target};
use std::fs;

/// The chart, below the repository's root.
const CHART: &str = "packaging/helm/swiftprof";
/// The values that the chart is checked with.
const VALUES: [&str; 3] = ["ci/insecure-values.yaml", "ci/tls-values.yaml", "ci/fleet-values.yaml"];
/// The versions of Kubernetes whose schemas must accept the chart: its oldest, and a later one.
const KUBERNETES: [&str; 2] = ["1.27.0", "1.33.0"];

/// `cargo xtask chart`.
pub(crate) fn check() -> Result<(), Failure> {
    let (helm, validate) = (tools::helm()?, tools::kubernetes_validate()?);
    let chart = root().join(CHART);
    let path = chart.to_string_lossy();
    for values in VALUES {
        let values = chart.join(values);
        let values = values.to_string_lossy();
        run(&mut command(&helm, ["lint", "--strict", "--values", &values, &path]))?;
        for version in KUBERNETES {
            let words =
                ["template", "swiftprof", &path, "--values", &values, "--kube-version", version];
            let rendered = output(&mut command(&helm, words))?;
            let file = target("chart")?.join(format!("{version}.yaml"));
            fs::write(&file, rendered).map_err(Failure::file(file.to_string_lossy()))?;
            // Prometheus' own kinds have no schema in Kubernetes.
            let mut validated = command(&validate, ["--strict", "--kubernetes-version", version]);
            run(validated.args(["--no-warn"]).arg(&file))?;
        }
    }
    // The chart must refuse a port without TLS, unless its values say that this is wanted.
    if succeeds(&mut command(&helm, ["lint", "--strict", &path])) {
        return Err(Failure::Missing("the chart's schema accepts a port without TLS".into()));
    }
    Ok(())
}
