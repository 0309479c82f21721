//! Counts of many inputs, in one process and in forked ones, of a program that attacks the counter
//! on one of them.

use crate::subject::Subject;
use profiler_core::limits::{COUNTER_ADDRESS_BYTES, DEFAULT_MEMORY_MB, MIB};
use profiler_input::{Recipe, Scope};
use profiler_tests::specs::parsed;
use runner_protocol::ask::{Count, CountForked};
use runner_protocol::{
    Breach, CountSeries, CountedSeries, Ending, File, Generate, InputCount, Run, SeriesLines,
    encode,
};
use std::time::Duration;

/// The time limit of one input, enough also on a busy machine.
const EACH: Duration = Duration::from_secs(2);
/// The time limit of a process.
const WHOLE: Duration = Duration::from_secs(20);
/// The signal of a fault in memory.
const SIGSEGV: i32 = 11;
/// Ordinary inputs before and after the hostile one.
const BEFORE: [&str; 3] = ["sorts 0", "sorts 30", "sorts 8"];
const AFTER: [&str; 2] = ["sorts 21", "sorts 5"];

/// A spec of the input that counts the processes.
const LISTS: &str = "{layout: [{literal: lists 1}]}";

/// Wish of a hostile input, and the expected report about it.
pub(crate) struct Row {
    pub(crate) wish: &'static str,
    is: fn(Option<&InputCount>) -> bool,
}

const fn row(wish: &'static str, is: fn(Option<&InputCount>) -> bool) -> Row {
    Row { wish, is }
}

fn stopped(count: Option<&InputCount>) -> bool {
    count.is_some_and(|count| matches!(count.ending, Ending::Stopped(Breach::Wall(_))))
}

pub(crate) const ROWS: &[Row] = &[
    // The counter's memory is not where it once was.
    row("escapes", |count| count.is_some_and(|it| it.ending == Ending::Signaled(SIGSEGV))),
    row("hogs", |count| count.is_none_or(|count| count.instructions.is_err())),
    row("sleeps", stopped),
    row("forks", |count| {
        count.is_some_and(|it| it.instructions == Err("it starts a process".to_owned()))
    }),
];

/// Checks that the counts before the hostile input are right, and that nothing is left after it.
pub(crate) async fn holds(subject: &mut Subject, row: &Row) {
    subject.compile("series").await;
    subject.put(File::Counter, sandbox_image::COUNTER).await;
    subject.put(File::Generator, sandbox_image::GENERATOR).await;
    subject.limit_memory(2 * u64::from(DEFAULT_MEMORY_MB) * MIB).await;
    generated_hold(subject).await;
    let hostile = format!("{} 1", row.wish);
    let inputs = [&BEFORE[..], &[hostile.as_str()], &AFTER].concat();
    let counted = series(subject, &inputs).await;
    assert!(counted.counts.len() >= BEFORE.len(), "{}: {counted:#?}", row.wish);
    let (before, rest) = counted.counts.split_at(BEFORE.len());
    for (input, count) in BEFORE.iter().zip(before) {
        let count = InputCount { blocks: Vec::new(), ..count.clone() };
        assert_eq!(count, alone(subject, input).await, "{}", row.wish);
    }
    assert!((row.is)(rest.first()), "{}: {counted:#?}", row.wish);
    let request = Count(counted_run(subject, "lists 1").await);
    let listed = subject.ask(request).await;
    assert_eq!(listed.written.stdout_head, b"1\n", "{}: {listed:#?}", row.wish);
    let again = series(subject, &AFTER).await;
    for (input, count) in AFTER.iter().zip(&again.counts) {
        let count = InputCount { blocks: Vec::new(), ..count.clone() };
        assert_eq!(count, alone(subject, input).await, "{}", row.wish);
    }
    assert_eq!(again.counts.len(), AFTER.len(), "{}: {again:#?}", row.wish);
    forked_hold(subject, row, &hostile).await;
}

/// Checks that the other counts are right if the process of each input is forked.
async fn forked_hold(subject: &mut Subject, row: &Row, hostile: &str) {
    let mut counts = Vec::new();
    for input in BEFORE.into_iter().chain([hostile]).chain(AFTER) {
        let mut run = counted_run(subject, input).await;
        let each_ns = u64::try_from(EACH.as_nanos()).expect("a short time");
        (run.limits.time_ns, run.limits.wall_ns) = (each_ns, each_ns);
        counts.push((input, InputCount::from(subject.ask(CountForked(run)).await)));
    }
    for (input, count) in counts.into_iter().filter(|(input, _)| *input != hostile) {
        assert_eq!(count, alone(subject, input).await, "{}: {input}", row.wish);
    }
}

/// Checks that an input is right that is generated while an origin lives, and that the program does
/// not see the origin.
async fn generated_hold(subject: &mut Subject) {
    let first = counted_run(subject, AFTER[0]).await;
    subject.ask(CountForked(first)).await;
    let spec = parsed(LISTS).remove(0);
    let recipe = Recipe { spec, scope: Scope::default(), n: 1 };
    let run = counted_run(subject, "").await;
    subject.put(File::Recipe, &encode(&recipe).expect("a recipe")).await;
    let generated = subject.ask(Generate { limits: run.limits }).await;
    assert_eq!(generated.bytes, 8, "{generated:#?}");
    let counted = subject.ask(CountForked(run)).await;
    assert!(counted.instructions.is_ok(), "{counted:#?}");
    assert_eq!(counted.written.stdout_head, b"1\n", "{counted:#?}");
}

async fn series(subject: &mut Subject, inputs: &[&str]) -> CountedSeries {
    let framed = inputs.iter().flat_map(|input| {
        let length = u32::try_from(input.len() + 1).expect("a short input");
        [&length.to_le_bytes()[..], input.as_bytes(), b"\n"].concat()
    });
    subject.put(File::Inputs, &framed.collect::<Vec<u8>>()).await;
    let run = counted_run(subject, "").await;
    let [each_ms, all_ms] =
        [EACH, WHOLE].map(|it| u64::try_from(it.as_millis()).expect("a short time"));
    subject.ask(CountSeries { run, each_ms, all_ms, lines: SeriesLines::None }).await
}

async fn alone(subject: &mut Subject, input: &str) -> InputCount {
    let request = Count(counted_run(subject, input).await);
    subject.ask(request).await.into()
}

/// A run with the address space that the counter needs.
async fn counted_run(subject: &mut Subject, input: &str) -> Run {
    let mut run = subject.run(input, WHOLE).await;
    run.limits.address_space_bytes += COUNTER_ADDRESS_BYTES;
    run
}
