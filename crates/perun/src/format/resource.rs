//! One record of what was collected.

use crate::error::Error;
use crate::items::text;
use crate::number::Number;
use crate::query::all_key_values_of;
use serde_json::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// One record of what was collected, as Perun hands it out: references to chunks are put in, flattened keys are
/// nested, what is collected anew each time comes first, the rest is sorted by key and has `snapshot` and `time`.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    /// Where it stands.
    pub place: Place,
    /// The number of its snapshot, 0 where it has none.
    pub snapshot: u64,
    /// What is known of it.
    pub fields: Map<String, Value>,
}

/// Where a resource stands in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// In a snapshot.
    Snapshot {
        /// Position of the snapshot.
        snapshot: usize,
        /// Position in its resources.
        at: usize,
    },
    /// In `global`, which is an object with resources.
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

    /// The number under a key, which may be `uid:line`.
    pub(crate) fn number(&self, key: &str) -> Result<Number, Error> {
        let found = all_key_values_of(&self.fields, key);
        let Some(value) = found.first() else {
            return Err(Error::malformed(&self.place, format!("no {key}")));
        };
        Number::of(value).ok_or_else(|| {
            let shown = text(value);
            Error::malformed(&self.place, format!("{key} {shown:?} is not a number"))
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
