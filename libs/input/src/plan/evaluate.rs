//! Evaluates a plan at one n. In lists of values, the variables of a case follow those outside of
//! cases.

use crate::context::eval_context::{EvalContext, Location};
use crate::draw::earlier::Earlier;
use crate::draw::random::RandomStream;
use crate::draw::split::sizes;
use crate::expression::Bindings;
use crate::kinds::values::{Cursor, Values};
use crate::limits::{MAX_BYTES, MAX_CASE_STEPS, MAX_CASES};
use crate::plan::body::{Body, Cases, Item, Line, Part, Var};
use crate::problem::Problem;
use crate::writer::InputWriter;
use std::borrow::Cow;
use std::io::{self, Write};

/// Number of steps that the size of one case costs, because the sizes are sorted.
const SPLIT_STEPS: u64 = 1;

/// The cost of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Upper bound on the input's length in bytes. Each value counts as the widest value of its
    /// range plus a blank. Each line counts one byte more.
    pub bytes: u64,
    /// Number of steps of the check: the steps outside of cases, one step per case to split n, and
    /// the steps of each case that was evaluated. Cases without random scalars are evaluated once
    /// for each size. 2^24 steps take about half a second, so checking many sizes can be too
    /// expensive.
    pub steps: u64,
}

/// The values of variables at one n, and in one case.
pub(crate) struct Evaluation {
    location: Location,
    slots: Vec<Option<i64>>,
    values: Vec<Option<Values>>,
    /// The values to whose rows others can refer, at the same indices.
    earlier: Vec<Option<Earlier>>,
    cases: u64,
    /// Steps of all cases if each is evaluated on its own, as printing does.
    case_steps: u64,
    /// Steps that the check has spent on cases so far.
    steps: u64,
}

/// A case that must be checked.
struct DistinctCase {
    number: u64,
    size: u64,
    /// Number of cases that cost the same, this one included.
    count: u64,
}

impl Evaluation {
    pub(crate) fn new(n: u64) -> Self {
        let location = Location { n, case: None };
        let (slots, values, earlier) = (Vec::new(), Vec::new(), Vec::new());
        Self { location, slots, values, earlier, cases: 0, case_steps: 0, steps: 0 }
    }

    /// Estimates the bytes that a plan prints, and the cost of the check. Problems are added to
    /// `problems`.
    pub(crate) fn measure_all(mut self, body: &Body, problems: &mut Vec<Problem>) -> Estimate {
        self.enter(&body.vars, problems);
        let bytes = self.measure(&body.parts, problems);
        if bytes > MAX_BYTES {
            let text = format_args!("must have at most {MAX_BYTES} bytes, but can have {bytes}");
            let _ = self.context(problems).too_large::<()>("layout", text);
        }
        Estimate { bytes, steps: body.steps.saturating_add(self.steps) }
    }

    /// Prints a plan that was measured without problems.
    pub(crate) fn print_all<W>(
        mut self,
        body: &Body,
        out: &mut InputWriter<'_, W>,
    ) -> io::Result<()>
    where
        W: Write,
    {
        self.enter(&body.vars, &mut Vec::new());
        self.print(&body.parts, out)
    }

    fn context<'a>(&'a self, problems: &'a mut Vec<Problem>) -> EvalContext<'a> {
        let (location, stream) = (self.location, RandomStream::default());
        let values = Bindings { n: location.size(), slots: &self.slots };
        EvalContext { location, values, stream, earlier: &self.earlier, problems }
    }

    /// Evaluates variables in the order of their declaration.
    fn enter(&mut self, vars: &[Var], problems: &mut Vec<Problem>) {
        for var in vars {
            let stream = var.stream.substream(self.location.n);
            let stream = self.location.case.map_or(stream, |(case, _)| stream.substream(case));
            let values = (var.evaluate)(&mut EvalContext { stream, ..self.context(problems) });
            self.slots.push(match values {
                Some(Values::One(value)) => Some(value),
                _ => None,
            });
            self.earlier.push(values.as_ref().and_then(Values::earlier));
            self.values.push(values);
        }
    }

    /// Evaluates the variables of a case, runs `inside`, and restores the outer state.
    fn case<T>(
        &mut self,
        number: u64,
        size: u64,
        body: &Body,
        problems: &mut Vec<Problem>,
        inside: impl FnOnce(&mut Self, &mut Vec<Problem>) -> T,
    ) -> T {
        let outside = self.values.len();
        self.location.case = Some((number, size));
        self.enter(&body.vars, problems);
        let result = inside(self, problems);
        self.values.truncate(outside);
        self.earlier.truncate(outside);
        self.slots.truncate(outside);
        self.location.case = None;
        result
    }

    fn measure(&mut self, parts: &[Part], problems: &mut Vec<Problem>) -> u64 {
        let mut bytes = 0_u64;
        for part in parts {
            bytes = bytes.saturating_add(match part {
                Part::Literal(text) => text.len() as u64 + 1,
                Part::Line(line) => self.measure_line(line, problems),
                Part::Lines(line) => {
                    self.check_rows(line, problems);
                    self.measure_line(line, problems)
                }
                Part::Cases(cases) => self.measure_cases(cases, problems),
            });
        }
        bytes
    }

    fn measure_line(&self, line: &Line, problems: &mut Vec<Problem>) -> u64 {
        let bytes = |item| self.values_of(item, problems).map_or(0, |values| values.bytes());
        line.items.iter().map(bytes).fold(1, u64::saturating_add)
    }

    /// Checks that all items of `lines` have the same number of rows.
    fn check_rows(&self, line: &Line, problems: &mut Vec<Problem>) {
        let count = |item: &Item| match item {
            Item::Variable(index) => self.values.get(*index)?.as_ref().map(Values::count),
            Item::Value(_) => Some(1),
        };
        let mut counts =
            line.items.iter().enumerate().filter_map(|(i, item)| Some((i, count(item)?)));
        let Some((_, first)) = counts.next() else {
            return;
        };
        for (i, other) in counts.filter(|(_, count)| *count != first) {
            let text = format_args!("must have {first} rows, as the first item has, not {other}");
            let path = format!("{}[{i}]", line.path);
            let _ = self.context(problems).refuse::<()>(&path, text);
        }
    }

    /// The values of an item. A problem of an expression is added to `problems`.
    fn values_of(&self, item: &Item, problems: &mut Vec<Problem>) -> Option<Cow<'_, Values>> {
        match item {
            Item::Variable(index) => self.values.get(*index)?.as_ref().map(Cow::Borrowed),
            Item::Value(expression) => {
                let value = self.context(problems).value(expression)?;
                Some(Cow::Owned(Values::One(value)))
            }
        }
    }

    fn measure_cases(&mut self, cases: &Cases, problems: &mut Vec<Problem>) -> u64 {
        let Some((count, least)) = self.counts(cases, problems) else {
            return 0;
        };
        let steps = cases.body.steps;
        self.cases += count;
        self.case_steps = self.case_steps.saturating_add(count.saturating_mul(steps + SPLIT_STEPS));
        if self.cases > MAX_CASES || self.case_steps > MAX_CASE_STEPS {
            let text =
                format_args!("must be smaller: {} cases of {steps} steps are too many", self.cases);
            let _ = self.context(problems).too_large::<()>(&cases.count.path, text);
            return 0;
        }
        self.steps += count * SPLIT_STEPS;
        let (mut bytes, found) = (0_u64, problems.len());
        for DistinctCase { number, size, count } in self.distinct_cases(cases, count, least) {
            self.steps += steps;
            let one = self.case(number, size, &cases.body, problems, |evaluation, problems| {
                evaluation.measure(&cases.body.parts, problems)
            });
            bytes = bytes.saturating_add(one.saturating_mul(count));
            if problems.len() > found {
                break;
            }
        }
        bytes
    }

    /// The cases that must be checked. Without random scalars, all cases of one size cost the same,
    /// so only the first of them is checked.
    fn distinct_cases(&self, cases: &Cases, count: u64, least: u64) -> Vec<DistinctCase> {
        let mut distinct: Vec<_> = (1..)
            .zip(self.sizes(cases, count, least))
            .map(|(number, size)| DistinctCase { number, size, count: 1 })
            .collect();
        if !cases.drawn {
            distinct.sort_unstable_by_key(|case| (case.size, case.number));
            distinct.dedup_by(|next, first| {
                let same = next.size == first.size;
                first.count += u64::from(same);
                same
            });
        }
        distinct
    }

    /// The number of cases and the minimum size of a case. If n cannot be split accordingly,
    /// records a problem.
    fn counts(&self, cases: &Cases, problems: &mut Vec<Problem>) -> Option<(u64, u64)> {
        let (mut context, path) = (self.context(problems), &cases.count.path);
        let (count, least) = (context.count(&cases.count), context.count(&cases.min_size));
        let (count, least) = (count?, least?);
        let n = self.location.n;
        if count > MAX_CASES {
            return context
                .too_large(path, format_args!("must be at most {MAX_CASES}, not {count}"));
        }
        if count * least > n {
            let most = n / least;
            let text = format_args!(
                "must be at most {most} for cases of size {least} or more, not {count}"
            );
            return context.refuse(path, text);
        }
        if count == 0 && n > 0 {
            return context.refuse(path, "must be 1 or more, not 0");
        }
        Some((count, least))
    }

    fn sizes(&self, cases: &Cases, count: u64, least: u64) -> Vec<u64> {
        let n = self.location.n;
        sizes(cases.split, n, count, least, cases.stream.substream(n))
    }

    fn print<W: Write>(&mut self, parts: &[Part], out: &mut InputWriter<'_, W>) -> io::Result<()> {
        for part in parts {
            match part {
                Part::Literal(text) => {
                    out.text(text)?;
                    out.end_line(false)?;
                }
                Part::Line(line) => self.print_line(line, out)?,
                Part::Lines(line) => self.print_lines(line, out)?,
                Part::Cases(cases) => {
                    let (count, least) = self.counts(cases, &mut Vec::new()).unwrap_or_default();
                    for (number, size) in (1..).zip(self.sizes(cases, count, least)) {
                        let printed = |evaluation: &mut Self, _: &mut Vec<Problem>| {
                            evaluation.print(&cases.body.parts, out)
                        };
                        self.case(number, size, &cases.body, &mut Vec::new(), printed)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn print_line<W: Write>(&self, line: &Line, out: &mut InputWriter<'_, W>) -> io::Result<()> {
        for values in self.checked_values(line) {
            values.write_all(out)?;
        }
        out.end_line(line.omit_empty)
    }

    fn print_lines<W: Write>(&self, line: &Line, out: &mut InputWriter<'_, W>) -> io::Result<()> {
        let mut items: Vec<_> =
            self.checked_values(line).map(|values| (values, Cursor::default())).collect();
        for row in 0..items.first().map_or(0, |(values, _)| values.count()) {
            for (values, cursor) in &mut items {
                values.write(row, cursor, out)?;
            }
            out.end_line(line.omit_empty)?;
        }
        Ok(())
    }

    /// The values of all items of a line that was measured without problems.
    fn checked_values<'f>(&'f self, line: &'f Line) -> impl Iterator<Item = Cow<'f, Values>> {
        line.items.iter().filter_map(|item| self.values_of(item, &mut Vec::new()))
    }
}
