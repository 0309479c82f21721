//! Reason why a class is undecided, and what would decide it.

/// A change to a job that would decide a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// Measure larger sizes.
    LargerSizes,
    /// Measure smaller sizes.
    SmallerSizes,
    /// Measure more sizes.
    MoreSizes,
    /// Let the profiler choose the sizes.
    ChosenSizes,
    /// Count instructions, with [`Effort::Counted`](crate::Effort::Counted).
    CountedGrowth,
    /// Measure everything that tells growth, with [`Effort::Full`](crate::Effort::Full).
    FullGrowth,
    /// Declare the input.
    InputSpec,
}

/// The reason why a class is undecided, and its remedies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Undecided {
    /// A sentence without a full stop; empty if the class is reported.
    pub reason: String,
    /// Each of these would decide the class. Empty if nothing is known to.
    pub remedies: Vec<Remedy>,
}

impl Undecided {
    pub(crate) fn new(reason: impl Into<String>, remedies: impl Into<Vec<Remedy>>) -> Self {
        Self { reason: reason.into(), remedies: remedies.into() }
    }
}

impl From<String> for Undecided {
    /// A reason without a remedy.
    fn from(reason: String) -> Self {
        Self::new(reason, [])
    }
}
