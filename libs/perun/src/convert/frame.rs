//! The resources as a data frame.

use crate::error::Error;
use crate::format::Profile;
use crate::items::{items, text};
use crate::limits::MAX_CELLS;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// The column with the snapshot number of each row.
const SNAPSHOTS: &str = "snapshots";

/// A data frame. Rows are resources in Perun's order; columns are the flattened keys, sorted by
/// name.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    columns: Vec<(String, Vec<Option<Value>>)>,
    row_count: usize,
}

impl Frame {
    /// The columns: the name, and a plain value or `None` for each row.
    pub fn columns(&self) -> &[(String, Vec<Option<Value>>)] {
        &self.columns
    }

    /// The number of rows.
    pub fn row_count(&self) -> usize {
        self.row_count
    }

    /// Writes CSV with a header row. A missing value is an empty field.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        let names = self.columns.iter().map(|(name, _)| quoted(name));
        writeln!(out, "{}", names.collect::<Vec<_>>().join(","))?;
        for row in 0..self.row_count {
            let cell = |(_, cells): &(String, Vec<Option<Value>>)| {
                cells.get(row).and_then(Option::as_ref).map(|value| quoted(&text(value)))
            };
            let cells = self.columns.iter().map(|column| cell(column).unwrap_or_default());
            writeln!(out, "{}", cells.collect::<Vec<_>>().join(","))?;
        }
        Ok(())
    }
}

/// Perun's `resources_to_pandas_dataframe`: every resource with its flattened items and its
/// snapshot number.
///
/// # Errors
/// If the table has more than [`MAX_CELLS`].
pub fn resources_to_pandas_dataframe(profile: &Profile) -> Result<Frame, Error> {
    let row_count = profile.resources().len();
    let mut names = BTreeSet::from([SNAPSHOTS.to_owned()]);
    for resource in profile.grouped() {
        names.extend(items(&resource.fields).into_iter().map(|(key, _)| key));
    }
    if names.len().saturating_mul(row_count) > MAX_CELLS {
        return Err(Error::too_many("the data frame", MAX_CELLS, "cells"));
    }
    let mut columns: BTreeMap<_, _> =
        names.into_iter().map(|name| (name, vec![None; row_count])).collect();
    for (row, resource) in profile.grouped().enumerate() {
        let snapshot = (SNAPSHOTS.to_owned(), resource.snapshot.into());
        for (key, value) in items(&resource.fields).into_iter().chain([snapshot]) {
            if let Some(cell) = columns.get_mut(&key).and_then(|column| column.get_mut(row)) {
                *cell = Some(value);
            }
        }
    }
    Ok(Frame { columns: columns.into_iter().collect(), row_count })
}

/// A field of CSV (RFC 4180).
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn fields_with_separators_are_quoted() {
        assert_eq!(quoted("insert(List*, int)"), "\"insert(List*, int)\"");
        assert_eq!(quoted("operator\"\"_s"), "\"operator\"\"\"\"_s\"");
        assert_eq!(quoted("main"), "main");
    }
}
