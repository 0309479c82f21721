//! Isolation of callers: a caller can neither learn about another's runs nor change them.

use super::{Files, refusal, serve, with_token};
use crate::service::support::{Server, job};
use profiler_client::{Client, Error, v1};
use tonic_types::StatusExt;

/// Two callers and an admin of one server.
struct Scene {
    _server: Server,
    ci: Client,
    other: Client,
    boss: Client,
}

impl Scene {
    async fn set() -> Self {
        let files = Files::new();
        let server = serve(files.all()).await;
        Self {
            ci: with_token(&server, &files, "ci").await,
            other: with_token(&server, &files, "other").await,
            boss: with_token(&server, &files, "boss").await,
            _server: server,
        }
    }
}

fn named(request_id: &str, source: &str) -> v1::Job {
    let mut named = v1::Job { request_id: request_id.into(), ..job() };
    named.code.as_mut().unwrap().code_cpp = source.into();
    named
}

/// The text of a refusal, with a placeholder for the ID of the run.
fn anonymous<T: std::fmt::Debug>(answer: &Result<T, Error>, run_id: &str) -> String {
    let said = match answer {
        Err(Error::Status(status)) => {
            let reason = status.get_details_error_info().map(|it| it.reason);
            format!("{:?} {:?} {}", status.code(), reason, status.message())
        }
        other => panic!("{other:?}"),
    };
    said.replace(run_id, "RUN")
}

/// Makes every call that names a run by its ID, and returns the refusals.
async fn attempts(client: &Client, run_id: &str) -> Vec<String> {
    let export = client.export(run_id, v1::ExportFormat::Json).await.map(drop);
    let watch = match client.attach(run_id, 0).await {
        Ok(mut run) => run.next().await.map(drop),
        Err(error) => Err(error),
    };
    vec![
        anonymous(&client.run(run_id).await.map(drop), run_id),
        anonymous(&client.cancel(run_id).await, run_id),
        anonymous(&client.delete(run_id).await, run_id),
        anonymous(&export, run_id),
        anonymous(&watch, run_id),
    ]
}

/// A caller does not even learn whether the run exists, or whether it has ended.
#[tokio::test]
async fn another_callers_run_looks_like_none() {
    let scene = Scene::set().await;
    let run = scene.ci.submit(job()).await.unwrap();
    let nobodys = attempts(&scene.other, "01990000-0000-7000-8000-000000000000").await;
    assert!(nobodys.iter().all(|said| said.starts_with("NotFound")), "{nobodys:?}");
    assert_eq!(attempts(&scene.other, run.id()).await, nobodys, "of a live run");
    assert!(scene.other.runs("").await.unwrap().runs.is_empty());
    let run_id = run.id().to_owned();
    scene.ci.cancel(&run_id).await.unwrap();
    run.wait().await.unwrap_err();
    assert_eq!(attempts(&scene.other, &run_id).await, nobodys, "of an ended run");
    assert_eq!(scene.ci.runs("").await.unwrap().runs.len(), 1);
    scene.ci.run(&run_id).await.unwrap();
}

#[tokio::test]
async fn admin_sees_and_ends_everybodys_runs() {
    let scene = Scene::set().await;
    let run = scene.ci.submit(job()).await.unwrap();
    let run_id = run.id().to_owned();
    assert_eq!(scene.boss.runs("").await.unwrap().runs[0].run_id, run_id);
    scene.boss.run(&run_id).await.unwrap();
    scene.boss.cancel(&run_id).await.unwrap();
    run.wait().await.unwrap_err();
    scene.boss.delete(&run_id).await.unwrap();
}

#[tokio::test]
async fn request_id_is_its_callers() {
    let scene = Scene::set().await;
    let one = scene.ci.submit(named("same", "int main() {}")).await.unwrap();
    let two = scene.other.submit(named("same", "int main() { return 1; }")).await.unwrap();
    assert_ne!(one.id(), two.id());
    // The same request ID with the same job gives the same run.
    let again = scene.ci.submit(named("same", "int main() {}")).await.unwrap();
    assert_eq!(again.id(), one.id());
    let taken = scene.ci.submit(named("same", "int main() { return 1; }")).await;
    assert_eq!(refusal(taken.map(drop)), "AlreadyExists REQUEST_ID_TAKEN");
}

#[tokio::test]
async fn caller_with_a_token_gives_itself_no_other_name() {
    let files = Files::new();
    let server = serve(files.all()).await;
    let posing = with_token(&server, &files, "ci").await.with_caller("other").unwrap();
    let run = posing.submit(job()).await.unwrap();
    assert_eq!(posing.run(run.id()).await.unwrap().run.unwrap().caller, "ci");
    assert!(with_token(&server, &files, "other").await.runs("").await.unwrap().runs.is_empty());
}

#[tokio::test]
async fn gateway_names_callers_and_keeps_its_own_runs() {
    let files = Files::new();
    let settings =
        profiler_server::config::Identity { x_caller: vec!["token ci".into()], ..files.all() };
    let server = serve(settings).await;
    let gateway = with_token(&server, &files, "ci").await.with_caller("other").unwrap();
    let run = gateway.submit(job()).await.unwrap();
    assert_eq!(gateway.run(run.id()).await.unwrap().run.unwrap().caller, "other");
    assert!(with_token(&server, &files, "other").await.runs("").await.unwrap().runs.is_empty());
}
