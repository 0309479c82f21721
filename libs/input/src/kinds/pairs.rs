//! Points and intervals.

use crate::context::eval_context::Evaluate;
use crate::context::fields::Fields;
use crate::draw::polygon::Polygon;
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::problem::join;
use crate::spec::{Intervals, Points, PointsShape};

/// Pairs of numbers, one pair in each row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pairs {
    pub(crate) len: u64,
    pub(crate) span: Span,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// Points.
    Any(RandomStream),
    /// Distinct points: a permutation of all points of a square as wide as the span, numbered row
    /// by row.
    Distinct(Shuffle),
    /// Points with distinct first coordinates, for a span with more points than 64 bits can number.
    DistinctFirst(Shuffle, RandomStream),
    /// Corners of a polygon: the numbers of the used corners in rising order, and a permutation of
    /// them.
    Corners(Polygon, Strata, Shuffle),
    /// Points with equal coordinates.
    Line(RandomStream),
    /// Distinct points with equal coordinates.
    DistinctLine(Shuffle),
    /// Intervals, and their minimum and maximum length.
    Intervals(RandomStream, u64, u64),
}

impl Pairs {
    /// Pair i.
    #[inline]
    pub(crate) fn pair(&self, i: u64) -> (i64, i64) {
        let span = self.span;
        match self.kind {
            Kind::Any(stream) => (span.draw(stream, 2 * i), span.draw(stream, 2 * i + 1)),
            Kind::Distinct(shuffle) => {
                let (point, side) = (shuffle.value_at(i), span.width + 1);
                (span.number(point / side), span.number(point % side))
            }
            Kind::DistinctFirst(shuffle, stream) => {
                (span.number(shuffle.value_at(i)), span.draw(stream, i))
            }
            Kind::Corners(polygon, corners, order) => {
                let corner = corners.number(order.value_at(i)).unsigned_abs();
                let (x, y) = polygon.corner(corner);
                (span.number(x), span.number(y))
            }
            Kind::Line(stream) => [span.draw(stream, i); 2].into(),
            Kind::DistinctLine(shuffle) => [span.number(shuffle.value_at(i)); 2].into(),
            Kind::Intervals(stream, shortest, longest) => {
                let length = shortest + stream.up_to(2 * i, longest - shortest);
                let begin = stream.up_to(2 * i + 1, span.width - length);
                (span.number(begin), span.number(begin + length))
            }
        }
    }
}

pub(crate) fn points(declared: &Points, fields: &mut Fields<'_>) -> Evaluate<Pairs> {
    let shape = fields.known("shape", declared.shape);
    let len = fields.expression("len", &declared.len);
    let range = fields.range("", &declared.min, &declared.max);
    let distinct = declared.distinct;
    Box::new(move |context| {
        let count = context.count(&len);
        let span = context.span(&range, count.is_some_and(|count| count > 0));
        let (count, span) = (count?, span?);
        let stream = context.stream.substream(1);
        let polygon = Polygon::within(span.width);
        let side = span.width.checked_add(1);
        let (all, what) = match shape {
            PointsShape::Unspecified | PointsShape::Random => {
                (side.and_then(|side| side.checked_mul(side)), "distinct points")
            }
            PointsShape::Convex => (Some(polygon.count()), "corners of the convex shape"),
            PointsShape::Line => (side, "points of the line"),
        };
        if let (true, Some(all)) = (distinct, all.filter(|all| count > *all)) {
            let problem = format_args!("must be at most {all}, the number of {what}, not {count}");
            return context.refuse(&len.path, problem);
        }
        let kind = match (shape, distinct, all) {
            (PointsShape::Convex, ..) => {
                let corners = Span { min: 0, width: polygon.count() - 1, step: 1 };
                let order = Shuffle::new(stream.substream(1), count.saturating_sub(1));
                Kind::Corners(polygon, Strata::new(stream, corners, count), order)
            }
            (PointsShape::Line, false, _) => Kind::Line(stream),
            (PointsShape::Line, true, _) => Kind::DistinctLine(Shuffle::new(stream, span.width)),
            (_, false, _) => Kind::Any(stream),
            (_, true, Some(all)) => Kind::Distinct(Shuffle::new(stream, all - 1)),
            (_, true, None) => {
                Kind::DistinctFirst(Shuffle::new(stream, span.width), stream.substream(1))
            }
        };
        Some(Pairs { len: count, span, kind })
    })
}

pub(crate) fn intervals(declared: &Intervals, fields: &mut Fields<'_>) -> Evaluate<Pairs> {
    let len = fields.expression("len", &declared.len);
    let range = fields.range("", &declared.min, &declared.max);
    let longest = fields.maybe("max_length", &declared.max_length);
    let (shortest, max) = (u64::from(declared.distinct), join(&fields.path, "max"));
    Box::new(move |context| {
        let len = context.count(&len);
        let needed = len.is_some_and(|len| len > 0);
        let span = context.span(&range, needed);
        let given = match &longest {
            Some(longest) => Some((context.value(longest)?, &longest.path)),
            None => None,
        };
        let (len, span) = (len?, span?);
        let longest = match given.map(|(longest, path)| (u64::try_from(longest), path)) {
            Some((Ok(longest), _)) => longest.min(span.width),
            Some((Err(_), path)) if needed => return context.refuse(path, "must be 0 or more"),
            _ => span.width,
        };
        if longest < shortest && needed {
            return context.refuse(&max, "must leave room for distinct ends");
        }
        let kind = Kind::Intervals(context.stream.substream(1), shortest.min(longest), longest);
        Some(Pairs { len, span, kind })
    })
}
