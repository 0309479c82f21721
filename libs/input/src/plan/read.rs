//! Reads the variables and the layout of a spec. A case has both as well, one level deep.

use crate::context::fields::Fields;
use crate::context::names::Names;
use crate::draw::random::RandomStream;
use crate::kinds::kind::compile;
use crate::limits::{MAX_ITEMS, MAX_PARTS, MAX_VARIABLES};
use crate::plan::body::{Body, Cases, Item, Line, Part, Var};
use crate::problem::{self, Cause, Problem, join};
use crate::spec::variable::Kind;
use crate::spec::{Items, Layout, Repetition, Variable, layout};

/// Reads variables and a layout. If `nested`, these are a case's, and `names.case` holds its
/// variables.
pub(crate) fn read_body(
    layout: &[Layout],
    path: &str,
    mut names: Names<'_>,
    stream: RandomStream,
    nested: bool,
    problems: &mut Vec<Problem>,
) -> Body {
    let (vars, first) = if nested { (names.case, names.outer.len()) } else { (names.outer, 0) };
    if vars.len() > MAX_VARIABLES {
        let problem = format!("{} are over the limit of {MAX_VARIABLES}", vars.len());
        problem::add(problems, Problem::new(join(path, "vars"), Cause::Spec, problem));
    }
    let (mut read, mut steps) = (Vec::new(), 0);
    for (i, variable) in vars.iter().enumerate().take(MAX_VARIABLES) {
        names.before = first + i;
        let path = join(path, &format!("vars[{i}]"));
        let mut fields = Fields { path, names, steps: 1, problems: &mut *problems };
        if let Some(fault) = names.fault(&variable.name) {
            fields.refuse("name", fault);
        }
        let evaluate = compile(variable, &mut fields);
        steps += fields.steps;
        read.push(Var { stream: stream.named_substream(&variable.name), evaluate });
    }
    names.before = first + vars.len();
    let layout_path = join(path, "layout");
    let (parts, more) = read_parts(layout, &layout_path, names, stream, nested, problems);
    Body { vars: read, parts, steps: steps + more }
}

/// Reads the parts of a layout. `nested` says whether the layout is a case's.
pub(crate) fn read_parts(
    layout: &[Layout],
    path: &str,
    names: Names<'_>,
    stream: RandomStream,
    nested: bool,
    problems: &mut Vec<Problem>,
) -> (Vec<Part>, u64) {
    let mut fields = Fields { path: path.into(), names, steps: 0, problems };
    if layout.len() > MAX_PARTS {
        let count = layout.len();
        fields.refuse("", format!("{count} parts are over the limit of {MAX_PARTS}"));
    }
    let mut parts = Vec::new();
    for (i, part) in (0..).zip(layout.iter().take(MAX_PARTS)) {
        fields.path = format!("{path}[{i}]");
        parts.extend(match &part.kind {
            Some(layout::Kind::Line(items)) => Some(Part::Line(fields.below("line").items(items))),
            Some(layout::Kind::Lines(items)) => {
                Some(Part::Lines(fields.below("lines").items(items)))
            }
            Some(layout::Kind::Grid(name)) => fields
                .below("grid")
                .variable(name, "matrix or grid", |k| matches!(k, Kind::Matrix(_) | Kind::Grid(_)))
                .map(Part::Lines),
            Some(layout::Kind::Raw(name)) => fields
                .below("raw")
                .variable(name, "text", |k| matches!(k, Kind::Text(_)))
                .map(Part::Line),
            Some(layout::Kind::Literal(text)) => {
                Some(Part::Literal(fields.below("literal").literal("", text)))
            }
            Some(layout::Kind::Repeat(_)) if nested => {
                fields.refuse("repeat", "a repetition cannot contain another one");
                None
            }
            Some(layout::Kind::Repeat(repetition)) => {
                Some(Part::Cases(fields.below("repeat").cases(repetition, stream.substream(i))))
            }
            None => {
                fields.refuse("", "it is not said what it is");
                None
            }
        });
    }
    let steps = fields.steps + parts.len() as u64;
    (parts, steps)
}

impl Fields<'_> {
    /// A line of one variable, which must be of a certain kind.
    fn variable(&mut self, name: &str, kind: &str, fits: impl Fn(&Kind) -> bool) -> Option<Line> {
        match self.names.variable(name) {
            // A variable without a kind is a problem of its own.
            Some((index, found)) if found.kind.as_ref().is_none_or(fits) => {
                let items = vec![Item::Variable(index)];
                Some(Line { path: self.path.clone(), items, omit_empty: false })
            }
            _ => {
                self.refuse("", format!("{name:?} is no {kind}"));
                None
            }
        }
    }

    fn item(&mut self, i: usize, item: &str) -> Item {
        self.steps += 1;
        match self.names.variable(item) {
            Some((index, _)) => Item::Variable(index),
            None => Item::Value(self.expression(&format!("items[{i}]"), item)),
        }
    }

    fn items(&mut self, declared: &Items) -> Line {
        let count = declared.items.len();
        if count == 0 {
            self.refuse("items", "is empty");
        } else if count > MAX_ITEMS {
            self.refuse("items", format!("{count} are over the limit of {MAX_ITEMS}"));
        }
        let items = declared.items.iter().map(|item| item.trim()).enumerate().take(MAX_ITEMS);
        Line {
            path: join(&self.path, "items"),
            items: items.map(|(i, item)| self.item(i, item)).collect(),
            omit_empty: declared.omit_empty,
        }
    }

    fn cases(&mut self, declared: &Repetition, stream: RandomStream) -> Cases {
        let split = self.known("split", declared.split);
        let names = Names { case: &declared.vars, ..self.names };
        let drawn = |v: &Variable| matches!(&v.kind, Some(Kind::Scalar(it)) if it.value.is_empty());
        Cases {
            stream,
            count: self.expression("count", &declared.count),
            min_size: self.expression_or("min_size", &declared.min_size, 0),
            split,
            body: read_body(&declared.layout, &self.path, names, stream, true, self.problems),
            drawn: declared.vars.iter().any(drawn),
        }
    }
}
