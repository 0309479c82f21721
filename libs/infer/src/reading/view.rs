//! One part of all samples and cases, as columns of numbers.

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::limits::MAX_READINGS;
use crate::reading::content::{self, Content, Nodes, Part, Positions, WordPlace};
use crate::reading::cost::{self, Cost};

/// The part `index` of a fit, in all scopes.
pub(crate) struct PartView<'f> {
    pub(crate) samples: &'f [Sample],
    pub(crate) scopes: &'f [Scope],
    pub(crate) shapes: &'f [Shape],
    pub(crate) index: usize,
    /// The earlier parts.
    pub(crate) earlier: &'f [Part],
}

/// Minimum number of columns that is seldom another number by chance.
const MIN_COLUMNS: usize = 3;

/// The use of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Number of nodes, or of the rows and columns of a square.
    Nodes,
    /// Number of values on a line, rows or columns of cells, or positions.
    Values,
    /// Number of records.
    Records,
}

/// A row of a part, with the scope that it is in.
pub(crate) type Row<'f> = (&'f Scope, &'f [Word]);

impl<'f> PartView<'f> {
    /// The part's lines in each scope.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (&'f Scope, &'f [Vec<Word>])> {
        let (samples, index) = (self.samples, self.index);
        self.scopes
            .iter()
            .map(move |scope| (scope, &samples[scope.sample].lines[scope.parts[index].clone()]))
    }

    /// The part's lines.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'f>> {
        self.blocks().flat_map(|(scope, rows)| rows.iter().map(move |row| (scope, row.as_slice())))
    }

    /// The numbers of one column in each scope.
    pub(crate) fn column(&self, column: usize) -> Vec<Vec<i64>> {
        let number = |row: &Vec<Word>| row.get(column).and_then(|word| word.number);
        self.blocks().map(|(_, rows)| rows.iter().filter_map(number).collect()).collect()
    }

    /// The pairs of numbers in the first two columns, in each scope.
    pub(crate) fn pairs(&self) -> Vec<Vec<(i64, i64)>> {
        let columns = self.column(0).into_iter().zip(self.column(1));
        columns.map(|(from, to)| from.into_iter().zip(to).collect()).collect()
    }

    /// Whether the count has the value of the scalar in all scopes. Small numbers are often equal
    /// by chance, so an equal scalar says as much about other parts as the one that they use.
    pub(crate) fn equals(&self, scalar: usize, count: Count) -> bool {
        let value = |scope: &Scope| count.value(&scope.scalars);
        self.scopes.iter().all(|scope| {
            value(scope).is_some() && value(scope) == Count::Scalar(scalar).value(&scope.scalars)
        })
    }

    /// Whether an earlier part has as many values or records as the scalar says.
    pub(crate) fn is_length(&self, scalar: usize) -> bool {
        self.lengths().any(|count| self.equals(scalar, count))
    }

    /// Whether this scalar counts the values, records, rows or columns of an earlier part.
    pub(crate) fn counts_earlier(&self, scalar: usize) -> bool {
        self.lengths().any(|count| count == Count::Scalar(scalar)) || self.counts_cells(scalar)
    }

    /// Whether this scalar counts nothing but earlier records.
    pub(crate) fn counts_records(&self, scalar: usize) -> bool {
        let is_it = |count: &Count| *count == Count::Scalar(scalar);
        let other = self.shapes[..self.index].iter().any(|shape| match shape {
            Shape::Line(fields) => {
                fields.iter().filter_map(|field| field.count()).any(|it| is_it(&it))
            }
            _ => false,
        });
        self.counts_earlier(scalar)
            && !(other || self.counts_cells(scalar) || self.counts_nodes(scalar))
    }

    /// The numbers of values and records in the earlier parts.
    fn lengths(&self) -> impl Iterator<Item = Count> {
        self.shapes[..self.index].iter().flat_map(|shape| match shape {
            Shape::Line(fields) => fields.iter().filter_map(|field| field.count()).collect(),
            Shape::Block { count, width } if width.is_records() => vec![*count],
            Shape::Block { .. } | Shape::Cases { .. } => Vec::new(),
        })
    }

    /// Whether this scalar is the number of rows or columns of an earlier matrix or grid.
    pub(crate) fn counts_cells(&self, scalar: usize) -> bool {
        self.sides().any(|count| count == Count::Scalar(scalar))
    }

    /// Whether an earlier matrix or grid has as many rows or columns as the scalar says.
    pub(crate) fn is_side(&self, scalar: usize) -> bool {
        self.sides().any(|count| self.equals(scalar, count))
    }

    /// The numbers of rows and columns of the earlier matrices and grids.
    fn sides(&self) -> impl Iterator<Item = Count> {
        self.shapes[..self.index].iter().flat_map(|shape| match shape {
            Shape::Block { count, width: Width::Numbers(cols) | Width::Characters(cols) } => {
                vec![*count, *cols]
            }
            _ => Vec::new(),
        })
    }

    /// Whether an earlier text is as long as the scalar says.
    pub(crate) fn is_length_of_text(&self, scalar: usize) -> bool {
        let is_it = |field: &Field| match field {
            Field::Text(count) => self.equals(scalar, *count),
            Field::Scalar | Field::Decimal | Field::Numbers(_) | Field::Words(_) => false,
        };
        let mut shapes = self.shapes[..self.index].iter();
        shapes.any(|shape| matches!(shape, Shape::Line(fields) if fields.iter().any(is_it)))
    }

    /// Whether earlier edges join as many nodes as the scalar says.
    pub(crate) fn is_number_of_nodes(&self, scalar: usize) -> bool {
        self.nodes().any(|nodes| self.equals(scalar, Count::Scalar(nodes.count)))
    }

    /// Whether this scalar counts the nodes that earlier edges join.
    pub(crate) fn counts_nodes(&self, scalar: usize) -> bool {
        self.nodes().any(|nodes| nodes.count == scalar)
    }

    /// Whether the positions can be numbered as they are. Nodes have the same numbers everywhere.
    pub(crate) fn allows(&self, positions: Positions) -> bool {
        let mut others = self.nodes().filter(|nodes| nodes.count == positions.count);
        others.all(|nodes| nodes.zero_based == positions.is_zero_based())
    }

    fn nodes(&self) -> impl Iterator<Item = Nodes> {
        self.earlier.iter().filter_map(Part::nodes)
    }

    /// Whether an earlier part refers to positions that this scalar counts.
    pub(crate) fn is_referred(&self, scalar: usize) -> bool {
        self.earlier.iter().flat_map(Part::positions).any(|positions| positions.count == scalar)
    }

    /// The words of an earlier part in each scope, if it has words.
    pub(crate) fn words_of(&self, part: usize) -> Option<Vec<Vec<&'f str>>> {
        let column = self.earlier.get(part)?.words()?;
        let scopes = self.scopes.iter().map(|scope| {
            let rows = &self.samples[scope.sample].lines[scope.parts[part].clone()];
            let words = rows.iter().flat_map(|row| match column {
                WordPlace::Column(column) => row.get(column).map_or(&[][..], std::slice::from_ref),
                WordPlace::Line => row.as_slice(),
            });
            words.map(|word| word.text.as_str()).collect()
        });
        Some(scopes.collect())
    }

    /// Whether an earlier part has edges.
    pub(crate) fn has_edges(&self) -> bool {
        self.nodes().next().is_some()
    }

    /// Whether an earlier scalar is by chance the number of columns in every scope.
    pub(crate) fn is_number_of_columns(&self, columns: usize) -> bool {
        let scalars = self.scopes.first().map_or(0, |scope| scope.scalars.len());
        let is_it = |scalar: usize| {
            let mut values = self.scopes.iter().map(|it| Count::Scalar(scalar).value(&it.scalars));
            values.all(|value| value == Some(columns))
        };
        columns >= MIN_COLUMNS && (0..scalars).any(is_it)
    }

    /// Whether the part before is a line with as many values as this count says.
    pub(crate) fn is_after_list(&self, count: Count) -> bool {
        let before = self.index.checked_sub(1).map(|before| &self.shapes[before]);
        matches!(before, Some(Shape::Line(fields)) if *fields == [Field::Numbers(count)])
    }

    /// Whether an earlier part has queries.
    pub(crate) fn is_after_queries(&self) -> bool {
        self.earlier.iter().any(|part| matches!(part.content, Content::Queries { .. }))
    }

    /// Bits that a second matrix or grid of the same size saves.
    pub(crate) fn saved_by_repetition(&self) -> Cost {
        let shape = &self.shapes[self.index];
        let before = self.shapes[..self.index].iter().rev().take_while(|it| *it == shape).count();
        match shape {
            Shape::Block { count, width: Width::Numbers(cols) | Width::Characters(cols) }
                if before == 1 =>
            {
                if count == cols {
                    cost::REPEATED_SQUARE
                } else {
                    cost::REPEATED
                }
            }
            _ => 0,
        }
    }

    /// The cost of naming a scalar. The scalars of most inputs begin to count in their order. The
    /// first one also counts nodes, values and positions; records have a count of their own.
    /// `beside` are scalars that the same part uses.
    pub(crate) fn name(&self, scalar: usize, role: Role, beside: &[usize]) -> Cost {
        let used = content::used_by(self.earlier).and(beside.iter().copied().collect());
        let is_first = used.first().unwrap_or_default() == scalar;
        let is_next = used.next() == scalar;
        match role {
            Role::Nodes | Role::Values if is_first => 0,
            Role::Nodes => cost::OTHER_NODES,
            Role::Values if is_next => cost::NEXT,
            Role::Records if is_next => 0,
            Role::Values | Role::Records if used.contains(scalar) => cost::AGAIN,
            Role::Values | Role::Records => cost::OUT_OF_ORDER,
        }
    }

    /// The cost of the count of records that refer to other scalars.
    pub(crate) fn rows_cost(&self, count: Count, beside: &[usize]) -> Cost {
        cost::rows(count)
            + count.scalar().map_or(0, |scalar| self.name(scalar, Role::Records, beside))
    }

    /// The cost of the numbers of rows and columns of a matrix or grid.
    pub(crate) fn cells_cost(&self, rows: Count, cols: Count) -> Cost {
        let role = if rows == cols { Role::Nodes } else { Role::Values };
        let name = |count: Count| count.scalar().map_or(0, |scalar| self.name(scalar, role, &[]));
        let second = if rows == cols { 0 } else { name(cols) };
        let computed = if matches!(cols, Count::Scalar(_)) { 0 } else { cost::COMPUTED_COLUMNS };
        cost::rows(rows) + cost::rows(cols) + computed + name(rows) + second
    }

    /// The cost of the count of values on a line.
    pub(crate) fn values_cost(&self, count: Count) -> Cost {
        cost::values(count)
            + count.scalar().map_or(0, |scalar| self.name(scalar, Role::Values, &[]))
    }
}

/// The Cartesian product of the lists: every way to choose one element from each list, up to
/// [`MAX_READINGS`] ways.
pub(crate) fn products<T: Clone>(options: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all = vec![Vec::new()];
    for choices in options {
        all = all
            .iter()
            .flat_map(|chosen: &Vec<T>| {
                choices.iter().map(move |one| {
                    let mut next = chosen.clone();
                    next.push(one.clone());
                    next
                })
            })
            .take(MAX_READINGS)
            .collect();
    }
    all
}
