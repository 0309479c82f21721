//! Judging a program by test cases in the service, next to a plain loop of runs and to go-judge.

mod go_judge;

use crate::costs::overhead::built;
use crate::failure::Failure;
use crate::tools::host_load::{HostLoad, load};
use crate::tools::series::{self, Series};
use go_judge::GoJudge;
use profiler_client::Client;
use profiler_client::v1::event::Kind;
use profiler_proto::options::tools_job;
use profiler_proto::v1;
use profiler_tests::swiftprof::Served;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Default number of rounds.
pub(crate) const ROUNDS: usize = 9;
/// Number of tests of a program that is compiled first.
const FEW: usize = 40;
/// Number of tests of a program that was compiled before.
const MANY: usize = 1000;
/// Number of steps that take about a millisecond.
const STEPS: u32 = 700_000;
/// Constants of a step.
const FACTOR: u32 = 1_664_525;
const SUMMAND: u32 = 1_013_904_223;
const MS_PER_SECOND: f64 = 1e3;

/// Everything that judges.
struct Judges {
    /// The compiled program.
    program: PathBuf,
    server: Served,
    client: Client,
    go_judge: Option<GoJudge>,
}

/// Prints the times for few and for many tests, and the number of tests a second.
pub(crate) async fn run(rounds: usize) -> Result<(), Failure> {
    println!("load before: {:.2}", load()?);
    let begun = HostLoad::now()?;
    let folder = tempfile::tempdir()?;
    let program = built(folder.path(), &source(""))?;
    let go_judge = GoJudge::start(&program).inspect_err(|why| println!("go-judge: {why}")).ok();
    let server = Served::start("native", &[]).await;
    let client = server.client().await;
    let judges = Judges { program, server, client, go_judge };
    let few = few(&judges, rounds).await?;
    let title = format!("{FEW} tests of 1 ms, counted, without the compile; goal 150 ms");
    series::print(&title, &few);
    let many = many(&judges, rounds).await?;
    let title = format!("{MANY} tests of 1 ms of a program that was compiled before");
    series::print(&title, &many);
    series::print_rates("tests a second; goal 300", &many, MANY);
    judges.server.stop().await;
    if let Some(go_judge) = judges.go_judge {
        go_judge.stop().await?;
    }
    println!("\nsteal during the runs: {:.2} %", 100.0 * begun.steal()?);
    Ok(())
}

/// Judges a new program in each round.
async fn few(judges: &Judges, rounds: usize) -> Result<Vec<Series>, Failure> {
    let tests = tests(FEW);
    let mut rows = ["plain loop", "service", "go-judge"].map(Series::new).to_vec();
    for round in 0..rounds {
        rows[0].add(plainly(&judges.program, &tests)?);
        let tag = format!("{} {round}", std::process::id());
        let (took, compiled) = judges.judge(counted(&tag, &tests)).await?;
        rows[1].add(took.saturating_sub(compiled));
        judges.go_judge(&tests, &mut rows[2])?;
    }
    rows.retain(|row| !row.is_empty());
    Ok(rows)
}

/// Judges the same program in each round. The row without counts has one run of one size too,
/// because only a job that measures a size does not count.
async fn many(judges: &Judges, rounds: usize) -> Result<Vec<Series>, Failure> {
    let tests = tests(MANY);
    let names = ["plain loop", "service, counted", "service, not counted, one size", "go-judge"];
    let mut rows = names.map(Series::new).to_vec();
    judges.judge(counted("cached", &tests[..1])).await?;
    judges.judge(measured("cached", &tests[..1])).await?;
    for _ in 0..rounds {
        rows[0].add(plainly(&judges.program, &tests)?);
        rows[1].add(judges.judge(counted("cached", &tests)).await?.0);
        rows[2].add(judges.judge(measured("cached", &tests)).await?.0);
        judges.go_judge(&tests, &mut rows[3])?;
    }
    rows.retain(|row| !row.is_empty());
    Ok(rows)
}

impl Judges {
    /// Runs a job in the service. Returns its time, and the time of its compile, which is that of
    /// the first compile if the binary is cached.
    async fn judge(&self, job: v1::Job) -> Result<(Duration, Duration), Failure> {
        self.server.until_warm().await;
        let are_counted = job.reward;
        let begun = Instant::now();
        let mut run = self.client.submit(job).await?;
        while let Some(event) = run.next().await? {
            match event.kind {
                Kind::Finished(report) => {
                    let took = begun.elapsed();
                    check(&report, are_counted)?;
                    let compile_ms = report.compile.map_or(0.0, |step| step.wall_ms);
                    return Ok((took, Duration::from_secs_f64(compile_ms / MS_PER_SECOND)));
                }
                Kind::Failed(error) => return Err(error.message.into()),
                _ => {}
            }
        }
        Err("the run has no last event".into())
    }

    /// Adds the time of go-judge, if it runs here.
    fn go_judge(&self, tests: &[v1::TestCase], row: &mut Series) -> Result<(), Failure> {
        if let Some(judge) = &self.go_judge {
            row.add(judge.run(tests)?);
        }
        Ok(())
    }
}

/// Fails unless all answers are right, and counted if the job wants that.
fn check(report: &v1::ProfileReport, are_counted: bool) -> Result<(), Failure> {
    let is_good = |case: &v1::TestCaseResult| {
        case.correct == Some(true) && case.instructions.is_some() == are_counted
    };
    match report.test_cases.iter().find(|case| !is_good(case)) {
        Some(case) => Err(format!("{case:?} {:?}", report.warnings).into()),
        None => Ok(()),
    }
}

/// Returns the source of the program. Programs with different tags have different binaries in a
/// cache.
fn source(tag: &str) -> String {
    format!(
        "#include <cstdio>\n\
         int main() {{\n\
         unsigned x;\n\
         if (std::scanf(\"%u\", &x) != 1) return 1;\n\
         for (unsigned i = 0; i < {STEPS}u; ++i) x = x * {FACTOR}u + {SUMMAND}u;\n\
         std::printf(\"%u\\n\", x);\n\
         }} // {tag}\n"
    )
}

/// The first `count` tests.
fn tests(count: usize) -> Vec<v1::TestCase> {
    // All steps together are one step with other constants.
    let step = |(factor, summand): (u32, u32), _| {
        (factor.wrapping_mul(FACTOR), summand.wrapping_mul(FACTOR).wrapping_add(SUMMAND))
    };
    let (factor, summand) = (0..STEPS).fold((1, 0), step);
    let test = |number: u32| v1::TestCase {
        input: format!("{number}\n"),
        output: format!("{}\n", number.wrapping_mul(factor).wrapping_add(summand)),
        ..v1::TestCase::default()
    };
    (0..).map(test).take(count).collect()
}

/// The job that only judges and counts.
fn counted(tag: &str, tests: &[v1::TestCase]) -> v1::Job {
    let code_cpp = source(tag);
    let code = v1::CodeMessage { task_id: "bench".into(), code_cpp, ..v1::CodeMessage::default() };
    v1::Job { code: Some(code), test_cases: tests.to_vec(), reward: true, ..tools_job() }
}

/// The job that judges, and then measures one size as briefly as possible.
fn measured(tag: &str, tests: &[v1::TestCase]) -> v1::Job {
    v1::Job {
        reward: false,
        input_sizes: vec![1],
        repetitions: Some(1),
        growth: v1::Growth::Timed.into(),
        input_experiment: v1::InputExperiment::Off.into(),
        ..counted(tag, tests)
    }
}

/// Runs the program on each test, one after the other. Returns the time.
fn plainly(program: &Path, tests: &[v1::TestCase]) -> Result<Duration, Failure> {
    let begun = Instant::now();
    for test in tests {
        let mut command = Command::new(program);
        let mut run = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = run.stdin.take() {
            stdin.write_all(test.input.as_bytes())?;
        }
        let ended = run.wait_with_output()?;
        if !ended.status.success() || ended.stdout != test.output.as_bytes() {
            return Err(format!("a plain run on {:?}: {ended:?}", test.input).into());
        }
    }
    Ok(begun.elapsed())
}
