//! Endpoints that lead nowhere.

use profiler_client::{Client, Error};

#[tokio::test]
async fn an_endpoint_where_nobody_listens_is_named() {
    let folder = std::env::temp_dir().join("no-such-profiler.socket");
    let endpoint = format!("unix:{}", folder.display());
    let refused = Client::connect(&endpoint).await.unwrap_err();
    assert!(refused.to_string().contains(&endpoint), "{refused}");
}

#[tokio::test]
async fn what_is_no_endpoint_is_refused() {
    let refused = Client::connect("not an endpoint").await.unwrap_err();
    assert!(matches!(refused, Error::Endpoint { .. }), "{refused:?}");
}
