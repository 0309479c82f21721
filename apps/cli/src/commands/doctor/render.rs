//! The findings as text.

use super::backends::Backend;
use super::disturbances::Disturbance;
use super::findings::Findings;
use super::noise::{Figure, Noise};
use super::tools::Tool;
use profiler_export::{Palette, TextOptions, unbroken, wrapped};
use std::fmt::Display;

/// Width of the column of names. A longer name extends beyond it; a blank follows every name.
const NAME_WIDTH: usize = 22;
/// Indentation of the further lines of an entry.
const INDENT: usize = NAME_WIDTH + 3;

/// Renders the findings as text.
pub(super) fn text(findings: &Findings, options: &TextOptions) -> String {
    let palette = &options.palette;
    let heading = |text| format!("{}{text}{:#}", palette.heading, palette.heading);
    let Findings { backends, cgroup_place, cgroup_missing, cgroup_ways, .. } = findings;
    let mut lines = vec![heading("Sandboxes")];
    lines.extend(backends.iter().flat_map(|it| backend(it, palette)));
    let none = || format!("none: {}", cgroup_missing.as_deref().unwrap_or_default());
    lines.push(row(&name("memory_cgroup"), cgroup_place.clone().unwrap_or_else(none)));
    lines.extend(cgroup_ways.iter().map(|way| more(&format!("remedy: {way}"))));
    lines.push(heading("\nTools (every run in a native sandbox needs all of them)"));
    lines.extend(findings.tools.iter().map(|it| tool(it, palette)));
    lines.push(heading("\nNoise (repeated runs of the same program)"));
    for Backend { code, noise: found, .. } in backends {
        match found {
            Some(found) => lines.extend(noise(code, found, palette)),
            None => lines.push(row(code, "not measured")),
        }
    }
    lines.push(heading("\nWhat disturbs measurements"));
    if findings.disturbances.is_empty() {
        lines.push("  nothing found".into());
    }
    lines.extend(findings.disturbances.iter().flat_map(|it| disturbance(it, palette)));
    wrapped(&with_whole_commands(&lines.join("\n")), INDENT, options.width)
}

/// Keeps text between backticks on one line.
fn with_whole_commands(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { unbroken(part) } else { part.into() });
    parts.collect::<Vec<_>>().join("`")
}

fn row(name: &str, found: impl Display) -> String {
    format!("  {name:NAME_WIDTH$} {found}")
}

fn more(text: &str) -> String {
    format!("{:INDENT$}{text}", "")
}

/// The name of a disturbance.
fn name(code: &str) -> String {
    match code {
        "smt" => "SMT siblings".into(),
        "huge_pages" => "transparent huge pages".into(),
        "isolation" => "isolation (optional)".into(),
        plain => plain.replace('_', " "),
    }
}

fn backend(backend: &Backend, palette: &Palette) -> Vec<String> {
    let Palette { good, bad, .. } = palette;
    let found = match &backend.problem {
        None => format!("{good}works{good:#}"),
        Some(problem) if backend.works => {
            format!("starts, but its noise is unknown: {bad}{problem}{bad:#}")
        }
        Some(problem) => format!("{bad}does not work{bad:#}: {problem}"),
    };
    let gaps = backend.not_enforced.iter().map(|gap| more(&format!("not enforced: {gap}")));
    [row(backend.code, found)].into_iter().chain(gaps).collect()
}

fn tool(tool: &Tool, palette: &Palette) -> String {
    let (Tool { name, purpose, package, path, .. }, bad) = (tool, palette.bad);
    if let Some(path) = path {
        return row(name, path.display());
    }
    let install = unbroken(&format!("apt-get install {package}"));
    row(name, format!("{bad}missing{bad:#}, for {purpose}: {install}"))
}

fn noise(backend: &str, noise: &Noise, palette: &Palette) -> Vec<String> {
    let good = palette.good;
    let Noise { runs, start_up, work, resolution_percent } = noise;
    let ms = work.unloaded.unwrap_or(work.wall).ms;
    let sentence = format!("resolves differences above {resolution_percent:.1} % at {ms:.0} ms");
    let mut lines = vec![row(backend, format!("{good}{sentence}{good:#}"))];
    for (name, clocks) in [("start-up", start_up), ("work", work)] {
        let unloaded = clocks.unloaded.map(|figure| ("unloaded clock", figure));
        for (clock, figure) in unloaded.into_iter().chain([("wall clock", clocks.wall)]) {
            let Figure { ms, half_width_percent, p90_percent } = figure;
            lines.push(more(&format!(
                "{name:<9} {clock:<15} {ms:>7.3} ms ± {half_width_percent:.1} %, \
                 9 of 10 runs within {p90_percent:.1} % of the fastest of {runs}"
            )));
        }
    }
    lines
}

fn disturbance(disturbance: &Disturbance, palette: &Palette) -> [String; 3] {
    let Disturbance { code, found, effect, mend } = disturbance;
    let caution = palette.caution;
    [
        row(&name(code), format!("{caution}{found}{caution:#}")),
        more(effect),
        more(&format!("remedy: {}", unbroken(mend))),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::noise::Clocks;
    use crate::commands::doctor::tools::NEEDED;
    use profiler_core::sandbox::Choice;

    fn noise() -> Noise {
        let figure =
            |ms, half_width_percent, p90_percent| Figure { ms, half_width_percent, p90_percent };
        Noise {
            runs: 50,
            start_up: Clocks { unloaded: None, wall: figure(0.712, 2.04, 6.5) },
            work: Clocks {
                unloaded: Some(figure(10.031, 0.2, 0.6)),
                wall: figure(10.04, 1.1, 12.3),
            },
            resolution_percent: 0.4,
        }
    }

    fn findings() -> Findings {
        Findings {
            backends: vec![
                Backend {
                    code: "docker",
                    works: false,
                    problem: Some("no Docker daemon: no such file".into()),
                    not_enforced: Vec::new(),
                    noise: None,
                },
                Backend {
                    code: "native",
                    works: true,
                    problem: None,
                    not_enforced: vec!["memory is sampled, not limited by a cgroup".into()],
                    noise: Some(noise()),
                },
            ],
            tools: vec![
                Tool {
                    code: "gxx",
                    name: "g++",
                    purpose: "compiling",
                    path: Some("/usr/bin/g++".into()),
                    package: "g++",
                },
                Tool {
                    code: "gprof",
                    name: "gprof",
                    purpose: "--hotspots",
                    path: None,
                    package: "binutils",
                },
            ],
            cgroup_version: Some(2),
            cgroup_place: None,
            cgroup_missing: Some("/unit is not delegated".into()),
            cgroup_ways: vec![
                "set `Delegate=yes` in the unit of its service",
                "start it as `systemd-run --user --scope -p Delegate=yes swiftprof …`",
            ],
            disturbances: vec![
                Disturbance {
                    code: "swap",
                    found: "/dev/sda2".into(),
                    effect: "peaks lack what is swapped out",
                    mend: "swapoff -a".into(),
                },
                Disturbance {
                    code: "huge_pages",
                    found: "always".into(),
                    effect: "peaks grow in steps of 2 MiB",
                    mend: "echo madvise".into(),
                },
            ],
        }
    }

    fn shown(width: Option<usize>) -> String {
        text(&findings(), &TextOptions { width, ..TextOptions::default() })
    }

    #[test]
    fn page_lists_the_codes_and_names_of_disturbances() {
        let page = include_str!("../../../../../docs/command-line.md");
        for code in [
            "frequency_governor",
            "turbo",
            "smt",
            "swap",
            "huge_pages",
            "load",
            "hardware_counters",
            "one_processor",
            "memory_cgroup",
            "clock_source",
            "run_delay",
            "isolation",
            "steal",
            "interrupts",
        ] {
            let row = format!("| `{code}` | {} |", name(code));
            assert!(page.contains(&row), "{row}");
        }
        let backends = [Choice::Docker, Choice::Native].map(Choice::name);
        let tools = NEEDED.map(|(code, name, ..)| (code, name));
        for (code, name) in backends.map(|name| (name, name)).into_iter().chain(tools) {
            let row = format!("| `{code}` | {name} |");
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn findings_read_as_text() {
        insta::assert_snapshot!(shown(None));
    }

    #[test]
    fn findings_fit_the_terminal() {
        insta::assert_snapshot!(shown(Some(60)));
        for width in [60, 80, 200] {
            let text = shown(Some(width));
            // A command is on one line, whatever its length.
            let wrapped = text.lines().filter(|line| !line.trim_start().starts_with('`'));
            let widest = wrapped.map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{widest} columns:\n{text}");
        }
        assert_eq!(shown(Some(200)), shown(None).trim_end());
    }
}
