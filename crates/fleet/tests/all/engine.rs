//! The acts of gateways and workers against a real NATS server, and against the simulated engine.

/// Makes a test of each function, once for each engine.
macro_rules! judged {
    ($($name:ident),* $(,)?) => {
        mod real {
            $(#[tokio::test]
            async fn $name() {
                if let Some(scene) = crate::engine::scene::Scene::real().await {
                    Box::pin(super::$name(scene)).await;
                }
            })*
        }
        mod simulated {
            $(#[tokio::test(start_paused = true)]
            async fn $name() {
                Box::pin(super::$name(crate::engine::scene::Scene::simulated())).await;
            })*
        }
    };
}

mod broken;
mod losses;
mod moves;
mod presence;
mod queue;
mod retention;
mod runs;
pub(crate) mod scene;
