//! Parts of an answer that can be shortened.

use serde_json::Value;

/// Length, in bytes, up to which a text is not shortened.
const SHORT_TEXT_BYTES: usize = 64;
/// The end of a shortened text.
pub(super) const CUT: &str = "…";

/// Shortens a text to at most this many bytes.
pub(crate) fn clipped(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let room = bytes.saturating_sub(CUT.len());
    let end = (0..=room).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    text[..end].to_owned() + CUT
}

/// Returns the largest text or list that can be shortened. A list is shortened before its items.
pub(super) fn largest(value: &mut Value) -> Option<&mut Value> {
    let can_shrink = match value {
        Value::String(text) => text.len() > SHORT_TEXT_BYTES,
        Value::Array(list) => list.len() > 1,
        _ => false,
    };
    if can_shrink {
        return Some(value);
    }
    let children: Box<dyn Iterator<Item = &mut Value>> = match value {
        Value::Array(list) => Box::new(list.iter_mut()),
        Value::Object(entries) => Box::new(entries.values_mut()),
        _ => return None,
    };
    children.filter_map(largest).max_by_key(|part| bytes(part))
}

pub(super) fn bytes(value: &Value) -> usize {
    value.to_string().len()
}
