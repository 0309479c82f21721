//! One collected record.

use crate::error::Error;
use crate::items::{text, values_under};
use crate::number::Number;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// One collected record, as Perun returns it. Chunks are resolved and flattened keys are nested.
/// Collected values come first; the rest is sorted by key, and includes `snapshot` and `time`.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Its place in the file.
    pub place: Place,
    /// The number of its snapshot, or 0.
    pub snapshot: u64,
    /// Its fields.
    pub fields: Map<String, Value>,
}

/// The place of a resource in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a snapshot.
    Snapshot {
        /// Position of the snapshot.
        snapshot: usize,
        /// Position in its resources.
        at: usize,
    },
    /// In `global`, if that is an object with resources.
    Global(usize),
    /// In a list of resources: `global` or `resources`.
    List {
        /// The region's name.
        region: &'static str,
        /// Position in it.
        at: usize,
    },
    /// In the columns of a resource type.
    Column {
        /// The resource type's name.
        kind: Arc<str>,
        /// The row.
        at: usize,
    },
}

impl Resource {
    /// The text under a key.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.fields.get(key)?.as_str()
    }

    /// The identity of the function or line that the resource is about.
    pub(crate) fn uid(&self) -> Result<&Value, Error> {
        self.fields.get("uid").ok_or_else(|| Error::malformed(&self.place, "must have a uid"))
    }

    /// The number under a key, which may be `uid:line`.
    pub(crate) fn number(&self, key: &str) -> Result<Number, Error> {
        let found = values_under(&self.fields, key);
        let Some(value) = found.first() else {
            return Err(Error::malformed(&self.place, format!("must have {key}")));
        };
        Number::from_value(value).ok_or_else(|| {
            let shown = text(value);
            Error::malformed(&self.place, format!("{key} must be a number, not {shown:?}"))
        })
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Snapshot { snapshot, at } => write!(f, "snapshots[{snapshot}].resources[{at}]"),
            Self::Global(at) => write!(f, "global.resources[{at}]"),
            Self::List { region, at } => write!(f, "{region}[{at}]"),
            Self::Column { kind, at } => write!(f, "resources[{kind:?}], row {at}"),
        }
    }
}
