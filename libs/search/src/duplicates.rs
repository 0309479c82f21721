//! Genomes that make the same choices with other numbers. Only the best of them is kept.

use crate::gene::{Amount, Gene, Letters, Spot, Value, Width, Window};
use crate::genome::Genome;
use profiler_input::spec::{Order, Pattern};

impl Genome {
    /// Whether both make the same choices, with other numbers at most.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let are_like = |(one, other): (&(Spot, Gene), &(Spot, Gene))| {
            one.0 == other.0 && one.1.kind() == other.1.kind()
        };
        self.candidate == other.candidate
            && self.genes.len() == other.genes.len()
            && self.genes.iter().zip(&other.genes).all(are_like)
    }
}

impl Gene {
    /// The same choice without its numbers.
    fn kind(&self) -> Self {
        match self {
            Self::Order(Order::FewDistinct, few) => Self::Order(Order::FewDistinct, few.kind()),
            // Other orders and patterns do not use their amount.
            Self::Order(order, _) => Self::Order(*order, Amount::Fixed(0)),
            Self::Range(window) => Self::Range(window.kind()),
            Self::Pattern(Pattern::Periodic, period) => {
                Self::Pattern(Pattern::Periodic, period.kind())
            }
            Self::Pattern(pattern, _) => Self::Pattern(*pattern, Amount::Fixed(0)),
            Self::Letters(letters) => {
                Self::Letters(Letters { first: 0, count: letters.count, often: 0 })
            }
            Self::Value(value) => Self::Value(value.kind()),
            Self::Length(amount) => Self::Length(amount.kind()),
            Self::Kinds(weights) => {
                Self::Kinds(weights.iter().map(|&weight| weight.min(1)).collect())
            }
            Self::Step(step) => Self::Step(step.kind()),
            Self::Tree(_) | Self::Graph(_) | Self::Points(_) => self.clone(),
        }
    }
}

impl Amount {
    fn kind(self) -> Self {
        match self {
            Self::Fixed(_) => Self::Fixed(0),
            Self::Part(_) => Self::Part(0),
            Self::Root | Self::Log => self,
        }
    }
}

impl Width {
    fn kind(self) -> Self {
        match self {
            Self::Fixed(_) => Self::Fixed(0),
            Self::Part(_) => Self::Part(0),
            Self::Length => self,
        }
    }
}

impl Window {
    fn kind(self) -> Self {
        match self {
            Self::Low(width) => Self::Low(width.kind()),
            Self::High(width) => Self::High(width.kind()),
            Self::At(_, width) => Self::At(0, width.kind()),
            Self::Exact(_) => Self::Exact(0),
        }
    }
}

impl Value {
    fn kind(self) -> Self {
        match self {
            Self::Part(_) => Self::Part(0),
            Self::Power(..) => Self::Power(0, 0),
            Self::Fibonacci(_) => Self::Fibonacci(0),
            Self::Exact(_) => Self::Exact(0),
            Self::Low | Self::High => self,
        }
    }
}
