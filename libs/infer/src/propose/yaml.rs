//! A proposed spec as YAML, one variable and one part of the layout a line.

use profiler_input::Spec;
use profiler_input::spec::{
    Field, Items, Kind, Layout, Order, Range, Repetition, Variable, Variant,
};
use std::fmt::Write;

/// The spec as a file.
pub(crate) fn text(spec: &Spec) -> String {
    let mut out = format!("name: {}\n", spec.name);
    body(&spec.vars, &spec.layout, "", &mut out);
    out
}

fn body(vars: &[Variable], layout: &[Layout], indent: &str, out: &mut String) {
    if !vars.is_empty() {
        let _ = writeln!(out, "{indent}vars:");
    }
    for variable in vars {
        let kind = kind(&variable.kind);
        let _ = writeln!(out, "{indent}  - {{name: {}, {kind}}}", variable.name);
    }
    let _ = writeln!(out, "{indent}layout:");
    for part in layout {
        let _ = match part {
            Layout::Line(all) => writeln!(out, "{indent}  - line: {}", items(all)),
            Layout::Lines(all) => writeln!(out, "{indent}  - lines: {}", items(all)),
            Layout::Grid(name) => writeln!(out, "{indent}  - grid: {name}"),
            Layout::Raw(name) => writeln!(out, "{indent}  - raw: {name}"),
            Layout::Literal(text) => writeln!(out, "{indent}  - literal: {}", quoted(text)),
            Layout::Repeat(Repetition { count, vars, layout, .. }) => {
                let _ = writeln!(out, "{indent}  - repeat:");
                let _ = writeln!(out, "{indent}      count: {}", scalar(count));
                body(vars, layout, &format!("{indent}      "), out);
                Ok(())
            }
        };
    }
}

fn items(items: &Items) -> String {
    let names: Vec<_> = items.items.iter().map(|item| scalar(item)).collect();
    format!("{{items: [{}]}}", names.join(", "))
}

/// The kinds that are proposed, with the fields that are not left out.
fn kind(kind: &Kind) -> String {
    match kind {
        Kind::Scalar(one) => {
            let fields = [("value", &one.value), ("min", &one.min), ("max", &one.max)];
            let given = fields.map(|(name, value)| Some((name, value.as_ref()?.as_str())));
            map("scalar", &given.into_iter().flatten().collect::<Vec<_>>(), &[])
        }
        Kind::Array(one) => {
            let sorted =
                if one.order == Order::Sorted { vec!["order: sorted".into()] } else { vec![] };
            map("array", &[("len", &one.len), ("min", &one.min), ("max", &one.max)], &sorted)
        }
        Kind::Permutation(one) => {
            let mut fields = vec![("len", one.len.as_str())];
            fields.extend(one.base.as_deref().map(|base| ("base", base)));
            map("permutation", &fields, &[])
        }
        Kind::Matrix(one) => {
            let size = [("rows", &*one.rows), ("cols", &one.cols)];
            map("matrix", &[size[0], size[1], ("min", &one.min), ("max", &one.max)], &[])
        }
        Kind::Grid(one) => {
            let alphabet = format!("alphabet: {}", quoted(&one.alphabet));
            map("grid", &[("rows", &one.rows), ("cols", &one.cols)], &[alphabet])
        }
        Kind::Text(one) => {
            let alphabet = format!("alphabet: {}", quoted(&one.alphabet));
            map("text", &[("len", &one.len)], &[alphabet])
        }
        Kind::Tree(one) => {
            let more = edges(one.weights.as_ref(), &[(one.zero_based, "zero_based")]);
            map("tree", &[("nodes", &one.nodes)], &more)
        }
        Kind::Graph(one) => {
            let mut fields = vec![("nodes", one.nodes.as_str())];
            fields.extend(one.edges.as_deref().map(|edges| ("edges", edges)));
            let promises = one.promises;
            let flags = [
                (promises.directed, "directed"),
                (promises.acyclic, "acyclic"),
                (promises.connected, "connected"),
                (promises.simple, "simple"),
                (promises.bipartite, "bipartite"),
                (one.zero_based, "zero_based"),
            ];
            map("graph", &fields, &edges(one.weights.as_ref(), &flags))
        }
        Kind::Points(one) => {
            map("points", &[("len", &one.len), ("min", &one.min), ("max", &one.max)], &[])
        }
        Kind::Intervals(one) => {
            map("intervals", &[("len", &one.len), ("min", &one.min), ("max", &one.max)], &[])
        }
        Kind::Queries(one) => {
            let variants: Vec<_> = one.variants.iter().map(variant).collect();
            let variants = format!("variants: [{}]", variants.join(", "));
            map("queries", &[("len", &one.len)], &[variants])
        }
    }
}

fn edges(weights: Option<&Range>, flags: &[(bool, &str)]) -> Vec<String> {
    let set = flags.iter().filter(|(set, _)| *set).map(|(_, name)| format!("{name}: true"));
    set.chain(weights.map(|weights| format!("weights: {}", range(weights)))).collect()
}

fn variant(variant: &Variant) -> String {
    let field = |field: &Field| match field {
        Field::Literal(text) => format!("{{literal: {}}}", quoted(text)),
        Field::Number(of) => format!("{{number: {}}}", range(of)),
        Field::Interval(of) => format!("{{interval: {}}}", range(of)),
    };
    format!("{{fields: [{}]}}", variant.fields.iter().map(field).collect::<Vec<_>>().join(", "))
}

fn range(range: &Range) -> String {
    format!("{{min: {}, max: {}}}", scalar(&range.min), scalar(&range.max))
}

/// A map of expressions, and fields that are written already.
fn map<S: AsRef<str>>(name: &str, expressions: &[(&str, S)], more: &[String]) -> String {
    let fields =
        expressions.iter().map(|(name, value)| format!("{name}: {}", scalar(value.as_ref())));
    let fields: Vec<_> = fields.chain(more.iter().cloned()).collect();
    format!("{name}: {{{}}}", fields.join(", "))
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
