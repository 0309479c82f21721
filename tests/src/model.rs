//! The model: how every program must end, on every backend. Each of the listed endings is right. A
//! program that tries something forbidden, is refused and lives on is OK. It checks itself whether
//! the attempt had an effect, and exits with another code if so.

mod case;
mod cases;
mod endings;
mod interactive;

pub use case::{Case, Expected, Group};
pub use cases::CASES;

#[cfg(test)]
mod tests {
    use super::CASES;
    use std::collections::BTreeSet;
    use std::{fs, path::Path};

    #[test]
    fn every_program_is_in_the_table() {
        let cases = || CASES.iter().flat_map(|(_, cases)| *cases);
        let alone = cases().filter(|case| case.interactive.is_none()).map(|case| case.program);
        assert_eq!(files("programs"), alone.map(|name| format!("{name}.cpp")).collect());
        let pairs = cases().filter_map(|case| case.interactive);
        let interactive = pairs.flat_map(|(program, interactor)| [program, interactor]);
        assert_eq!(files("interactive"), interactive.map(|name| format!("{name}.cpp")).collect());
    }

    fn files(folder: &str) -> BTreeSet<String> {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        let names = files.unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !OF_OTHER_TESTS.contains(&name.as_str())).collect()
    }

    /// Programs for other tests than the table's.
    const OF_OTHER_TESTS: [&str; 13] = [
        "echoes.cpp",
        "exit_codes.cpp",
        "hides_children.cpp",
        "hot_line.cpp",
        "nothing.cpp",
        "reads_numbers.cpp",
        "remembers_by_pipe.cpp",
        "tells_the_probe.cpp",
        "burning_judge.cpp",
        "burns.cpp",
        "burns_in_child.cpp",
        "ping.cpp",
        "pong.cpp",
    ];
}
