//! The acts of gateways and workers against a real NATS server.

mod losses;
mod moves;
mod queue;
mod runs;
mod scene;
