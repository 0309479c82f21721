//! The cells of the table.

use super::engine::Engine;
use super::finished_cells::Kept;
use super::hosts::{HOSTS, Host, Try};
use super::machine::Machine;
use clap::{Args, ValueEnum};
use std::time::Instant;
use xtask::steps::failure::Failure;

/// A cell of the table: a try on a kind of host.
pub(super) struct Place {
    pub(super) host: &'static Host,
    tried: Try,
}

impl Place {
    /// Its name in what is kept.
    fn name(&self) -> String {
        format!("{}: {:?}", self.host.name, self.tried)
    }

    /// The finding there, if that was right.
    pub(super) fn found<'a>(&self, kept: &'a Kept) -> Option<&'a str> {
        kept.found(&self.name())
    }
}

/// A part of the suite of hostile programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Hostile {
    /// Nothing.
    None,
    /// The first row of each group.
    First,
    /// The same, and all rows about memory. They depend most on the cgroup's version.
    Memory,
    /// All rows and checks: about an hour, and several with an engine of containers.
    All,
}

impl Hostile {
    /// The try for a host that has the suite in its row.
    fn tries(self, tried: Try) -> Option<Try> {
        match (tried, self) {
            (Try::Hostile, Self::None) => None,
            (Try::Hostile, Self::Memory) => Some(Try::Memory),
            (Try::Hostile, Self::All) => Some(Try::Whole),
            (tried, _) => Some(tried),
        }
    }
}

/// Choice of the cells that are filled.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// The engine of containers; none tries native sandboxes
    #[arg(long, value_enum, default_value_t = Engine::None)]
    pub(crate) engine: Engine,
    /// Part of the suite of hostile programs that runs
    #[arg(long, value_enum, default_value_t = Hostile::First)]
    hostile: Hostile,
    /// Only kinds of host whose name contains this, such as `user`
    #[arg(long, value_name = "TEXT")]
    host: Option<String>,
}

impl Choice {
    /// The chosen cells. Refuses a name that no kind of host contains.
    pub(super) fn cells(&self) -> Result<Vec<Place>, Failure> {
        let of_engine = || HOSTS.iter().filter(|host| host.engine == self.engine);
        let is_named = |host: &&Host| match &self.host {
            Some(part) => host.name.contains(part),
            None => true,
        };
        let hosts: Vec<_> = of_engine().filter(is_named).collect();
        if hosts.is_empty() {
            let names: Vec<_> = of_engine().map(|host| host.name).collect();
            let part = self.host.as_deref().unwrap_or_default();
            return Err(Failure::Missing(format!(
                "no kind of host contains {part:?}; there are: {}",
                names.join("; ")
            )));
        }
        let of_host = |host: &'static Host| {
            let tries = host.tries.iter().filter_map(|&tried| self.hostile.tries(tried));
            tries.map(move |tried| Place { host, tried })
        };
        Ok(hosts.into_iter().flat_map(of_host).collect())
    }
}

/// Tries what was chosen, but for what is kept. What is right is kept.
pub(super) fn fill<'a>(
    machine: &Machine,
    chosen: impl Iterator<Item = &'a Place>,
    kept: &mut Kept,
) -> Result<(), Failure> {
    for place in chosen {
        if place.found(kept).is_some() {
            continue;
        }
        let begun = Instant::now();
        let Place { host, tried } = place;
        let command = tried.command(host);
        let printed = match tried {
            Try::Hostile | Try::Memory | Try::Whole => machine.shown(host.user, &command)?,
            _ => machine.printed(host.user, &command)?,
        };
        let (found, is_right) = tried.judge(host, machine.arch, &printed);
        println!("{}: {found} ({:.1} s)", place.name(), begun.elapsed().as_secs_f64());
        if is_right {
            kept.keep(&place.name(), &found)?;
        } else {
            println!("WRONG: {command}\n{printed}");
        }
    }
    Ok(())
}

/// Prints the table. Fails if a cell is wrong.
pub(super) fn print(chosen: &[Place], kept: &Kept) -> Result<(), Failure> {
    println!("\nwhat is right is kept in {}; remove it to try all again", kept.file().display());
    for place in chosen {
        let Place { host, tried } = place;
        let tried = format!("{tried:?}");
        println!("{:38}{tried:10}{}", host.name, place.found(kept).unwrap_or("WRONG"));
    }
    let right = chosen.iter().filter(|place| place.found(kept).is_some()).count();
    println!("{right} of {} cells are as they must be", chosen.len());
    match chosen.len() - right {
        0 => Ok(()),
        wrong => Err(Failure::Missing(format!("{wrong} cells are not as they must be"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(engine: Engine, host: Option<&str>) -> Result<Vec<Place>, Failure> {
        Choice { engine, hostile: Hostile::First, host: host.map(String::from) }.cells()
    }

    #[test]
    fn every_engine_has_cells() {
        for engine in Engine::value_variants().iter().copied() {
            assert!(cells(engine, None).is_ok_and(|cells| !cells.is_empty()), "{engine:?}");
        }
    }

    #[test]
    fn unknown_host_is_refused_with_those_that_are_known() {
        let refused = cells(Engine::Podman, Some("typo")).map(drop).unwrap_err().to_string();
        assert_eq!(refused, "no kind of host contains \"typo\"; there are: user, Podman");
    }
}
