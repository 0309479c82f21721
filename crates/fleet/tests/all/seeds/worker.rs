//! A worker whose runs only take time.

use crate::engine::scene::{POOL, failed, report, size};
use crate::seeds::history::History;
use futures::FutureExt;
use profiler_fleet::simulated::Random;
use profiler_fleet::{Fenced, Fleet, Settlement, Taken, Worker};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use tokio::sync::watch;
use tokio::time::sleep;

/// Sizes of a run.
const MAX_SIZES: usize = 6;
/// Longest time that a size takes, in milliseconds.
const MAX_SIZE_MS: u64 = 8000;
/// Longest pause after a failure, in milliseconds.
const PAUSE_MS: u64 = 1000;

/// Measures jobs one after another. Some are handed back.
pub(crate) async fn work(
    fleet: Fleet,
    name: String,
    history: History,
    mut random: Random,
    frozen: watch::Receiver<bool>,
) {
    let worker = Worker::new(fleet, name.clone(), POOL.into());
    loop {
        let interrupted = |_: Option<&_>, _| failed(v1::ErrorCode::Interrupted);
        match Box::pin(worker.take(interrupted, std::future::pending())).await {
            Ok(Some(taken)) => {
                let Taken { origin, mut log, lease, mut stop, receipt, .. } = taken;
                // The lease can end while the run begins, if the engine is slow.
                if lease.lost().now_or_never().is_some() {
                    let _ = worker.settle(receipt, lease, Settlement::Lost).await;
                    continue;
                }
                let measuring = history.measure(origin.run_id(), &name, frozen.clone());
                let gives_up = random.percent(10);
                let sizes = random.below(MAX_SIZES) as u64;
                let (canceller, mut cancels) = watch::channel(false);
                let measured = async {
                    let mut unwritten = Vec::new();
                    let event = |kind| v1::Event { kind: Some(kind), ..v1::Event::default() };
                    for number in 1..=sizes {
                        let size_takes = random.millis(1, MAX_SIZE_MS);
                        tokio::select! {
                            biased;
                            _ = cancels.changed() => {
                                log.append(Kind::Failed(failed(v1::ErrorCode::Cancelled))).await?;
                                return Ok(Settlement::Done);
                            }
                            () = sleep(size_takes) => {}
                        }
                        if gives_up && number * 2 > sizes {
                            return Ok(Settlement::HandedBack);
                        }
                        unwritten.push(event(size(number)));
                        if random.percent(60) {
                            log.append_all(std::mem::take(&mut unwritten)).await?;
                        }
                    }
                    unwritten.push(event(report()));
                    log.append_all(unwritten).await?;
                    Ok::<_, Fenced>(Settlement::Done)
                };
                let obeyed = async {
                    loop {
                        stop.asked(worker.fleet()).await;
                        canceller.send_replace(true);
                    }
                };
                let ended = tokio::select! {
                    biased;
                    () = lease.lost() => Ok(Settlement::Lost),
                    () = obeyed => unreachable!("it goes on"),
                    ended = measured => ended,
                };
                drop(measuring);
                let settlement = match ended.unwrap_or(Settlement::Lost) {
                    Settlement::HandedBack => log.hand_back().await,
                    other => other,
                };
                // The engine gives the job out again if it was not told.
                let _ = worker.settle(receipt, lease, settlement).await;
            }
            _ => sleep(random.millis(1, PAUSE_MS)).await,
        }
    }
}
