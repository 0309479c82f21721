//! Notifications to systemd, if it started this process as a service of `Type=notify` or
//! `Type=notify-reload`. Otherwise nothing happens.

use crate::telemetry::logging::TARGET;
use sd_notify::NotifyState;
use std::convert::Infallible;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

/// Interval at which systemd is asked for more time to start.
const ASK_EVERY: Duration = Duration::from_secs(60);
/// Requested time, in microseconds: as much as the unit for native sandboxes has to start.
const MORE_US: u32 = 300_000_000;
/// Maximum number of requests. A start that takes longer counts as hung, and systemd ends it.
const ASKED_TIMES: u32 = 30;

/// Does the work of a start, and asks systemd for more time until it is done. A slow host builds
/// the sandbox image for longer than a unit allows, and a build that is killed begins again at the
/// next start.
pub async fn starting<T>(work: impl Future<Output = T>) -> T {
    ask_while(work, || tell(&[NotifyState::ExtendTimeoutUsec(MORE_US)])).await
}

async fn ask_while<T>(work: impl Future<Output = T>, ask: impl Fn()) -> T {
    let asking = async {
        for _ in 0..ASKED_TIMES {
            sleep(ASK_EVERY).await;
            ask();
        }
        std::future::pending::<Infallible>().await
    };
    tokio::select! {
        done = work => done,
        never = asking => match never {},
    }
}

/// Tells systemd that the server is ready: callers can connect, or the reload of the settings is
/// over.
pub fn ready() {
    tell(&[NotifyState::Ready, NotifyState::Status("serving")]);
}

/// Tells systemd that the settings are being read again. systemd compares the time of this message
/// with the time of its request.
pub(crate) fn reloading() {
    match NotifyState::monotonic_usec_now() {
        Ok(now) => tell(&[NotifyState::Reloading, now]),
        Err(error) => tracing::warn!(target: TARGET, "cannot read the clock for systemd: {error}"),
    }
}

/// Tells systemd that the server is shutting down.
pub fn stopping() {
    tell(&[NotifyState::Stopping]);
}

/// Tells systemd what the server does, for `systemctl status`.
pub(crate) fn status(text: &str) {
    tell(&[NotifyState::Status(text)]);
}

/// Tells systemd that the server answered a check.
pub(crate) fn alive() {
    tell(&[NotifyState::Watchdog]);
}

fn tell(states: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(false, states) {
        tracing::warn!(target: TARGET, "cannot notify systemd: {error}");
    }
}

/// Returns the interval at which systemd wants to hear that the server lives; `None` without a
/// watchdog.
pub(crate) fn watchdog_period() -> Option<Duration> {
    let mut micros = 0;
    let is_watched = sd_notify::watchdog_enabled(false, &mut micros) && micros > 0;
    is_watched.then(|| Duration::from_micros(micros))
}

/// Calls `tell` twice in each period, each time after `check` has ended. If tasks of the server
/// hang, a check does not end, and systemd kills the server.
pub(crate) async fn watch<C: Future<Output = ()>>(
    period: Option<Duration>,
    check: impl Fn() -> C,
    tell: impl Fn(),
) -> Infallible {
    let Some(every) = period.map(|period| period / 2).filter(|every| !every.is_zero()) else {
        return std::future::pending().await;
    };
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if timeout(every, check()).await.is_ok() {
            tell();
        } else {
            tracing::error!(target: TARGET, "the owner of the runs or of the store hangs");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    const PERIOD: Duration = Duration::from_secs(10);

    /// Counts the times that systemd hears of the server within ten periods.
    async fn told<C: Future<Output = ()>>(period: Option<Duration>, check: impl Fn() -> C) -> u32 {
        let told = Cell::new(0);
        let watched = watch(period, check, || told.set(told.get() + 1));
        assert!(timeout(10 * PERIOD, watched).await.is_err());
        told.get()
    }

    #[tokio::test(start_paused = true)]
    async fn server_that_answers_is_alive() {
        let told = told(Some(PERIOD), || sleep(PERIOD / 20)).await;
        assert!((19..=21).contains(&told), "{told}");
    }

    #[tokio::test(start_paused = true)]
    async fn server_that_hangs_is_not() {
        assert_eq!(told(Some(PERIOD), || sleep(PERIOD)).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn systemd_is_told_nothing_without_a_watchdog() {
        assert_eq!(told(None, || std::future::ready(())).await, 0);
    }

    /// Counts the times that systemd is asked for more time by a start that takes so long.
    async fn asked(start: Duration) -> u32 {
        let asked = Cell::new(0);
        let work = ask_while(sleep(start), || asked.set(asked.get() + 1));
        timeout(start + PERIOD, work).await.expect("it ends with the start");
        asked.get()
    }

    #[tokio::test(start_paused = true)]
    async fn slow_start_gets_more_time_in_time() {
        assert!(ASK_EVERY < Duration::from_micros(MORE_US.into()));
        assert_eq!(asked(ASK_EVERY / 2).await, 0);
        assert_eq!(asked(ASK_EVERY * 10 + PERIOD).await, 10);
    }

    #[tokio::test(start_paused = true)]
    async fn start_that_hangs_gets_no_more() {
        assert_eq!(asked(ASK_EVERY * ASKED_TIMES * 10).await, ASKED_TIMES);
    }
}
