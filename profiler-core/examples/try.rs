use profiler_core::{job::*, run, sandbox::*};
#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let choice = match args.next().unwrap().as_str() {
        "native" => Choice::Native,
        "docker" => Choice::Docker,
        _ => Choice::Auto,
    };
    let source = std::fs::read(args.next().unwrap()).unwrap();
    let draft = Draft {
        task_id: "t".into(),
        source,
        debug: args.next().is_some(),
        bounds: [("n".to_string(), 100_000)].into(),
        ..Draft::default()
    };
    let job = Job::try_from(draft).unwrap();
    let t = std::time::Instant::now();
    let selected = choice
        .select(sandbox_image::DEFAULT_TAG, |l| eprintln!("{l}"))
        .await
        .unwrap();
    eprintln!(
        "{} {} {:?}",
        selected.backend.name(),
        selected.reason,
        t.elapsed()
    );
    let pool = Pool::new(selected.backend, 0);
    let (mut events, mut from) = run::Events::new("r");
    let (_s, mut stopped) = run::stop_signal();
    tokio::spawn(async move {
        while let Some(e) = from.recv().await {
            match e.kind {
                profiler_core::event::EventKind::SizeMeasured(s) => println!(
                    "{:?} n={} {:?} {:.4} ms {:.2} MB samples {} {:?} {:?} {}",
                    t.elapsed(),
                    s.size,
                    s.outcome,
                    s.runtime_ms(),
                    s.peak_memory_mb(),
                    s.samples.len(),
                    s.gnu_time,
                    s.evidence,
                    s.stderr_tail
                ),
                profiler_core::event::EventKind::Compiled(c) => println!("{:?} {c:?}", t.elapsed()),
                _ => {}
            }
        }
    });
    let ended = run::conduct(&job, &pool, &mut events, &mut stopped).await;
    match ended {
        Ok(r) => {
            println!("{:#?} {:?}", r.warnings, r.hotspots);
            if let Some(s) = r.sizes.last() {
                println!("{:#?} {:?}", s.figures, s.samples);
            }
        }
        Err(e) => println!("ERR {} {}", e.code, e.message),
    }
    println!("{:?}", t.elapsed());
}
