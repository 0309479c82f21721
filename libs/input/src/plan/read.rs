//! Reads the variables and the layout of a spec, or of its cases. Cases cannot contain cases.

use crate::context::fields::Fields;
use crate::context::names::Names;
use crate::draw::random::RandomStream;
use crate::kinds::kind::compile;
use crate::limits::{MAX_ITEMS, MAX_PARTS, MAX_VARIABLES};
use crate::plan::body::{Body, Cases, Item, Line, Part, Var};
use crate::problem::join;
use crate::spec::variable::Kind;
use crate::spec::{Items, Layout, Repetition, Variable, layout};

/// Reads the variables of the case in `fields.names`, or else the outer variables, and their
/// layout.
pub(crate) fn read_body(layout: &[Layout], mut fields: Fields<'_>, stream: RandomStream) -> Body {
    let (path, Names { outer, case, .. }) = (fields.path.clone(), fields.names);
    let (declared, first) = case.map_or((outer, 0), |case| (case, outer.len()));
    if declared.len() > MAX_VARIABLES {
        let problem = format!("must have at most {MAX_VARIABLES} items, not {}", declared.len());
        fields.refuse("vars", problem);
    }
    let mut vars = Vec::new();
    for (i, variable) in declared.iter().enumerate().take(MAX_VARIABLES) {
        fields.path = join(&path, &format!("vars[{i}]"));
        fields.names.before = first + i;
        fields.steps += 1;
        if let Some(fault) = fields.names.fault(&variable.name) {
            fields.refuse("name", fault);
        }
        let stream = stream.named_substream(&variable.name);
        vars.push(Var { stream, evaluate: compile(variable, &mut fields) });
    }
    fields.names.before = first + declared.len();
    fields.path.clone_from(&path);
    if layout.len() > MAX_PARTS {
        let count = layout.len();
        fields.refuse("layout", format!("must have at most {MAX_PARTS} items, not {count}"));
    }
    let mut parts = Vec::new();
    for (i, part) in (0..).zip(layout.iter().take(MAX_PARTS)) {
        fields.path = join(&path, &format!("layout[{i}]"));
        parts.extend(fields.part(part, stream.substream(i)));
    }
    Body { vars, steps: fields.steps + parts.len() as u64, parts }
}

impl Fields<'_> {
    fn part(&mut self, part: &Layout, stream: RandomStream) -> Option<Part> {
        use layout::Kind::{Grid, Line, Lines, Literal, Raw, Repeat};
        match &part.kind {
            Some(Line(items)) => Some(Part::Line(self.below("line").items(items))),
            Some(Lines(items)) => Some(Part::Lines(self.below("lines").items(items))),
            Some(Grid(name)) => {
                let fits = |kind: &Kind| matches!(kind, Kind::Matrix(_) | Kind::Grid(_));
                self.below("grid").variable(name, "matrix or grid", fits).map(Part::Lines)
            }
            Some(Raw(name)) => {
                let fits = |kind: &Kind| matches!(kind, Kind::Text(_));
                self.below("raw").variable(name, "text", fits).map(Part::Line)
            }
            Some(Literal(text)) => Some(Part::Literal(self.below("literal").literal("", text))),
            Some(Repeat(cases)) => self.below("repeat").cases(cases, stream).map(Part::Cases),
            None => {
                self.refuse("", "has no kind, such as line");
                None
            }
        }
    }

    /// A line of one variable, which must be of a certain kind.
    fn variable(&mut self, name: &str, kind: &str, fits: impl Fn(&Kind) -> bool) -> Option<Line> {
        match self.names.variable(name) {
            // The missing kind of a variable is reported where the variable is compiled.
            Some((index, found)) if found.kind.as_ref().is_none_or(fits) => {
                let items = vec![Item::Variable(index)];
                Some(Line { path: self.path.clone(), items, omit_empty: false })
            }
            _ => {
                self.refuse("", format!("must name a {kind}, not {name:?}"));
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
            self.refuse("items", "must not be empty");
        } else if count > MAX_ITEMS {
            self.refuse("items", format!("must have at most {MAX_ITEMS} items, not {count}"));
        }
        let items = declared.items.iter().map(|item| item.trim()).enumerate().take(MAX_ITEMS);
        Line {
            path: join(&self.path, "items"),
            items: items.map(|(i, item)| self.item(i, item)).collect(),
            omit_empty: declared.omit_empty,
        }
    }

    fn cases(&mut self, declared: &Repetition, stream: RandomStream) -> Option<Cases> {
        if self.names.case.is_some() {
            self.refuse("", "must not be inside another repetition");
            return None;
        }
        let split = self.known("split", declared.split);
        let count = self.expression("count", &declared.count);
        let min_size = self.expression_or("min_size", &declared.min_size, 0);
        let names = Names { case: Some(&declared.vars), ..self.names };
        let path = self.path.clone();
        let fields = Fields { path, names, steps: 0, problems: &mut *self.problems };
        let body = read_body(&declared.layout, fields, stream);
        let drawn = |v: &Variable| matches!(&v.kind, Some(Kind::Scalar(it)) if it.value.is_empty());
        let drawn = declared.vars.iter().any(drawn);
        Some(Cases { stream, count, min_size, split, body, drawn })
    }
}
