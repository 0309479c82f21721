//! Selection of the rows of a table that run, and their division into tests.
//!
//! Each test may be a process of its own, with a backend and a reference of its own. Rows of one
//! group share tests, so that not every row pays for these.

use std::env;

/// The variable that chooses rows: `first` is the first row of each group and no other test,
/// `memory` is the same with all rows of the group about memory, `all` is everything. Any other
/// value is a list of names of rows and of other tests, separated by commas: `fork_bomb,sleeps`.
/// Then each row is a test of its own.
pub const VARIABLE: &str = "PROFILER_TEST_ROWS";
/// Maximum number of rows of one test.
const ROWS_PER_TEST: usize = 8;

/// The chosen rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// Every row and every other test.
    All,
    /// The first row of each group.
    First,
    /// The first row of each group, and every row about memory.
    Memory,
    /// Rows and other tests of these names.
    Named(Vec<String>),
}

impl Rows {
    /// The rows that [`VARIABLE`] chooses.
    pub fn chosen() -> Self {
        Self::parse(&env::var(VARIABLE).unwrap_or_default())
    }

    fn parse(value: &str) -> Self {
        match value {
            "" | "all" => Self::All,
            "first" => Self::First,
            "memory" => Self::Memory,
            names => Self::Named(names.split(',').map(|name| name.trim().to_owned()).collect()),
        }
    }

    /// Divides a group's rows into tests, each with its name: `memory::2`, or `fork_bomb` if rows
    /// are chosen by their names.
    pub fn tests<'a, T>(
        &self,
        group: &str,
        rows: &'a [T],
        name: impl Fn(&'a T) -> String,
    ) -> Vec<(String, &'a [T])> {
        if let Self::Named(names) = self {
            let alone = rows.chunks(1).map(|row| (name(&row[0]), row));
            return alone.filter(|(name, _)| names.contains(name)).collect();
        }
        let together = rows.chunks(ROWS_PER_TEST).zip(1..);
        together.map(|(rows, number)| (format!("{group}::{number}"), rows)).collect()
    }

    /// Prints the names that no test of this suite has.
    pub fn warn_of_unknown<'a>(&self, tests: impl Iterator<Item = &'a str>) {
        let Self::Named(names) = self else { return };
        let known: Vec<_> = tests.filter_map(|test| test.rsplit("::").next()).collect();
        for name in names.iter().filter(|name| !known.contains(&name.as_str())) {
            eprintln!("this suite has no row called {name}");
        }
    }

    /// Whether a test that has no rows runs. Only the last part of its name counts.
    pub fn include(&self, test: &str) -> bool {
        match self {
            Self::All => true,
            Self::First | Self::Memory => false,
            Self::Named(names) => {
                let last = test.rsplit("::").next();
                names.iter().any(|name| last == Some(name))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: [char; 10] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

    fn tests(rows: &str) -> Vec<(String, String)> {
        let tests = Rows::parse(rows).tests("letters", &LETTERS, char::to_string);
        tests.into_iter().map(|(name, rows)| (name, rows.iter().collect())).collect()
    }

    #[test]
    fn eight_rows_are_one_test() {
        let [first, second] = &tests("all")[..] else { panic!("{:?}", tests("all")) };
        assert_eq!((&*first.0, &*first.1), ("letters::1", "abcdefgh"));
        assert_eq!((&*second.0, &*second.1), ("letters::2", "ij"));
    }

    #[test]
    fn named_row_is_a_test_of_its_own() {
        let alone = ["b", "j"].map(|letter| (letter.to_owned(), letter.to_owned()));
        assert_eq!(tests("j, b,z"), alone);
    }

    #[test]
    fn other_tests_run_with_all_rows_or_by_their_names() {
        let includes = |rows| Rows::parse(rows).include("native::room::fork");
        assert_eq!(["", "all", "x,fork"].map(includes), [true; 3]);
        assert_eq!(["first", "memory", "room", "for"].map(includes), [false; 4]);
    }
}
