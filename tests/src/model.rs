//! The model: how every program must end, on every backend. Each of the listed endings is right. A
//! program that tries something forbidden, is refused and lives on is OK. It checks itself whether
//! the attempt had an effect, and if so exits with a code other than 0.

mod case;
mod cases;
mod checked;
mod endings;
mod interactive;

use crate::rows::Rows;
pub use case::{Case, Expected, Group};
pub use cases::CASES;

/// Divides the chosen rows into tests, each with a name, a group and cases of the group.
pub fn tests(rows: &Rows) -> Vec<(String, Group, &'static [Case])> {
    let of_group = |&(group, cases): &(Group, &'static [Case])| {
        let is_whole = match rows {
            Rows::All | Rows::Named(_) => true,
            Rows::Memory => group == Group::Memory,
            Rows::First => false,
        };
        let cases = if is_whole { cases } else { &cases[..1] };
        let tests = rows.tests(&group.to_string(), cases, |case| case.program.to_owned());
        tests.into_iter().map(move |(name, cases)| (name, group, cases))
    };
    CASES.iter().flat_map(of_group).collect()
}

/// Whether a case is measured with the default effort for growth, which compiles another build and
/// counts its instructions. That holds for the first case of each group that must end well, and for
/// every case whose whole answer is searched for secrets.
pub fn is_counted(case: &Case) -> bool {
    let is_first = |(_, cases): &(Group, &[Case])| {
        let first = cases.iter().find(|case| case.ends_well());
        first.is_some_and(|first| first.program == case.program)
    };
    !case.secrets.is_empty() || CASES.iter().any(is_first)
}

#[cfg(test)]
mod tests {
    use super::{CASES, is_counted, tests};
    use crate::rows::Rows;
    use std::collections::BTreeSet;
    use std::{fs, path::Path};

    #[test]
    fn every_program_is_in_the_table() {
        let cases = || CASES.iter().flat_map(|(_, cases)| *cases);
        let is_alone = |case: &&super::Case| case.interactive.is_none() && case.checked.is_none();
        let alone = cases().filter(is_alone).map(|case| case.program);
        assert_eq!(files("programs"), alone.map(|name| format!("{name}.cpp")).collect());
        let interactive: Vec<_> = cases().filter_map(|case| case.interactive).collect();
        let checked: Vec<_> = cases().filter_map(|case| case.checked).collect();
        for (folder, pairs) in [("interactive", interactive), ("checked", checked)] {
            let both = pairs.into_iter().flat_map(|(program, other)| [program, other]);
            assert_eq!(files(folder), both.map(|name| format!("{name}.cpp")).collect());
        }
    }

    #[test]
    fn every_case_is_in_one_test() {
        let all = tests(&Rows::All);
        let names: BTreeSet<_> = all.iter().map(|(name, ..)| name).collect();
        assert_eq!(names.len(), all.len());
        let in_tests = all.iter().flat_map(|(.., cases)| *cases).map(|case| case.program);
        let in_table = CASES.iter().flat_map(|(_, cases)| *cases).map(|case| case.program);
        assert!(in_tests.eq(in_table));
    }

    #[test]
    fn few_rows_are_one_of_each_group() {
        let rows = |rows| tests(&rows).iter().map(|(.., cases)| cases.len()).sum::<usize>();
        let memory = CASES.iter().find(|(group, _)| group.to_string() == "memory").unwrap().1;
        assert_eq!(rows(Rows::First), CASES.len());
        assert_eq!(rows(Rows::Memory), CASES.len() - 1 + memory.len());
    }

    #[test]
    fn one_case_that_ends_well_is_counted_in_each_group() {
        let counted = |cases: &[super::Case]| cases.iter().any(is_counted);
        for (group, cases) in CASES {
            assert_eq!(counted(cases), cases.iter().any(super::Case::ends_well), "{group}");
        }
    }

    fn files(folder: &str) -> BTreeSet<String> {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        let names = files.unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !OF_OTHER_TESTS.contains(&name.as_str())).collect()
    }

    /// Programs of tests other than the table's.
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
