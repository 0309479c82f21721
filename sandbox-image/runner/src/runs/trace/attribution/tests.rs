use super::*;
use profiler_decode::addr2line::OwnFiles;
use profiler_decode::counter_output::{Block, Count, Node};
use runner_protocol::StackCost;
use std::fmt::Write;

/// `main` (10 to 12) calls `work` (3 to 5) on line 11, and a library on line 12.
const MAIN: u32 = 0x100;
const WORK: u32 = 0x200;
const SORT: u32 = 0x300;

/// The frames at addresses, innermost first, as from `addr2line`.
fn symbols(places: &[(u32, &[(&str, &str)])]) -> Symbols {
    let mut answers = String::new();
    for (address, frames) in places {
        writeln!(answers, "{address:#018x}").unwrap();
        for (function, place) in *frames {
            writeln!(answers, "{function}\n{place}").unwrap();
        }
    }
    let asked = places.iter().map(|&(address, _)| address).collect();
    let own = OwnFiles::new(["lib/a.h".into()]);
    Symbols::read(answers.as_bytes(), &asked, &own).unwrap()
}

fn block(address: u32, executions: u64) -> Block {
    Block { addresses: vec![address], executions }
}

fn node(parent: usize, site: u32, target: Target, (calls, instructions): (u64, u64)) -> Node {
    Node { parent: Some(parent), site: Some(site), target, calls, instructions }
}

fn root(target: Target, instructions: u64) -> Node {
    Node { parent: None, site: None, target, calls: 1, instructions }
}

fn made(blocks: Vec<Block>, nodes: Vec<Node>, symbols: Symbols) -> Trace {
    let instructions = nodes.iter().map(|node| node.instructions).sum();
    attribute(
        &Profile {
            count: Count { all: instructions, own: Some(instructions / 2) },
            blocks,
            nodes,
            is_full: false,
        },
        symbols,
    )
}

fn line(trace: &Trace, line: u32) -> &LineCost {
    trace.lines.iter().find(|cost| cost.line == line).unwrap()
}

fn function<'a>(trace: &'a Trace, name: &str) -> &'a FunctionCost {
    trace.functions.iter().find(|cost| trace.names[cost.name as usize] == name).unwrap()
}

fn folded(trace: &Trace) -> Vec<(String, u64)> {
    let name = |&frame: &u32| trace.names[frame as usize].as_str();
    let folded = |stack: &StackCost| stack.frames.iter().map(name).collect::<Vec<_>>().join(";");
    trace.stacks.iter().map(|stack| (folded(stack), stack.instructions)).collect()
}

const IN_MAIN: [(u32, &[(&str, &str)]); 3] = [
    (MAIN, &[("main", "/tmp/main.cpp:10")]),
    (MAIN + 1, &[("main", "/tmp/main.cpp:11")]),
    (MAIN + 2, &[("main", "/tmp/main.cpp:12")]),
];

#[test]
fn call_costs_its_line_inclusively() {
    let mut places = IN_MAIN.to_vec();
    places.push((WORK, &[("work(int)", "/tmp/main.cpp:3")]));
    let blocks = vec![block(MAIN, 1), block(MAIN + 1, 5), block(WORK, 94)];
    let work = node(0, MAIN + 1, Target::Inside(WORK), (5, 94));
    let trace = made(blocks, vec![root(Target::Inside(MAIN), 6), work], symbols(&places));
    assert_eq!((line(&trace, 11).instructions, line(&trace, 11).inclusive), (5, 99));
    assert_eq!((line(&trace, 3).instructions, line(&trace, 3).inclusive), (94, 94));
    assert_eq!(line(&trace, 3).count, Some(94));
    assert_eq!(function(&trace, "main").inclusive, 100);
    let work = function(&trace, "work(int)");
    assert_eq!((work.line, work.calls, work.instructions), (3, Some(5), 94));
    assert_eq!(folded(&trace), [("main;work(int)".into(), 94), ("main".into(), 6)]);
    assert_eq!((trace.instructions, trace.own_instructions), (100, Some(50)));
}

#[test]
fn library_costs_the_line_that_called_it() {
    let blocks = vec![block(MAIN, 1), block(MAIN + 2, 1)];
    let stub = node(0, MAIN + 2, Target::Inside(0x20), (1, 1));
    let library = node(1, 0x25, Target::Library(0x3fc0), (1, 70));
    let mut symbols = symbols(&IN_MAIN);
    symbols.name_library([0x3fc0].into_iter(), "qsort\n".as_bytes());
    let trace = made(blocks, vec![root(Target::Inside(MAIN), 2), stub, library], symbols);
    assert_eq!((line(&trace, 12).instructions, line(&trace, 12).count), (72 - 1, Some(1)));
    assert_eq!(function(&trace, "main").instructions, 72);
    assert_eq!(folded(&trace)[0], ("main;qsort".into(), 70));
}

/// An instance of a template with an inlined comparison of the source: 30 of its 40 instructions.
#[test]
fn code_of_the_source_in_an_instance_of_a_template_is_not_charged_twice() {
    let mut places = IN_MAIN.to_vec();
    let header = ("std::sort(int*, int*)", "/usr/include/c++/12/bits/stl_algo.h:9");
    let inlined = [("main::{lambda()#1}::operator()() const", "/tmp/main.cpp:20"), header];
    places.push((SORT, &inlined));
    let header = [header];
    places.push((SORT + 1, &header));
    let blocks = vec![block(MAIN + 1, 1), block(SORT, 30), block(SORT + 1, 10)];
    let sort = node(0, MAIN + 1, Target::Inside(SORT), (1, 40));
    let trace = made(blocks, vec![root(Target::Inside(MAIN), 1), sort], symbols(&places));
    assert_eq!((line(&trace, 11).instructions, line(&trace, 11).inclusive), (11, 41));
    assert_eq!((line(&trace, 20).instructions, line(&trace, 20).inclusive), (30, 30));
    assert_eq!(function(&trace, "main::{lambda()#1}::operator()() const").calls, None);
    assert_eq!(trace.lines.iter().map(|line| line.instructions).sum::<u64>(), trace.instructions);
}

/// `work` calls itself on line 4: the chains main, main-work, main-work-work.
#[test]
fn recursion_counts_once() {
    let mut places = IN_MAIN.to_vec();
    places.push((WORK, &[("work(int)", "/tmp/main.cpp:3")]));
    places.push((WORK + 1, &[("work(int)", "/tmp/main.cpp:4")]));
    let blocks = vec![block(MAIN + 1, 1), block(WORK, 50), block(WORK + 1, 50)];
    let first = node(0, MAIN + 1, Target::Inside(WORK), (1, 10));
    let more = node(1, WORK + 1, Target::Inside(WORK), (49, 90));
    let nodes = vec![root(Target::Inside(MAIN), 1), first, more];
    let trace = made(blocks, nodes, symbols(&places));
    let work = function(&trace, "work(int)");
    assert_eq!((work.inclusive, work.instructions, work.calls), (100, 100, Some(50)));
    // All of the inner calls, and the line's part of the outermost one.
    assert_eq!(line(&trace, 4).inclusive, 90 + 5);
    assert_eq!(line(&trace, 3).inclusive, 50);
    assert_eq!(folded(&trace)[0], ("main;work(int)".into(), 100));
}

#[test]
fn inlined_library_code_is_no_execution_of_a_line() {
    let header = ("std::max(int, int)", "/usr/include/c++/12/bits/stl_algobase.h:9");
    let inlined = [header, ("main", "/tmp/main.cpp:11")];
    let places: [(u32, &[(&str, &str)]); 3] = [IN_MAIN[0], IN_MAIN[1], (MAIN + 9, &inlined)];
    let blocks = vec![block(MAIN + 1, 3), block(MAIN + 9, 80)];
    let trace = made(blocks, vec![root(Target::Inside(MAIN), 83)], symbols(&places));
    assert_eq!((line(&trace, 11).instructions, line(&trace, 11).count), (83, Some(3)));
}

#[test]
fn instructions_before_the_source_are_start_up() {
    let blocks = vec![block(MAIN, 4)];
    let main = Node { site: None, ..node(0, 0, Target::Inside(MAIN), (1, 4)) };
    let trace = made(blocks, vec![root(Target::Library(0), 1000), main], symbols(&IN_MAIN));
    assert_eq!(folded(&trace), [("[start-up]".into(), 1000), ("main".into(), 4)]);
    assert_eq!(trace.lines.iter().map(|line| line.instructions).sum::<u64>(), 4);
}

#[test]
fn trace_fits_a_frame() {
    let name = "x".repeat(300);
    let names: Vec<String> = (0..4000_u32).map(|i| format!("f{i}({name})")).collect();
    let stacks = (0..4000).map(|at| StackCost { frames: vec![at, 0], instructions: 1 }).collect();
    let fitted = fitting(Trace { stacks, ..Trace::default() }, &names);
    assert!(encode(&fitted).unwrap().len() <= MAX_FRAME_BYTES);
    assert!(fitted.stacks.len() >= 1000 && fitted.names.len() <= fitted.stacks.len() + 1);
}

#[test]
fn same_line_of_two_files_is_two_lines() {
    let places: [(u32, &[(&str, &str)]); 2] =
        [(MAIN, &[("main", "/tmp/main.cpp:3")]), (WORK, &[("work(int)", "/tmp/lib/a.h:3")])];
    let nodes = vec![root(Target::Inside(MAIN), 10), node(0, MAIN, Target::Inside(WORK), (2, 40))];
    let trace = made(vec![block(MAIN, 10), block(WORK, 40)], nodes, symbols(&places));
    let name = |at: u32| trace.names[at as usize].as_str();
    let lines: Vec<_> = trace
        .lines
        .iter()
        .map(|cost| (cost.file.map(name), cost.line, cost.instructions))
        .collect();
    assert_eq!(lines, [(Some("lib/a.h"), 3, 40), (None, 3, 10)]);
    let work = function(&trace, "work(int)");
    assert_eq!((work.file.map(name), work.line), (Some("lib/a.h"), 3));
    assert_eq!(function(&trace, "main").file, None);
}
