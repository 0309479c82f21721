//! Documents of a run that are too long for an answer. Each is read by its address.

use crate::failure::Failure;
use crate::session::{Known, Session};
use crate::tool_result::Link;
use profiler_export::Ending;
use profiler_proto::v1::{ExportFormat, Outcome};

/// Prefix of every address of a run.
const PREFIX: &str = "swiftprof://runs/";
/// Place of a run's id in a template of addresses.
pub(crate) const ANY_RUN: &str = "{run_id}";
/// Documents that the service exports, each with its name and content.
const EXPORTED: [(ExportFormat, &str, &str); 3] = [
    (ExportFormat::Json, "report.json", "the whole report"),
    (ExportFormat::Html, "report.html", "the report as a page"),
    (ExportFormat::FlameGraph, "flame.svg", "a flame graph; needs hotspots"),
];
/// Output of the program at a size n.
const STDOUT: &str = "stdout/";
const TEXT: &str = "text/plain";
/// Name of the argument that has an address.
const URI: &str = "uri";

/// A document.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) media_type: &'static str,
}

/// Returns the names of all documents, each with its media type and content.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let exported = EXPORTED.map(|(format, name, content)| (name, media_type(format), content));
    exported.into_iter().chain([("stdout/{n}", TEXT, "the first 4 KiB of the output")])
}

/// Returns the media type of a format, without its character set.
fn media_type(format: ExportFormat) -> &'static str {
    let declared = format.declared().map_or(TEXT, |it| it.media_type);
    declared.split_once(';').map_or(declared, |(media_type, _)| media_type)
}

/// Returns the address of a document.
pub(crate) fn address(run_id: &str, name: &str) -> String {
    format!("{PREFIX}{run_id}/{name}")
}

/// The documents that an ended run has.
pub(crate) fn links(run_id: &str, ending: &Ending) -> Vec<Link> {
    let link = |name: String, media_type| Link { uri: address(run_id, &name), name, media_type };
    let report = ending.report();
    let has_stacks = report.is_some_and(|report| !report.call_stacks.is_empty());
    let exported = EXPORTED
        .iter()
        .filter(|(format, ..)| has_stacks || *format != ExportFormat::FlameGraph)
        .map(|(format, name, _)| link((*name).into(), media_type(*format)));
    let ok = |size: &&profiler_proto::v1::SizeResult| {
        size.outcome() == Outcome::Ok && size.stdout.is_some()
    };
    let largest = report.and_then(|report| report.sizes.iter().filter(ok).max_by_key(|it| it.size));
    let stdout = largest.map(|size| link(format!("{STDOUT}{}", size.size), TEXT));
    exported.chain(stdout).collect()
}

/// Reads a document.
pub(crate) async fn read(session: &Session, uri: &str) -> Result<Document, Failure> {
    let unknown = || {
        let all: Vec<_> = names().map(|(name, ..)| address(ANY_RUN, name)).collect();
        Failure::argument(URI, format!("is not a resource; the resources are {}", all.join(", ")))
    };
    let (run_id, name) =
        uri.strip_prefix(PREFIX).and_then(|rest| rest.split_once('/')).ok_or_else(unknown)?;
    if let Some(n) = name.strip_prefix(STDOUT) {
        let n = n.parse().map_err(|_| unknown())?;
        return stdout(session, run_id, n).await;
    }
    let known = EXPORTED.into_iter().find(|(_, known, _)| *known == name);
    let (format, ..) = known.ok_or_else(unknown)?;
    let exported = session.client.export(run_id, format).await;
    let exported = exported.map_err(|error| Failure::of_run(URI, error))?;
    let text = String::from_utf8_lossy(&exported.content).into_owned();
    Ok(Document { text, media_type: media_type(format) })
}

/// Returns the output of the program at a size.
async fn stdout(session: &Session, run_id: &str, n: u64) -> Result<Document, Failure> {
    let Known::Ended(ending) = session.look_up(run_id).await? else {
        return Err(Failure::argument(URI, "the run has not ended: call get_run first"));
    };
    let sizes = ending.report().map(|report| report.sizes.as_slice()).unwrap_or_default();
    let at = sizes.iter().find(|size| size.size == n && size.stdout.is_some());
    let output = at.and_then(|size| size.stdout.as_ref()).ok_or_else(|| {
        let all: Vec<_> = sizes.iter().map(|size| size.size.to_string()).collect();
        let sizes = all.join(", ");
        Failure::argument(
            URI,
            format!("the run keeps no output for n = {n}; its sizes are {sizes}"),
        )
    })?;
    Ok(Document { text: String::from_utf8_lossy(&output.head).into_owned(), media_type: TEXT })
}
