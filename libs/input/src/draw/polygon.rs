//! A convex polygon with many corners at integer coordinates. Each corner is computed without the
//! others.
//!
//! The edges, starting with the lowest, are the vectors (1, 0), (k, 1), (k - 1, 1) … (1, 1), (1, 2)
//! … (1, k), whose slopes rise, then the same vectors turned by one, two and three right angles. No
//! two edges have the same direction, so no three corners are on one line.

/// Limit on the largest slope, so that sums of slopes fit into 64 bits. A polygon at this limit has
/// more corners than a variable can have points.
const MAX_SLOPE: u64 = 1 << 31;

/// A polygon whose smallest coordinates are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Polygon {
    /// The largest slope; 0 for a square whose sides are `side` long.
    slope: u64,
    side: u64,
}

impl Polygon {
    /// A polygon whose coordinates are at most `most`. It has about 8 sqrt(most) corners.
    pub(crate) fn within(most: u64) -> Self {
        // With the largest slope k, the polygon is k² + 3k - 1 wide. The square root is too large a
        // slope by 2 at most.
        let mut slope = most.isqrt().min(MAX_SLOPE);
        while slope > 0 && slope * slope + 3 * slope - 1 > most {
            slope -= 1;
        }
        Self { slope, side: most }
    }

    /// Number of corners.
    pub(crate) fn count(self) -> u64 {
        match (self.slope, self.side) {
            (0, 0) => 1,
            (0, _) => 4,
            (slope, _) => 8 * slope,
        }
    }

    /// The corner with this number, which must be less than [`Self::count`].
    #[inline]
    pub(crate) fn corner(self, corner: u64) -> (u64, u64) {
        if self.slope == 0 {
            return (self.side * (corner / 2), self.side * (corner % 2));
        }
        let (right, up) = self.after(2 * self.slope);
        let (along, across) = self.after(corner % (2 * self.slope));
        // Each quarter begins where the one before it ends.
        match corner / (2 * self.slope) {
            0 => (up + along, across),
            1 => (up + right - across, up + along),
            2 => (right - along, up + right - across),
            _ => (across, right - along),
        }
    }

    /// The sum of the first `edges` edges of a quarter.
    fn after(self, edges: u64) -> (u64, u64) {
        let (slope, sum) =
            (self.slope, |first: u64, last: u64| (first + last) * (last + 1 - first) / 2);
        match edges {
            0 => (0, 0),
            _ if edges <= slope + 1 => (1 + sum(slope + 2 - edges, slope), edges - 1),
            _ => {
                let steep = edges - slope;
                (sum(1, slope) + steep, slope - 1 + sum(1, steep))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_in_convex_position_and_within_their_bounds() {
        for most in (0..400).chain([9999, 1_000_000]) {
            let polygon = Polygon::within(most);
            let count = polygon.count();
            let corner = |i: u64| {
                let (x, y) = polygon.corner(i % count);
                assert!(x <= most && y <= most, "{most}: {x} {y}");
                (i128::from(x), i128::from(y))
            };
            assert!(count as f64 >= 8.0 * (most as f64).sqrt() - 24.0, "{most}: {count}");
            if polygon.slope == 0 {
                continue;
            }
            for i in 0..count {
                let [a, b, c] = [i, i + 1, i + 2].map(corner);
                let turn = (b.0 - a.0) * (c.1 - b.1) - (b.1 - a.1) * (c.0 - b.0);
                assert!(turn > 0, "{most}: {a:?} {b:?} {c:?}");
            }
            assert_eq!((0..count).filter(|i| corner(*i).1 == 0).count(), 2, "one turn");
        }
    }

    #[test]
    fn widest_polygon_fits() {
        let polygon = Polygon::within(u64::MAX);
        assert_eq!(polygon.slope, MAX_SLOPE);
        assert!(polygon.count() > crate::limits::MAX_COUNT);
        let (x, y) = polygon.corner(polygon.count() / 4);
        assert!(x > y && x < u64::MAX / 2);
    }
}
