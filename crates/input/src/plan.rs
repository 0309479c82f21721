//! A spec whose names are resolved and whose expressions are compiled: ready for every n.

mod body;
mod evaluate;
mod read;

pub use evaluate::Estimate;

use crate::context::names::Names;
use crate::draw::random::Key;
use crate::limits::MAX_NAME_BYTES;
use crate::problem::{Cause, Problem};
use crate::scope::Scope;
use crate::spec::Spec;
use crate::writer::InputWriter;
use body::Body;
use evaluate::Evaluation;
use read::read_body;
use std::io::{self, Write};

/// What a spec and a scope make: bytes for every n for which they have a meaning.
#[derive(Debug, Clone)]
pub struct Plan(Body);

/// Why an input could not be written.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// There is none.
    #[error("the spec has no input of this size")]
    Spec(Vec<Problem>),
    /// It could not be written to where it should go.
    #[error("write: {0}")]
    Write(#[from] io::Error),
}

impl Plan {
    /// Reads a spec, or says all that is wrong with it at every n.
    pub fn new(spec: &Spec, scope: &Scope) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        if spec.name.len() > MAX_NAME_BYTES {
            let bytes = spec.name.len();
            let problem = format!("{bytes} bytes are over the limit of {MAX_NAME_BYTES}");
            problems.push(Problem::new("name", Cause::Spec, problem));
        }
        if spec.layout.is_empty() {
            problems.push(Problem::new("layout", Cause::Spec, "is empty"));
        }
        let names = Names { scope, outer: &spec.vars, case: &[], before: 0 };
        let key = Key::new(spec.seed);
        let body = read_body(&spec.layout, "", names, key, false, &mut problems);
        if problems.is_empty() { Ok(Self(body)) } else { Err(problems) }
    }

    /// How large the input is at most, or everything that is wrong with it at this n.
    pub fn check(&self, n: u32) -> Result<Estimate, Vec<Problem>> {
        let (estimate, problems) = self.examine(n);
        if problems.is_empty() { Ok(estimate) } else { Err(problems) }
    }

    /// Likewise, with the work that it was to find what is wrong.
    pub fn examine(&self, n: u32) -> (Estimate, Vec<Problem>) {
        let mut problems = Vec::new();
        (Evaluation::new(n).measure_all(&self.0, &mut problems), problems)
    }

    /// Writes the input of size n, and says how many bytes it has. It is checked before.
    pub fn write(&self, n: u32, to: &mut impl Write) -> Result<u64, Failure> {
        self.check(n).map_err(Failure::Spec)?;
        let mut out = InputWriter::new(to);
        Evaluation::new(n).print_all(&self.0, &mut out)?;
        Ok(out.finish()?)
    }
}
