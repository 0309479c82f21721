//! The speed of generating inputs. Each kind is compared with a C++ program that generates the same
//! with `printf`. Numbers are also compared with the time that programs need to read them.

use crate::failure::Failure;
use crate::tools::series::{self, Series};
use crate::tools::spread::Spread;
use profiler_client::spec::{
    Spec, array, graph, grid, interval, literal, matrix, number, permutation, points, queries,
    text, tree,
};
use profiler_client::v1::Order;
use profiler_core::job::DEFAULT_FLAGS;
use profiler_input::{Plan, Scope};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The size: numbers, characters, edges or lines.
const N: u64 = 1_000_000;
const ROUNDS: usize = 9;
/// The functions that C++ programs read with.
const READERS: [&str; 3] = ["scanf", "cin", "getchar_unlocked"];

/// Prints the tables.
pub(crate) fn run() -> Result<(), Failure> {
    let folder = tempfile::tempdir()?;
    let printf = built(folder.path(), "generate", include_str!("generate.cpp"))?;
    let reader = built(folder.path(), "read", include_str!("read.cpp"))?;
    println!("n={N}, {ROUNDS} rounds in turn, MB/s written to a file (min/median/max)");
    println!("{:<14} {:>9} {:>23} {:>23} {:>22}", "", "bytes", "here", "printf", "times as fast");
    let file = folder.path().join("input");
    for (kind, spec) in kinds() {
        let plan = planned(spec)?;
        let (mut ours, mut theirs, mut bytes) = (Vec::new(), Vec::new(), 0);
        for _ in 0..ROUNDS {
            let (written, took) = generated(&plan, &file)?;
            bytes = written;
            ours.push(rate(written, took));
            let took = timed(&printf, kind, Stdio::null(), File::create(&file)?.into())?;
            theirs.push(rate(fs::metadata(&file)?.len(), took));
        }
        let ratio = ours.iter().zip(&theirs).map(|(ours, theirs)| ours / theirs).collect();
        let [ours, theirs] = [ours, theirs].map(|rates| shown(&rates.into_iter().collect(), 0));
        println!("{kind:<14} {bytes:>9} {ours:>23} {theirs:>23} {:>22}", shown(&ratio, 1));
    }
    read(&reader, &file)
}

/// Writes and reads numbers, in turn.
fn read(reader: &Path, file: &Path) -> Result<(), Failure> {
    let numbers = planned(Spec::new("array").var("a", array("n").between(1, "10^9")).line(["a"]))?;
    let mut rows = vec![Series::new("written here")];
    rows.extend(READERS.map(|way| Series::new(format!("read with {way}"))));
    for _ in 0..ROUNDS {
        let mut row = rows.iter_mut();
        let mut add = |took| row.next().into_iter().for_each(|series| series.add(took));
        add(generated(&numbers, file)?.1);
        for way in READERS {
            add(timed(reader, way, File::open(file)?.into(), Stdio::null())?);
        }
    }
    println!();
    series::print(&format!("{N} numbers up to 10^9"), &rows);
    Ok(())
}

/// The specs, under the names that the C++ program knows.
fn kinds() -> Vec<(&'static str, Spec)> {
    let numbers = || array("n").between(1, "10^9");
    let asked = queries("n")
        .variant(1, [literal("add"), number(1, "n")])
        .variant(1, [literal("sum"), interval(1, "n")]);
    let spec = |name| Spec::new(name);
    vec![
        ("array", spec("array").var("x", numbers()).line(["x"])),
        ("sorted", spec("sorted").var("x", numbers().order(Order::Sorted)).line(["x"])),
        ("distinct", spec("distinct").var("x", numbers().distinct()).line(["x"])),
        ("permutation", spec("permutation").var("x", permutation("n")).line(["x"])),
        ("matrix", spec("matrix").var("x", matrix("n/1000", 1000).between(0, 999)).grid("x")),
        ("text", spec("text").var("x", text("n")).raw("x")),
        ("grid", spec("grid").var("x", grid("n/1000", 1000, "..#")).grid("x")),
        ("tree", spec("tree").var("x", tree("n")).lines(["x"])),
        ("graph", spec("graph").var("x", graph("n").edges("n").simple()).lines(["x"])),
        ("points", spec("points").var("x", points("n").between(0, "10^9")).lines(["x"])),
        ("queries", spec("queries").var("x", asked).lines(["x"])),
    ]
}

fn planned(spec: Spec) -> Result<Plan, Failure> {
    Ok(Plan::new(&spec.into(), &Scope::default()).map_err(|problems| format!("{problems:?}"))?)
}

/// Writes an input to a file. Returns the number of bytes, and the duration.
fn generated(plan: &Plan, file: &Path) -> Result<(u64, Duration), Failure> {
    let begun = Instant::now();
    let bytes = plan.write(N, &mut File::create(file)?)?;
    Ok((bytes, begun.elapsed()))
}

/// The duration of a program, including its start of about a millisecond.
fn timed(program: &Path, word: &str, from: Stdio, to: Stdio) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let status =
        Command::new(program).args([word, &N.to_string()]).stdin(from).stdout(to).status()?;
    if status.success() { Ok(begun.elapsed()) } else { Err(format!("{word}: {status}").into()) }
}

fn built(folder: &Path, name: &str, source: &str) -> Result<PathBuf, Failure> {
    let (code, program) = (folder.join(name).with_extension("cpp"), folder.join(name));
    fs::write(&code, source)?;
    let status =
        Command::new("g++").args(DEFAULT_FLAGS).arg(&code).arg("-o").arg(&program).status()?;
    if status.success() { Ok(program) } else { Err(format!("g++: {status}").into()) }
}

fn rate(bytes: u64, took: Duration) -> f64 {
    bytes as f64 / 1e6 / took.as_secs_f64()
}

fn shown(values: &Spread, digits: usize) -> String {
    let [low, middle, high] = [0, 500, 1000].map(|rank| values.permille(rank));
    format!("{low:.digits$}/{middle:.digits$}/{high:.digits$}")
}
