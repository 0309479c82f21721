//! Hotspots from the samples of `gprof -l`.

use profiler_decode::SOURCE_FILE;
use profiler_decode::hot_lines::{HotLine, hot_lines};
use profiler_proto::v1::Hotspot;
use runner_protocol::Profile;

/// The sampled lines of the submitted source, hottest first; `None` if the program left no profile.
pub(super) fn from_profile(profile: &Profile) -> Option<Vec<Hotspot>> {
    let hotspot = |HotLine { line, function, self_share, cumulative_share }| {
        let file = SOURCE_FILE.into();
        Hotspot { file, line, function, self_share, cumulative_share, ..Hotspot::default() }
    };
    hot_lines(profile).map(|lines| lines.into_iter().map(hotspot).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_form_of_a_sampled_line() {
        let listing = " 25.04 0.06 0.03    fib(int) (main.cpp:2 @ 4011a6)\n \
                       25.04 0.06 0.03    fib(int) (main.cpp:4 @ 4011c5)\n";
        let lines = from_profile(&Profile::Listing(listing.into())).unwrap();
        assert_eq!(lines[1].to_string(), "25.0% self, 50.1% cumulative, in fib(int)");
    }
}
