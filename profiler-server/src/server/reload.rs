//! SIGHUP: the server reads its settings again, and adopts those that it can change while it runs.

use super::systemd;
use crate::config::{Config, ConfigError, Settings};
use crate::telemetry::logging::{LevelSwitch, TARGET};
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

/// Reads the settings at every SIGHUP. From [`Self::listen`] on, SIGHUP does not kill the process.
pub struct Reload {
    hangup: Signal,
    settings: Settings,
    published: watch::Sender<Config>,
    level: LevelSwitch,
}

impl Reload {
    /// Begins to listen. The receiver has the current settings, and is notified by every SIGHUP,
    /// even one that changed no setting: files that a setting names may have changed.
    ///
    /// # Errors
    /// If the signal cannot be handled.
    pub fn listen(
        settings: Settings,
        config: Config,
        level: LevelSwitch,
    ) -> io::Result<(Self, watch::Receiver<Config>)> {
        let (published, receiver) = watch::channel(config);
        Ok((Self { hangup: signal(SignalKind::hangup())?, settings, published, level }, receiver))
    }

    /// Adopts the settings that `read` returns, at every SIGHUP, forever. Settings that cannot be
    /// used change nothing.
    pub async fn run(mut self, read: impl Fn() -> Result<Settings, ConfigError>) {
        while self.hangup.recv().await.is_some() {
            systemd::reloading();
            match read().and_then(|new| self.adopt(&new)) {
                Ok(()) => tracing::info!(target: TARGET, "the settings were read again"),
                Err(error) => {
                    tracing::error!(target: TARGET, "the settings stay as they were: {error}");
                    self.published.send_modify(|_| {});
                }
            }
            systemd::ready();
        }
    }

    fn adopt(&mut self, new: &Settings) -> Result<(), ConfigError> {
        let mut settings = self.settings.clone();
        let fixed = settings.adopt(new);
        let config = settings.config()?;
        self.level.set(config.log_level);
        for key in fixed {
            tracing::warn!(target: TARGET, "{key} changes at the next start of the server");
        }
        self.settings = settings;
        self.published.send_replace(config);
        Ok(())
    }
}
