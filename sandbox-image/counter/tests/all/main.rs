//! Runs the embedded counter on programs that are compiled here.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(target_arch = "x86_64")]

mod exact;
mod forked;
mod harness;
mod hidden;
mod processor;
mod profile;
mod refusal;
mod same;
mod series;
