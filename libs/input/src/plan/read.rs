//! Reads the variables and the layout of a spec. A case has both as well, one level deep.

use crate::context::fields::Fields;
use crate::context::names::Names;
use crate::draw::random::RandomStream;
use crate::limits::{MAX_ITEMS, MAX_PARTS, MAX_VARIABLES};
use crate::plan::body::{Body, Cases, Item, Line, Part, Var};
use crate::problem::{self, Cause, Problem, join};
use crate::spec::{Items, Kind, Layout, Repetition, Variable};

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
        let here = join(path, &format!("vars[{i}]"));
        if let Some(fault) = names.fault(&variable.name) {
            problem::add(problems, Problem::new(join(&here, "name"), Cause::Spec, fault));
        }
        let path = format!("{here}.{}", variable.kind.field());
        let mut fields = Fields { path, names, steps: 1, problems: &mut *problems };
        let kind = variable.kind.read(&mut fields);
        steps += fields.steps;
        let bound = names.scope.bounds.get(&variable.name).copied();
        read.push(Var {
            path: fields.path,
            stream: stream.named_substream(&variable.name),
            kind,
            bound,
        });
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
        fields.path = format!("{path}[{i}].{}", part.field());
        parts.extend(match part {
            Layout::Line(items) => Some(Part::Line(items.read(&mut fields))),
            Layout::Lines(items) => Some(Part::Lines(items.read(&mut fields))),
            Layout::Grid(name) => fields
                .variable(name, "matrix or grid", |k| matches!(k, Kind::Matrix(_) | Kind::Grid(_)))
                .map(Part::Lines),
            Layout::Raw(name) => {
                fields.variable(name, "text", |k| matches!(k, Kind::Text(_))).map(Part::Line)
            }
            Layout::Literal(text) => Some(Part::Literal(fields.literal("", text))),
            Layout::Repeat(_) if nested => {
                fields.refuse("", "a repetition cannot contain another one");
                None
            }
            Layout::Repeat(repetition) => {
                Some(Part::Cases(repetition.read(&mut fields, stream.substream(i))))
            }
        });
    }
    let steps = fields.steps + parts.len() as u64;
    (parts, steps)
}

impl Layout {
    /// The part's name in a path.
    fn field(&self) -> &'static str {
        match self {
            Layout::Line(_) => "line",
            Layout::Lines(_) => "lines",
            Layout::Grid(_) => "grid",
            Layout::Raw(_) => "raw",
            Layout::Literal(_) => "literal",
            Layout::Repeat(_) => "repeat",
        }
    }
}

impl Fields<'_> {
    /// A line of one variable, which must be of a certain kind.
    fn variable(&mut self, name: &str, kind: &str, fits: impl Fn(&Kind) -> bool) -> Option<Line> {
        match self.names.variable(name) {
            Some((index, found)) if fits(found) => {
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
            None => Item::Value(self.code(&format!("items[{i}]"), item)),
        }
    }
}

impl Items {
    fn read(&self, fields: &mut Fields<'_>) -> Line {
        let count = self.items.len();
        if count == 0 {
            fields.refuse("items", "is empty");
        } else if count > MAX_ITEMS {
            fields.refuse("items", format!("{count} are over the limit of {MAX_ITEMS}"));
        }
        let items = self.items.iter().map(|item| item.trim()).enumerate().take(MAX_ITEMS);
        Line {
            path: join(&fields.path, "items"),
            items: items.map(|(i, item)| fields.item(i, item)).collect(),
            omit_empty: self.omit_empty,
        }
    }
}

impl Repetition {
    fn read(&self, fields: &mut Fields<'_>, stream: RandomStream) -> Cases {
        let names = Names { case: &self.vars, ..fields.names };
        let drawn = |v: &Variable| matches!(&v.kind, Kind::Scalar(scalar) if scalar.is_random());
        Cases {
            path: fields.path.clone(),
            stream,
            count: fields.code("count", &self.count),
            min_size: fields.maybe("min_size", self.min_size.as_ref()),
            split: self.split,
            body: read_body(&self.layout, &fields.path, names, stream, true, fields.problems),
            drawn: self.vars.iter().any(drawn),
        }
    }
}
