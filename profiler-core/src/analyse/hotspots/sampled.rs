//! Hotspots from the samples of `gprof -l`.

use profiler_decode::addr2line::OwnFiles;
use profiler_decode::hot_lines::{HotLine, hot_lines};
use profiler_proto::v1::Hotspot;
use runner_protocol::Profile;

/// The sampled lines of a program with these files, hottest first; `None` if the program left no
/// profile.
pub(super) fn from_profile(profile: &Profile, own: &OwnFiles) -> Option<Vec<Hotspot>> {
    let hotspot = |HotLine { file, line, function, self_share, cumulative_share }| Hotspot {
        file,
        line,
        function,
        self_share,
        cumulative_share,
        ..Hotspot::default()
    };
    hot_lines(profile, own).map(|lines| lines.into_iter().map(hotspot).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strict_form_of_a_sampled_line() {
        let listing = " 25.04 0.06 0.03    fib(int) (main.cpp:2 @ 4011a6)\n \
                       25.04 0.06 0.03    fib(int) (main.cpp:4 @ 4011c5)\n";
        let lines = from_profile(&Profile::Listing(listing.into()), &OwnFiles::default()).unwrap();
        assert_eq!(lines[1].to_string(), "25.0% self, 50.1% cumulative, in fib(int)");
    }
}
