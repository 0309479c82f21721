//! The things that the scalars of a scope count.

use crate::layout::shape::{Count, Scope};
use crate::reading::content::{
    Argument, Base, Content, LineField, Operation, Part, Positions, used_by,
};
use profiler_input::SIZE;
use profiler_input::spec::Graph;
use std::collections::BTreeSet;

/// Roles of the scalars, by the things that they count.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent findings, each read by name")]
pub(crate) struct Roles {
    pub(crate) used: BTreeSet<usize>,
    pub(crate) rows: BTreeSet<usize>,
    pub(crate) cols: BTreeSet<usize>,
    pub(crate) queries: BTreeSet<usize>,
    pub(crate) cases: BTreeSet<usize>,
    /// Whether a sample has cases of different sizes.
    pub(crate) are_uneven: bool,
    /// The smallest size of a case.
    pub(crate) least_case: i64,
    /// Scalars that are lengths of balanced brackets.
    pub(crate) even: BTreeSet<usize>,
    /// Scalars that count edges, each with the scalar that counts the nodes, and with the promises
    /// of the graph.
    pub(crate) edges: Vec<(usize, usize, Graph)>,
    /// Scalars that count records or lists, each with a scalar that counts their positions.
    pub(crate) positions: Vec<(usize, usize)>,
    /// Scalars that count nothing but positions.
    pub(crate) sides: BTreeSet<usize>,
    pub(crate) zero_based: bool,
    pub(crate) has_free_length: bool,
    /// Whether a line of zeros ends the cases.
    pub(crate) has_cases_until_zeros: bool,
    /// Scalars that count records with two different positions, each with the scalar that counts
    /// the positions.
    pub(crate) different: Vec<(usize, usize)>,
}

impl Roles {
    pub(crate) fn new(scopes: &[Scope], parts: &[Part]) -> Self {
        let mut roles = Self::default();
        let mut counts = BTreeSet::new();
        for part in parts {
            roles.used.extend(part.used.iter());
            counts.extend(part.counts());
            for of in part.positions().map(|positions| positions.count) {
                roles.positions.extend(part.counts().into_iter().map(|count| (count, of)));
            }
            roles.zero_based |= part.positions().any(Positions::is_zero_based);
            roles.zero_based |= part.nodes().is_some_and(|nodes| nodes.zero_based);
            match &part.content {
                Content::Matrix { rows, cols, .. } | Content::Grid { rows, cols, .. } => {
                    roles.rows.extend(rows.scalar());
                    roles.cols.extend(cols.scalar());
                }
                Content::Queries { count, variants } => {
                    roles.queries.extend(count.scalar());
                    let either = |it| edges_or_nodes(scopes, parts, variants, it);
                    let edges = variants.iter().find_map(either);
                    roles.positions.splice(0..0, count.scalar().zip(edges));
                    let fields = variants.iter().flat_map(|variant| &variant.fields);
                    for (of, differ) in fields.filter_map(|field| sequence(field, parts)) {
                        let pair = count.scalar().map(|count| (count, of));
                        roles.different.extend(pair.filter(|_| differ));
                        roles.positions.extend(pair);
                    }
                }
                Content::Cases { count, body } => {
                    roles.has_cases_until_zeros |= *count == Count::Free;
                    roles.cases.extend(count.scalar());
                    roles.are_uneven |= are_uneven(scopes, body);
                    roles.least_case = least_case(scopes, body);
                }
                Content::Graph { nodes, edges, promises } => {
                    roles.edges.push((*edges, nodes.count, promises.clone()));
                }
                Content::Line(fields) => {
                    roles.has_free_length |=
                        fields.iter().any(|field: &LineField| field.count() == Some(Count::Free));
                    roles.even.extend(fields.iter().filter_map(|field| match field {
                        LineField::Brackets(Count::Scalar(length)) => Some(*length),
                        _ => None,
                    }));
                }
                Content::Columns { .. } | Content::Intervals { .. } | Content::Tree(_) => {}
            }
        }
        roles.sides = roles.used.difference(&counts).copied().collect();
        roles
    }

    /// An expression for the largest number of cases that n can be split into.
    pub(crate) fn most_cases(&self) -> String {
        match self.least_case {
            ..=1 => SIZE.into(),
            least => format!("{SIZE} / {least}"),
        }
    }

    /// Whether every grid is a square with the same side.
    pub(crate) fn are_squares(&self) -> bool {
        self.rows.len() == 1 && self.rows == self.cols
    }
}

/// The scalar that counts the edges of an earlier graph, if an operation has one number, which can
/// be an edge as well as a node: another operation has two nodes, and there are as many of each.
pub(crate) fn edges_or_nodes(
    scopes: &[Scope],
    parts: &[Part],
    variants: &[Operation],
    operation: &Operation,
) -> Option<usize> {
    let Operation { code: Some(_), fields, .. } = operation else { return None };
    let [one @ Argument::Position(of)] = fields.as_slice() else { return None };
    variants.iter().find(|other| *other.fields == [*one, *one])?;
    let edges = parts.iter().find_map(|part| match &part.content {
        Content::Graph { nodes, edges, .. } if nodes.count == of.count => Some(*edges),
        _ => None,
    })?;
    let equal = |scope: &Scope| value_of(scope, of.count) == value_of(scope, edges);
    scopes.iter().all(equal).then_some(edges)
}

/// The scalar that counts the positions or words to which a field refers, and whether the field has
/// two different ones.
fn sequence(field: &Argument, parts: &[Part]) -> Option<(usize, bool)> {
    match *field {
        Argument::Element(part, differ) => Some((*parts.get(part)?.counts().first()?, differ)),
        Argument::Range(positions, true) if positions.base != Base::Bounds => {
            Some((positions.count, true))
        }
        _ => None,
    }
}

/// Largest size that is taken for the smallest one that the task allows.
const MOST_LEAST: i64 = 3;

/// The smallest size that a case must have: that of the samples, unless it is large.
pub(crate) fn least_case(scopes: &[Scope], body: &[Part]) -> i64 {
    let Some(size) = used_by(body).first() else { return 1 };
    let cases = scopes.iter().flat_map(|scope| &scope.cases);
    let least = cases.map(|case| value_of(case, size)).min().unwrap_or(1);
    least.clamp(1, MOST_LEAST)
}

/// Whether the cases of a sample differ in the first number that counts something. Cases with marks
/// in a grid do not, because each needs cells for the marks.
pub(crate) fn are_uneven(scopes: &[Scope], body: &[Part]) -> bool {
    let has_marks =
        |part: &Part| matches!(&part.content, Content::Grid { marks, .. } if !marks.is_empty());
    let Some(size) = used_by(body).first().filter(|_| !body.iter().any(has_marks)) else {
        return false;
    };
    let sizes = |scope: &Scope| {
        scope.cases.iter().map(|case| value_of(case, size)).collect::<BTreeSet<_>>()
    };
    scopes.iter().any(|scope| sizes(scope).len() > 1)
}

/// The counts of records whose positions are in nothing else.
pub(crate) fn pairs(parts: &[Part], roles: &Roles) -> BTreeSet<Count> {
    let counts = parts.iter().filter_map(|part| match &part.content {
        Content::Queries { count, variants } => {
            let [Operation { code: None, fields, .. }] = variants.as_slice() else { return None };
            let own = |field: &Argument| match field {
                Argument::Position(positions) => roles.sides.contains(&positions.count),
                Argument::Number(..) => true,
                _ => false,
            };
            fields.iter().all(own).then_some(*count)
        }
        _ => None,
    });
    counts.collect()
}

/// The value of a scalar in a scope.
pub(crate) fn value_of(scope: &Scope, index: usize) -> i64 {
    scope.scalars.get(index).copied().unwrap_or_default()
}
