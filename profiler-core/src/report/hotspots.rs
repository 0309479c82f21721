//! Distribution of the time over the lines and functions of the submitted source.

use std::fmt;

pub use profiler_decode::SOURCE_FILE;

/// Distribution of the time over the source.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Hotspots {
    /// The method that found them; absent without hotspots.
    pub method: Option<HotspotsMethod>,
    /// Lines and their shares, hottest first.
    pub lines: Vec<Hotspot>,
    /// Functions, largest inclusive share first; empty if lines were sampled.
    pub functions: Vec<HotspotFunction>,
    /// Call stacks, most instructions first; empty if lines were sampled.
    pub stacks: Vec<CallStack>,
}

/// A method that finds hotspots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HotspotsMethod {
    /// Exact counts of instructions.
    Instructions,
    /// Samples of gprof.
    Gprof,
}

impl HotspotsMethod {
    /// The stable name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Gprof => "gprof",
        }
    }
}

/// The share of one line of the source.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Hotspot {
    /// The file, as the debug information names it.
    pub file: String,
    /// The line's number, from 1.
    pub line: u32,
    /// The function that the line belongs to.
    pub function: String,
    /// The line's own share, 0 to 1, including library code that the line runs. It is a share of
    /// all instructions of the source's lines, or of all samples.
    pub self_share: f64,
    /// The sum of the shares from the hottest line to this one, 0 to 1.
    pub cumulative_share: f64,
    /// Further figures, if instructions were counted.
    pub exact: Option<ExactLine>,
}

/// The figures of a line that only counting gives.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ExactLine {
    /// Number of times the line's most frequent instruction ran; absent if the line has only
    /// inlined library code.
    pub count: Option<u64>,
    /// The instructions of the line's own share.
    pub instructions: u64,
    /// The line's share including all functions of the source that it calls, 0 to 1.
    pub inclusive_share: f64,
}

/// The share of one function of the source.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HotspotFunction {
    /// The function's first line, from 1; 0 if unknown.
    pub line: u32,
    /// The function's name, with the types of its parameters.
    pub name: String,
    /// The function's own share, including library code that it runs, 0 to 1.
    pub self_share: f64,
    /// The function's share including the functions of the source that it calls, 0 to 1. A
    /// recursion counts once.
    pub inclusive_share: f64,
    /// Number of calls of the function; absent if it was inlined.
    pub calls: Option<u64>,
    /// The instructions of the function's own share.
    pub instructions: u64,
}

/// A chain of calls.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CallStack {
    /// The functions, outermost first.
    pub frames: Vec<String>,
    /// The instructions of the innermost function itself.
    pub instructions: u64,
}

impl fmt::Display for Hotspot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_cent = |share| share * 100.0;
        write!(f, "{:.1}% self, ", per_cent(self.self_share))?;
        match &self.exact {
            Some(exact) => {
                write!(f, "{:.1}% inclusive, ", per_cent(exact.inclusive_share))?;
                match exact.count {
                    Some(1) => write!(f, "once, ")?,
                    Some(count) => write!(f, "{count} times, ")?,
                    None => {}
                }
            }
            None => write!(f, "{:.1}% cumulative, ", per_cent(self.cumulative_share))?,
        }
        write!(f, "in {}", self.function)
    }
}
