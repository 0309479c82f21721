//! Folded stacks for flame graph tools.

use super::memory::FREE;
use crate::error::Error;
use crate::format::{Profile, Resource};
use crate::items::{flat, text};
use serde_json::Value;

/// Separates the frames of a stack.
const SEPARATOR: char = ';';

/// The order of the frames of a stack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Frames {
    /// Callers first, lines grouped by resource type: as in Perun since 0.22, and as flame graph
    /// tools need it.
    #[default]
    RootFirst,
    /// Callees first, lines in the order of the file: as in Perun 0.16.
    LeafFirst,
}

/// Perun's `to_flame_graph_format`: the frames and the amount of each resource, except freed
/// memory. A frame is `function()~source~line`.
///
/// # Errors
/// If the amount of a resource is not a number, or its trace is not a list of frames.
pub fn to_flame_graph_format(profile: &Profile, frames: Frames) -> Result<Vec<String>, Error> {
    let kept = |resource: &&Resource| resource.text("subtype") != Some(FREE);
    match frames {
        // By snapshot, then by resource type.
        Frames::RootFirst => {
            let mut resources: Vec<_> = profile.grouped().filter(kept).collect();
            resources.sort_by_key(|resource| resource.snapshot);
            resources.into_iter().map(|resource| line(resource, frames)).collect()
        }
        Frames::LeafFirst => {
            profile.resources().iter().filter(kept).map(|resource| line(resource, frames)).collect()
        }
    }
}

fn line(resource: &Resource, order: Frames) -> Result<String, Error> {
    resource.number("amount")?;
    let mut frames = match resource.fields.get("trace") {
        Some(Value::Array(trace)) if !trace.is_empty() => trace.iter().map(frame).collect(),
        Some(_) => return Err(Error::malformed(&resource.place, "trace must be a list of frames")),
        None => resource.fields.get("uid").map(frame).into_iter().collect::<Vec<_>>(),
    };
    if frames.is_empty() {
        return Err(Error::malformed(&resource.place, "must have a trace or a uid"));
    }
    if order == Frames::RootFirst {
        frames.reverse();
    }
    let amount = resource.fields.get("amount").map(text).unwrap_or_default();
    Ok(format!("{} {amount}", frames.join(&SEPARATOR.to_string())))
}

/// The text of a frame, without separators of frames and lines.
fn frame(frame: &Value) -> String {
    let part = |key| frame.get(key).map(text);
    let whole = match (part("function"), part("source"), part("line")) {
        (Some(function), Some(source), Some(line)) => format!("{function}()~{source}~{line}"),
        _ => part("func").unwrap_or_else(|| text(&flat(frame))),
    };
    whole.replace([SEPARATOR, '\n', '\r'], "_")
}
