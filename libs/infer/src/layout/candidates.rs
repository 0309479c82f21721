//! The shapes that the next lines of a sample can have.

use crate::layout::sample::{Sample, Word};
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::limits::{MAX_COLUMNS, MAX_FIELDS};
use crate::reading::evidence::are_brackets;

/// Maximum number of scalars before the list of numbers on a line.
const MAX_BEFORE_NUMBERS: usize = 2;

/// The counts of lines and characters that a search tries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Forms {
    /// A scalar, and for lines one less.
    Usual,
    /// Also one more, and twice as many, which small numbers match by chance.
    All,
}

/// The thing whose first part is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum First {
    Sample,
    Case,
}

/// The shapes that can come next, judged by the lines of one sample.
pub(crate) fn candidates(
    scope: &Scope,
    samples: &[Sample],
    forms: Forms,
    first: Option<First>,
) -> Vec<Shape> {
    let lines = &samples[scope.sample].lines;
    let Some(words) = lines.get(scope.end) else { return Vec::new() };
    let mut shapes = Vec::new();
    line_of_fields(words, scope, forms, &mut shapes);
    lines_of_numbers(words, scope, &mut shapes);
    if words.len() > 1 && words.iter().all(|word| word.number.is_none()) {
        let counts = Count::matching(words.len(), &scope.scalars);
        let counts = counts.filter(|count| matches!(count, Count::Scalar(_)));
        shapes.extend(counts.map(|count| Shape::Line(vec![Field::Words(count)])));
    }
    let is_alone = first == Some(First::Sample) && lines.len() == 1;
    if is_alone && words.iter().all(|word| word.number.is_some()) {
        shapes.push(Shape::Line(vec![Field::Numbers(Count::Free)]));
    }
    let in_case = first == Some(First::Case) && !words.is_empty();
    if in_case && words.iter().all(|word| word.number.is_none()) {
        shapes.push(Shape::Line(vec![Field::Words(Count::Free)]));
    }
    let widths = widths(words, scope);
    for count in Count::all(&scope.scalars) {
        let rows = count.value(&scope.scalars).unwrap_or_default();
        let is_usual = matches!(count, Count::Scalar(_) | Count::OneLess(_));
        if !(1..=lines.len() - scope.end).contains(&rows) || (forms == Forms::Usual && !is_usual) {
            continue;
        }
        let exact = matches!(count, Count::Scalar(_));
        let widths = widths.iter().copied().filter(|width| exact || width.is_records());
        shapes.extend(widths.map(|width| Shape::Block { count, width }));
    }
    shapes
}

/// The widths of a block whose first row has these words.
fn widths(words: &[Word], scope: &Scope) -> Vec<Width> {
    let mut widths = vec![Width::Operations];
    if words.len() <= MAX_COLUMNS {
        widths.push(Width::Columns(words.len()));
    }
    if words.iter().any(|word| word.number.is_none()) && words.len() <= MAX_COLUMNS {
        let columns = words.iter().enumerate().filter(|(_, word)| word.number.is_none());
        widths.push(Width::Mixed(columns.map(|(at, _)| 1 << at).sum(), words.len()));
    }
    let is_list = |before: &usize| {
        let length = words.get(*before).and_then(|word| word.number);
        length.is_some_and(|length| {
            usize::try_from(length).ok() == words.len().checked_sub(before + 1)
        })
    };
    widths.extend((0..MAX_BEFORE_NUMBERS).filter(is_list).map(Width::Lists));
    if !words.is_empty() {
        widths.extend(Count::matching(words.len(), &scope.scalars).map(Width::Numbers));
    }
    if let [word] = words {
        widths.extend(Count::matching(word.text.len(), &scope.scalars).map(Width::Characters));
    }
    widths
}

/// Adds the shapes of a line on which each word is a scalar or a text. An empty line has no fields.
fn line_of_fields(words: &[Word], scope: &Scope, forms: Forms, shapes: &mut Vec<Shape>) {
    if words.len() > MAX_FIELDS {
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
                Some(_) if word.decimals > 0 => push(Field::Decimal, None),
                Some(number) => push(Field::Scalar, Some(number)),
                None => push(Field::Text(Count::Free), None),
            }
            if word.number.is_none()
                || (words.len() == 1 && word.text.len() > 1 && word.decimals == 0)
            {
                Count::matching(word.text.len(), &scalars)
                    .filter(|count| match count {
                        Count::Scalar(_) => true,
                        // Statements often count pairs of brackets.
                        Count::Double(_) => forms == Forms::All || are_brackets(&word.text),
                        _ => forms == Forms::All,
                    })
                    .for_each(|count| push(Field::Text(count), None));
            }
        }
        lines = longer;
    }
    shapes.extend(lines.into_iter().map(|(fields, _)| Shape::Line(fields)));
}

/// Adds the shapes of a line that is a list of numbers, with or without scalars before the list.
fn lines_of_numbers(words: &[Word], scope: &Scope, shapes: &mut Vec<Shape>) {
    let Some(numbers) = words.iter().map(|word| word.number).collect::<Option<Vec<_>>>() else {
        return;
    };
    let whole = words.iter().take_while(|word| word.decimals == 0).count();
    for before in 0..=MAX_BEFORE_NUMBERS.min(whole) {
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
