//! The time to compile, the first time and from the cache, from the request until the binary is
//! runnable in a waiting sandbox. It is compared with plain g++ on the host, and with the same
//! sandbox without its precompiled header.

use crate::failure::Failure;
use crate::tools::series::{self, Series};
use profiler_core::Profiler;
use profiler_core::build::{BinaryCache, Obtained};
use profiler_core::job::DEFAULT_FLAGS;
use profiler_core::job::{Draft, Job};
use profiler_core::sandbox::{Choice, Instance, Pool};
use runner_protocol::Variant;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// Programs to compile: the name, and the source.
const PROGRAMS: [(&str, &str); 2] = [
    (
        "sort",
        "#include <bits/stdc++.h>\nusing namespace std;\nint main() { int n; cin >> n; \
         vector<int> v(n); mt19937 r(1); for (auto& x : v) x = r(); \
         sort(v.begin(), v.end()); cout << v[n / 2]; }\n",
    ),
    (
        "map",
        "#include <bits/stdc++.h>\nusing namespace std;\nint main() { int n; cin >> n; \
         map<string, int> m; for (int i = 0; i < n; i++) m[to_string(i * 7 % n)] += i; \
         long long s = 0; for (auto& [k, x] : m) s += x; cout << s; }\n",
    ),
];
/// The default flags with one repeated: the binary is the same, but no header is precompiled for a
/// list that repeats an option.
const UNPREPARED: [&str; 3] = ["-O2", "-O2", "-std=c++17"];
const ROUNDS: usize = 9;

/// Prints the cost of a compile.
pub(crate) async fn run(image: &str) -> Result<(), Failure> {
    let mut pools = Vec::new();
    for choice in [Choice::Native, Choice::Docker] {
        match choice.select(image, Instance::fresh(), |line| eprintln!("{line}")).await {
            Ok(selected) => {
                selected.backend.precompile(&mut |_| {}).await;
                let name = selected.backend.name();
                pools.push((name, Pool::new(selected.backend, 0)));
            }
            Err(failure) => println!("left out: {failure}"),
        }
    }
    for (program, source) in PROGRAMS {
        let mut rows = vec![Series::new("plain g++ on the host")];
        for (name, _) in &pools {
            for way in ["without a precompiled header", "first time", "cached"] {
                rows.push(Series::new(format!("{name}, {way}")));
            }
        }
        for _ in 0..ROUNDS {
            let mut row = rows.iter_mut();
            let mut add = |took| row.next().into_iter().for_each(|series| series.add(took));
            add(plain(source)?);
            for (_, pool) in &pools {
                let folder = tempfile::tempdir()?;
                let cache = Some(BinaryCache::in_folder(folder.path()));
                let profiler = Profiler::new(pool.clone(), cache);
                add(obtained(&profiler, source, &UNPREPARED, false).await?);
                add(obtained(&profiler, source, &DEFAULT_FLAGS, false).await?);
                add(obtained(&profiler, source, &DEFAULT_FLAGS, true).await?);
            }
        }
        series::print(&format!("{program}.cpp with <bits/stdc++.h>"), &rows);
    }
    Ok(())
}

fn plain(source: &str) -> Result<Duration, Failure> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("main.cpp"), source)?;
    let mut compiler = Command::new("g++");
    compiler.args(DEFAULT_FLAGS).args(["main.cpp", "-o", "main.out"]).current_dir(folder.path());
    let begun = Instant::now();
    let status = compiler.status()?;
    if status.success() { Ok(begun.elapsed()) } else { Err(format!("g++: {status}").into()) }
}

async fn obtained(
    profiler: &Profiler,
    source: &str,
    flags: &[&str],
    again: bool,
) -> Result<Duration, Failure> {
    let mut draft = Draft::new("bench", source);
    let code = draft.request.code.get_or_insert_default();
    code.compiler_flags = flags.iter().copied().map(String::from).collect();
    let job = Job::try_from(draft)?;
    let mut sandbox = profiler.pool.acquire().await?;
    let begun = Instant::now();
    let build = profiler.builder.obtain(&job, &mut sandbox, Variant::Plain).await?;
    let Obtained { compiled, cached } = build;
    // Putting a binary has no answer. This answer comes after the binary is in place.
    sandbox.channel.fetch(Variant::Plain, 1).await?;
    let took = begun.elapsed();
    sandbox.end().await;
    match compiled.binary {
        Some(_) if cached == again => Ok(took),
        _ => Err(format!("not what was to be measured: {compiled:?}").into()),
    }
}
