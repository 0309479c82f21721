//! Attributes a run's instructions to lines and functions of the source.
//!
//! An instruction of the program belongs to the innermost source line among its inlined calls. An
//! instruction without one, such as a library function's or a library template's, belongs to the
//! source line that called it: the innermost source line on its chain of calls. If an instance of a
//! template contains inlined code of the source, only the rest of the instance is charged to its
//! caller.
//!
//! The inclusive cost of a line or function is the cost of all chains of calls that contain one of
//! its calls, plus the instructions that it executes itself, unless such a chain has counted them.

use super::source_frames::{function_of, source_frames};
use super::stacks::stacks;
use profiler_decode::counter_output::{Profile, Target};
use profiler_decode::symbols::{Frame, NAMELESS, Place, SourceLine, Symbols};
use runner_protocol::{
    FunctionCost, LineCost, LineCounts, MAX_FRAME_BYTES, MAX_TRACE_FUNCTIONS, MAX_TRACE_LINES,
    Trace, encode,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The part of a frame that is reserved for everything except the trace, in bytes.
const BESIDE_BYTES: usize = 128 << 10;

/// The function that no program may call.
const MAIN: &str = "main";

/// The subject of an inclusive cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key {
    Line(SourceLine),
    Function(u32),
}

/// The cost of a line or function.
#[derive(Default)]
struct Cost {
    own: u64,
    inclusive: u64,
    count: Option<u64>,
    /// The cost of a line by function.
    by: BTreeMap<u32, u64>,
}

/// Instructions of a function of the program, including inlined code, for all callers together.
#[derive(Default)]
struct Body {
    instructions: u64,
    /// Instructions that belong to no line of the source.
    foreign: u64,
    /// Instructions in the chains of calls that end in this function.
    charged: u64,
    /// Instructions by the lines and functions of their frames. An instruction counts once for
    /// each.
    by: BTreeMap<Key, u64>,
    /// The part of `charged` in chains where the line or function also appears earlier.
    repeated: BTreeMap<Key, u64>,
}

struct Attribution<'a> {
    counted: &'a Profile,
    symbols: &'a Symbols,
    costs: HashMap<Key, Cost>,
    bodies: HashMap<u32, Body>,
}

/// Attributes a run's instructions to lines and functions.
pub(super) fn attribute(counted: &Profile, mut symbols: Symbols) -> Trace {
    let stacks = stacks(counted, &mut symbols);
    let (costs, bodies) = (HashMap::new(), HashMap::new());
    let mut attribution = Attribution { counted, symbols: &symbols, costs, bodies };
    attribution.take_blocks();
    attribution.charge_callers();
    attribution.include();
    let trace = Trace {
        instructions: counted.count.all,
        own_instructions: counted.count.own,
        charged_instructions: attribution.charged(),
        names: Vec::new(),
        lines: attribution.lines(),
        functions: attribution.functions(),
        stacks,
        is_partial: counted.is_full,
    };
    fitting(trace, &symbols.names)
}

/// Returns the instructions of each line of the source that has some. Lines of the same number in
/// several files are one line.
pub(crate) fn line_costs(counted: &Profile, symbols: &Symbols) -> LineCounts {
    let (costs, bodies) = (HashMap::new(), HashMap::new());
    let mut attribution = Attribution { counted, symbols, costs, bodies };
    attribution.take_blocks();
    attribution.charge_callers();
    let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
    for (key, cost) in &attribution.costs {
        if let Key::Line(SourceLine { line, .. }) = key
            && cost.own > 0
        {
            add(lines.entry(*line).or_default(), cost.own);
        }
    }
    lines.into_iter().collect()
}

/// The keys of the frames in the source, each once.
fn keys(frames: &[Frame]) -> BTreeSet<Key> {
    source_frames(frames).flat_map(|(line, name)| [Key::Line(line), Key::Function(name)]).collect()
}

fn part(of: u64, numerator: u64, denominator: u64) -> u64 {
    let part = u128::from(of) * u128::from(numerator) / u128::from(denominator.max(1));
    u64::try_from(part).unwrap_or(u64::MAX)
}

fn add(to: &mut u64, more: u64) {
    *to = to.saturating_add(more);
}

impl Attribution<'_> {
    /// Adds the instructions that the program itself executed.
    fn take_blocks(&mut self) {
        let mut executions: BTreeMap<u32, u64> = BTreeMap::new();
        for block in &self.counted.blocks {
            for &address in &block.addresses {
                add(executions.entry(address).or_default(), block.executions);
            }
        }
        for (address, count) in executions {
            let frames = self.symbols.frames(address);
            let body = self.bodies.entry(self.symbols.function(address)).or_default();
            add(&mut body.instructions, count);
            for key in keys(frames) {
                add(body.by.entry(key).or_default(), count);
            }
            match source_frames(frames).next() {
                None => add(&mut body.foreign, count),
                Some((line, name)) => {
                    self.charge(line, name, count);
                    let own = matches!(frames[0].place, Place::Source(_));
                    let seen = &mut self.costs.entry(Key::Line(line)).or_default().count;
                    if own {
                        *seen = Some(seen.unwrap_or(0).max(count));
                    }
                }
            }
        }
    }

    fn charge(&mut self, line: SourceLine, name: u32, instructions: u64) {
        let of_line = self.costs.entry(Key::Line(line)).or_default();
        add(&mut of_line.own, instructions);
        add(of_line.by.entry(name).or_default(), instructions);
        add(&mut self.costs.entry(Key::Function(name)).or_default().own, instructions);
    }

    /// Charges instructions without a source line to the source line that called them.
    fn charge_callers(&mut self) {
        let mut callers: Vec<Option<(SourceLine, u32)>> = Vec::new();
        for node in &self.counted.nodes {
            let site = node.site.and_then(|site| source_frames(self.symbols.frames(site)).next());
            let caller = site.or_else(|| callers[node.parent?]);
            callers.push(caller);
            let foreign = match function_of(self.symbols, node) {
                None => node.instructions,
                Some(name) => {
                    let body = self.bodies.entry(name).or_default();
                    add(&mut body.charged, node.instructions);
                    part(node.instructions, body.foreign, body.instructions)
                }
            };
            if let Some((line, name)) = caller
                && foreign > 0
            {
                self.charge(line, name, foreign);
            }
        }
    }

    /// Adds up the inclusive costs, from the two parts that the module describes.
    fn include(&mut self) {
        for node in self.counted.nodes.iter().filter(|node| node.instructions > 0) {
            let mut on_the_way = BTreeSet::new();
            let mut at = Some(node);
            while let Some(here) = at {
                on_the_way
                    .extend(here.site.into_iter().flat_map(|site| keys(self.symbols.frames(site))));
                at = here.parent.map(|parent| &self.counted.nodes[parent]);
            }
            let name = function_of(self.symbols, node);
            for key in on_the_way {
                add(&mut self.costs.entry(key).or_default().inclusive, node.instructions);
                let body = name.and_then(|name| self.bodies.get_mut(&name));
                if let Some(body) = body.filter(|body| body.by.contains_key(&key)) {
                    add(body.repeated.entry(key).or_default(), node.instructions);
                }
            }
        }
        for body in self.bodies.values() {
            for (&key, &instructions) in &body.by {
                let repeated = body.repeated.get(&key).copied().unwrap_or(0);
                let once = part(instructions, body.charged.saturating_sub(repeated), body.charged);
                let once = if body.charged == 0 { instructions } else { once };
                add(&mut self.costs.entry(key).or_default().inclusive, once);
            }
        }
        for cost in self.costs.values_mut() {
            cost.inclusive = cost.inclusive.max(cost.own).min(self.counted.count.all);
        }
    }

    fn charged(&self) -> u64 {
        let lines = self.costs.iter().filter(|(key, _)| matches!(key, Key::Line(_)));
        lines.fold(0, |sum, (_, cost)| sum.saturating_add(cost.own))
    }

    fn lines(&self) -> Vec<LineCost> {
        let line = |(key, cost): (&Key, &Cost)| match *key {
            Key::Line(SourceLine { file, line }) => Some(LineCost {
                file,
                line,
                function: cost
                    .by
                    .iter()
                    .max_by_key(|&(_, most)| most)
                    .map_or(NAMELESS, |(&n, _)| n),
                instructions: cost.own,
                inclusive: cost.inclusive,
                count: cost.count,
            }),
            Key::Function(_) => None,
        };
        let mut lines: Vec<_> = self.costs.iter().filter_map(line).collect();
        lines.sort_by_key(|cost| (Reverse(cost.instructions), cost.file, cost.line));
        lines.truncate(MAX_TRACE_LINES);
        lines
    }

    fn functions(&self) -> Vec<FunctionCost> {
        let mut begins: BTreeMap<u32, (SourceLine, u64)> = BTreeMap::new();
        for node in &self.counted.nodes {
            if let Target::Inside(target) = node.target
                && let Some(frame) = self.symbols.frames(target).last()
                && let Place::Source(line) = frame.place
            {
                let (_, calls) = begins.entry(frame.name).or_insert((line, 0));
                add(calls, node.calls);
            }
        }
        let executed = self.counted.blocks.iter().flat_map(|block| &block.addresses);
        let inlined: BTreeSet<u32> = executed
            .flat_map(|&at| {
                self.symbols.frames(at).split_last().map_or(&[][..], |(_, inner)| inner)
            })
            .map(|frame| frame.name)
            // addr2line gives an inlined static function the name of the function that it was
            // inlined into. Only for `main` is this certain: any other function might really be
            // inlined into itself.
            .filter(|&name| self.symbols.names.get(name as usize).is_none_or(|name| name != MAIN))
            .collect();
        let function = |(key, cost): (&Key, &Cost)| match *key {
            Key::Function(name) => {
                let begin = begins.get(&name);
                Some(FunctionCost {
                    name,
                    file: begin.and_then(|(begin, _)| begin.file),
                    line: begin.map_or(0, |(begin, _)| begin.line),
                    instructions: cost.own,
                    inclusive: cost.inclusive,
                    calls: begin.filter(|_| !inlined.contains(&name)).map(|&(_, calls)| calls),
                })
            }
            Key::Line(_) => None,
        };
        let mut functions: Vec<_> = self.costs.iter().filter_map(function).collect();
        functions.sort_by_key(|f| (Reverse(f.inclusive), Reverse(f.instructions), f.name));
        functions.truncate(MAX_TRACE_FUNCTIONS);
        functions
    }
}

/// Keeps as much of `trace` as fits a frame, with only the names that it needs, in the order of
/// their use.
fn fitting(mut trace: Trace, names: &[String]) -> Trace {
    loop {
        let fitting = named(trace.clone(), names);
        if encode(&fitting).is_ok_and(|bytes| bytes.len() <= MAX_FRAME_BYTES - BESIDE_BYTES) {
            return fitting;
        }
        let half = |length: usize| length / 2;
        trace.stacks.truncate(half(trace.stacks.len()));
        trace.functions.truncate(half(trace.functions.len()));
        trace.lines.truncate(half(trace.lines.len()));
    }
}

fn named(mut trace: Trace, names: &[String]) -> Trace {
    let mut used: HashMap<u32, u32> = HashMap::new();
    let mut number = |name: &mut u32| {
        *name = *used.entry(*name).or_insert_with(|| {
            trace.names.push(names.get(*name as usize).cloned().unwrap_or_default());
            u32::try_from(trace.names.len() - 1).unwrap_or(0)
        });
    };
    for line in &mut trace.lines {
        number(&mut line.function);
        line.file.iter_mut().for_each(&mut number);
    }
    for function in &mut trace.functions {
        number(&mut function.name);
        function.file.iter_mut().for_each(&mut number);
    }
    trace.stacks.iter_mut().flat_map(|stack| &mut stack.frames).for_each(number);
    trace
}

#[cfg(test)]
mod tests;
