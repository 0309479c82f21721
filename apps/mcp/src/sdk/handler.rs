//! Answers the requests of clients.

use super::callers::Callers;
use crate::failure::Failure;
use crate::resources::{self, ANY_RUN, address};
use crate::session::{Call, MAX_CALLS, Session};
use crate::tool_result::{Answer, Link};
use crate::tools::{self, TOOLS};
use profiler_server::{Caller, Peer};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListResourceTemplatesResult, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    Resource, ResourceContents, ResourceTemplate, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{ErrorData, ServerHandler};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::mpsc;
use tonic::codegen::http::request::Parts;

/// Name that the server gives itself.
const NAME: &str = "swiftprof";
/// Maximum number of sentences about progress that wait to be sent.
const PROGRESS_QUEUE: usize = 16;
/// Introduction for an agent, before it reads the tools.
const INSTRUCTIONS: &str = "Measures C++ programs in a sandbox: time and memory over growing \
    inputs, and how they grow. Declare a task's input and try it with check_inputs, profile a \
    program with hotspots, change it, check it against a brute force, and compare both.";

/// Answers requests.
#[derive(Debug, Clone)]
pub(super) enum Handler {
    /// Session of the one client of this process.
    OfProcess(Box<Session>),
    /// Sessions of the callers of a service.
    OfCallers(Arc<Callers>),
}

impl Handler {
    /// The session of a request.
    fn session(&self, context: &RequestContext<RoleServer>) -> Result<Session, Failure> {
        let callers = match self {
            Self::OfProcess(session) => return Ok(Session::clone(session)),
            Self::OfCallers(callers) => callers,
        };
        let request = context.extensions.get::<Parts>().map(|parts| &parts.extensions);
        let found =
            request.and_then(|request| Some((request.get::<Peer>()?, request.get::<Caller>()?)));
        let (peer, caller) = found.ok_or_else(|| Failure::Fault("the caller is unknown".into()))?;
        callers.session(peer, caller)
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new(NAME, env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(TOOLS.iter().map(described).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.word == request.name) else {
            let all: Vec<_> = TOOLS.iter().map(|tool| tool.word).collect();
            let problem = format!("there is no such tool; the tools are {}", all.join(", "));
            return Err(ErrorData::invalid_params(problem, None));
        };
        let session = match self.session(&context) {
            Ok(session) => session,
            Err(failure) => return Ok(result(Answer::from(failure)).into()),
        };
        let Some(_permit) = session.admit() else {
            let problem = format!("the server already answers {MAX_CALLS} calls; call again later");
            return Ok(result(Answer::from(Failure::Fault(problem))).into());
        };
        let token = context.meta.get_progress_token();
        let (sender, mut said) = mpsc::channel(PROGRESS_QUEUE);
        let mut call = Call {
            cancelled: context.ct.clone(),
            progress: token.is_some().then_some(sender),
            until: session.until(),
        };
        let arguments = request.arguments.unwrap_or_default();
        let mut answer = std::pin::pin!(tools::call(tool, &session, arguments, &mut call));
        let mut count = 0_u32;
        loop {
            tokio::select! {
                biased;
                Some(sentence) = said.recv() => {
                    let Some(token) = token.clone() else { continue };
                    count += 1;
                    let progress = ProgressNotificationParam::new(token, f64::from(count));
                    // A client that has gone needs no progress.
                    let _ = context.peer.notify_progress(progress.with_message(sentence)).await;
                }
                answer = &mut answer => return Ok(result(answer).into()),
            }
        }
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let all = resources::names().map(|(name, media_type, content)| {
            let template = ResourceTemplate::new(address(ANY_RUN, name), name);
            template.with_mime_type(media_type).with_description(content)
        });
        Ok(ListResourceTemplatesResult::with_all_items(all.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let read = match self.session(&context) {
            Ok(session) => resources::read(&session, &request.uri).await,
            Err(failure) => Err(failure),
        };
        match read {
            Ok(document) => {
                let contents = ResourceContents::text(document.text, request.uri);
                let contents = contents.with_mime_type(document.media_type);
                Ok(ReadResourceResult::new(vec![contents]).into())
            }
            Err(Failure::Arguments(problems)) => {
                let text = problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                Err(ErrorData::resource_not_found(text, None))
            }
            Err(Failure::Fault(cause)) => Err(ErrorData::internal_error(cause, None)),
        }
    }
}

/// A tool as the SDK describes it.
fn described(tool: &tools::Tool) -> Tool {
    let annotations = ToolAnnotations::new()
        .read_only(tool.is_read_only)
        .destructive(false)
        .idempotent(true)
        .open_world(false);
    Tool::new(tool.word, tool.description, Arc::new(tool.schema())).with_annotations(annotations)
}

/// An answer as the SDK sends it: the essentials as text, the links, and the figures.
fn result(answer: Answer) -> CallToolResult {
    let text = ContentBlock::text(answer.text());
    let links = answer.links.into_iter().map(linked);
    let content = [text].into_iter().chain(links).collect();
    let mut result = CallToolResult::success(content);
    result.structured_content = Some(Value::Object(answer.structured));
    result.is_error = Some(answer.is_error);
    result
}

fn linked(link: Link) -> ContentBlock {
    ContentBlock::resource_link(Resource::new(link.uri, link.name).with_mime_type(link.media_type))
}
