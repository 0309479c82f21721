//! Points and intervals.

use crate::context::eval_context::EvalContext;
use crate::context::fields::Fields;
use crate::draw::polygon::Polygon;
use crate::draw::random::RandomStream;
use crate::draw::shuffle::Shuffle;
use crate::draw::span::Span;
use crate::draw::strata::Strata;
use crate::expression::Code;
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
    /// Distinct points: a permutation of all points, numbered row by row. A row is as wide as the
    /// span.
    Distinct(Shuffle),
    /// Points with distinct first coordinates: there are too many points to number all of them.
    DistinctFirst(Shuffle, RandomStream),
    /// Corners of a polygon: which of them in rising order, and a permutation of these.
    Corners(Polygon, Strata, Shuffle),
    /// Points with equal coordinates.
    Line(RandomStream),
    /// The same, distinct.
    DistinctLine(Shuffle),
    /// Intervals, and their maximum length.
    Intervals(RandomStream, u64),
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
            Kind::Intervals(stream, longest) => {
                let length = stream.up_to(2 * i, longest);
                let begin = stream.up_to(2 * i + 1, span.width - length);
                (span.number(begin), span.number(begin + length))
            }
        }
    }
}

impl Points {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Points<Code> {
        Points {
            len: fields.code("len", &self.len),
            min: fields.code("min", &self.min),
            max: fields.code("max", &self.max),
            distinct: self.distinct,
            shape: self.shape,
        }
    }
}

impl Points<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Pairs> {
        let len = context.count("len", &self.len);
        let span = context.span("", &self.min, &self.max, len.is_some_and(|len| len > 0));
        let (len, span) = (len?, span?);
        let stream = context.stream.substream(1);
        let polygon = Polygon::within(span.width);
        let side = span.width.checked_add(1);
        let (all, what) = match self.shape {
            PointsShape::Random => (side.and_then(|side| side.checked_mul(side)), ""),
            PointsShape::Convex => (Some(polygon.count()), " corners of the convex shape"),
            PointsShape::Line => (side, " points of the line"),
        };
        if let (true, Some(all)) = (self.distinct, all.filter(|all| len > *all)) {
            let problem = format_args!("{len} distinct points do not fit among {all}{what}");
            return context.refuse("len", problem);
        }
        let kind = match (self.shape, self.distinct, all) {
            (PointsShape::Random, false, _) => Kind::Any(stream),
            (PointsShape::Random, true, Some(all)) => Kind::Distinct(Shuffle::new(stream, all - 1)),
            (PointsShape::Random, true, None) => {
                Kind::DistinctFirst(Shuffle::new(stream, span.width), stream.substream(1))
            }
            (PointsShape::Convex, ..) => {
                let corners = Span { min: 0, width: polygon.count() - 1, step: 1 };
                let order = Shuffle::new(stream.substream(1), len.saturating_sub(1));
                Kind::Corners(polygon, Strata::new(stream, corners, len), order)
            }
            (PointsShape::Line, false, _) => Kind::Line(stream),
            (PointsShape::Line, true, _) => Kind::DistinctLine(Shuffle::new(stream, span.width)),
        };
        Some(Pairs { len, span, kind })
    }
}

impl Intervals {
    pub(crate) fn read(&self, fields: &mut Fields<'_>) -> Intervals<Code> {
        Intervals {
            len: fields.code("len", &self.len),
            min: fields.code("min", &self.min),
            max: fields.code("max", &self.max),
            max_length: fields.maybe("max_length", self.max_length.as_ref()),
        }
    }
}

impl Intervals<Code> {
    pub(crate) fn evaluate(&self, context: &mut EvalContext<'_>) -> Option<Pairs> {
        let len = context.count("len", &self.len);
        let needed = len.is_some_and(|len| len > 0);
        let span = context.span("", &self.min, &self.max, needed);
        let longest = match &self.max_length {
            Some(code) => Some(context.value("max_length", code)?),
            None => None,
        };
        let (len, span) = (len?, span?);
        let longest = match longest.map(u64::try_from) {
            Some(Ok(longest)) => longest.min(span.width),
            Some(Err(_)) if needed => return context.refuse("max_length", "is negative"),
            _ => span.width,
        };
        Some(Pairs { len, span, kind: Kind::Intervals(context.stream.substream(1), longest) })
    }
}
