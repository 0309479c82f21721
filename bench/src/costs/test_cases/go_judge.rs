//! go-judge, if it is on the PATH: a judge that runs programs in containers, at the request of
//! HTTP.

use crate::failure::Failure;
use profiler_proto::v1::TestCase;
use profiler_tests::swiftprof::{Signal, signal};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

/// Time until the server answers.
const STARTS_WITHIN: Duration = Duration::from_secs(5);
/// Pause between two attempts to connect.
const RETRY: Duration = Duration::from_millis(20);
/// Limits of a run: processor time and wall clock in nanoseconds, memory in bytes, processes, and
/// the kept bytes of stdout and stderr. They are like those of a job.
const CPU_NS: u64 = 2_000_000_000;
const WALL_NS: u64 = 4_250_000_000;
const MEMORY_BYTES: u64 = 512 << 20;
const PROCESSES: u64 = 64;
const OUTPUT_BYTES: u64 = 64 << 10;
/// Boundary of the parts of an upload, which no program contains.
const BOUNDARY: &str = "swiftprof-bench-7f3a9c";

/// A server of go-judge that has the program.
pub(super) struct GoJudge {
    child: Child,
    address: SocketAddr,
    /// Id of the program.
    program: Value,
}

impl GoJudge {
    /// Starts go-judge, and gives it the program.
    pub(super) fn start(program: &Path) -> Result<Self, Failure> {
        let address = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?;
        let mut command = Command::new("go-judge");
        command.args(["-silent", "-http-addr", &address.to_string()]).kill_on_drop(true);
        let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let child = quiet.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound => Failure::from("not found"),
            _ => error.into(),
        })?;
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.out\"\r\n\r\n"
        );
        let tail = format!("\r\n--{BOUNDARY}--\r\n");
        let body = [head.as_bytes(), &fs::read(program)?, tail.as_bytes()].concat();
        let kind = format!("multipart/form-data; boundary={BOUNDARY}");
        let program = Connection::open(address)?.post("/file", &kind, &body)?;
        Ok(Self { child, address, program })
    }

    /// Runs the program on each test, on as many connections as there are processors. Returns the
    /// time.
    pub(super) fn run(&self, tests: &[TestCase]) -> Result<Duration, Failure> {
        let begun = Instant::now();
        let share = tests.len().div_ceil(thread::available_parallelism()?.get());
        let (address, program) = (self.address, &self.program);
        thread::scope(|scope| {
            let shares = tests.chunks(share);
            let threads = shares.map(|tests| scope.spawn(move || run(address, program, tests)));
            let threads: Vec<_> = threads.collect();
            threads.into_iter().try_for_each(|it| {
                it.join().map_err(|_| Failure::from("a thread of the bench panicked"))?
            })
        })?;
        Ok(begun.elapsed())
    }

    /// Stops the server, which removes its containers.
    pub(super) async fn stop(mut self) -> Result<(), Failure> {
        signal(&self.child, Signal::SIGTERM);
        self.child.wait().await?;
        Ok(())
    }
}

/// Runs a program on each test, one after the other.
fn run(address: SocketAddr, program: &Value, tests: &[TestCase]) -> Result<(), Failure> {
    let mut connection = Connection::open(address)?;
    for test in tests {
        let request = json!({ "cmd": [{
            "args": ["a"],
            "files": [
                { "content": test.input },
                { "name": "stdout", "max": OUTPUT_BYTES },
                { "name": "stderr", "max": OUTPUT_BYTES },
            ],
            "cpuLimit": CPU_NS,
            "clockLimit": WALL_NS,
            "memoryLimit": MEMORY_BYTES,
            "procLimit": PROCESSES,
            "copyIn": { "a": { "fileId": program } },
        }] });
        let ran = connection.post("/run", "application/json", request.to_string().as_bytes())?;
        let is_right =
            ran[0]["status"] == "Accepted" && ran[0]["files"]["stdout"] == test.output.as_str();
        if !is_right {
            return Err(format!("go-judge on {:?}: {ran}", test.input).into());
        }
    }
    Ok(())
}

/// A connection that stays open.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn open(address: SocketAddr) -> Result<Self, Failure> {
        let begun = Instant::now();
        loop {
            match TcpStream::connect(address) {
                Ok(stream) => {
                    stream.set_nodelay(true)?;
                    return Ok(Self(BufReader::new(stream)));
                }
                Err(error) if begun.elapsed() > STARTS_WITHIN => return Err(error.into()),
                Err(_) => thread::sleep(RETRY),
            }
        }
    }

    /// Posts a body of this type. Returns the answer, which is JSON.
    fn post(&mut self, path: &str, kind: &str, body: &[u8]) -> Result<Value, Failure> {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        self.0.get_mut().write_all(&[head.as_bytes(), body].concat())?;
        let mut length = None;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line)?;
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = Some(value.trim().parse()?);
            }
        }
        let mut answer = vec![0; length.ok_or("go-judge gives no length of its answer")?];
        self.0.read_exact(&mut answer)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}
