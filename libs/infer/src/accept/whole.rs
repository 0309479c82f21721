//! Properties that a variable has only over all its rows.

use super::promises;
use super::{ROOT, Reader, Rows};
use crate::reading::content::Parents;
use crate::reading::evidence::{self, Edges};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Grid, Matrix, Pattern, Permutation, Tree};
use std::collections::BTreeSet;

impl Reader<'_> {
    /// Checks the properties of all rows of a variable.
    pub(super) fn whole(&self, kind: Option<&Kind>, rows: &Rows) -> Result<(), String> {
        if let (Some(kind), Some(_)) = (kind, self.scope) {
            promises::keeps(kind, rows, &|text| self.value(text))?;
        }
        let keeps = |is_kept: bool, problem: &str| is_kept.then_some(()).ok_or(problem.into());
        match kind {
            Some(Kind::Permutation(permutation)) => self.permutation(permutation, rows.concat()),
            Some(Kind::Array(array)) if array.distinct => {
                let mut values: Vec<i64> = rows.concat();
                values.sort_unstable();
                let twice = values.windows(2).any(|pair| pair[0] == pair[1]);
                keeps(!twice, "has a number twice")
            }
            Some(Kind::Points(points)) if points.distinct => {
                let different: BTreeSet<_> = rows.iter().collect();
                keeps(different.len() == rows.len(), "has a point twice")
            }
            Some(Kind::Tree(tree)) if tree.parents => {
                keeps(are_parents(tree, &rows.concat()), "the parents are no tree")
            }
            Some(Kind::Tree(tree_of)) => {
                let pairs: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
                let nodes = i64::try_from(rows.len() + 1).unwrap_or(i64::MAX);
                let tree = Edges::new(nodes, 0, &pairs);
                keeps(tree.is_some_and(|edges| edges.is_tree()), "the edges are no tree")?;
                let rises = !tree_of.smaller_first || pairs.iter().all(|(from, to)| from < to);
                keeps(rises, "a smaller node comes second")
            }
            Some(Kind::Matrix(matrix)) => self.matrix(matrix, rows),
            Some(Kind::Grid(grid)) => {
                keeps(has_marks(grid, &rows.concat()), "does not have each mark once")?;
                keeps(has_form(grid, rows), "is not symmetric, or has another diagonal")
            }
            Some(Kind::Text(text)) if text.distinct => {
                keeps(!text.sorted || rows.is_sorted(), "is not sorted")?;
                let different: BTreeSet<_> = rows.iter().collect();
                keeps(different.len() == rows.len(), "has a string twice")
            }
            Some(Kind::Text(text)) if text.pattern() == Pattern::Balanced => {
                let balanced = evidence::are_balanced(text.letters().as_bytes(), &rows.concat());
                keeps(balanced, "the brackets are not balanced")
            }
            Some(Kind::Queries(queries)) => self.history(queries, rows),
            _ => Ok(()),
        }
    }

    fn permutation(&self, declared: &Permutation, mut values: Vec<i64>) -> Result<(), String> {
        let base = match declared.base.as_str() {
            "" => 1,
            base => self.value(base)?,
        };
        values.sort_unstable();
        let consecutive = values.iter().zip(base..).all(|(value, wanted)| *value == wanted);
        consecutive.then_some(()).ok_or("is no permutation".into())
    }

    fn matrix(&self, declared: &Matrix, rows: &Rows) -> Result<(), String> {
        if declared.symmetric && !evidence::is_symmetric(rows) {
            return Err("is not symmetric".into());
        }
        if !declared.zero_diagonal {
            return Ok(());
        }
        let mut cells = (0..).zip(rows).flat_map(|(r, row)| (0..).zip(row).map(move |it| (r, it)));
        cells.try_for_each(|(row, (col, number))| match (row == col, *number) {
            (true, 0) => Ok(()),
            (true, number) => Err(format!("{number} is on the diagonal, where 0 must be")),
            (false, number) => self.inside(number, &declared.min, &declared.max),
        })
    }
}

/// Whether the numbers are the parents of a tree's nodes. The root has a parent only if it has a
/// row.
fn are_parents(tree: &Tree, parents: &[i64]) -> bool {
    let root = (!tree.root.is_empty()).then_some(ROOT);
    let kind = Parents { zero_based: true, root, any_order: tree.any_order };
    parents.is_empty() || evidence::form_tree(parents, kind)
}

/// Whether the rows have the declared form of a square. A cell beside the diagonal has the
/// diagonal's character only if the alphabet has it.
fn has_form(grid: &Grid, rows: &Rows) -> bool {
    let diagonal = grid.diagonal.bytes().next().map(i64::from);
    let anywhere = grid.alphabet.contains(&*grid.diagonal);
    let row = |(r, row): (usize, &Vec<i64>)| {
        let mut cells = row.iter().enumerate();
        cells.all(|(c, cell)| {
            let is_it = Some(*cell) == diagonal;
            if r == c { is_it } else { anywhere || !is_it }
        })
    };
    (!grid.symmetric || evidence::is_symmetric(rows))
        && (diagonal.is_none() || rows.iter().enumerate().all(row))
}

/// Whether the characters have each mark as often as the grid declares it. A grid without cells has
/// none.
fn has_marks(grid: &Grid, characters: &[i64]) -> bool {
    let times = |all: &[i64], mark: i64| all.iter().filter(|one| **one == mark).count();
    let marks: Vec<i64> = grid.marks.bytes().map(i64::from).collect();
    characters.is_empty()
        || marks.iter().all(|mark| times(characters, *mark) == times(&marks, *mark))
}
