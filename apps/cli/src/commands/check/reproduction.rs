//! The command that reproduces an input.

use crate::args::CheckArgs;
use profiler_core::measure::stress::TestInput;

/// Characters that mean nothing to a shell, in addition to letters and digits.
const PLAIN: &str = "_-./=+:,@%";

/// Returns the command that writes `input` again. `names` has the names of all specs in the file.
/// `None` if the seed alone does not make the input, or if the input's spec cannot be named: it is
/// not the first and has no name, or an earlier spec has the same name.
pub(super) fn command(input: &TestInput, args: &CheckArgs, names: &[String]) -> Option<String> {
    let name = names.get(input.candidate)?;
    let is_first = input.candidate == 0;
    if !input.is_declared() {
        return None;
    }
    if !is_first && (name.is_empty() || names[..input.candidate].contains(name)) {
        return None;
    }
    let spec = args.input_spec.display().to_string();
    let mut words = vec!["swiftprof".into(), "input".into(), quoted(&spec)];
    if !is_first {
        words.extend(["--name".into(), quoted(name)]);
    }
    words.extend([
        "--n".into(),
        input.n.to_string(),
        "--seed".into(),
        input.genome.seed.to_string(),
    ]);
    if let Some(n_max) = args.n_max {
        words.extend(["--n-max".into(), n_max.to_string()]);
    }
    if let Some(testlib) = &args.testlib {
        words.extend(["--testlib".into(), quoted(&testlib.display().to_string())]);
    }
    Some(words.join(" "))
}

/// Quotes a word for a shell, if it needs quotes.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.into();
    }
    if word.contains(char::is_control) {
        // A line of its own could be a command to GitHub Actions.
        return format!("$'{}'", word.chars().map(escaped).collect::<String>());
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Escapes a character between `$'` and `'` of a shell.
fn escaped(c: char) -> String {
    match c {
        '\'' | '\\' => format!("\\{c}"),
        _ if c.is_control() => format!("\\u{:04x}", u32::from(c)),
        _ => c.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use profiler_search::Genome;

    #[test]
    fn word_is_on_one_line() {
        assert_eq!(quoted("a'b c"), r"'a'\''b c'");
        assert_eq!(quoted("a'\n::error::\\b.cpp"), r"$'a\'\u000a::error::\\b.cpp'");
    }

    fn input(candidate: usize) -> TestInput {
        let (genome, bytes) = (Genome::declared(candidate, 17), Vec::new());
        TestInput { n: 3, candidate, genome, is_edited: false, bytes }
    }

    fn command_of(input: &TestInput, names: &[&str], options: &[&str]) -> Option<String> {
        let line = ["swiftprof", "check", "a.cpp", "b.cpp", "--input-spec", "my spec.yaml"];
        let cli = Cli::try_parse_from(line.iter().chain(options)).unwrap();
        let Command::Check(args) = cli.command else { panic!() };
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        command(input, &args, &names)
    }

    #[test]
    fn command_names_what_the_input_depends_on() {
        let printed = "swiftprof input 'my spec.yaml'";
        let names = ["", "it's", "it's", ""];
        let command = |candidate, options: &[&str]| command_of(&input(candidate), &names, options);
        assert_eq!(command(0, &[]).unwrap(), format!("{printed} --n 3 --seed 17"));
        assert_eq!(
            command(1, &["--n-max", "20"]).unwrap(),
            format!(r"{printed} --name 'it'\''s' --n 3 --seed 17 --n-max 20")
        );
        let with_header = command(0, &["--testlib", "lib"]).unwrap();
        assert_eq!(with_header, format!("{printed} --n 3 --seed 17 --testlib lib"));
        assert_eq!([command(2, &[]), command(3, &[])], [None, None]);
    }

    #[test]
    fn edited_input_has_no_command() {
        let edited = TestInput { is_edited: true, ..input(0) };
        assert_eq!(command_of(&edited, &["", ""], &[]), None);
    }
}
