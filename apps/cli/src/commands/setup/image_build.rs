//! `image build`: builds the image of the Docker sandbox. The build's output goes to stderr, the
//! image's name to stdout.

use crate::args::ImageArgs;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::stderr::tell;
use indicatif::{ProgressBar, ProgressStyle};
use profiler_core::sandbox::docker::image::{self, BuildOptions};
use profiler_export::readable;
use std::io::{IsTerminal, stderr};

const TEMPLATE: &str = "[{elapsed}] {wide_msg}";

/// Builds the image.
pub(crate) async fn build(args: ImageArgs) -> Result<Exit, Failure> {
    let options =
        BuildOptions { tag: args.tag, base_image: args.base_image, gcc_version: args.gcc_version };
    let shown = BuildOutput::new();
    let built = image::build(&options, |line| shown.line(line)).await;
    shown.finish();
    built.map_err(Failure::broken("build the image"))?;
    output::print(&options.tag)?;
    Ok(Exit::Done)
}

/// Shows the lines of the build: the last one on a terminal, else all of them.
enum BuildOutput {
    Last(ProgressBar),
    All,
}

impl BuildOutput {
    fn new() -> Self {
        if !stderr().is_terminal() {
            return Self::All;
        }
        let style = ProgressStyle::with_template(TEMPLATE);
        let bar = ProgressBar::new_spinner();
        Self::Last(bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner())))
    }

    fn line(&self, line: &str) {
        let line = readable(line);
        match self {
            _ if line.is_empty() => {}
            Self::Last(bar) => {
                bar.set_message(line);
                bar.tick();
            }
            Self::All => tell(format_args!("{line}")),
        }
    }

    fn finish(&self) {
        if let Self::Last(bar) = self {
            bar.finish_and_clear();
        }
    }
}
