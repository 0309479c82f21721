//! Facilities of the kernel and of this process: clocks, `/proc`, files, errors.

pub(crate) mod access_times;
pub(crate) mod calibration;
pub(crate) mod clone_into;
pub(crate) mod facts;
pub(crate) mod fault;
pub(crate) mod files;
pub(crate) mod page_cache;
pub(crate) mod pid_counter;
pub(crate) mod proc_view;
pub(crate) mod process_set;
pub(crate) mod trim_self;
pub(crate) mod wait;
