//! Finds the sequences of shapes that fit all samples from start to end.

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::limits::{MAX_BODIES, MAX_CASE_PARTS, MAX_COLUMNS, MAX_FIELDS, MAX_PARTS, MAX_STEPS};
use std::collections::BTreeMap;

/// A sequence of shapes, and the state of each sample after them.
#[derive(Debug, Clone)]
pub(crate) struct Fit {
    pub(crate) shapes: Vec<Shape>,
    pub(crate) scopes: Vec<Scope>,
    /// Minimum cost of the readings of these shapes.
    pub(crate) cost: u32,
}

/// Iterator over all fits, the cheapest first. The search always extends the cheapest unfinished
/// fit, and among equally cheap ones the oldest.
pub(crate) struct Fits<'s> {
    samples: &'s [Sample],
    /// Unfinished fits, by cost and by the order in which they were started.
    open: BTreeMap<(u32, usize), Fit>,
    started: usize,
    steps: u64,
}

impl<'s> Fits<'s> {
    pub(crate) fn new(samples: &'s [Sample]) -> Self {
        let start = |sample| Scope { sample, ..Scope::default() };
        let scopes = (0..samples.len()).map(start).collect();
        let fit = Fit { shapes: Vec::new(), scopes, cost: 0 };
        Self { samples, open: BTreeMap::from([((0, 0), fit)]), started: 0, steps: 0 }
    }

    /// Whether the search gave up before it tried everything.
    pub(crate) fn gave_up(&self) -> bool {
        self.steps > MAX_STEPS
    }

    fn grow(&mut self, fit: &Fit) {
        let mut next = candidates(&fit.scopes[0], self.samples, fit.shapes.is_empty());
        next.extend(self.cases(&fit.scopes[0]));
        for shape in next {
            let Some(scopes) = self.applied(&shape, &fit.scopes) else { continue };
            let cost = fit.cost + shape.cost();
            let mut shapes = fit.shapes.clone();
            shapes.push(shape);
            self.started += 1;
            self.open.insert((cost, self.started), Fit { shapes, scopes, cost });
        }
    }

    /// The scopes with one more part, if the shape fits in all scopes. Cases must reach the end of
    /// the sample.
    fn applied(&mut self, shape: &Shape, scopes: &[Scope]) -> Option<Vec<Scope>> {
        let next: Option<Vec<_>> =
            scopes.iter().map(|scope| scope.with(shape, self.samples)).collect();
        let lines = next.iter().flatten().zip(scopes).map(|(next, scope)| next.end - scope.end);
        self.steps += 1 + lines.sum::<usize>() as u64;
        next.filter(|next| {
            !matches!(shape, Shape::Cases { .. }) || next.iter().all(|scope| self.is_at_end(scope))
        })
    }

    fn is_at_end(&self, scope: &Scope) -> bool {
        scope.end == self.samples[scope.sample].lines.len()
    }

    /// Shapes of cases whose body fits the first case.
    fn cases(&mut self, scope: &Scope) -> Vec<Shape> {
        let counts = (0..scope.scalars.len()).filter(|index| scope.scalars[*index] > 0);
        let counts: Vec<Count> = counts.map(Count::Scalar).collect();
        if counts.is_empty() {
            return Vec::new();
        }
        let mut bodies = Vec::new();
        let start = Scope { sample: scope.sample, end: scope.end, ..Scope::default() };
        self.bodies(&mut Vec::new(), &start, &mut bodies);
        counts
            .into_iter()
            .flat_map(|count| {
                bodies.iter().map(move |body| Shape::Cases { count, body: body.clone() })
            })
            .collect()
    }

    fn bodies(&mut self, body: &mut Vec<Shape>, case: &Scope, found: &mut Vec<Vec<Shape>>) {
        if !body.is_empty() {
            found.push(body.clone());
        }
        if body.len() == MAX_CASE_PARTS || found.len() >= MAX_BODIES || self.gave_up() {
            return;
        }
        let mut next = candidates(case, self.samples, false);
        next.sort_by_key(Shape::cost);
        for shape in next {
            if let Some(longer) = case.with(&shape, self.samples) {
                self.steps += 1 + (longer.end - case.end) as u64;
                body.push(shape);
                self.bodies(body, &longer, found);
                body.pop();
            }
        }
    }
}

impl Iterator for Fits<'_> {
    type Item = Fit;

    fn next(&mut self) -> Option<Fit> {
        while let Some((_, fit)) = self.open.pop_first() {
            if self.gave_up() {
                return None;
            }
            if fit.scopes.iter().all(|scope| self.is_at_end(scope)) {
                return Some(fit);
            }
            if fit.shapes.len() < MAX_PARTS {
                self.grow(&fit);
            }
        }
        None
    }
}

/// The shapes that can come next, judged by the lines of one sample.
fn candidates(scope: &Scope, samples: &[Sample], first: bool) -> Vec<Shape> {
    let lines = &samples[scope.sample].lines;
    let Some(words) = lines.get(scope.end) else { return Vec::new() };
    let rest = &lines[scope.end..];
    let mut shapes = Vec::new();
    line_of_fields(words, scope, &mut shapes);
    lines_of_numbers(words, scope, &mut shapes);
    if first && lines.len() == 1 && words.iter().all(|word| word.number.is_some()) {
        shapes.push(Shape::Line(vec![Field::Numbers(Count::Free)]));
    }
    for rows in 1..=rest.len() {
        let counts: Vec<_> = Count::matching(rows, &scope.scalars).collect();
        if counts.is_empty() {
            continue;
        }
        let mut widths = vec![Width::Operations];
        if words.len() <= MAX_COLUMNS {
            widths.push(Width::Columns(words.len()));
        }
        if words.len() > 1 {
            widths.extend(Count::matching(words.len(), &scope.scalars).map(Width::Numbers));
        }
        if let [word] = words.as_slice()
            && word.text.len() > 1
        {
            widths.extend(Count::matching(word.text.len(), &scope.scalars).map(Width::Characters));
        }
        for count in counts {
            let exact = matches!(count, Count::Scalar(_));
            let widths = widths.iter().copied().filter(|width| exact || width.is_records());
            shapes.extend(widths.map(|width| Shape::Block { count, width }));
        }
    }
    shapes
}

/// Adds the shapes of a line on which each word is a scalar or a text.
fn line_of_fields(words: &[Word], scope: &Scope, shapes: &mut Vec<Shape>) {
    if words.is_empty() || words.len() > MAX_FIELDS {
        return;
    }
    let mut lines = vec![(Vec::new(), scope.scalars.clone())];
    for word in words {
        let mut longer = Vec::new();
        for (fields, scalars) in lines {
            let mut push = |field, scalar: Option<i64>| {
                let mut next: (Vec<Field>, Vec<i64>) = (fields.clone(), scalars.clone());
                next.0.push(field);
                next.1.extend(scalar);
                longer.push(next);
            };
            match word.number {
                Some(number) => push(Field::Scalar, Some(number)),
                None => push(Field::Text(Count::Free), None),
            }
            if word.number.is_none() || (words.len() == 1 && word.text.len() > 1) {
                let counts = Count::matching(word.text.len(), &scalars);
                counts.for_each(|count| push(Field::Text(count), None));
            }
        }
        lines = longer;
    }
    shapes.extend(lines.into_iter().map(|(fields, _)| Shape::Line(fields)));
}

/// Maximum number of scalars before the list of numbers on a line.
const MAX_BEFORE_NUMBERS: usize = 2;

/// Adds the shapes of a line that is a list of numbers, with or without scalars before the list.
fn lines_of_numbers(words: &[Word], scope: &Scope, shapes: &mut Vec<Shape>) {
    let Some(numbers) = words.iter().map(|word| word.number).collect::<Option<Vec<_>>>() else {
        return;
    };
    for before in 0..=MAX_BEFORE_NUMBERS.min(numbers.len()) {
        let mut scalars = scope.scalars.clone();
        scalars.extend(&numbers[..before]);
        let counts = Count::matching(numbers.len() - before, &scalars);
        // After scalars on the same line, the length of the list must be a scalar, not computed
        // from one.
        for count in counts.filter(|count| before == 0 || matches!(count, Count::Scalar(_))) {
            let mut fields = vec![Field::Scalar; before];
            fields.push(Field::Numbers(count));
            shapes.push(Shape::Line(fields));
        }
    }
}
