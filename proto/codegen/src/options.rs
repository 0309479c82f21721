//! Generates the tables of a job's options from the declarations in the .proto files: one in Rust,
//! one in Python.

mod declared;
mod python;
mod rust;

pub(crate) use declared::word;
pub(crate) use rust::is_set;

use crate::declaration::list;
use crate::error::Error;
use protox::prost_reflect::DescriptorPool;

/// Returns the table in Rust, and the table in Python.
pub(crate) fn tables(pool: &DescriptorPool) -> Result<(String, String), Error> {
    let options = declared::all(pool).ok_or(Error::None("options of a job"))?;
    for option in &options {
        for excluded in list(&option.declaration, "excludes") {
            if !options.iter().any(|other| other.path() == excluded) {
                return Err(Error::Excluded { option: option.path(), excluded });
            }
        }
    }
    Ok((rust::table(&options), python::table(&options)))
}
