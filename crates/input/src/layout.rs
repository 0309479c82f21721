//! Layouts whose names and expressions are read.

use crate::expression::Code;
use crate::fields::{Fields, join};
use crate::limits::{MAX_ITEMS, MAX_PARTS};
use crate::names::Names;
use crate::plan::{Body, body};
use crate::problem::Problem;
use crate::random::Key;
use crate::spec::{Items, Kind, Layout, Repetition, Split, Variable};

/// A part of the input.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    /// One line with all values.
    Line(Line),
    /// A line for each row.
    Lines(Line),
    /// This text on a line.
    Literal(String),
    /// Several cases.
    Cases(Cases),
}

/// Items that stand beside each other.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    /// Where in the spec.
    pub(crate) path: String,
    pub(crate) items: Vec<Item>,
    pub(crate) omit_empty: bool,
}

/// What stands on a line.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    /// The variable at this place.
    Variable(usize),
    /// A number.
    Value(Code),
}

/// Cases whose sizes sum to n.
#[derive(Debug, Clone)]
pub(crate) struct Cases {
    /// Where in the spec.
    pub(crate) path: String,
    pub(crate) key: Key,
    pub(crate) count: Code,
    pub(crate) min_size: Option<Code>,
    pub(crate) split: Split,
    pub(crate) body: Body,
    /// Whether cases of one size differ in more than what is printed: then each has to be looked at.
    pub(crate) drawn: bool,
}

/// Reads the parts of a layout. `nested` is whether they are those of a case.
pub(crate) fn parts(
    layout: &[Layout],
    path: &str,
    names: Names<'_>,
    key: Key,
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
                fields.refuse("", "stands inside of another one");
                None
            }
            Layout::Repeat(repetition) => {
                Some(Part::Cases(repetition.read(&mut fields, key.with(i))))
            }
        });
    }
    let steps = fields.steps + parts.len() as u64;
    (parts, steps)
}

impl Layout {
    /// Its name in a path.
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
    /// A line of one variable, of a certain kind.
    fn variable(&mut self, name: &str, kind: &str, fits: impl Fn(&Kind) -> bool) -> Option<Line> {
        match self.names.variable(name) {
            Some((place, found)) if fits(found) => {
                let items = vec![Item::Variable(place)];
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
            Some((place, _)) => Item::Variable(place),
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
    fn read(&self, fields: &mut Fields<'_>, key: Key) -> Cases {
        let names = Names { case: &self.vars, ..fields.names };
        let drawn = |v: &Variable| matches!(&v.kind, Kind::Scalar(scalar) if scalar.drawn());
        Cases {
            path: fields.path.clone(),
            key,
            count: fields.code("count", &self.count),
            min_size: fields.maybe("min_size", self.min_size.as_ref()),
            split: self.split,
            body: body(&self.layout, &fields.path, names, key, true, fields.problems),
            drawn: self.vars.iter().any(drawn),
        }
    }
}
