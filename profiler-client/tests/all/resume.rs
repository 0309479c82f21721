//! What the client does by itself when its server refuses, disconnects, falls silent or goes away.
//! No test sleeps, because the clock is paused (`scene`).

mod ending;
mod line;
mod restart;
mod scene;
mod server;
mod stream;
mod submission;
