//! Reactions of the client by itself to a server that refuses, disconnects, falls silent or goes
//! away. No test sleeps, because the clock is paused (`scene`).

mod ending;
mod line;
mod restart;
mod scene;
mod server;
mod stream;
mod submission;
