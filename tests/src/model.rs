//! The model: how every program must end, on every backend. Each of the listed endings is right. A
//! program that tries something forbidden, is refused and lives on is OK. It checks itself whether
//! the attempt had an effect, and if so exits with a code other than 0.

mod case;
mod cases;
mod cheats;
mod checked;
mod endings;
mod interactive;
mod patterns;

use crate::rows::Rows;
pub use case::{Case, Evidence, Expected, Group};
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
    use super::{CASES, Group, is_counted, tests};
    use crate::rows::Rows;
    use profiler_proto::Word;
    use std::collections::{BTreeMap, BTreeSet};
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

    /// The section of the page with the table of patterns, and the results that a pattern can have.
    const SECTION: &str = "\n## Patterns of cheating\n";
    const RESULTS: [&str; 4] = ["refused", "caught", "bounded", "inherent"];

    /// The rows of the page's table by the public names of their patterns, without the names.
    fn page() -> BTreeMap<String, String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/security-model.md");
        let page = fs::read_to_string(path).unwrap();
        let section = page.split(SECTION).nth(1).and_then(|rest| rest.split("\n## ").next());
        let rows = section.unwrap().lines().filter(|line| line.starts_with("| "));
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        let mut names = String::new();
        for row in rows.skip(1) {
            let (first, rest) = row["| ".len()..].split_once('|').unwrap();
            let result = rest.split('|').next().unwrap();
            assert!(RESULTS.iter().any(|word| result.contains(word)), "no result: {row}");
            // A row without a name goes on with the pattern of the row above.
            if !first.trim().is_empty() {
                names = first.trim().to_owned();
            }
            for name in names.split("; ") {
                *told.entry(name.to_owned()).or_default() += rest;
            }
        }
        told
    }

    /// The cases that follow a pattern.
    fn variants(name: &str) -> Vec<&'static super::Case> {
        let all = CASES.iter().flat_map(|(_, cases)| *cases);
        all.filter(|case| case.patterns.contains(&name)).collect()
    }

    #[test]
    fn every_pattern_of_cheating_is_on_the_page_and_has_variants() {
        let all = CASES.iter().flat_map(|(_, cases)| *cases);
        let named: BTreeSet<_> = all.flat_map(|case| case.patterns).copied().collect();
        let page = page();
        assert_eq!(named, page.keys().map(String::as_str).collect());
        let of_group = |group| CASES.iter().find(|(it, _)| *it == group).unwrap().1;
        let is_in = |group, case: &super::Case| {
            of_group(group).iter().any(|other| other.program == case.program)
        };
        for name in named {
            let variants = variants(name);
            assert!(variants.len() > 1, "{name} has one variant");
            let is_tried = variants.iter().any(|case| !is_in(Group::Variants, case));
            assert!(is_tried, "`cargo xtask test` runs no variant of {name}");
        }
        for group in [Group::Cheats, Group::Variants] {
            assert!(of_group(group).iter().all(|case| !case.patterns.is_empty()), "{group}");
        }
    }

    #[test]
    fn page_names_the_warnings_that_catch_a_cheat() {
        let page = page();
        for (name, told) in &page {
            let variants = variants(name);
            let expected = variants.iter().flat_map(|case| case.expected);
            let warns: BTreeSet<_> =
                expected.flat_map(|it| it.warns).map(|code| code.word()).collect();
            let claimed = told.split("caught (`").skip(1);
            for code in claimed.filter_map(|rest| rest.split('`').next()) {
                assert!(warns.contains(code), "{name}: no variant expects {code}");
            }
        }
        for (_, cases) in CASES {
            for case in *cases {
                let told: String = case.patterns.iter().map(|name| page[*name].as_str()).collect();
                for code in case.expected.iter().flat_map(|it| it.warns) {
                    let word = format!("`{}`", code.word());
                    assert!(told.contains(&word), "{}: the page lacks {word}", case.program);
                }
            }
        }
    }

    fn files(folder: &str) -> BTreeSet<String> {
        let files = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
        let names = files.unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        names.filter(|name| !OF_OTHER_TESTS.contains(&name.as_str())).collect()
    }

    /// Programs of tests other than the table's.
    const OF_OTHER_TESTS: [&str; 12] = [
        "echoes.cpp",
        "exit_codes.cpp",
        "hides_children.cpp",
        "hot_line.cpp",
        "nothing.cpp",
        "reads_numbers.cpp",
        "remembers_by_pipe.cpp",
        "burning_judge.cpp",
        "burns.cpp",
        "burns_in_child.cpp",
        "ping.cpp",
        "pong.cpp",
    ];
}
