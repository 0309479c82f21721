//! `cargo run -p profiler-client --example profile FILE.cpp [ENDPOINT]`: prints the times as they
//! come.

use profiler_client::v1::{CodeMessage, Job, event::Kind};
use profiler_client::{Client, Error};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("usage: profile FILE.cpp [ENDPOINT]")?;
    let endpoint = args.next().unwrap_or_else(|| "http://127.0.0.1:50051".into());
    let code_cpp = std::fs::read_to_string(file)?;
    let code = CodeMessage { task_id: "example".into(), code_cpp, ..Default::default() };
    let job = Job { code: Some(code), ..Default::default() };
    let mut run = Client::connect(&endpoint).await?.submit(job).await?;
    while let Some(event) = run.next().await? {
        match event.kind {
            Kind::SizeMeasured(size) => println!("n = {}: {:?} ms", size.size, size.runtime_ms),
            Kind::Failed(error) => return Err(Error::Sandbox(Box::new(error)).into()),
            _ => {}
        }
    }
    Ok(())
}
