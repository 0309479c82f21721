//! The flame graph. Positions and widths are percentages, so it fills any window while text keeps
//! its size.

use crate::html::definitions::term;
use crate::html::escape::{escaped, escaped_up_to};
use crate::html::number::{self, percent};
use profiler_proto::v1::{CallStack, ProfileReport};
use std::collections::BTreeMap;

/// Maximum number of drawn frames, the widest first.
const MAX_FRAMES: usize = 1000;
/// Maximum depth of the graph.
const MAX_DEPTH: usize = 64;
/// Maximum number of call stacks read.
const MAX_STACKS: usize = 200_000;
/// Maximum length of a function name, in bytes.
const MAX_NAME_BYTES: usize = 120;
const ROW: usize = 22;
/// Width of a picture that stands alone.
const SVG_WIDTH: usize = 1200;
/// Height of the title of a picture that stands alone.
const SVG_TOP: usize = 26;
/// Colours of a picture that stands alone. On the page, they come from the page's own style.
const SVG_STYLE: &str = ":root{color-scheme:light dark;--card:light-dark(#fff,#161b22);\
    --ink:light-dark(#1b2129,#e6eaf0);--mono:ui-monospace,Menlo,Consolas,monospace}\
    .flame .page{fill:var(--card);stroke:none}.flame #whole{cursor:pointer;pointer-events:auto}\n";
const FLAME_STYLE: &str = include_str!("../flame.css");
const FLAME_SCRIPT: &str = include_str!("../flame.js");
/// The number of colours for functions of the program.
const COLOURS: u32 = 6;

#[derive(Default)]
struct Frame<'a> {
    instructions: u64,
    called: BTreeMap<&'a str, Frame<'a>>,
}

/// A frame with its position.
struct Placed<'a> {
    name: &'a str,
    depth: usize,
    before: u64,
    instructions: u64,
}

/// The drawn frames, and what they leave out.
struct Graph {
    frames: String,
    count: usize,
    rows: usize,
    instructions: u64,
    note: String,
}

/// The picture, with a note on what it leaves out.
pub(in crate::html) fn flame_graph(report: &ProfileReport) -> String {
    let Some(Graph { frames, count, rows, instructions, note }) = graph(report) else {
        return String::new();
    };
    format!(
        "<p class=\"note\">{}: width is the share of {} instructions.{note} <span class=\"script\">Click a frame to enlarge it.</span></p>\
         <p class=\"script tools\"><label>Find <input type=\"search\" id=\"find\" placeholder=\"function\"></label>\
         <button type=\"button\" id=\"whole\">Whole graph</button><output id=\"found\"></output></p>\
         <div class=\"flame\"><svg id=\"flames\" width=\"100%\" height=\"{}\" role=\"img\"><title>Flame graph of instructions</title>\
         <desc>functions: {count}, levels of calls: {rows}</desc>{frames}</svg></div>",
        term("flame-graph", "Flame graph"),
        number::short(instructions as f64),
        rows * ROW,
    )
}

/// Draws the graph as a picture that stands alone; `None` without call stacks.
pub(crate) fn flame_graph_svg(report: &ProfileReport) -> Option<String> {
    let Graph { frames, count, rows, instructions, note } = graph(report)?;
    let (name, instructions) = (escaped(&report.task_id), number::short(instructions as f64));
    let height = rows * ROW;
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" width=\"{SVG_WIDTH}\" height=\"{}\" role=\"img\">\
         <title>Flame graph of {name}</title><desc>functions: {count}, levels of calls: {rows}</desc>\
         <style>{SVG_STYLE}{FLAME_STYLE}</style><rect class=\"page\" width=\"100%\" height=\"100%\"/>\
         <text x=\"5\" y=\"16\">{name}: width is the share of {instructions} instructions.{note}</text>\
         <text x=\"99%\" y=\"16\" text-anchor=\"end\" id=\"whole\">whole graph</text>\
         <svg id=\"flames\" y=\"{SVG_TOP}\" width=\"100%\" height=\"{height}\">{frames}</svg>\
         <script><![CDATA[\"use strict\";\n{FLAME_SCRIPT}]]></script></svg>\n",
        height + SVG_TOP,
    ))
}

/// Draws the frames of the graph; `None` without call stacks.
fn graph(report: &ProfileReport) -> Option<Graph> {
    let (root, too_deep) = tree(&report.call_stacks);
    if root.instructions == 0 {
        return None;
    }
    let mut frames = Vec::new();
    place(&root, 0, 0, &mut frames);
    // A callee is never wider than its caller and always deeper, so a kept frame keeps all of its
    // callers.
    frames.sort_by_key(|frame| (std::cmp::Reverse(frame.instructions), frame.depth, frame.before));
    let left_out = frames.len().saturating_sub(MAX_FRAMES);
    frames.truncate(MAX_FRAMES);
    frames.sort_by_key(|frame| (frame.depth, frame.before));
    let rows = frames.iter().map(|frame| frame.depth + 1).max().unwrap_or(1);
    let note = match (left_out, too_deep) {
        (0, false) => String::new(),
        (0, true) => format!(" Calls deeper than {MAX_DEPTH} are left out."),
        (count, false) => format!(" Narrow frames left out: {count}."),
        (count, true) => {
            format!(" Narrow frames left out: {count}; calls deeper than {MAX_DEPTH} are too.")
        }
    };
    Some(Graph {
        frames: frames.iter().map(|frame| draw(frame, root.instructions, rows)).collect(),
        count: frames.len(),
        rows,
        instructions: root.instructions,
        note,
    })
}

/// Merges all call stacks into one tree. Also returns whether any was cut.
fn tree(stacks: &[CallStack]) -> (Frame<'_>, bool) {
    let mut root = Frame::default();
    let mut too_deep = stacks.len() > MAX_STACKS;
    for stack in stacks.iter().take(MAX_STACKS) {
        too_deep |= stack.frames.len() > MAX_DEPTH;
        root.instructions = root.instructions.saturating_add(stack.instructions);
        let mut frame = &mut root;
        for name in stack.frames.iter().take(MAX_DEPTH) {
            frame = frame.called.entry(name).or_default();
            frame.instructions = frame.instructions.saturating_add(stack.instructions);
        }
    }
    (root, too_deep)
}

/// Places the callees of a frame side by side. The recursion is at most `MAX_DEPTH` deep.
fn place<'a>(frame: &Frame<'a>, depth: usize, before: u64, frames: &mut Vec<Placed<'a>>) {
    let mut before = before;
    for (name, called) in &frame.called {
        let instructions = called.instructions;
        frames.push(Placed { name, depth, before, instructions });
        place(called, depth + 1, before, frames);
        before = before.saturating_add(instructions);
    }
}

fn draw(frame: &Placed<'_>, whole: u64, rows: usize) -> String {
    let share = number::share(frame.instructions, whole);
    let x = number::share(frame.before, whole) * 100.0;
    let y = (rows - 1 - frame.depth) * ROW;
    let name = escaped_up_to(frame.name, MAX_NAME_BYTES);
    let label =
        if share > 0.004 { format!("<text x=\"5\" y=\"14\">{name}</text>") } else { String::new() };
    format!(
        "<svg class=\"{}\" x=\"{x:.4}%\" y=\"{y}\" width=\"{:.4}%\" height=\"{}\"><title>{name}\n{}, {} instructions</title>\
         <rect width=\"100%\" height=\"100%\" rx=\"2\"/>{label}</svg>",
        colour(frame.name),
        share * 100.0,
        ROW - 1,
        percent(share),
        number::count(frame.instructions)
    )
}

/// Chooses a colour by the name. Libraries share one colour.
fn colour(name: &str) -> String {
    // Functions of the program are named with parameter types, except main.
    let own = name == "main" || name.contains('(');
    if !own || ["std::", "__", "operator "].iter().any(|library| name.starts_with(library)) {
        return "library".into();
    }
    let hash =
        name.bytes().fold(7u32, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte.into()));
    format!("f{}", (hash >> 3) % COLOURS)
}
