//! Colours: on a terminal, unless `NO_COLOR` is set.

use profiler_export::Palette;
use std::env;
use std::io::{IsTerminal, stdout};

/// The palette for stdout.
pub(crate) fn palette() -> Palette {
    let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if stdout().is_terminal() && !refused { Palette::coloured() } else { Palette::default() }
}
