//! A sandbox that runs nothing: a runner that answers from a cost model.
