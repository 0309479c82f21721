//! Regenerates the binary seeds: `cargo run -p profiler-fuzz --example seeds`, after a message has
//! changed.

use profiler_core::cancel::cancel_signal;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::{BASE_RSS, Fake, ended, ok};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::{json, v1};
use prost::Message;
use runner_protocol::{
    Compile, Ending, Enter, Execution, Fetch, File, Hello, Piece, Profile, Profiled, Request,
    Response, Variant, encode, write_frame,
};
use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A run of a program, as its runner reports it.
type Told = Vec<Response>;

fn main() -> Result<(), Box<dyn Error>> {
    for name in ["plain", "all"] {
        let text = fs::read_to_string(folder("request_json").join(format!("{name}.json")))?;
        write("request", name, &json::parse::<v1::Job>(&text)?.encode_to_vec())?;
    }
    let [good, bad] = [Ending::Exited(0), Ending::Signaled(11)]
        .map(|ending| told(alone(), move |n| ended(ending, 1_000_000 + n, BASE_RSS)));
    let addresses = with_addresses(&good);
    let talk = told(interactive(), |n| ok(1_000_000 + n, BASE_RSS));
    let judged = told(checked(), |n| ok(1_000_000 + n, BASE_RSS));
    for (name, told) in [
        ("report", &good),
        ("crash", &bad),
        ("addresses", &addresses),
        ("talk", &talk),
        ("checked", &judged),
    ] {
        write("runner", name, &script(told)?)?;
        let mut frames = Vec::new();
        for response in told {
            write_frame(&mut frames, response)?;
        }
        write("frame", name, &frames)?;
    }
    let mut frames = Vec::new();
    for request in requests() {
        write_frame(&mut frames, &request)?;
    }
    write("frame", "requests", &frames)?;
    write("frame", "enter", &encode(&enter())?)?;
    write("gmon", "three_bins", &gmon())?;
    write("elf", "one_segment", &elf())?;
    Ok(())
}

fn folder(target: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(target)
}

fn write(target: &str, name: &str, bytes: &[u8]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder(target))?;
    Ok(fs::write(folder(target).join(name), bytes)?)
}

/// All answers of a runner in one run.
fn told(job: Draft, model: impl Fn(u64) -> Execution + Send + Sync + 'static) -> Told {
    let told = Arc::new(Mutex::new(Told::new()));
    let heard = told.clone();
    let backend = Fake::new(move |n| Some(model(n))).bending(move |answer| {
        heard.lock().expect("no thread failed").push(answer.clone());
        Some(answer)
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    runtime.expect("a runtime starts").block_on(profile(job, backend)).expect("a sandbox starts");
    let told = told.lock().expect("no thread failed");
    told.clone()
}

fn alone() -> Draft {
    let mut draft = Draft::new("seed", "int main() {}");
    draft.request.input_sizes = vec![0, 1000];
    (draft.request.debug, draft.request.instructions) = (true, true);
    draft
}

fn interactive() -> Draft {
    let mut draft = alone();
    let code_cpp = "int main() {}".into();
    draft.request.interactor = Some(v1::Interactor { code_cpp, ..v1::Interactor::default() });
    (draft.request.debug, draft.request.instructions) = (false, false);
    draft
}

fn checked() -> Draft {
    let mut draft = interactive();
    let code_cpp = "int main() {}".into();
    draft.request.interactor = None;
    draft.request.checker_program =
        Some(v1::CheckerProgram { code_cpp, ..v1::CheckerProgram::default() });
    draft.request.test_cases = vec![v1::TestCase::default()];
    draft
}

async fn profile(draft: Draft, backend: Fake) -> Result<(), SandboxFault> {
    let job = Job::try_from(draft).expect("it is valid");
    let profiler = Profiler::new(Pool::new(Arc::new(backend), 0), None);
    let (mut events, _watched) = Events::new("run");
    let (_stopper, mut stopped) = cancel_signal();
    let _ = run_job(&job, &profiler, &mut events, &mut stopped, Turn::now()).await;
    Ok(())
}

/// The same run if gprof fails.
fn with_addresses(told: &Told) -> Told {
    let lines = "0x0000000000401100\nwork(int)\n/tmp/main.cpp:7 (discriminator 3)\nmain\n/tmp/main.cpp:12\n";
    let profile = Profile::Addresses { samples: vec![(0x40_1100, 3)], lines: lines.into() };
    let refused = |response: &Response| match response.clone() {
        Response::Profiled(profiled) => {
            Response::Profiled(Profiled { profile: profile.clone(), ..profiled })
        }
        other => other,
    };
    told.iter().map(refused).collect()
}

/// In the form of the target `runner`, which fills in the sources.
fn script(told: &Told) -> Result<Vec<u8>, Box<dyn Error>> {
    let Some((Response::Hello(hello), answers)) = told.split_first() else {
        return Err("a runner introduces itself first".into());
    };
    let hello = Hello { sources: String::new(), ..hello.clone() };
    Ok(encode(&(hello, answers))?)
}

fn requests() -> [Request; 4] {
    let limits = profiler_core::build::CompileLimits::default().for_runner();
    let (variant, flags) = (Variant::Gprof, vec!["-O2".into()]);
    [
        Request::KeepTo(vec![0, 1]),
        Request::Put(Piece { file: File::Source, first: true, bytes: b"int main() {}".into() }),
        Request::Compile(Compile { variant, flags, limits, may_use_header: true }),
        Request::Fetch(Fetch { variant, offset: 7 }),
    ]
}

fn enter() -> Enter {
    Enter {
        first_id: Some(0x7000_0000),
        cgroup: Some((1, "/sys/fs/cgroup/memory/a".into())),
        work_bytes: 1 << 28,
        scratch_bytes: 1 << 26,
        scratch_inodes: 4096,
        precompiled: None,
    }
}

/// A histogram of three bins of four bytes each.
fn gmon() -> Vec<u8> {
    let mut file = b"gmon\x01\0\0\0".to_vec();
    file.resize(20, 0);
    file.push(0);
    file.extend(0x1000_u64.to_le_bytes());
    file.extend(0x100c_u64.to_le_bytes());
    file.extend(3_u32.to_le_bytes());
    file.extend([0; 20]);
    file.extend([1, 0, 7, 0, 3, 0]);
    file
}

/// The headers of an executable with one segment and a loader.
fn elf() -> Vec<u8> {
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    file.extend([2, 0, 62, 0, 1, 0, 0, 0]);
    file.extend(0x40_1000_u64.to_le_bytes());
    file.extend(64_u64.to_le_bytes());
    file.extend([0; 12]);
    file.extend([64, 0, 56, 0, 2, 0, 0, 0, 0, 0, 0, 0]);
    for (kind, offset, address, bytes) in
        [(1_u32, 0, 0x40_0000_u64, 0x2000_u64), (3, 176, 0x40_00b0, 5)]
    {
        file.extend(kind.to_le_bytes());
        file.extend(5_u32.to_le_bytes());
        for number in [offset, address, address, bytes, bytes, 0x1000_u64] {
            file.extend(number.to_le_bytes());
        }
    }
    file.extend(b"/ld\0\0");
    file
}
