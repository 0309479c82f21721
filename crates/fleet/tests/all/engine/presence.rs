//! Digests of a pool, with which its workers compare their speeds.

use crate::engine::scene::{PATIENCE, POOL, Scene};
use profiler_fleet::{Gateway, Peers, Roster, Speed, WorkerState};
use profiler_test_support::wait::until;
use tokio::sync::watch;
use tokio::task::JoinSet;

judged!(pool_is_described_after_a_gateway_is_lost);

/// A worker that only reports.
struct Host {
    state: watch::Sender<WorkerState>,
    peers: Peers,
}

impl Host {
    async fn begin(scene: &Scene, number: usize, calibration_ms: f64) -> Self {
        let worker = scene.worker(&format!("w{number}")).await;
        let peers = Peers::default();
        peers.hear(worker.fleet(), POOL).await.expect("heard");
        let (state, said) = watch::channel(WorkerState {
            worker: format!("w{number}"),
            pool: POOL.into(),
            cores: 1,
            calibration_ms,
            ..WorkerState::default()
        });
        tokio::spawn(async move { worker.say(said).await });
        Self { state, peers }
    }

    fn speed(&self) -> Speed {
        self.peers.compare(&self.state.borrow())
    }
}

/// Tells digests until it is dropped.
async fn tell(gateway: Gateway) -> JoinSet<()> {
    let roster = Roster::default();
    roster.listen(gateway.fleet()).await.expect("listening");
    let mut telling = JoinSet::new();
    telling.spawn(async move { gateway.tell_pools(&roster).await });
    telling
}

/// The second change is in no digest of the lost gateway.
async fn pool_is_described_after_a_gateway_is_lost(scene: Scene) {
    let mut hosts = Vec::new();
    for (number, calibration_ms) in [10.0, 10.0, 12.0].into_iter().enumerate() {
        hosts.push(Host::begin(&scene, number, calibration_ms).await);
    }
    assert_eq!(hosts[2].speed(), Speed::Unknown);
    let lost = tell(scene.gateway.clone()).await;
    let _other = tell(scene.another_gateway().await).await;
    let speeds = |hosts: &[Host]| hosts.iter().map(Host::speed).collect::<Vec<_>>();
    let are = async |expected: [Speed; 3]| {
        let are = async || (speeds(&hosts) == expected).then_some(());
        until("the hosts know their speeds", PATIENCE, are).await;
    };
    are([Speed::OfPool, Speed::OfPool, Speed::Differs(10.0)]).await;
    drop(lost);
    hosts[1].state.send_modify(|state| state.calibration_ms = 12.0);
    are([Speed::Differs(12.0), Speed::OfPool, Speed::OfPool]).await;
}
