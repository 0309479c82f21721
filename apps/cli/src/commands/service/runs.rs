//! `runs`: lists, shows, follows and cancels the runs of a server.

mod list;

use crate::args::service::runs::{Action, RunsArgs, ShowArgs, WatchArgs};
use crate::args::{Progress as ProgressFormat, ResultFormat};
use crate::exit::{Exit, Failure};
use crate::output::{self, Documents};
use crate::progress::Progress;
use crate::server::{Connection, Server};
use crate::stderr::tell;
use profiler_core::cancel::Termination;
use profiler_export::Ending;
use profiler_proto::json;
use profiler_proto::v1::get_run_response::Ending as Ended;
use profiler_proto::v1::{ListRunsResponse, Run};

/// Runs a subcommand.
pub(crate) async fn runs(args: RunsArgs) -> Result<Exit, Failure> {
    let progress = match &args.action {
        Action::Watch(args) => Progress::new(args.progress),
        _ => Progress::new(ProgressFormat::Plain),
    };
    let server = Server::named(&args.endpoint, &args.credentials)?.connect(&progress).await?;
    match args.action {
        Action::List { limit, format } => list(&server, limit, format).await,
        Action::Show(args) => show(&server, &args).await,
        Action::Watch(args) => watch(&server, &args, &progress).await,
        Action::Cancel { run_id } => {
            server.client.cancel(&run_id).await.map_err(|error| server.failure(error))?;
            output::print(&format!("cancelled {run_id}"))?;
            Ok(Exit::Done)
        }
        Action::Delete { run_ids } => {
            for run_id in run_ids {
                server.client.delete(&run_id).await.map_err(|error| server.failure(error))?;
                output::print(&format!("deleted {run_id}"))?;
            }
            Ok(Exit::Done)
        }
    }
}

async fn list(server: &Connection, limit: usize, format: ResultFormat) -> Result<Exit, Failure> {
    let runs = newest(server, limit).await?;
    let text = match format {
        ResultFormat::Table => list::table(&runs),
        ResultFormat::Json => {
            let response = ListRunsResponse { runs, ..ListRunsResponse::default() };
            json::to_string_pretty(&response).map_err(Failure::broken("write the list"))?
        }
    };
    output::print(&text)?;
    Ok(Exit::Done)
}

/// The newest runs, from as many pages as they take.
async fn newest(server: &Connection, limit: usize) -> Result<Vec<Run>, Failure> {
    let (mut runs, mut token) = (Vec::new(), String::new());
    while runs.len() < limit {
        let page = server.client.runs(&token).await.map_err(|error| server.failure(error))?;
        runs.extend(page.runs);
        token = page.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    runs.truncate(limit);
    Ok(runs)
}

/// Prints the ending of a run, or the state of a live run.
async fn show(server: &Connection, args: &ShowArgs) -> Result<Exit, Failure> {
    let documents = Documents::open(&args.document)?;
    let answer = server.client.run(&args.run_id).await.map_err(|error| server.failure(error))?;
    let ending = match answer.ending {
        Some(Ended::Report(report)) => Ending::Report(Box::new(report)),
        Some(Ended::Error(error)) => Ending::Error(Box::new(error)),
        None => {
            output::print(&list::table(&answer.run.into_iter().collect::<Vec<_>>()))?;
            return Ok(Exit::Done);
        }
    };
    documents.write((&ending).into())?;
    Ok(Exit::Done)
}

/// Follows a run to its end. Ctrl-C or SIGTERM ends the call, and the run goes on.
async fn watch(
    server: &Connection,
    args: &WatchArgs,
    progress: &Progress,
) -> Result<Exit, Failure> {
    let ShowArgs { run_id, document } = &args.show;
    let documents = Documents::open(document)?;
    let mut termination = Termination::listen().map_err(Failure::broken("listen for signals"))?;
    let attached = server.client.attach(run_id, 0).await;
    let mut run = attached.map_err(|error| server.failure(error))?;
    let ending = loop {
        let event = tokio::select! {
            event = server.next_event(&mut run) => event?,
            signal = termination.asked() => {
                progress.finish();
                tell(format_args!("swiftprof: run {run_id} continues"));
                return Ok(Exit::Stopped(signal));
            }
        };
        progress.show(&event)?;
        if let Some(ending) = event.kind.and_then(Ending::from_event) {
            break ending;
        }
    };
    progress.finish();
    documents.write_ended((&ending).into())?;
    Ok(Exit::from(&ending))
}
