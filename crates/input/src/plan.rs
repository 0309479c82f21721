//! A spec whose names are known and whose expressions are read: ready for any n.

use crate::expression::Code;
use crate::fields::{Fields, join};
use crate::frame::Frame;
use crate::layout::{Part, parts};
use crate::limits::{MAX_NAME_BYTES, MAX_VARIABLES};
use crate::names::Names;
use crate::out::Out;
use crate::problem::{Cause, Problem};
use crate::random::Key;
use crate::recipe::Scope;
use crate::spec::{Kind, Layout, Spec};
use std::io::{self, Write};

/// What a spec and a scope make: bytes for every n for which they have a meaning.
#[derive(Debug, Clone)]
pub struct Plan(Body);

/// What an input will cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Estimate {
    /// Bytes it has at most. Each value counts with the widest of its range and a blank behind it, each line
    /// with one more.
    pub bytes: u64,
    /// How many steps were taken to know that: those of what stands outside of cases, one for each case to
    /// divide n, and those of each case that was worked out, which is one of a size where chance has no say.
    /// 2^24 are about half a second: checking many sizes may be too much.
    pub steps: u64,
}

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

/// Variables, and how they are printed.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    pub(crate) vars: Vec<Var>,
    pub(crate) parts: Vec<Part>,
    /// How many steps one turn takes: one for each variable, item, part and field of a
    /// query, and those of the expressions.
    pub(crate) steps: u64,
}

/// A variable.
#[derive(Debug, Clone)]
pub(crate) struct Var {
    /// Where in the spec.
    pub(crate) path: String,
    pub(crate) key: Key,
    pub(crate) kind: Kind<Code>,
    /// The task's bound of the same name.
    pub(crate) bound: Option<i64>,
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
        let body = body(&spec.layout, "", names, key, false, &mut problems);
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
        (Frame::new(n).measure_all(&self.0, &mut problems), problems)
    }

    /// Writes the input of size n, and says how many bytes it has. It is checked before.
    pub fn write(&self, n: u32, to: &mut impl Write) -> Result<u64, Failure> {
        self.check(n).map_err(Failure::Spec)?;
        let mut out = Out::new(to);
        Frame::new(n).print_all(&self.0, &mut out)?;
        Ok(out.finish()?)
    }
}

/// Reads variables and layout: those of a case if `nested`, whose variables then stand in the names.
pub(crate) fn body(
    layout: &[Layout],
    path: &str,
    mut names: Names<'_>,
    key: Key,
    nested: bool,
    problems: &mut Vec<Problem>,
) -> Body {
    let (vars, first) = if nested { (names.case, names.outer.len()) } else { (names.outer, 0) };
    if vars.len() > MAX_VARIABLES {
        let problem = format!("{} are over the limit of {MAX_VARIABLES}", vars.len());
        problems.push(Problem::new(join(path, "vars"), Cause::Spec, problem));
    }
    let (mut read, mut steps) = (Vec::new(), 0);
    for (i, variable) in vars.iter().enumerate().take(MAX_VARIABLES) {
        names.before = first + i;
        let here = join(path, &format!("vars[{i}]"));
        if let Some(fault) = names.fault(&variable.name) {
            problems.push(Problem::new(join(&here, "name"), Cause::Spec, fault));
        }
        let path = format!("{here}.{}", variable.kind.field());
        let mut fields = Fields { path, names, steps: 1, problems: &mut *problems };
        let kind = variable.kind.read(&mut fields);
        steps += fields.steps;
        let bound = names.scope.bounds.get(&variable.name).copied();
        read.push(Var { path: fields.path, key: key.of(&variable.name), kind, bound });
    }
    names.before = first + vars.len();
    let layout_path = join(path, "layout");
    let (parts, more) = parts(layout, &layout_path, names, key, nested, problems);
    Body { vars: read, parts, steps: steps + more }
}
