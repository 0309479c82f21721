//! The scalars of a scope: which scalar is the size, how the others depend on it, and their names.

use crate::layout::shape::{Count, Scope};
use crate::propose::names::Names;
use crate::propose::roles::{Roles, pairs, value_of};
use crate::reading::content::Part;
use profiler_input::SIZE;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Graph, Scalar, Variable};
use std::collections::BTreeSet;

/// Names of numbers that count nothing.
const NUMBERS: [&str; 5] = ["k", "x", "y", "z", "w"];
/// Names of lengths.
const LENGTHS: [&str; 1] = ["m"];
/// The largest even number up to n.
const EVEN: &str = "n / 2 * 2";

/// The scalars of a scope.
pub(crate) struct Scalars {
    /// The name of each scalar.
    pub(crate) names: Vec<String>,
    /// The declarations of all scalars but the size.
    pub(crate) vars: Vec<Variable>,
    /// Name of the next length that is not written in the input. It is n for the first one, if no
    /// scalar is the size.
    pub(crate) free_length: Option<String>,
    /// Counts of records that refer to scalars which count nothing else, as the edges of a
    /// bipartite graph do.
    pub(crate) pairs: BTreeSet<Count>,
    /// Scalars that count nothing.
    pub(crate) others: BTreeSet<usize>,
}

impl Scalars {
    /// The count as an expression.
    pub(crate) fn expression(&self, count: Count) -> String {
        let name = |index: usize| self.names.get(index).cloned().unwrap_or_default();
        match count {
            Count::Scalar(index) => name(index),
            Count::OneLess(index) => format!("max({} - 1, 0)", name(index)),
            Count::OneMore(index) => format!("{} + 1", name(index)),
            Count::Double(index) => format!("2 * {}", name(index)),
            Count::Free => SIZE.into(),
        }
    }

    /// The name of a length that is not written in the input.
    pub(crate) fn next_length(&mut self, names: &mut Names) -> String {
        if let Some(name) = self.free_length.take() {
            return name;
        }
        let name = names.fresh(&LENGTHS);
        self.vars.push(scalar(&name, SIZE.into()));
        name
    }

    /// The name of an even length that is not written in the input.
    pub(crate) fn next_even_length(&mut self, names: &mut Names) -> String {
        self.free_length = None;
        let name = names.fresh(&LENGTHS);
        self.vars.push(scalar(&name, EVEN.into()));
        name
    }
}

/// Decides the names and the declarations of the scalars, unless no spec can express them.
pub(crate) fn scalars(
    scopes: &[Scope],
    parts: &[Part],
    names: &mut Names,
    assumptions: &mut Vec<String>,
) -> Option<Scalars> {
    let roles = Roles::new(scopes, parts);
    let count = scopes.first().map_or(0, |scope| scope.scalars.len());
    let size = size(&roles, parts, count)?;
    let mut found = Scalars {
        names: vec![String::new(); count],
        vars: Vec::new(),
        free_length: None,
        pairs: pairs(parts, &roles),
        others: BTreeSet::new(),
    };
    match size {
        Size::Scalar(size) if roles.even.contains(&size) => {
            let name = names.fresh(&LENGTHS);
            found.vars.push(scalar(&name, EVEN.into()));
            found.names[size] = name;
        }
        Size::Scalar(size) => found.names[size] = SIZE.into(),
        Size::FreeLength => found.free_length = Some(SIZE.into()),
        Size::Cells | Size::Cases => {}
    }
    let size = size.scalar();
    if roles.used.is_empty() && count > 1 {
        assumptions.push("n is the first number; no number says how many values follow".into());
    }
    // The number of pairs depends on the lengths of both sides.
    let is_pairs = |index: &usize| found.pairs.contains(&Count::Scalar(*index));
    let mut counts: Vec<usize> =
        roles.used.iter().copied().filter(|index| Some(*index) != size).collect();
    counts.sort_by_key(is_pairs);
    for index in counts {
        let scene = Scene { scopes, size, roles: &roles, known: &found.names, pairs: &found.pairs };
        let (name, value) = scene.length(index, names, assumptions);
        found.names[index].clone_from(&name);
        found.vars.push(scalar(&name, value));
    }
    let reference = size.or_else(|| roles.rows.iter().next().copied());
    for index in 0..count {
        if !found.names[index].is_empty() {
            continue;
        }
        let name = names.fresh(&NUMBERS);
        let value = number(index, scopes, reference, &roles, &found.names);
        let largest = largest(scopes, index);
        assumptions
            .push(format!("{name} is {largest}, as in the samples; change it if it grows with n"));
        found.names[index].clone_from(&name);
        found.vars.push(scalar(&name, value));
        found.others.insert(index);
    }
    Some(found)
}

/// Meaning of n.
#[derive(Debug, Clone, Copy)]
enum Size {
    /// A number in the input.
    Scalar(usize),
    /// The number of cells of a grid.
    Cells,
    /// The sum of the sizes of all cases.
    Cases,
    /// A length that is not written in the input.
    FreeLength,
}

impl Size {
    fn scalar(self) -> Option<usize> {
        match self {
            Self::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

/// Decides what n is. Cases share n, so nothing else can grow with n.
fn size(roles: &Roles, parts: &[Part], count: usize) -> Option<Size> {
    if !roles.cases.is_empty() || roles.has_cases_until_zeros {
        let others = roles.used.difference(&roles.cases).next().is_some();
        let unsupported = others || roles.has_free_length || parts.len() > 2;
        return (!unsupported).then_some(Size::Cases);
    }
    if !roles.rows.is_empty() && !roles.are_squares() {
        return Some(Size::Cells);
    }
    match roles.used.first() {
        Some(first) => Some(Size::Scalar(roles.rows.first().copied().unwrap_or(*first))),
        None if roles.has_free_length => Some(Size::FreeLength),
        None => (count > 0).then_some(Size::Scalar(0)),
    }
}

/// Facts that decide the value of a scalar.
struct Scene<'a> {
    scopes: &'a [Scope],
    size: Option<usize>,
    roles: &'a Roles,
    /// The names that have been decided; the others are empty.
    known: &'a [String],
    /// Counts of pairs.
    pairs: &'a BTreeSet<Count>,
}

impl Scene<'_> {
    /// The name and the value of a scalar that counts something, but is not the size.
    fn length(
        &self,
        index: usize,
        names: &mut Names,
        assumptions: &mut Vec<String>,
    ) -> (String, String) {
        let roles = self.roles;
        if roles.cases.contains(&index) {
            let largest = largest(self.scopes, index);
            let name = names.fresh(&["t"]);
            if roles.are_uneven || roles.least_case > 1 {
                let value = format!("min({largest}, {})", roles.most_cases());
                assumptions.push(format!(
                    "{name} is {value}, at most as many cases as a sample has; their sizes are \
                     random and sum to n"
                ));
                return (name, value);
            }
            assumptions.push(format!(
                "{name} is {largest}, the maximum number of cases in a sample; the sizes of the cases \
                 sum to n"
            ));
            return (name, largest.to_string());
        }
        let (row, col) = (roles.rows.contains(&index), roles.cols.contains(&index));
        if row || col {
            let name = names.fresh(match (row, col) {
                (true, true) => &["side"],
                (true, false) => &["rows"],
                _ => &["cols"],
            });
            assumptions.push(format!("{name} is sqrt(n), so that n is the number of cells"));
            return (name, "sqrt(n)".into());
        }
        if let Some((_, nodes, promises)) = roles.edges.iter().find(|edges| edges.0 == index) {
            let name = names.fresh(&LENGTHS);
            let value = self.edges(index, *nodes, promises);
            assumptions.push(format!(
                "{name} is {value}, which gives each node about as many edges as in the samples"
            ));
            return (name, value);
        }
        let pairs = self.pairs.contains(&Count::Scalar(index));
        let queries = roles.queries.contains(&index) && !pairs;
        let name = names.fresh(if queries { &["q"] } else { &LENGTHS });
        let (of, reference) = self.reference(index);
        let mut value = times(self.multiple(index, of), reference);
        if let Some([first, second]) = self.sides(index).filter(|_| pairs) {
            value = format!("min({value}, {first} * {second})");
        }
        if roles.even.contains(&index) {
            value = format!("{value} / 2 * 2");
        }
        let different = roles.different.iter().find(|(count, _)| *count == index);
        if let Some(of) = different.and_then(|(_, of)| self.known.get(*of)) {
            value = format!("min({value}, {of} * max({of} - 1, 0))");
        }
        assumptions.push(format!("{name} is {value}; the samples do not say how it grows with n"));
        (name, value)
    }

    /// An expression for the number of edges that is possible at every n.
    fn edges(&self, index: usize, nodes: usize, promises: &Graph) -> String {
        let multiple = self.multiple(index, Some(nodes));
        let nodes = self.known.get(nodes).filter(|name| !name.is_empty());
        let nodes = nodes.map_or(SIZE, String::as_str);
        let wanted = times(multiple, nodes);
        if promises.acyclic && !promises.directed {
            let all = format!("max({nodes} - 1, 0)");
            return if promises.connected { all } else { format!("{nodes} / 2") };
        }
        let either = if promises.directed && !promises.acyclic { "" } else { " / 2" };
        let most = match promises.bipartite {
            true if promises.directed && !promises.acyclic => {
                format!("{nodes} / 2 * ({nodes} - {nodes} / 2) * 2")
            }
            true => format!("{nodes} / 2 * ({nodes} - {nodes} / 2)"),
            false => format!("{nodes} * max({nodes} - 1, 0){either}"),
        };
        if promises.simple { format!("min({wanted}, {most})") } else { wanted }
    }

    /// The names of the two lengths in whose positions the counted records are.
    fn sides(&self, index: usize) -> Option<[&str; 2]> {
        let mut of = self.roles.positions.iter().filter(|(count, _)| *count == index);
        let mut name = || Some(self.known.get(of.next()?.1)?.as_str());
        let sides = [name()?, name()?];
        sides.iter().all(|name| !name.is_empty()).then_some(sides)
    }

    /// The scalar, and its name, in whose multiples the scalar `index` is expressed. It is the one
    /// that counts the positions of its records, so that there are no records without positions, or
    /// else the size.
    fn reference(&self, index: usize) -> (Option<usize>, &str) {
        let positions = self.roles.positions.iter().filter(|(count, _)| *count == index);
        let known = |scalar: usize| self.known.get(scalar).filter(|name| !name.is_empty());
        let mut other = positions
            .filter(|(_, of)| Some(*of) != self.size)
            .filter_map(|(_, of)| Some((Some(*of), known(*of)?.as_str())));
        other.next().unwrap_or((self.size, SIZE))
    }

    /// Returns the ratio of the scalar to another one, rounded to a whole number.
    fn multiple(&self, index: usize, other: Option<usize>) -> i64 {
        let values = |index| self.scopes.iter().map(move |scope| value_of(scope, index));
        let sum = |index| values(index).fold(0_i64, i64::saturating_add);
        let sizes = other.map_or(0, sum).max(1);
        (sum(index).saturating_add(sizes / 2) / sizes).max(1)
    }
}

fn times(multiple: i64, name: &str) -> String {
    if multiple == 1 { name.into() } else { format!("{multiple} * {name}") }
}

/// The value of a scalar that counts nothing. If the scalar is a valid position in all samples, or
/// an amount of at most the size, its value is that at every n.
fn number(
    index: usize,
    scopes: &[Scope],
    reference: Option<usize>,
    roles: &Roles,
    names: &[String],
) -> String {
    let largest = largest(scopes, index);
    let Some(reference) = reference else { return largest.to_string() };
    let name = &names[reference];
    let base = i64::from(!roles.zero_based);
    let position = |scope: &Scope| {
        let value = value_of(scope, index);
        value >= base && value - base < value_of(scope, reference)
    };
    let is_position = scopes.iter().all(position);
    let is_above = |scope: &Scope| value_of(scope, index) >= value_of(scope, reference);
    if roles.used.is_empty() && scopes.iter().all(is_above) {
        return format!("max({largest}, {name})");
    }
    let amount = |scope: &Scope| (0..=value_of(scope, reference)).contains(&value_of(scope, index));
    if !(is_position || scopes.iter().all(amount)) || largest == 0 {
        return largest.to_string();
    }
    // A bound that holds in one scope can be an accident.
    let holds = |times: i64, more: i64| {
        let below = |scope: &Scope| {
            let value = value_of(scope, index).saturating_mul(times).saturating_add(more);
            value <= value_of(scope, reference)
        };
        scopes.len() > 1 && scopes.iter().all(below)
    };
    let least = scopes.iter().map(|scope| value_of(scope, index)).min().unwrap_or_default().min(1);
    if roles.zero_based && is_position {
        format!("min({largest}, max({name} - 1, 0))")
    } else if holds(2, 0) {
        format!("min({largest}, max({name} / 2, {least}))")
    } else if holds(1, 1) {
        format!("min({largest}, max({name} - 1, {least}))")
    } else {
        format!("min({largest}, {name})")
    }
}

fn largest(scopes: &[Scope], index: usize) -> i64 {
    scopes.iter().map(|scope| value_of(scope, index)).max().unwrap_or_default()
}

fn scalar(name: &str, value: String) -> Variable {
    let kind = Kind::Scalar(Scalar { value, ..Scalar::default() });
    Variable { name: name.into(), kind: Some(kind) }
}
