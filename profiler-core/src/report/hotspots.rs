//! Distribution of the time over the lines and functions of the submitted source.

use profiler_proto::v1;

/// The part of a report about lines and functions.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Hotspots {
    /// The method that found them; unspecified without hotspots.
    pub(crate) method: v1::HotspotsMethod,
    /// Lines and their shares, hottest first.
    pub(crate) lines: Vec<v1::Hotspot>,
    /// Functions, largest inclusive share first; empty if lines were sampled.
    pub(crate) functions: Vec<v1::HotspotFunction>,
    /// Call stacks, most instructions first; empty if lines were sampled.
    pub(crate) stacks: Vec<v1::CallStack>,
}
