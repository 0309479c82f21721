//! Writes pages of reports that were made by hand, to look at in a browser: `cargo run --example
//! page -- FOLDER`.

#[path = "../tests/all/sample/mod.rs"]
mod sample;

use std::{env, fs, io, path::Path};

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).unwrap_or_else(|| ".".into());
    let (partial, error) = sample::failed();
    let pages = [
        ("report.html", profiler_export::html::page(&sample::report(), None)),
        ("failed.html", profiler_export::html::page(&partial, Some(&error))),
    ];
    for (name, page) in pages {
        fs::write(Path::new(&folder).join(name), page)?;
    }
    Ok(())
}
