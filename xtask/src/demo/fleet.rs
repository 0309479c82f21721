//! `cargo xtask demo --fleet`: a run is submitted at one gateway and watched at another, and the
//! worker that measures it is killed.

mod client;
mod list;
mod part;

use crate::steps::failure::Failure;
use crate::steps::shell::{output, target};
use client::{Client, conclusion};
use part::{Part, until};
use serde_json::Value;
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Maximum time until a part answers. A worker may have to build the sandbox image first.
const STARTS_WITHIN: Duration = Duration::from_secs(300);
/// Maximum time until the fleet says which worker has the run.
const FOUND_WITHIN: Duration = Duration::from_secs(30);
/// Names of the gateways. Each listens at a socket file of its name.
const GATEWAYS: [&str; 2] = ["gateway-1", "gateway-2"];
const WORKERS: [&str; 2] = ["worker-1", "worker-2"];
/// Configuration of the engine. Without a bound, the engine takes at most three quarters of the
/// free disk space, which can be less than the fleet's logs are allowed to take.
const ENGINE: &str = "jetstream { store_dir: streams, max_file_store: 20GB }\n";

/// Environment of the demo's processes.
struct Scene<'a> {
    /// Folder of their logs, sockets and states.
    folder: &'a Path,
    swiftprof: &'a Path,
    /// Address at which the engine listens.
    url: &'a str,
}

/// Starts everything, and prints what happens. Every process that it starts ends with it.
pub(super) fn show(nats: &Path, swiftprof: &Path, program: &Path) -> Result<(), Failure> {
    let folder = target("demo-fleet")?;
    let renewed = fs::remove_dir_all(&folder).and_then(|()| fs::create_dir(&folder));
    renewed.map_err(Failure::file("empty the folder of the demo"))?;
    let port = free_port()?;
    let url = format!("nats://127.0.0.1:{port}");
    let scene = Scene { folder: &folder, swiftprof, url: &url };

    let config = folder.join("nats.conf");
    fs::write(&config, ENGINE).map_err(Failure::file(config.to_string_lossy()))?;
    let mut engine = scene.command(nats);
    engine.arg("--config").arg(config);
    engine.args(["--addr", "127.0.0.1", "--port", &port.to_string()]);
    let mut engine = Part::start("nats", &mut engine, &folder)?;
    engine.until(STARTS_WITHIN, || TcpStream::connect(("127.0.0.1", port)).is_ok())?;
    println!("nats: listens on {url}");
    let _gateways = scene.gateways()?;
    let mut workers = scene.workers()?;

    let [first, second] = GATEWAYS;
    let program = program.to_string_lossy();
    let mut run = scene.client(first, &["run", &program, "--growth", "full"])?;
    let run_id = run.wait_for(|event| event["run_id"].as_str().map(String::from))?;
    println!("{first}: accepted run {run_id}");
    let mut watched = scene.client(second, &["runs", "watch", &run_id])?;
    watched.wait_for(|event| event.get("size_measured").map(|_| ()))?;
    println!("{second}: saw that a size is measured");
    let victim = scene.measuring(&run_id, &workers)?;
    let victim = workers.remove(victim);
    println!("{}: measures the run, and is killed", victim.name);
    victim.kill()?;
    let attempt = watched.wait_for(|event| event["restarted"]["attempt"].as_u64())?;
    for heir in &workers {
        println!("{second}: saw `restarted`, attempt {attempt}, at {}", heir.name);
    }
    let (seen, told) = (watched.ended()?, run.ended()?);
    println!("{second}: {}", conclusion(&seen));
    let same = if seen == told { "the same report" } else { "another report" };
    println!("{first}: has told its caller {same}");
    Ok(())
}

impl Scene<'_> {
    /// Makes a command that runs in the common folder, because the path of a socket file must be
    /// short.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder);
        command
    }

    fn gateways(&self) -> Result<Vec<Part>, Failure> {
        let start = |name| {
            let listen = format!("unix:{name}.socket");
            let state = format!("{name}.state");
            let mut serve = self.command(self.swiftprof);
            serve.args(["serve", "--fleet", self.url, "--listen", &listen, "--state-dir", &state]);
            Part::start(name, &mut serve, self.folder)
        };
        let mut gateways = GATEWAYS.map(start).into_iter().collect::<Result<Vec<_>, _>>()?;
        for gateway in &mut gateways {
            let socket = self.folder.join(format!("{}.socket", gateway.name));
            gateway.until(STARTS_WITHIN, || UnixStream::connect(&socket).is_ok())?;
            println!("{}: serves", gateway.name);
        }
        Ok(gateways)
    }

    fn workers(&self) -> Result<Vec<Part>, Failure> {
        let start = |name| {
            let mut worker = self.command(self.swiftprof);
            worker.args(["worker", "--fleet", self.url, "--cores", "1", "--backend", "auto"]);
            worker.env("PROFILER_STATE_DIR", format!("{name}.state"));
            Part::start(name, &mut worker, self.folder)
        };
        let mut workers = WORKERS.map(start).into_iter().collect::<Result<Vec<_>, _>>()?;
        let all = workers.len();
        for worker in &mut workers {
            worker.until(STARTS_WITHIN, || {
                self.list().is_ok_and(|said| list::workers(&said).len() >= all)
            })?;
            println!("{}: waits for jobs", worker.name);
        }
        Ok(workers)
    }

    /// Returns what `swiftprof fleet` prints, as JSON.
    fn list(&self) -> Result<Value, Failure> {
        let mut list = self.command(self.swiftprof);
        let said = output(list.args(["fleet", "--fleet", self.url, "--format", "json"]))?;
        serde_json::from_str(&said)
            .map_err(|cause| Failure::Missing(format!("what `swiftprof fleet` says: {cause}")))
    }

    /// Starts a client of a gateway, which writes each event as a line of JSON.
    fn client(&self, gateway: &'static str, words: &[&str]) -> Result<Client, Failure> {
        let endpoint = format!("unix:{gateway}.socket");
        let mut client = self.command(self.swiftprof);
        client.args(words).args(["--endpoint", &endpoint, "--progress", "json"]);
        Client::start(client)
    }

    /// Returns the index of the worker that measures a run.
    fn measuring(&self, run_id: &str, workers: &[Part]) -> Result<usize, Failure> {
        let found = until(FOUND_WITHIN, || {
            let said = self.list().unwrap_or_default();
            workers.iter().position(|worker| {
                list::measures(&said, worker.pid(), run_id) || worker.has_logged(run_id)
            })
        });
        let nobody = || Failure::Missing(format!("no worker says that it measures run {run_id}"));
        found.ok_or_else(nobody)
    }
}

/// Finds a port that is free now.
fn free_port() -> Result<u16, Failure> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).and_then(|listener| listener.local_addr());
    listener.map(|address| address.port()).map_err(Failure::file("find a free port"))
}
