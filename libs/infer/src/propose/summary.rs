//! A proposed spec in one line.

use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    InputSpec, Layout, Pattern, QueryField, QueryRange, QueryVariant, Variable, layout, query_field,
};

/// The parts of the layout, with the variables on them.
pub(crate) fn of(spec: &InputSpec) -> String {
    parts(&spec.layout, &spec.vars)
}

fn parts(layout: &[Layout], vars: &[Variable]) -> String {
    let parts = layout.iter().filter_map(|part| part.kind.as_ref()).map(|kind| match kind {
        layout::Kind::Line(items) => names(&items.items, vars).join(" "),
        layout::Kind::Lines(items) => format!("rows of {}", names(&items.items, vars).join(" ")),
        layout::Kind::Grid(name) | layout::Kind::Raw(name) => item(name, vars),
        layout::Kind::Literal(text) if text.is_empty() => "an empty line".into(),
        layout::Kind::Literal(text) => text.clone(),
        layout::Kind::Repeat(cases) => {
            let all: Vec<Variable> = vars.iter().chain(&cases.vars).cloned().collect();
            format!("{} cases of ({})", cases.count, parts(&cases.layout, &all))
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn names(items: &[String], vars: &[Variable]) -> Vec<String> {
    items.iter().map(|name| item(name, vars)).collect()
}

/// An item with its kind and its size.
fn item(name: &str, vars: &[Variable]) -> String {
    let kind = vars.iter().find(|variable| variable.name == name).and_then(|it| it.kind.as_ref());
    match kind {
        None | Some(Kind::Scalar(_)) => name.into(),
        Some(Kind::Array(it)) if it.decimals > 0 => {
            format!("{name} ({} numbers with {} decimals)", it.len, it.decimals)
        }
        Some(Kind::Array(it)) => format!("{name} ({} numbers {}..{})", it.len, it.min, it.max),
        Some(Kind::Permutation(it)) => format!("{name} (permutation of {})", it.len),
        Some(Kind::Matrix(it)) => {
            let symmetric = if it.symmetric { "symmetric, " } else { "" };
            let diagonal = if it.zero_diagonal { ", 0 on the diagonal" } else { "" };
            format!("{name} ({symmetric}{} x {} numbers{diagonal})", it.rows, it.cols)
        }
        Some(Kind::Grid(it)) if !it.marks.is_empty() => {
            let marks: Vec<String> = it.marks.chars().map(String::from).collect();
            let marks = marks.join(" and ");
            format!("{name} ({} x {} characters, {marks} once)", it.rows, it.cols)
        }
        Some(Kind::Grid(it)) => format!("{name} ({} x {} characters)", it.rows, it.cols),
        Some(Kind::Text(it)) if it.pattern() == Pattern::Balanced => {
            format!("{name} ({} balanced brackets)", it.len)
        }
        Some(Kind::Text(it)) if !it.rows.is_empty() => format!("{name} ({} words)", it.rows),
        Some(Kind::Text(it)) => format!("{name} ({} characters)", it.len),
        Some(Kind::Tree(it)) => format!("{name} (tree of {} nodes)", it.nodes),
        Some(Kind::Graph(it)) if !it.other_side.is_empty() => {
            format!("{name} ({} edges of {} and {} nodes)", it.edges, it.nodes, it.other_side)
        }
        Some(Kind::Graph(it)) => format!("{name} ({} edges of {} nodes)", it.edges, it.nodes),
        Some(Kind::Points(it)) => format!("{name} ({} points)", it.len),
        Some(Kind::Intervals(it)) => format!("{name} ({} intervals)", it.len),
        Some(Kind::Queries(it)) => {
            let variants: Vec<_> = it.variants.iter().map(variant).collect();
            format!("{name} ({} of {})", it.len, variants.join(" or "))
        }
    }
}

fn variant(variant: &QueryVariant) -> String {
    let range = |it: &QueryRange| format!("{}..{}", it.min, it.max);
    let field = |field: &QueryField| match field.kind.as_ref()? {
        query_field::Kind::Literal(text) => Some(text.clone()),
        query_field::Kind::Number(it) => Some(range(it)),
        query_field::Kind::Interval(it) => Some(format!("interval in {}", range(it))),
        query_field::Kind::List(it) => Some(format!("list in {}", range(it))),
        query_field::Kind::Element(it) => Some(format!("one of {}", it.of)),
        query_field::Kind::Added(_) => Some("an added number".into()),
    };
    let fields: Vec<_> = variant.fields.iter().filter_map(field).collect();
    format!("({})", fields.join(", "))
}
