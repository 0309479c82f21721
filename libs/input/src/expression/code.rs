//! Code of a stack machine, evaluated in one loop without recursion.

use crate::limits::MAX_DEPTH;

/// An instruction of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Push(i64),
    Load(Slot),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    Min,
    Max,
    Abs,
    Log2,
    Sqrt,
}

/// Source of the value of a name in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// The size n.
    N,
    /// A scalar of the spec, by its index in [`Bindings::slots`].
    Value(usize),
    /// A constant, such as a bound of the task.
    Constant(i64),
}

/// A compiled expression.
#[derive(Debug, Default)]
pub(crate) struct Code(pub(super) Vec<Step>);

/// A compiled expression, with its path in the spec.
#[derive(Debug)]
pub(crate) struct Expression {
    /// Path in the spec.
    pub(crate) path: String,
    pub(crate) code: Code,
}

/// The values of names.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bindings<'v> {
    pub(crate) n: i64,
    /// The value of each variable that is a scalar. `None` if the scalar could not be evaluated.
    pub(crate) slots: &'v [Option<i64>],
}

/// Reason that an expression has no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// The expression has no value at this n, for this reason.
    #[error("{0}")]
    Invalid(&'static str),
    /// A value does not fit into 64 bits.
    #[error("does not fit into 64 bits")]
    Overflow,
    /// The expression uses a scalar without a value. The problem is recorded at that scalar.
    #[error("has no value")]
    Unavailable,
}

impl Code {
    pub(crate) fn constant(value: i64) -> Self {
        Self(vec![Step::Push(value)])
    }

    /// Number of steps of an evaluation.
    pub(crate) fn steps(&self) -> u64 {
        self.0.len() as u64
    }

    /// The expression's value.
    pub(crate) fn value(&self, values: Bindings<'_>) -> Result<i64, Fault> {
        let mut stack = [0; MAX_DEPTH];
        let mut height: usize = 0;
        for step in &self.0 {
            let arguments = step.arguments();
            // The parser emits no code that pops from an empty stack.
            let below = height.checked_sub(arguments).ok_or(Fault::Unavailable)?;
            let (a, b) = match arguments {
                0 => (0, 0),
                1 => (stack[below], 0),
                _ => (stack[below], stack[below + 1]),
            };
            let top = stack.get_mut(below).ok_or(Fault::Overflow)?;
            *top = step.apply(a, b, values)?;
            height = below + 1;
        }
        Ok(stack[0])
    }
}

impl Step {
    pub(super) fn arguments(self) -> usize {
        match self {
            Step::Push(_) | Step::Load(_) => 0,
            Step::Negate | Step::Abs | Step::Log2 | Step::Sqrt => 1,
            _ => 2,
        }
    }

    fn apply(self, a: i64, b: i64, values: Bindings<'_>) -> Result<i64, Fault> {
        let fits = |value: Option<i64>| value.ok_or(Fault::Overflow);
        match self {
            Step::Push(value) | Step::Load(Slot::Constant(value)) => Ok(value),
            Step::Load(Slot::N) => Ok(values.n),
            Step::Load(Slot::Value(index)) => {
                values.slots.get(index).copied().flatten().ok_or(Fault::Unavailable)
            }
            Step::Negate => fits(a.checked_neg()),
            Step::Add => fits(a.checked_add(b)),
            Step::Subtract => fits(a.checked_sub(b)),
            Step::Multiply => fits(a.checked_mul(b)),
            Step::Divide | Step::Remainder if b == 0 => Err(Fault::Invalid("divides by zero")),
            Step::Divide => fits(a.checked_div(b).map(|q| q - i64::from(inexact(a, b)))),
            Step::Remainder => {
                Ok(a.checked_rem(b).map_or(0, |rest| if inexact(a, b) { rest + b } else { rest }))
            }
            Step::Power => match u32::try_from(b) {
                Ok(exponent) => fits(a.checked_pow(exponent)),
                Err(_) if b < 0 => Err(Fault::Invalid("has a negative exponent")),
                Err(_) if matches!(a, 0 | 1) => Ok(a),
                Err(_) if a == -1 => Ok(if b % 2 == 0 { 1 } else { -1 }),
                Err(_) => Err(Fault::Overflow),
            },
            Step::Min => Ok(a.min(b)),
            Step::Max => Ok(a.max(b)),
            Step::Abs => fits(a.checked_abs()),
            Step::Log2 if a < 1 => Err(Fault::Invalid("takes log2 of a number below 1")),
            Step::Log2 => Ok(i64::from(a.ilog2())),
            Step::Sqrt => {
                a.checked_isqrt().ok_or(Fault::Invalid("takes sqrt of a negative number"))
            }
        }
    }
}

/// Whether rounding towards zero and rounding down give different quotients.
fn inexact(a: i64, b: i64) -> bool {
    (a < 0) != (b < 0) && a.checked_rem(b).is_some_and(|rest| rest != 0)
}
