//! Where the time goes, by the lines and functions of the submitted source.

use std::fmt;

pub use profiler_decode::SOURCE_FILE;

/// Where the time goes.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Hotspots {
    /// `instructions` or `gprof`; absent without any.
    pub method: Option<&'static str>,
    /// Lines and their share, hottest first.
    pub lines: Vec<Hotspot>,
    /// Functions, the largest inclusive share first; none where lines were sampled.
    pub functions: Vec<HotspotFunction>,
    /// Chains of calls, the dearest first; none where lines were sampled.
    pub stacks: Vec<CallStack>,
}

/// The share of the time one line of the source took.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Hotspot {
    /// The file, as the debug information names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The function it belongs to.
    pub function: String,
    /// The line's own share, that of the library code it runs included, 0 to 1: of the instructions
    /// that belong to lines of the source, or of the samples.
    pub self_share: f64,
    /// Running sum of the shares, from the hottest line down to this one, 0 to 1.
    pub cumulative_share: f64,
    /// What is known beside it where it was counted.
    pub exact: Option<ExactLine>,
}

/// What counting tells of a line.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ExactLine {
    /// The most that one of the line's own instructions was executed; absent where it has none but
    /// inlined library code.
    pub count: Option<u64>,
    /// The instructions behind the share.
    pub instructions: u64,
    /// The share with all functions of the source that it calls, 0 to 1.
    pub inclusive_share: f64,
}

/// The share of one function of the source.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HotspotFunction {
    /// The line on which it begins, from 1; 0 where that is not known.
    pub line: u32,
    /// Its name, with the types of its parameters.
    pub name: String,
    /// Its own share, that of library code that it runs included, 0 to 1.
    pub self_share: f64,
    /// Its share with the functions of the source that it calls, 0 to 1; a recursion counts once.
    pub inclusive_share: f64,
    /// How often it was called; absent of one that was inlined.
    pub calls: Option<u64>,
    /// The instructions behind its own share.
    pub instructions: u64,
}

/// A chain of calls.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CallStack {
    /// The functions, the outermost first.
    pub frames: Vec<String>,
    /// What the innermost cost by itself.
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
