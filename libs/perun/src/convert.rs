//! Converts profiles to other formats.

#[cfg_attr(not(feature = "arrow"), path = "convert/no_arrow.rs")]
mod arrow;
mod flame;
mod frame;
mod heap;
mod heat;
mod memory;
mod plot;

pub use flame::{Frames, to_flame_graph_format};
pub use frame::{Frame, resources_to_pandas_dataframe};
pub use heap::to_heap_map_format;
pub use heat::to_heat_map_format;
pub use plot::plot_data_from_coefficients_of;
