//! The server as its callers, its settings and its operators see it.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod config;
mod listener;
mod properties;
mod service;
mod settings;
mod wire;
