//! A proposed spec as YAML, with one variable or one part of the layout on each line.

use profiler_input::spec::variable::Kind;
use profiler_input::spec::{
    Graph, InputSpec, Items, Layout, Order, Pattern, QueryField, QueryRange, QueryVariant, Split,
    Text, Variable, Weights, layout, query_field,
};
use std::fmt::Write;

/// The spec as the text of a file.
pub(crate) fn text(spec: &InputSpec) -> String {
    let mut out = format!("name: {}\n", spec.name);
    if !spec.n_min.is_empty() {
        let _ = writeln!(out, "n_min: {}", scalar(&spec.n_min));
    }
    if !spec.n_max.is_empty() {
        let _ = writeln!(out, "n_max: {}", scalar(&spec.n_max));
    }
    body(&spec.vars, &spec.layout, "", &mut out);
    out
}

fn body(vars: &[Variable], layout: &[Layout], indent: &str, out: &mut String) {
    if !vars.is_empty() {
        let _ = writeln!(out, "{indent}vars:");
    }
    for Variable { name, kind } in vars {
        let kind = kind.as_ref().map(variable).unwrap_or_default();
        let _ = writeln!(out, "{indent}  - {{name: {name}, {kind}}}");
    }
    let _ = writeln!(out, "{indent}layout:");
    for kind in layout.iter().filter_map(|part| part.kind.as_ref()) {
        let _ = match kind {
            layout::Kind::Line(all) => writeln!(out, "{indent}  - line: {}", items(all)),
            layout::Kind::Lines(all) => writeln!(out, "{indent}  - lines: {}", items(all)),
            layout::Kind::Grid(name) => writeln!(out, "{indent}  - grid: {name}"),
            layout::Kind::Raw(name) => writeln!(out, "{indent}  - raw: {name}"),
            layout::Kind::Literal(text) => writeln!(out, "{indent}  - literal: {}", quoted(text)),
            layout::Kind::Repeat(cases) => {
                let _ = writeln!(out, "{indent}  - repeat:");
                let _ = writeln!(out, "{indent}      count: {}", scalar(&cases.count));
                if cases.split() == Split::Random {
                    let _ = writeln!(out, "{indent}      split: random");
                }
                if !cases.min_size.is_empty() {
                    let _ = writeln!(out, "{indent}      min_size: {}", scalar(&cases.min_size));
                }
                body(&cases.vars, &cases.layout, &format!("{indent}      "), out);
                Ok(())
            }
        };
    }
}

fn items(items: &Items) -> String {
    let names: Vec<_> = items.items.iter().map(|item| scalar(item)).collect();
    format!("{{items: [{}]}}", names.join(", "))
}

/// A variable, with the fields that a proposal can set.
fn variable(kind: &Kind) -> String {
    match kind {
        Kind::Scalar(it) => {
            map("scalar", &[("value", &it.value), ("min", &it.min), ("max", &it.max)], &[])
        }
        Kind::Array(it) => {
            let order = match it.order() {
                Order::Sorted => "order: sorted",
                Order::Reversed => "order: reversed",
                Order::OrganPipe => "order: organ-pipe",
                _ => "",
            };
            let decimals = flag(it.decimals > 0, &format!("decimals: {}", it.decimals));
            map(
                "array",
                &[("len", &it.len), ("min", &it.min), ("max", &it.max)],
                &[flag(it.distinct, "distinct: true"), order.into(), decimals],
            )
        }
        Kind::Permutation(it) => map("permutation", &[("len", &it.len), ("base", &it.base)], &[]),
        Kind::Matrix(it) => {
            let more = [
                flag(it.symmetric, "symmetric: true"),
                flag(it.zero_diagonal, "zero_diagonal: true"),
            ];
            let size = [("rows", &it.rows), ("cols", &it.cols)];
            map("matrix", &[size[0], size[1], ("min", &it.min), ("max", &it.max)], &more)
        }
        Kind::Grid(it) => {
            let alphabet = format!("alphabet: {}", quoted(&it.alphabet));
            let marks = flag(!it.marks.is_empty(), &format!("marks: {}", quoted(&it.marks)));
            let symmetric = flag(it.symmetric, "symmetric: true");
            let diagonal = format!("diagonal: {}", quoted(&it.diagonal));
            let diagonal = flag(!it.diagonal.is_empty(), &diagonal);
            let more = [alphabet, marks, symmetric, diagonal];
            map("grid", &[("rows", &it.rows), ("cols", &it.cols)], &more)
        }
        Kind::Text(it) => string(it),
        Kind::Tree(it) => {
            let more = [
                flag(it.parents, "parents: true"),
                flag(it.any_order, "any_order: true"),
                flag(it.zero_based, "zero_based: true"),
                flag(it.smaller_first, "smaller_first: true"),
                weights(it.weights.as_ref()),
            ];
            map("tree", &[("nodes", &it.nodes), ("root", &it.root)], &more)
        }
        Kind::Graph(it) => graph(it),
        Kind::Points(it) => {
            let distinct = flag(it.distinct, "distinct: true");
            map("points", &[("len", &it.len), ("min", &it.min), ("max", &it.max)], &[distinct])
        }
        Kind::Intervals(it) => {
            let distinct = flag(it.distinct, "distinct: true");
            map("intervals", &[("len", &it.len), ("min", &it.min), ("max", &it.max)], &[distinct])
        }
        Kind::Queries(it) => {
            let variants: Vec<_> = it.variants.iter().map(variant).collect();
            let variants = format!("variants: [{}]", variants.join(", "));
            let ends_empty = flag(it.ends_empty, "ends_empty: true");
            let distinct = flag(it.distinct, "distinct: true");
            map("queries", &[("len", &it.len)], &[variants, ends_empty, distinct])
        }
    }
}

fn graph(it: &Graph) -> String {
    let more = [
        flag(it.directed, "directed: true"),
        flag(it.acyclic, "acyclic: true"),
        flag(it.connected, "connected: true"),
        flag(it.simple, "simple: true"),
        flag(it.loopless, "loopless: true"),
        flag(it.bipartite, "bipartite: true"),
        flag(it.zero_based, "zero_based: true"),
        flag(it.smaller_first, "smaller_first: true"),
        weights(it.weights.as_ref()),
    ];
    let sizes = [("nodes", &it.nodes), ("other_side", &it.other_side), ("edges", &it.edges)];
    map("graph", &sizes, &more)
}

fn string(it: &Text) -> String {
    let alphabet = format!("alphabet: {}", quoted(&it.alphabet));
    let alphabet = flag(!it.alphabet.is_empty(), &alphabet);
    let pattern = flag(it.pattern() == Pattern::Balanced, "pattern: balanced");
    let distinct = flag(it.distinct, "distinct: true");
    let sorted = flag(it.sorted, "sorted: true");
    let format = flag(!it.format.is_empty(), &format!("format: {}", quoted(&it.format)));
    let sizes = [("rows", &it.rows), ("min_len", &it.min_len), ("len", &it.len)];
    map("text", &sizes, &[format, alphabet, pattern, distinct, sorted])
}

fn flag(is_set: bool, field: &str) -> String {
    if is_set { field.into() } else { String::new() }
}

fn weights(weights: Option<&Weights>) -> String {
    weights
        .map_or_else(String::new, |it| map("weights", &[("min", &it.min), ("max", &it.max)], &[]))
}

fn variant(variant: &QueryVariant) -> String {
    let range = |name, it: &QueryRange| {
        let not_below = flag(it.not_below > 0, &format!("not_below: {}", it.not_below));
        let other_than = flag(it.other_than > 0, &format!("other_than: {}", it.other_than));
        let more = [
            not_below,
            flag(it.distinct, "distinct: true"),
            other_than,
            flag(it.unique, "unique: true"),
            flag(it.rising, "rising: true"),
            flag(it.grows, "grows: true"),
        ];
        map(name, &[("min", &it.min), ("max", &it.max)], &more)
    };
    let field = |field: &QueryField| match field.kind.as_ref()? {
        query_field::Kind::Literal(text) => Some(format!("{{literal: {}}}", quoted(text))),
        query_field::Kind::Number(it) => Some(format!("{{{}}}", range("number", it))),
        query_field::Kind::Interval(it) => Some(format!("{{{}}}", range("interval", it))),
        query_field::Kind::List(it) => Some(format!("{{{}}}", range("list", it))),
        query_field::Kind::Element(it) => {
            let more = [
                flag(it.distinct, "distinct: true"),
                flag(it.once, "once: true"),
                flag(it.all, "all: true"),
            ];
            Some(format!("{{{}}}", map("element", &[("of", &it.of)], &more)))
        }
        query_field::Kind::Added(_) => Some("{added: true}".into()),
    };
    let fields: Vec<_> = variant.fields.iter().filter_map(field).collect();
    let [adds, removes] = [("adds", variant.adds), ("removes", variant.removes)]
        .map(|(name, count)| flag(count > 0, &format!(", {name}: {count}")));
    format!("{{fields: [{}]{adds}{removes}}}", fields.join(", "))
}

/// A map of expressions, and of fields that are already YAML. Empty entries are left out.
fn map(name: &str, expressions: &[(&str, &String)], more: &[String]) -> String {
    let given = expressions.iter().filter(|(_, text)| !text.is_empty());
    let fields = given.map(|(name, text)| format!("{name}: {}", scalar(text)));
    let more = more.iter().filter(|field| !field.is_empty()).cloned();
    format!("{name}: {{{}}}", fields.chain(more).collect::<Vec<_>>().join(", "))
}

/// An expression: quoted, unless it is a name, a number or a call with one argument.
fn scalar(expression: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_^-()".contains(c);
    if expression.chars().all(plain) && !expression.is_empty() {
        expression.into()
    } else {
        quoted(expression)
    }
}

fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| matches!(c, '"' | '\\').then_some('\\').into_iter().chain([c]))
        .collect();
    format!("\"{escaped}\"")
}
