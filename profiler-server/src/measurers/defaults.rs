//! The defaults for fields of a request, which travel with a job to the worker that measures it.

use profiler_fleet::Defaults as Sent;
use profiler_proto::v1::SizeList;
use profiler_wire::Defaults;

pub(super) fn sent(own: &Defaults) -> Sent {
    let list = |sizes: &Option<Vec<u64>>| Some(SizeList { values: sizes.clone()? });
    Sent {
        timeout_sec: own.sandbox_timeout_sec,
        memory_mb: own.sandbox_mem_mb,
        input_scales: list(&own.input_scales),
        extra_corner_cases: list(&own.extra_corner_cases),
        growth_share: own.growth_share,
    }
}

pub(super) fn received(sent: &Sent) -> Defaults {
    let sizes = |list: &Option<SizeList>| Some(list.as_ref()?.values.clone());
    Defaults {
        sandbox_timeout_sec: sent.timeout_sec,
        sandbox_mem_mb: sent.memory_mb,
        input_scales: sizes(&sent.input_scales),
        extra_corner_cases: sizes(&sent.extra_corner_cases),
        growth_share: sent.growth_share,
    }
}
