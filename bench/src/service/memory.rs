//! The server's resident memory, idle and after many jobs.

use crate::failure::Failure;
use crate::service::server_process::{Served, job};
use profiler_client::Client;

/// Numbers of jobs after which memory is read.
const LOOKS: [u32; 4] = [0, 1_000, 5_000, 10_000];

/// Prints the server's memory.
pub(crate) async fn run() -> Result<(), Failure> {
    let server = Served::start()?;
    let client = Client::connect(&server.url).await?;
    println!(
        "the server's memory in MB, by number of finished jobs of seven sizes; its sandboxes run nothing"
    );
    println!("{:>8} {:>10} {:>10}", "jobs", "VmRSS", "RssAnon");
    let mut done = 0;
    for jobs in LOOKS {
        while done < jobs {
            client.submit(job()).await?.wait().await?;
            done += 1;
        }
        let [resident, anonymous] = ["VmRSS", "RssAnon"].map(|field| server.memory_kb(field));
        println!("{jobs:>8} {:>10.1} {:>10.1}", megabytes(resident?), megabytes(anonymous?));
    }
    Ok(())
}

fn megabytes(kb: u64) -> f64 {
    kb as f64 / 1024.0
}
