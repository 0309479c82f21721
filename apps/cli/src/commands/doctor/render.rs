//! The findings as text.

use super::backends::Backend;
use super::code::Code;
use super::disturbances::Disturbance;
use super::findings::Findings;
use super::noise::{Figure, Noise};
use super::tools::Tool;
use profiler_export::{Palette, TextOptions, unbroken, wrapped};
use std::fmt::{self, Display, Formatter};

/// The width of the names. A longer one has its own width; a blank follows every name.
const NAME_WIDTH: usize = 22;
/// The indentation of further lines of a name.
const INDENT: usize = NAME_WIDTH + 3;

/// The findings as text.
pub(super) fn text(findings: &Findings, options: &TextOptions) -> String {
    let text = Text { findings, palette: &options.palette }.to_string();
    wrapped(&with_whole_commands(&text), INDENT, options.width)
}

/// Keeps what stands between backticks on one line.
fn with_whole_commands(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(at, part)| if at % 2 == 1 { unbroken(part) } else { part.into() });
    parts.collect::<Vec<_>>().join("`")
}

struct Text<'a> {
    findings: &'a Findings,
    palette: &'a Palette,
}

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.heading(f, "Sandboxes")?;
        self.findings.backends.iter().try_for_each(|backend| self.backend(f, backend))?;
        let Findings { cgroup_place, cgroup_missing, cgroup_ways, .. } = self.findings;
        let none = || format!("none: {}", cgroup_missing.as_deref().unwrap_or_default());
        row(f, Code::MemoryCgroup.name(), &cgroup_place.clone().unwrap_or_else(none))?;
        for way in cgroup_ways {
            writeln!(f, "{:INDENT$}remedy: {way}", "")?;
        }
        self.heading(f, "\nTools (every run in a native sandbox needs all of them)")?;
        self.findings.tools.iter().try_for_each(|tool| self.tool(f, tool))?;
        self.heading(f, "\nNoise (repeated runs of the same program)")?;
        self.findings.backends.iter().try_for_each(|backend| match &backend.noise {
            Some(noise) => self.noise(f, backend.code.name(), noise),
            None => row(f, backend.code.name(), "not measured"),
        })?;
        self.heading(f, "\nWhat disturbs measurements")?;
        if self.findings.disturbances.is_empty() {
            writeln!(f, "  nothing found")?;
        }
        self.findings
            .disturbances
            .iter()
            .try_for_each(|disturbance| self.disturbance(f, disturbance))
    }
}

impl Text<'_> {
    fn heading(&self, f: &mut Formatter<'_>, text: &str) -> fmt::Result {
        let style = self.palette.heading;
        writeln!(f, "{style}{text}{style:#}")
    }

    fn backend(&self, f: &mut Formatter<'_>, backend: &Backend) -> fmt::Result {
        let Palette { good, bad, .. } = self.palette;
        match &backend.problem {
            None => row(f, backend.code.name(), &format!("{good}works{good:#}"))?,
            Some(problem) if backend.works => {
                row(
                    f,
                    backend.code.name(),
                    &format!("starts, but its noise is unknown: {bad}{problem}{bad:#}"),
                )?;
            }
            Some(problem) => {
                row(f, backend.code.name(), &format!("{bad}does not work{bad:#}: {problem}"))?;
            }
        }
        for sentence in &backend.not_enforced {
            writeln!(f, "{:INDENT$}not enforced: {sentence}", "")?;
        }
        Ok(())
    }

    fn tool(&self, f: &mut Formatter<'_>, tool: &Tool) -> fmt::Result {
        let bad = self.palette.bad;
        let (purpose, package) = (tool.purpose, tool.package);
        let found = tool.path.as_ref().map_or_else(
            || {
                let install = unbroken(&format!("apt-get install {package}"));
                format!("{bad}missing{bad:#}, for {purpose}: {install}")
            },
            |path| path.display().to_string(),
        );
        row(f, tool.code.name(), &found)
    }

    fn noise(&self, f: &mut Formatter<'_>, backend: &str, noise: &Noise) -> fmt::Result {
        let good = self.palette.good;
        let Noise { runs, start_up, work, resolution_percent } = noise;
        let ms = work.unloaded.unwrap_or(work.wall).ms;
        let sentence =
            format!("resolves differences above {resolution_percent:.1} % at {ms:.0} ms");
        row(f, backend, &format!("{good}{sentence}{good:#}"))?;
        for (name, clocks) in [("start-up", start_up), ("work", work)] {
            let unloaded = clocks.unloaded.map(|figure| ("unloaded clock", figure));
            for (clock, figure) in unloaded.into_iter().chain([("wall clock", clocks.wall)]) {
                let Figure { ms, half_width_percent, p90_percent } = figure;
                writeln!(
                    f,
                    "{:INDENT$}{name:<9} {clock:<15} {ms:>7.3} ms ± {half_width_percent:.1} %, \
                     9 of 10 runs within {p90_percent:.1} % of the fastest of {runs}",
                    ""
                )?;
            }
        }
        Ok(())
    }

    fn disturbance(&self, f: &mut Formatter<'_>, disturbance: &Disturbance) -> fmt::Result {
        let caution = self.palette.caution;
        row(f, disturbance.code.name(), &format!("{caution}{}{caution:#}", disturbance.found))?;
        writeln!(f, "{:INDENT$}{}", "", disturbance.effect)?;
        writeln!(f, "{:INDENT$}remedy: {}", "", unbroken(&disturbance.mend))
    }
}

fn row(f: &mut Formatter<'_>, name: &str, found: &str) -> fmt::Result {
    writeln!(f, "  {name:NAME_WIDTH$} {found}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::noise::Clocks;

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
                    code: Code::Docker,
                    works: false,
                    problem: Some("no docker daemon: no such file".into()),
                    not_enforced: Vec::new(),
                    noise: None,
                },
                Backend {
                    code: Code::Native,
                    works: true,
                    problem: None,
                    not_enforced: vec!["memory is sampled, not limited by a cgroup".into()],
                    noise: Some(noise()),
                },
            ],
            tools: vec![
                Tool {
                    code: Code::Gxx,
                    purpose: "compiling",
                    path: Some("/usr/bin/g++".into()),
                    package: "g++",
                },
                Tool { code: Code::Gprof, purpose: "--hotspots", path: None, package: "binutils" },
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
                    code: Code::Swap,
                    found: "/dev/sda2".into(),
                    effect: "peaks lack what is swapped out",
                    mend: "swapoff -a".into(),
                },
                Disturbance {
                    code: Code::HugePages,
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
