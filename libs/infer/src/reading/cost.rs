//! The cost of a reading: the length of the shortest description of the samples as this reading
//! sees them, in thousandths of a bit. The description has the structure, then every word. So a
//! reading is cheap if its structure is usual, and if it leaves the words little freedom: edges
//! between n nodes are cheaper than pairs of any numbers, and a count costs less than a number.

use crate::layout::sample::Word;
use crate::layout::shape::Count;

/// Thousandths of a bit.
pub(crate) type Cost = i64;

pub(crate) const BIT: Cost = 1000;

/// A scalar that counts something else, too.
pub(crate) const AGAIN: Cost = BIT;
/// A scalar that begins to count before an earlier one.
pub(crate) const OUT_OF_ORDER: Cost = 5 * BIT;
/// A number of nodes that is not the first scalar that counts.
pub(crate) const OTHER_NODES: Cost = 4 * BIT;
/// The first scalar that counts nothing yet.
pub(crate) const NEXT: Cost = BIT / 2;
/// A part of a layout.
pub(crate) const PART: Cost = 5 * BIT;
/// Cases, besides their parts.
pub(crate) const CASES: Cost = 3 * BIT;
/// A part after queries, which are the last part of most inputs.
pub(crate) const AFTER_QUERIES: Cost = 6 * BIT;
/// A part with the values of another one like the part before saves this.
pub(crate) const REPEATED: Cost = 4 * BIT;
/// The same for a square.
pub(crate) const REPEATED_SQUARE: Cost = 8 * BIT;
/// A number of columns that is computed from a scalar.
pub(crate) const COMPUTED_COLUMNS: Cost = 8 * BIT;
/// Cells whose number of columns comes before the number of rows.
pub(crate) const COLUMNS_FIRST: Cost = 2 * BIT;
/// Cells after a list that is as long as a column.
pub(crate) const CELLS_AFTER_LIST: Cost = BIT;
/// A scalar on a line, besides its value.
pub(crate) const SCALAR: Cost = BIT;
/// A decimal fraction on a line, besides its value.
pub(crate) const DECIMAL: Cost = 4 * BIT;
/// Two scalars on a line after the first one.
pub(crate) const TWO_NUMBERS: Cost = 2 * BIT;
/// Three scalars or more on a line after the first one, or two before a list.
pub(crate) const SEVERAL_NUMBERS: Cost = 8 * BIT;
/// A scalar that counts nothing.
pub(crate) const UNUSED: Cost = 4 * BIT;
/// A scalar that counts nothing, before the first one that does.
pub(crate) const UNUSED_FIRST: Cost = 8 * BIT;
/// A scalar that counts nothing, but is the number of lines of a part; for each sample or case.
pub(crate) const LINES_BY_CHANCE: Cost = 2 * BIT;
/// Records with as many columns as a scalar says, as the rows of a matrix have.
pub(crate) const COLUMNS_BY_CHANCE: Cost = 5 * BIT;
/// Lists of at most one number.
pub(crate) const ONE_NUMBER: Cost = 8 * BIT;
/// A block of one row, because any number 1 can be its count.
pub(crate) const ONE_ROW: Cost = 4 * BIT;
/// A length that is not written, besides its value.
pub(crate) const FREE_LENGTH: Cost = 8 * BIT;
/// Records, each column with numbers of its own.
pub(crate) const RECORDS: Cost = 3 * BIT;
/// Intervals, besides the cost of other records. Each pair in order saves a bit.
pub(crate) const INTERVALS: Cost = 5 * BIT + BIT / 2;
/// The same where the records have the only scalar.
pub(crate) const INTERVALS_ALONE: Cost = 2 * BIT;
/// The corners of rectangles, besides the cost of other records. Each pair in order saves a bit.
pub(crate) const CORNERS: Cost = BIT;
/// Two positions in a row and a column of cells, twice, save this.
pub(crate) const ROWS_AND_COLUMNS: Cost = 4 * BIT;
/// Lists that begin with their lengths, one on each line.
pub(crate) const LISTS: Cost = 4 * BIT;
/// Lists that can also be operations 1 and 2, with one and two numbers.
pub(crate) const OPERATIONS: Cost = 8 * BIT;
/// A column of words.
pub(crate) const WORDS: Cost = 3 * BIT;
/// Few words at the beginnings of lines that are not codes.
pub(crate) const CODES_AS_WORDS: Cost = 16 * BIT;
/// Lists of positions of which none occurs twice.
pub(crate) const DISTINCT: Cost = BIT;
/// Queries whose code is a number.
pub(crate) const CODES: Cost = 2 * BIT;
/// Queries that can also be lists which begin with their length, for each kind but one.
pub(crate) const LENGTHS: Cost = 6 * BIT;
/// A kind of query.
pub(crate) const VARIANT: Cost = 3 * BIT;
/// Positions in something that the scalar is known to count.
pub(crate) const KNOWN: Cost = BIT;
/// Positions in earlier records, as edges are.
pub(crate) const KNOWN_RECORDS: Cost = 4 * BIT;
/// Positions in something else, which only the first scalar stands for.
pub(crate) const UNKNOWN: Cost = 2 * BIT;
/// Positions in something else, which another scalar stands for.
pub(crate) const UNKNOWN_OTHER: Cost = 3 * BIT;
/// The same in queries of several kinds.
pub(crate) const UNKNOWN_IN_QUERIES: Cost = 6 * BIT;
/// Positions that are numbered from 0.
pub(crate) const ZERO_BASED: Cost = 2 * BIT;
/// A second position in the same sequence that is no end of a range.
pub(crate) const SECOND: Cost = 8 * BIT;
/// A range of positions in no sequence.
pub(crate) const RANGE: Cost = 3 * BIT;
/// A range of nodes.
pub(crate) const RANGE_OF_NODES: Cost = 8 * BIT;
/// A list of positions.
pub(crate) const LIST_OF_POSITIONS: Cost = 6 * BIT;
/// A list of nodes.
pub(crate) const LIST_OF_NODES: Cost = 2 * BIT;
/// A permutation.
pub(crate) const PERMUTATION: Cost = 3 * BIT;
/// A permutation in ascending order.
pub(crate) const IDENTITY: Cost = 12 * BIT;
/// The parents of a tree's nodes.
pub(crate) const PARENTS: Cost = BIT;
/// The parents of a tree's nodes, which can have larger numbers than these.
pub(crate) const PARENTS_IN_ANY_ORDER: Cost = 2 * BIT;
/// A matrix or grid that equals its transpose. It often has one value on its diagonal, too.
pub(crate) const SYMMETRIC: Cost = 8 * BIT;
/// A matrix with zeros on its diagonal that does not equal its transpose.
pub(crate) const ZERO_DIAGONAL: Cost = 4 * BIT;
/// Edges of a graph.
pub(crate) const GRAPH: Cost = 2 * BIT;
/// Each number of edges after their weight.
pub(crate) const SECOND_WEIGHT: Cost = 10 * BIT;
/// Edges after other edges.
pub(crate) const SECOND_GRAPH: Cost = 12 * BIT;
/// Edges after a matrix with a row for each node.
pub(crate) const GRAPH_AFTER_CELLS: Cost = 6 * BIT;
/// Edges after an array with a number for each node.
pub(crate) const GRAPH_AFTER_ARRAY: Cost = 8 * BIT;
/// Edges after a text with a letter for each node.
pub(crate) const GRAPH_AFTER_TEXT: Cost = 10 * BIT;
/// Parallel edges.
pub(crate) const PARALLEL: Cost = 4 * BIT;
/// Edges that join all nodes save this, although some are parallel.
pub(crate) const CONNECTED: Cost = 2 * BIT;
/// Loops.
pub(crate) const LOOPS: Cost = 5 * BIT;
/// A number whose digits but the first are zeros, at most.
pub(crate) const ROUND: Cost = 10 * BIT;
/// Each different character of a text with an alphabet of its own.
pub(crate) const CHARACTER: Cost = 5 * BIT;

/// Costs of readings that differ by less are about equally likely.
pub(crate) const MARGIN: Cost = 18 * BIT;

/// The cost of the count of values on a line. A count that is computed from a scalar costs more,
/// because small numbers match it by chance.
pub(crate) fn values(count: Count) -> Cost {
    match count {
        Count::Scalar(_) => BIT,
        Count::OneLess(_) => 5 * BIT,
        Count::OneMore(_) | Count::Double(_) => 14 * BIT,
        Count::Free => FREE_LENGTH,
    }
}

/// The cost of the lengths of lists or texts, if they are not written.
pub(crate) fn lengths<T>(count: Count, lists: impl Iterator<Item = T>) -> Cost
where
    T: ExactSizeIterator,
{
    let each = |list: T| number(list.len().try_into().unwrap_or(i64::MAX));
    if count == Count::Free { lists.map(each).sum() } else { 0 }
}

/// The cost of the count of lines.
pub(crate) fn rows(count: Count) -> Cost {
    match count {
        Count::Scalar(_) => BIT,
        Count::OneLess(_) => 14 * BIT,
        Count::OneMore(_) | Count::Double(_) | Count::Free => 20 * BIT,
    }
}

/// The cost of the count of cases, or of the line of zeros that ends them.
pub(crate) fn cases(count: Count) -> Cost {
    if count == Count::Free { 3 * BIT } else { rows(count) }
}

/// The cost of several things that cost the same.
pub(crate) fn times(count: usize, each: Cost) -> Cost {
    Cost::try_from(count).unwrap_or(Cost::MAX).saturating_mul(each)
}

/// The cost of one of equally likely choices.
pub(crate) fn choice(ways: f64) -> Cost {
    bits(ways.max(1.0).log2())
}

/// The cost of a number about which nothing is known: its size, then its digits.
pub(crate) fn number(value: i64) -> Cost {
    BIT / 2 + magnitude(value) * 3 / 2 + size(value)
}

/// The cost of lists of numbers, with bounds of their own or with the same ones.
pub(crate) fn numbers(lists: &[Vec<i64>]) -> Cost {
    let own: Cost = lists.iter().map(|list| span(list)).sum();
    span(&lists.concat()).min(BIT + own)
}

/// The cost of numbers from the smallest to the largest of them. Bounds are round numbers, so that
/// only their size counts.
fn span(values: &[i64]) -> Cost {
    let (Some(min), Some(max)) = (values.iter().min(), values.iter().max()) else { return 0 };
    let ways = *max as f64 - *min as f64 + 1.0;
    let bound = |value: &i64| BIT + 2 * magnitude(*value);
    // That all numbers of a list are equal is seldom more than an accident.
    let again = times(values.len() - 1, size(*min) / 2);
    let uniform = if min == max { again } else { bits(values.len() as f64 * ways.log2()) };
    let each: Cost = values.iter().map(|value| size(*value) + 3 * BIT).sum();
    bound(min) + bound(max) + uniform.min(each)
}

/// The cost of choosing an ordered sample without repetition.
pub(crate) fn distinct(ways: f64, chosen: usize) -> Cost {
    (0..chosen).map(|before| choice(ways - before as f64)).sum()
}

/// The cost of the characters of texts: those of an alphabet of their own, or letters.
pub(crate) fn characters<'t>(texts: impl Iterator<Item = &'t str>) -> Cost {
    let (mut all, mut length) = (Vec::new(), 0);
    for character in texts.flat_map(str::bytes) {
        length += 1;
        if !all.contains(&character) {
            all.push(character);
        }
    }
    let own = times(all.len(), CHARACTER) + times(length, choice(all.len() as f64));
    let letters = all.iter().all(u8::is_ascii_lowercase) || all.iter().all(u8::is_ascii_uppercase);
    if letters { own.min(times(length, choice(26.0))) } else { own }
}

/// The cost of the characters of grids. Digits are those of most grids of digits.
pub(crate) fn cells(texts: &[String]) -> Cost {
    let texts = || texts.iter().map(String::as_str);
    let all = || texts().flat_map(str::bytes);
    let digits = times(all().count(), choice(10.0));
    let own = characters(texts());
    if all().all(|character| character.is_ascii_digit()) { own.min(digits) } else { own }
}

/// Estimate of what the words cost in the cheapest reading. The search orders unfinished readings
/// by their cost beyond it. Numbers up to a bound have on average 1.4 bits less than the bound.
pub(crate) fn least(words: &[Word]) -> Cost {
    let estimate = |value: i64| size(value) + BIT.min(size(value) / 4);
    let each = |word: &Word| word.number.map_or(times(word.text.len(), BIT), estimate);
    words.iter().map(each).sum::<Cost>()
}

/// The cost of the digits. Statements show the bounds of numbers, which are round.
fn size(value: i64) -> Cost {
    let value = value.unsigned_abs();
    let power = 10_u64.pow(value.checked_ilog10().unwrap_or_default());
    let size = bits((value as f64 + 1.0).log2());
    if value.is_multiple_of(power) { size.min(ROUND) } else { size }
}

/// The cost of the number of digits.
fn magnitude(value: i64) -> Cost {
    bits((value.unsigned_abs() as f64 + 1.0).log2().ln_1p() / std::f64::consts::LN_2)
}

#[allow(clippy::cast_possible_truncation, reason = "bits of a sample, which is short")]
fn bits(bits: f64) -> Cost {
    (bits * BIT as f64).round() as Cost
}
