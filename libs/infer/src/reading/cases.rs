//! Finds the cases that fit the rest of all samples. Cases that begin at the same lines and are
//! equally many are tried once, however many fits end there.

use crate::layout::candidates::Forms;
use crate::layout::sample::Sample;
use crate::layout::shape::{Count, Field, Scope, Shape};
use crate::limits::{MAX_ALIKE_BODIES, MAX_BODIES, MAX_CASE_PARTS};
use crate::reading::alternatives;
use crate::reading::content::{Content, Part};
use crate::reading::cost::{self, Cost};
use crate::reading::frontier::{Fit, Open, Work};
use std::collections::HashMap;
use std::rc::Rc;

/// Number of words on a line, as the work is counted.
const TYPICAL_LINE: usize = 2;

/// First line of the cases of each sample, and their number.
type Key = Vec<(usize, i64)>;

/// Number of cases in a key if a line of zeros ends them.
const UNTIL_END: i64 = -1;

/// Cases that fit, once for each body.
#[derive(Debug)]
pub(crate) struct Cases {
    forms: Forms,
    /// The layouts of a case that fit the first case, by its first line.
    bodies: HashMap<usize, Vec<Rc<[Shape]>>>,
    found: HashMap<Key, Vec<Body>>,
}

/// A layout of all cases.
#[derive(Debug, Clone)]
struct Body {
    shapes: Rc<[Shape]>,
    /// The cases of each sample.
    cases: Vec<Vec<Scope>>,
    readings: Vec<(Vec<Part>, Cost)>,
}

/// A part that has cases, up to the ends of the samples.
pub(crate) struct Found {
    pub(crate) shape: Shape,
    pub(crate) scopes: Rc<[Scope]>,
    pub(crate) meanings: Vec<Part>,
}

impl Cases {
    pub(crate) fn new(forms: Forms) -> Self {
        Self { forms, bodies: HashMap::new(), found: HashMap::new() }
    }

    /// Every part with cases that can follow the fit. Only one part can come before cases.
    pub(crate) fn after(&mut self, fit: &Fit, samples: &[Sample], work: &mut Work) -> Vec<Found> {
        let mut found = Vec::new();
        if fit.shapes.is_empty() && samples.iter().all(ends_with_zeros) {
            let key: Key = fit.scopes.iter().map(|scope| (scope.end, UNTIL_END)).collect();
            let bodies = self.bodies_of(&key, &fit.scopes, samples, work);
            found.extend(bodies.iter().map(|body| body.after(&fit.scopes, samples, Count::Free)));
        }
        if fit.shapes.len() != 1 {
            return found;
        }
        for scalar in 0..fit.scopes[0].scalars.len() {
            let key: Key =
                fit.scopes.iter().map(|scope| (scope.end, scope.scalars[scalar])).collect();
            if key.iter().any(|(_, count)| *count <= 0) {
                continue;
            }
            let count = Count::Scalar(scalar);
            let bodies = self.bodies_of(&key, &fit.scopes, samples, work);
            found.extend(bodies.iter().map(|body| body.after(&fit.scopes, samples, count)));
        }
        found
    }

    fn bodies_of(
        &mut self,
        key: &Key,
        scopes: &[Scope],
        samples: &[Sample],
        work: &mut Work,
    ) -> &[Body] {
        let forms = self.forms;
        let bodies = self
            .bodies
            .entry(scopes[0].end)
            .or_insert_with(|| bodies(&scopes[0], samples, forms, work));
        self.found.entry(key.clone()).or_insert_with(|| {
            let until_end = key.iter().any(|(_, count)| *count == UNTIL_END);
            let bodies = bodies.iter().filter(|body| until_end || !are_records(body));
            let fitting = bodies.filter_map(|body| {
                let cases = scopes
                    .iter()
                    .zip(key)
                    .map(|(scope, (_, count))| all_cases(scope, *count, body, samples, work));
                let cases = cases.collect::<Option<Vec<_>>>()?;
                let readings = alternatives::of_cases(samples, &cases.concat(), body);
                Some(Body { shapes: Rc::clone(body), cases, readings })
            });
            fitting.collect()
        })
    }
}

impl Body {
    /// The part that has these cases after the scopes.
    fn after(&self, scopes: &[Scope], samples: &[Sample], count: Count) -> Found {
        let scopes = scopes.iter().zip(&self.cases).map(|(scope, cases)| {
            let mut next = scope.clone();
            next.end = samples[scope.sample].lines.len();
            next.parts.push(scope.end..next.end);
            next.cases.clone_from(cases);
            next
        });
        let meaning = |(body, price): &(Vec<Part>, Cost)| Part {
            content: Content::Cases { count, body: body.clone() },
            cost: cost::CASES + cost::cases(count) + price,
            used: count.scalar().into_iter().collect(),
            doubt: None,
        };
        Found {
            shape: Shape::Cases { count, body: self.shapes.to_vec() },
            scopes: scopes.collect(),
            meanings: self.readings.iter().map(meaning).collect(),
        }
    }
}

/// Whether each case is a line of numbers that count nothing, which records say better.
fn are_records(body: &[Shape]) -> bool {
    let is_number = |field: &Field| matches!(field, Field::Scalar);
    matches!(body, [Shape::Line(fields)] if fields.iter().all(is_number))
}

/// Whether the last line, after others, has only zeros.
fn ends_with_zeros(sample: &Sample) -> bool {
    let last = sample.lines.last().filter(|_| sample.lines.len() > 1);
    last.is_some_and(|line| !line.is_empty() && line.iter().all(|word| word.text == "0"))
}

/// The layouts that fit the first case after the scope, roughly the likeliest first.
fn bodies(scope: &Scope, samples: &[Sample], forms: Forms, work: &mut Work) -> Vec<Rc<[Shape]>> {
    let case = Scope { sample: scope.sample, end: scope.end, ..Scope::default() };
    let mut open = Open::start(vec![case], forms, true);
    let mut found: Vec<Rc<[Shape]>> = Vec::new();
    let rest = samples[scope.sample].lines.len() - scope.end;
    let fewest = scope.scalars.iter().filter_map(|count| usize::try_from(*count).ok());
    let others = fewest.filter(|count| *count > 0).min().unwrap_or_default().saturating_sub(1);
    while let Some(fit) = open.pop(MAX_ALIKE_BODIES) {
        if found.len() >= MAX_BODIES || work.is_too_much() {
            break;
        }
        // Each other case has at least the lines of the body that are no blocks.
        let lines = fit.shapes.iter().filter(|shape| matches!(shape, Shape::Line(_))).count();
        if fit.scopes[0].end - scope.end + others.saturating_mul(lines) > rest {
            continue;
        }
        if fit.shapes.len() < MAX_CASE_PARTS {
            open.grow(&fit, samples, work);
        }
        if !fit.shapes.is_empty() && !found.contains(&fit.shapes) {
            found.push(fit.shapes);
        }
    }
    found
}

/// The cases after the scope, if the body fits all of them and they end with the sample.
fn all_cases(
    scope: &Scope,
    count: i64,
    body: &[Shape],
    samples: &[Sample],
    work: &mut Work,
) -> Option<Vec<Scope>> {
    let mut cases = Vec::new();
    let mut end = scope.end;
    let all = samples[scope.sample].lines.len() - usize::from(count == UNTIL_END);
    for number in 0.. {
        let is_last = if count == UNTIL_END { end >= all } else { number >= count };
        if is_last {
            break;
        }
        let start = Scope { sample: scope.sample, end, ..Scope::default() };
        let case = body.iter().try_fold(start, |case, part| case.with(part, samples));
        work.add(case.as_ref().map_or(0, |case| case.end - end) * TYPICAL_LINE);
        let case = case.map_err(|place| work.deepest = work.deepest.max(place)).ok()?;
        // A case without lines would not end.
        if count == UNTIL_END && case.end == end {
            return None;
        }
        end = case.end;
        cases.push(case);
    }
    (end == all).then_some(cases)
}
