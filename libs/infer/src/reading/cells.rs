//! Meanings of rows of numbers and of characters: matrices and grids.

use crate::layout::sample::Word;
use crate::layout::shape::Count;
use crate::reading::content::{Content, Form, Part};
use crate::reading::cost::{self, Cost};
use crate::reading::evidence;
use crate::reading::view::PartView;
use std::collections::BTreeSet;

/// Maximum number of characters that mark places in a grid.
const MOST_MARKS: usize = 2;

impl PartView<'_> {
    /// Meanings of rows of numbers. Only a square can be symmetric or have a diagonal.
    pub(crate) fn matrices(&self, rows: Count, cols: Count) -> Vec<Part> {
        let numbers = |rows: &[Vec<Word>]| rows.iter().map(|row| row_of(row)).collect();
        let all: Vec<Vec<Vec<i64>>> = self.blocks().map(|(_, rows)| numbers(rows)).collect();
        let forms = [false, true].into_iter().flat_map(|symmetric| {
            [false, true].map(|zero_diagonal| Form { symmetric, zero_diagonal })
        });
        forms
            .filter(|form| *form == Form::default() || rows == cols)
            .filter(|form| all.iter().all(|matrix| form.fits(matrix)))
            .map(|form| {
                let free: Vec<Vec<i64>> = all.iter().map(|matrix| form.free(matrix)).collect();
                let content = Content::Matrix { rows, cols, form };
                self.cells(rows, cols, content, form.cost() + cost::numbers(&free))
            })
            .collect()
    }

    /// Meanings of rows of characters.
    pub(crate) fn grids(&self, rows: Count, cols: Count) -> Vec<Part> {
        let characters = |row: &Vec<Word>| row[0].text.bytes().map(i64::from).collect();
        let all: Vec<Vec<Vec<i64>>> =
            self.blocks().map(|(_, rows)| rows.iter().map(characters).collect()).collect();
        let is_symmetric = rows == cols && all.iter().all(|grid| evidence::is_symmetric(grid));
        let mut parts = vec![self.grid(rows, cols)];
        if is_symmetric && marks(&self.texts()).is_empty() {
            let form = Form { symmetric: true, zero_diagonal: has_one_diagonal(&all) };
            let free: Vec<i64> = all.iter().flat_map(|grid| form.free(grid)).collect();
            let different: BTreeSet<i64> = all.iter().flatten().flatten().copied().collect();
            let each = cost::choice(different.len() as f64);
            let values = cost::times(free.len(), each)
                + cost::times(different.len(), cost::CHARACTER)
                + form.cost();
            let content = Content::Grid { rows, cols, marks: String::new(), form };
            parts.push(self.cells(rows, cols, content, values));
        }
        parts
    }

    /// The characters of each grid.
    fn texts(&self) -> Vec<String> {
        let text = |rows: &[Vec<Word>]| rows.iter().map(|row| row[0].text.as_str()).collect();
        self.blocks().map(|(_, rows)| text(rows)).collect()
    }

    fn grid(&self, rows: Count, cols: Count) -> Part {
        let grids = self.texts();
        let marks = marks(&grids);
        let rest: Vec<String> = grids.iter().map(|grid| grid.replace(&*marks, "")).collect();
        let places = |grid: &String| cost::times(marks.len(), cost::choice(grid.len() as f64));
        let values = cost::cells(&rest)
            + cost::times(marks.len(), cost::CHARACTER)
            + grids.iter().map(places).sum::<Cost>();
        let marks = marks.into_iter().collect();
        self.cells(rows, cols, Content::Grid { rows, cols, marks, form: Form::default() }, values)
    }

    fn cells(&self, rows: Count, cols: Count, content: Content, values: Cost) -> Part {
        let turned = if rows > cols { cost::COLUMNS_FIRST } else { 0 };
        let last = if self.is_after_list(rows) { cost::CELLS_AFTER_LIST } else { 0 };
        Part {
            content,
            cost: cost::PART + turned + last + self.cells_cost(rows, cols) + values,
            used: rows.scalar().into_iter().chain(cols.scalar()).collect(),
            doubt: None,
        }
    }
}

/// Whether all cells on the diagonals have one character.
fn has_one_diagonal(grids: &[Vec<Vec<i64>>]) -> bool {
    let cells = grids.iter().flat_map(|grid| grid.iter().enumerate());
    let cells = cells.filter_map(|(at, row)| row.get(at).copied());
    let cells: Vec<i64> = cells.collect();
    cells.len() > 1 && cells.windows(2).all(|pair| pair[0] == pair[1])
}

fn row_of(words: &[Word]) -> Vec<i64> {
    words.iter().filter_map(|word| word.number).collect()
}

/// The only letters, if they are one or two that occur exactly once in every grid. They mark
/// places, such as a start.
fn marks(grids: &[String]) -> Vec<char> {
    let once = |mark: &char| grids.iter().all(|grid| grid.matches(*mark).count() == 1);
    let letters = |grid: &String| grid.chars().filter(char::is_ascii_alphabetic).count();
    let marks: Vec<char> = ('A'..='Z').chain('a'..='z').filter(once).collect();
    let only = grids.iter().all(|grid| letters(grid) == marks.len())
        && grids.iter().any(|grid| grid.len() > marks.len());
    if only && marks.len() <= MOST_MARKS { marks } else { Vec::new() }
}

impl Form {
    fn fits(self, matrix: &[Vec<i64>]) -> bool {
        let zeros = || matrix.iter().enumerate().all(|(row, cells)| cells.get(row) == Some(&0));
        (!self.symmetric || evidence::is_symmetric(matrix)) && (!self.zero_diagonal || zeros())
    }

    /// The numbers that do not follow from others or from the form.
    fn free(self, matrix: &[Vec<i64>]) -> Vec<i64> {
        let is_free = |row: usize, col: usize| {
            !(self.symmetric && col < row || self.zero_diagonal && col == row)
        };
        let row = |(row, cells): (usize, &Vec<i64>)| {
            let all = cells.iter().enumerate().filter(move |(col, _)| is_free(row, *col));
            all.map(|(_, number)| *number).collect::<Vec<_>>()
        };
        matrix.iter().enumerate().flat_map(row).collect()
    }

    fn cost(self) -> Cost {
        match (self.symmetric, self.zero_diagonal) {
            (true, _) => cost::SYMMETRIC,
            (false, true) => cost::ZERO_DIAGONAL,
            (false, false) => 0,
        }
    }
}
