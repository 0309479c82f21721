//! A spec with resolved names and compiled expressions, ready for every n.

mod body;
mod bounds;
mod evaluate;
mod read;

pub use evaluate::Estimate;

use crate::context::fields::Fields;
use crate::context::names::Names;
use crate::draw::random::RandomStream;
use crate::limits::MAX_N;
use crate::problem::{self, Cause, Problem};
use crate::scope::{SIZE, Scope};
use crate::spec::InputSpec;
use crate::writer::InputWriter;
use body::Body;
use bounds::SizeBounds;
use evaluate::Evaluation;
use read::read_body;
use std::fmt;
use std::io::{self, Write};

/// Problem of a spec with a generator where no sandbox can run it.
const NEEDS_SANDBOX: &str = "needs a sandbox; use vars and layout instead";

/// A compiled spec. It writes the bytes of every n for which the spec is valid.
pub struct Plan {
    body: Body,
    bounds: SizeBounds,
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan").finish_non_exhaustive()
    }
}

/// Reason that an input could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The spec has no input of this size.
    #[error("the spec has no input of this size")]
    Spec(Vec<Problem>),
    /// The destination could not be written to.
    #[error("cannot write the input: {0}")]
    Write(#[from] io::Error),
}

impl Plan {
    /// Compiles a spec. The error lists all problems that the spec has at every n.
    pub fn new(spec: &InputSpec, scope: &Scope) -> Result<Self, Vec<Problem>> {
        let (bounds, mut problems) = SizeBounds::of_named(spec);
        let mut scope = scope.clone();
        if let Some(most) = bounds.most {
            scope.bounds.entry(SIZE.into()).or_insert(most.cast_signed());
        }
        let names = Names { scope: &scope, outer: &spec.vars, case: None, before: 0 };
        let mut fields = Fields { path: String::new(), names, steps: 0, problems: &mut problems };
        if !spec.generator.is_empty() {
            fields.refuse("generator", NEEDS_SANDBOX);
        } else if spec.layout.is_empty() {
            fields.refuse("layout", "must not be empty");
        }
        let body = read_body(&spec.layout, fields, RandomStream::new(spec.seed));
        if problems.is_empty() { Ok(Self { body, bounds }) } else { Err(problems) }
    }

    /// Reads a spec whose inputs its generator makes. The plan checks sizes, and writes nothing.
    pub fn of_generator(spec: &InputSpec) -> Result<Self, Vec<Problem>> {
        let (bounds, mut problems) = SizeBounds::of_named(spec);
        for (field, is_given) in
            [("vars", !spec.vars.is_empty()), ("layout", !spec.layout.is_empty())]
        {
            if is_given {
                let text = "cannot be used with generator".to_owned();
                problem::add(&mut problems, Problem::new(field, Cause::Spec, text));
            }
        }
        let body = Body { vars: Vec::new(), steps: 1, parts: Vec::new() };
        if problems.is_empty() { Ok(Self { body, bounds }) } else { Err(problems) }
    }

    /// The largest n that the spec declares, if it declares one.
    pub fn n_max(&self) -> Option<u64> {
        self.bounds.most
    }

    /// Estimates the input's length and cost. The error lists all problems at this n.
    pub fn check(&self, n: u64) -> Result<Estimate, Vec<Problem>> {
        let (estimate, problems) = self.examine(n);
        if problems.is_empty() { Ok(estimate) } else { Err(problems) }
    }

    /// Like [`Self::check`], but returns the estimate even if there are problems.
    pub fn examine(&self, n: u64) -> (Estimate, Vec<Problem>) {
        let mut problems = Vec::new();
        if n > MAX_N {
            let problem = format!("must be at most {MAX_N}, not {n}");
            problem::add(&mut problems, Problem::new("n", Cause::TooLarge, problem));
        }
        self.bounds.check(n, &mut problems);
        (Evaluation::new(n).measure_all(&self.body, &mut problems), problems)
    }

    /// Checks and writes the input of size n; returns its length in bytes.
    pub fn write(&self, n: u64, to: &mut impl Write) -> Result<u64, Failure> {
        self.check(n).map_err(Failure::Spec)?;
        let mut out = InputWriter::new(to);
        Evaluation::new(n).print_all(&self.body, &mut out)?;
        Ok(out.finish()?)
    }
}
