//! Maps hotspots to the wire.

use profiler_core::report::hotspots::{
    CallStack, Hotspot, HotspotFunction, HotspotsMethod, SOURCE_FILE,
};
use profiler_proto::v1;

pub(crate) fn method(method: Option<HotspotsMethod>) -> v1::HotspotsMethod {
    match method {
        None => v1::HotspotsMethod::Unspecified,
        Some(HotspotsMethod::Instructions) => v1::HotspotsMethod::Instructions,
        Some(HotspotsMethod::Gprof) => v1::HotspotsMethod::Gprof,
    }
}

pub(crate) fn line(line: &Hotspot) -> v1::Hotspot {
    v1::Hotspot {
        file: line.file.clone(),
        line: line.line,
        function: line.function.clone(),
        self_share: line.self_share,
        cumulative_share: line.cumulative_share,
        count: line.exact.and_then(|exact| exact.count),
        instructions: line.exact.map(|exact| exact.instructions),
        inclusive_share: line.exact.map(|exact| exact.inclusive_share),
    }
}

pub(crate) fn function(function: &HotspotFunction) -> v1::HotspotFunction {
    v1::HotspotFunction {
        file: SOURCE_FILE.into(),
        line: function.line,
        name: function.name.clone(),
        self_share: function.self_share,
        inclusive_share: function.inclusive_share,
        calls: function.calls,
        instructions: Some(function.instructions),
    }
}

pub(crate) fn stack(stack: &CallStack) -> v1::CallStack {
    v1::CallStack { frames: stack.frames.clone(), instructions: stack.instructions }
}
