//! Four numbers on each line as the corners of rectangles.

use crate::layout::shape::Count;
use crate::reading::content::{Argument, Content, Part};
use crate::reading::cost::{self, Cost};
use crate::reading::pairs;
use crate::reading::view::PartView;

/// Number of columns of two corners.
const CORNERS: usize = 4;

/// The meaning of four numbers on each line as corners, the smaller numbers first. `plain` is the
/// cost of the numbers without an order.
pub(crate) fn of_corners(
    view: &PartView<'_>,
    count: Count,
    columns: usize,
    plain: Cost,
) -> Option<Part> {
    let column = |at| view.column(at).concat();
    let pairs = |at| column(at).into_iter().zip(column(at + 2)).collect::<Vec<_>>();
    let (first, second) = (pairs(0), pairs(1));
    let in_order = first.iter().chain(&second).all(|(one, other)| one <= other);
    if columns != CORNERS || !in_order {
        return None;
    }
    let saved = pairs::saved_by_order(&first) + pairs::saved_by_order(&second);
    let bounds = |at| Some(Argument::Number(*column(at).iter().min()?, *column(at).iter().max()?));
    let fields = (0..columns).map(bounds).collect::<Option<_>>()?;
    Some(Part {
        content: Content::records(count, fields),
        cost: plain + cost::CORNERS - saved,
        used: count.scalar().into_iter().collect(),
        doubt: None,
    })
}
