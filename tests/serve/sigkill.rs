//! SIGKILL at random moments. `cargo xtask bench crash` does the same more often.

use profiler_tests::campaign::{Account, survive};

const KILLS: usize = 3;

pub(crate) async fn nothing_is_lost_and_nothing_is_run_twice(backend: &'static str) {
    let account = survive(backend, KILLS).await;
    println!("{backend}: {account:?}");
    assert_eq!(account, Account { lost: 0, twice: 0, left: 0, ..account });
    assert!(account.runs > 0, "no run was accepted");
}
