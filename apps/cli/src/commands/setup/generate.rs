//! `generate`: writes shell completions and man pages for packages.

use crate::args::{Cli, GenerateArgs};
use crate::exit::{Exit, Failure};
use clap::CommandFactory;
use clap_complete::{Shell, generate_to};
use std::fs;
use std::io::Error;

const SHELLS: [Shell; 3] = [Shell::Bash, Shell::Zsh, Shell::Fish];
const NAME: &str = "swiftprof";

/// Writes the files into a folder, which is made if needed.
pub(crate) fn generate(args: &GenerateArgs) -> Result<Exit, Failure> {
    let unwritable = |cause: Error| Failure::Unwritable { path: args.folder.clone(), cause };
    fs::create_dir_all(&args.folder).map_err(unwritable)?;
    for shell in SHELLS {
        generate_to(shell, &mut Cli::command(), NAME, &args.folder).map_err(unwritable)?;
    }
    clap_mangen::generate_to(Cli::command(), &args.folder).map_err(unwritable)?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn every_command_has_a_page_and_every_shell_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let args = GenerateArgs { folder: PathBuf::from(folder.path()).join("new") };
        assert_eq!(generate(&args).unwrap(), Exit::Done);
        let read = |name: &str| fs::read_to_string(args.folder.join(name)).unwrap();
        assert!(read("swiftprof-run.1").contains("input\\-spec"));
        for file in ["swiftprof.bash", "_swiftprof", "swiftprof.fish"] {
            assert!(read(file).contains("baseline"), "{file}");
        }
    }
}
