//! Characters: strings and grids.

use crate::context::eval_context::Evaluate;
use crate::context::fields::Fields;
use crate::draw::shuffle::Shuffle;
use crate::draw::strings::format::{Formatted, Piece, fits, parse};
use crate::draw::strings::words::Words;
use crate::draw::strings::{Source, Strings, parts};
use crate::limits::MAX_MARKS;
use crate::problem::join;
use crate::spec::{Grid, Pattern, Text};
use std::sync::Arc;

/// Default alphabet of a string.
const ALPHABET: &str = "abcdefghijklmnopqrstuvwxyz";
/// Default period of a periodic string.
const PERIOD: i64 = 2;

pub(crate) fn grid(declared: &Grid, fields: &mut Fields<'_>) -> Evaluate<Strings> {
    let rows = fields.expression("rows", &declared.rows);
    let cols = fields.expression("cols", &declared.cols);
    let columns = cols.path.clone();
    let alphabet = fields.alphabet(&declared.alphabet, 1);
    let marks = marks(declared, fields);
    let path = join(&fields.path, "marks");
    let (symmetric, diagonal) = (declared.symmetric, diagonal(declared, fields));
    Box::new(move |context| {
        let (rows, cols) = (context.count(&rows), context.count(&cols));
        let (rows, cols) = (rows?, cols?);
        let (stream, alphabet) = (context.stream.substream(1), Arc::clone(&alphabet));
        if symmetric && rows != cols {
            let problem = format_args!("must be {rows}, as rows, for a symmetric grid, not {cols}");
            return context.refuse(&columns, problem);
        }
        if symmetric || diagonal.is_some() {
            let source = Source::Square { stream, alphabet, symmetric, diagonal };
            return Some(Strings { rows, cols, source });
        }
        let (cells, count) = (rows * cols, marks.len() as u64);
        if count == 0 || cells == 0 {
            return Some(Strings { rows, cols, source: Source::Random { stream, alphabet } });
        }
        if cells < count {
            let problem = format_args!("must be at most the {cells} cells, not {count}");
            return context.refuse(&path, problem);
        }
        let places = Shuffle::new(context.stream.substream(2), cells - 1);
        let mut marks: Vec<_> =
            (0..).zip(&marks).map(|(at, mark)| (places.value_at(at), *mark)).collect();
        marks.sort_unstable();
        let source = Source::Marked { stream, alphabet, marks: marks.into() };
        Some(Strings { rows, cols, source })
    })
}

/// The marks of a grid. One that random cells can have, too, is a problem.
fn marks(declared: &Grid, fields: &mut Fields<'_>) -> Vec<u8> {
    let marks = declared.marks.as_bytes();
    if marks.len() > MAX_MARKS {
        let count = marks.len();
        fields.refuse("marks", format!("must have at most {MAX_MARKS} bytes, not {count}"));
    } else if !marks.iter().all(u8::is_ascii_graphic) {
        fields.refuse("marks", "must have only printable ASCII characters, and no blanks");
    } else if let Some(both) = marks.iter().find(|mark| declared.alphabet.as_bytes().contains(mark))
    {
        let both = char::from(*both);
        fields.refuse("marks", format!("must not have {both:?}, which is in the alphabet"));
    }
    marks.iter().take(MAX_MARKS).copied().collect()
}

/// The character on the diagonal of a grid, if it has one.
fn diagonal(declared: &Grid, fields: &mut Fields<'_>) -> Option<u8> {
    let is_square = declared.symmetric || !declared.diagonal.is_empty();
    if is_square && !declared.marks.is_empty() {
        fields.refuse("marks", "cannot be used with symmetric or diagonal");
    }
    match declared.diagonal.as_bytes() {
        [] => None,
        [character] if character.is_ascii_graphic() => Some(*character),
        _ => {
            fields.refuse("diagonal", "must be one printable ASCII character, and no blank");
            None
        }
    }
}

impl Text {
    /// Whether a word has the declared `format`.
    pub fn has_form(&self, word: &str) -> bool {
        parse(&self.format).is_ok_and(|pieces| fits(&pieces, word.as_bytes()))
    }

    /// The alphabet, or the default one.
    pub fn letters(&self) -> &str {
        if self.alphabet.is_empty() { ALPHABET } else { &self.alphabet }
    }
}

/// Strings of a form.
fn formatted(declared: &Text, fields: &mut Fields<'_>) -> Evaluate<Strings> {
    for (field, is_set) in [
        ("len", !declared.len.is_empty()),
        ("alphabet", !declared.alphabet.is_empty()),
        ("min_len", !declared.min_len.is_empty()),
        ("period", !declared.period.is_empty()),
        ("pattern", declared.pattern() != Pattern::Unspecified),
        ("rule", !declared.rule.is_empty()),
    ] {
        if is_set {
            fields.refuse(field, "cannot be used with format");
        }
    }
    let pieces = fields.literal("format", &declared.format);
    let pieces: Arc<[Piece]> = match parse(&pieces) {
        Ok(pieces) => pieces.into(),
        Err(problem) => {
            fields.refuse("format", problem);
            [].into()
        }
    };
    let rows = fields.expression_or("rows", &declared.rows, 1);
    let (path, order) = (join(&fields.path, "format"), [declared.distinct, declared.sorted]);
    Box::new(move |context| {
        let rows = context.count(&rows)?;
        let cols = Formatted::longest(&pieces);
        match Formatted::new(context.stream.substream(1), &pieces, rows, order) {
            Some(all) => Some(Strings { rows, cols, source: Source::Formatted(all) }),
            None => context.refuse(&path, format_args!("has fewer than {rows} strings")),
        }
    })
}

pub(crate) fn text(declared: &Text, fields: &mut Fields<'_>) -> Evaluate<Strings> {
    if !declared.format.is_empty() {
        return formatted(declared, fields);
    }
    if declared.sorted {
        fields.refuse("sorted", "requires format");
    }
    let pattern = fields.known("pattern", declared.pattern);
    if !declared.period.is_empty() && pattern != Pattern::Periodic {
        fields.refuse("period", "requires the pattern periodic");
    }
    refuse_without_random(declared, pattern, fields);
    let two = matches!(pattern, Pattern::Fibonacci | Pattern::ThueMorse | Pattern::LastDiffers);
    let len = fields.expression("len", &declared.len);
    let rows = fields.expression_or("rows", &declared.rows, 1);
    let least = fields.maybe("min_len", &declared.min_len);
    let distinct = declared.distinct;
    let alphabet = fields.alphabet(declared.letters(), if two { 2 } else { 1 });
    let period = fields.expression_or("period", &declared.period, PERIOD);
    let pairs = if pattern == Pattern::Balanced { pairs(&alphabet, fields) } else { [].into() };
    let parts = rule(declared, pattern, fields);
    let words: Arc<[Vec<u8>]> = parts.iter().map(|part| part.over(&alphabet)).collect();
    let [first, second] = [0, 1].map(|i| alphabet.get(i).copied().unwrap_or(b'?'));
    Box::new(move |context| {
        let (count, repeated) = (context.count(&len), context.count(&period));
        let (rows, shortest) = (context.count(&rows), least.as_ref().map(|it| context.count(it)));
        let (count, repeated, rows) = (count?, repeated?, rows?);
        if repeated == 0 && count > 0 {
            return context.refuse(&period.path, "must be 1 or more, not 0");
        }
        if pattern == Pattern::Balanced && count % 2 == 1 {
            let problem = format_args!("must be even for balanced brackets, not {count}");
            return context.refuse(&len.path, problem);
        }
        let (stream, alphabet) = (context.stream.substream(1), Arc::clone(&alphabet));
        if distinct || shortest.is_some() {
            let (shortest, path) = (shortest.unwrap_or(Some(count))?, &len.path);
            if let (Some(least), 0, 1..) = (&least, shortest, rows) {
                return context.refuse(&least.path, "must be 1 or more, not 0");
            }
            let words = Words::new(stream, &alphabet, [shortest, count], distinct.then_some(rows));
            return match words {
                Some(words) => Some(Strings { rows, cols: count, source: Source::Words(words) }),
                None if rows == 0 => {
                    Some(Strings { rows, cols: count, source: Source::Same(first) })
                }
                None => context.refuse(path, format_args!("is too small for {rows} strings")),
            };
        }
        let source = match pattern {
            Pattern::Unspecified | Pattern::Random => Source::Random { stream, alphabet },
            Pattern::AllSame => Source::Same(first),
            Pattern::Periodic => Source::Periodic { stream, alphabet, period: repeated },
            Pattern::Fibonacci => Source::Fibonacci([first, second]),
            Pattern::ThueMorse => Source::ThueMorse([first, second]),
            Pattern::LastDiffers => Source::LastDiffers([first, second]),
            Pattern::Rule => Source::Parts(Arc::clone(&words), parts::ends(&parts, count).into()),
            Pattern::Balanced => Source::Balanced { stream, pairs: Arc::clone(&pairs) },
        };
        Some(Strings { rows, cols: count, source })
    })
}

/// Refuses the fields that only random strings have.
fn refuse_without_random(declared: &Text, pattern: Pattern, fields: &mut Fields<'_>) {
    let is_random = matches!(pattern, Pattern::Unspecified | Pattern::Random);
    for (field, is_set) in [
        ("rows", !declared.rows.is_empty()),
        ("min_len", !declared.min_len.is_empty()),
        ("distinct", declared.distinct),
    ] {
        if is_set && !is_random {
            fields.refuse(field, "requires the pattern random");
        }
    }
}

/// The parts of a pattern by a rule; none of other patterns.
fn rule(declared: &Text, pattern: Pattern, fields: &mut Fields<'_>) -> Vec<parts::TextPart> {
    let problem = match (pattern, &*declared.rule) {
        (Pattern::Rule, rule) => match parts::read(rule) {
            Ok(parts) => return parts,
            Err(problem) => problem,
        },
        (_, "") => return Vec::new(),
        _ => "requires the pattern rule".into(),
    };
    fields.refuse("rule", problem);
    Vec::new()
}

/// The opening and the closing brackets of an alphabet.
fn pairs(alphabet: &[u8], fields: &mut Fields<'_>) -> Arc<[[u8; 2]]> {
    let (pairs, rest) = alphabet.as_chunks();
    if pairs.is_empty() || !rest.is_empty() {
        let problem = "must have pairs of brackets for the pattern balanced, such as \"()[]\"";
        fields.refuse("alphabet", problem);
    }
    pairs.into()
}
