//! The heat map: the number of allocations of each address.

use super::memory::{Memory, bounded_end, json, memory_unit};
use crate::error::Error;
use crate::format::Profile;
use serde_json::{Value, json};

/// Perun's `to_heat_map_format`: one count for the address of each byte. Addresses beyond the limit
/// of the span are left out.
///
/// # Errors
/// If the profile is not a memory profile, has no address, or a resource lacks address or amount.
pub fn to_heat_map_format(profile: &Profile) -> Result<Value, Error> {
    let unit = memory_unit(profile)?;
    let all: Vec<_> = profile.resources().iter().map(Memory::read).collect::<Result<_, _>>()?;
    let placed = || all.iter().filter(|memory| memory.address > 0);
    let bounds = placed().map(|it| it.address).min().zip(placed().map(|it| it.end()).max());
    let Some((start, end)) = bounds else {
        return Err(Error::malformed("snapshots", "must have a resource with an address"));
    };
    let end = bounded_end(start, end);
    // Increment at the start of a resource and decrement at its end, so the cost does not depend on
    // its size.
    let mut steps = vec![0_i64; usize::try_from(end - start).unwrap_or_default() + 1];
    for memory in placed() {
        let mut step = |address: i128, by| {
            let at = usize::try_from(address.min(end) - start).ok();
            if let Some(count) = at.and_then(|at| steps.get_mut(at)) {
                *count += by;
            }
        };
        step(memory.address, 1);
        step(memory.end(), -1);
    }
    steps.pop();
    let counts = steps.iter().scan(0, |count, step| {
        *count += step;
        Some(*count)
    });
    Ok(json!({
        "type": "heat",
        "stats": {"max_address": json(end), "min_address": json(start)},
        "map": counts.collect::<Vec<_>>(),
        "unit": unit,
    }))
}
