//! `image build`: builds the image of the Docker sandbox. The build's output goes to stderr, the
//! image's name to stdout.

use crate::args::{ImageArgs, Progress as Shown};
use crate::exit::{Exit, Failure};
use crate::output;
use crate::progress::Progress;
use profiler_core::sandbox::docker::image::{self, BuildOptions};
use profiler_export::readable;

/// Builds the image.
pub(crate) async fn build(args: ImageArgs) -> Result<Exit, Failure> {
    let options =
        BuildOptions { tag: args.tag, base_image: args.base_image, gcc_version: args.gcc_version };
    let progress = Progress::new(Shown::Auto).without_sizes();
    let built = image::build(&options, |line| {
        let line = readable(line);
        if !line.is_empty() {
            progress.show_step(&line);
        }
    });
    let built = built.await;
    progress.finish();
    built.map_err(Failure::broken("build the image"))?;
    output::print(&options.tag)?;
    Ok(Exit::Done)
}
