//! Shares of room that callers have in common: places in a queue, bytes, watches.

/// Room that a caller may take, as a multiple of the room that it leaves free.
const GREED: usize = 3;

/// Whether a caller that has taken `own` of some room would take too large a share with `more` of
/// the `free` rest. A caller that has taken nothing never does.
///
/// A caller takes at most three times the room that it leaves free, so one caller alone gets three
/// quarters, and a second one three quarters of the rest (Choudhury and Hahne: Dynamic Queue Length
/// Thresholds for Shared-Memory Packet Switches, 1998). The last of the room is always for a caller
/// that has none.
pub fn takes_too_much(own: usize, more: usize, free: usize) -> bool {
    own > 0 && own.saturating_add(more) > GREED.saturating_mul(free.saturating_sub(more))
}
