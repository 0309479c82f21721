//! Reads the resources of a file, whatever their shape.

use super::chunk::{CHUNKS, Chunks, copy_bytes, object_bytes};
use super::nest::nest;
use super::resource::{Place, Resource};
use super::resource_type::{ResourceTypes, is_collected};
use crate::error::Error;
use crate::limits::{MAX_RESOURCES, MAX_SNAPSHOTS};
use serde_json::{Map, Value};
use std::sync::Arc;

/// Stand-in for the time that a snapshot lacks.
const NO_TIME: &str = "0.0";

/// No limit of depth: only their length limits the depth of flattened keys.
const ANY_DEPTH: usize = usize::MAX;

/// Fields that a resource inherits from its region.
type Extra<'a> = &'a [(&'static str, Value)];

pub(super) struct Reader<'a> {
    chunks: Chunks<'a>,
    resources: Vec<Resource>,
    /// The resource type of each resource. Types are numbered in order of appearance.
    types: Vec<usize>,
    resource_types: ResourceTypes,
}

impl<'a> Reader<'a> {
    pub(super) fn new(document: &'a Map<String, Value>) -> Result<Self, Error> {
        let chunks = match document.get(CHUNKS) {
            None => None,
            Some(Value::Object(table)) => Some(table),
            Some(_) => return Err(Error::malformed(CHUNKS, "must be an object")),
        };
        Ok(Self {
            chunks: Chunks::new(chunks),
            resources: vec![],
            types: vec![],
            resource_types: ResourceTypes::default(),
        })
    }

    /// Reads every region with resources, in the order of the file.
    pub(super) fn regions(&mut self, document: &'a Map<String, Value>) -> Result<(), Error> {
        if !document.get("header").is_some_and(Value::is_object) {
            return Err(Error::malformed("header", "must be an object"));
        }
        for (key, region) in document {
            match (key.as_str(), region) {
                ("snapshots", region) => self.snapshots(region)?,
                ("global", Value::Object(global)) => self.global(global)?,
                ("resources", Value::Object(columns)) => {
                    let kinds = document.get("resource_type_map").and_then(Value::as_object);
                    self.columns(columns, kinds)?;
                }
                ("global", list) => self.plain("global", list)?,
                ("resources", list) => self.plain("resources", list)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The resources in the order of the file, and their positions in the order of Perun's
    /// iteration.
    pub(super) fn finish(self) -> (Vec<Resource>, Vec<usize>) {
        let mut order: Vec<_> = (0..self.resources.len()).collect();
        order.sort_by_key(|&at| self.types.get(at));
        (self.resources, order)
    }

    /// The list that a value is or refers to.
    pub(super) fn list(&self, place: &str, value: &'a Value) -> Result<&'a [Value], Error> {
        let list = self.chunks.resolve(place, value)?.as_array();
        list.map(Vec::as_slice).ok_or_else(|| Error::malformed(place, "must be a list"))
    }

    /// A copy of the object that a value is or refers to, with its chunks resolved.
    pub(super) fn object(
        &mut self,
        place: &str,
        value: &'a Value,
    ) -> Result<Map<String, Value>, Error> {
        match self.chunks.resolve(place, value)? {
            Value::Object(object) => self.chunks.object(place, object),
            _ => Err(Error::malformed(place, "must be an object")),
        }
    }

    fn snapshots(&mut self, region: &'a Value) -> Result<(), Error> {
        for (snapshot, value) in self.list("snapshots", region)?.iter().enumerate() {
            let place = format!("snapshots[{snapshot}]");
            let Value::Object(object) = self.chunks.resolve(&place, value)? else {
                return Err(Error::malformed(place, "must be an object"));
            };
            let extra = [("snapshot", snapshot.into()), ("time", time(object))];
            let Some(list) = object.get("resources") else { continue };
            let list = self.list(&format!("{place}.resources"), list)?;
            for (at, value) in list.iter().enumerate() {
                self.resource(Place::Snapshot { snapshot, at }, value, &extra)?;
            }
        }
        Ok(())
    }

    fn global(&mut self, global: &'a Map<String, Value>) -> Result<(), Error> {
        let extra = [("time", time(global))];
        let Some(list) = global.get("resources") else { return Ok(()) };
        for (at, value) in self.list("global.resources", list)?.iter().enumerate() {
            self.resource(Place::Global(at), value, &extra)?;
        }
        Ok(())
    }

    fn plain(&mut self, region: &'static str, list: &'a Value) -> Result<(), Error> {
        for (at, value) in self.list(region, list)?.iter().enumerate() {
            self.resource(Place::List { region, at }, value, &[])?;
        }
        Ok(())
    }

    fn columns(
        &mut self,
        all: &'a Map<String, Value>,
        kinds: Option<&'a Map<String, Value>>,
    ) -> Result<(), Error> {
        for (kind, columns) in all {
            let place = format!("resources[{kind:?}]");
            let Some(shared) = kinds.and_then(|kinds| kinds.get(kind)) else {
                return Err(Error::malformed(place, "must be in resource_type_map"));
            };
            let shared = self.object(&format!("resource_type_map[{kind:?}]"), shared)?;
            let shared = nest(&place, shared)?;
            let Some(columns) = columns.as_object() else {
                return Err(Error::malformed(place, "must be an object of columns"));
            };
            let columns: Vec<_> = columns
                .iter()
                .map(|(key, column)| Ok((key, self.list(&format!("{place}.{key}"), column)?)))
                .collect::<Result<_, Error>>()?;
            let rows = columns.first().map_or(1, |(_, column)| column.len());
            if columns.iter().any(|(_, column)| column.len() != rows) {
                return Err(Error::malformed(place, "must have columns of the same length"));
            }
            let (kind, group) = (Arc::from(kind.as_str()), self.resource_types.next());
            let shared_bytes = object_bytes(&shared, ANY_DEPTH).unwrap_or(usize::MAX);
            for at in 0..rows {
                let cells =
                    columns.iter().filter_map(|(key, column)| Some((*key, column.get(at)?)));
                let mut fields: Map<_, _> =
                    cells.map(|(key, cell)| (key.clone(), cell.clone())).collect();
                self.chunks.charge(&place, shared_bytes)?;
                fields.extend(shared.clone());
                self.push(Place::Column { kind: Arc::clone(&kind), at }, fields, group)?;
            }
        }
        Ok(())
    }

    fn resource(&mut self, place: Place, value: &'a Value, extra: Extra<'_>) -> Result<(), Error> {
        let shown = place.to_string();
        let fields = nest(&shown, self.object(&shown, value)?)?;
        let (mut entries, mut shared): (Vec<_>, Vec<_>) =
            fields.into_iter().partition(|(key, _)| is_collected(key));
        for (key, value) in extra {
            self.chunks.charge(&shown, copy_bytes(value, ANY_DEPTH).unwrap_or(usize::MAX))?;
            shared.retain(|(known, _)| known != key);
            shared.push(((*key).to_owned(), value.clone()));
        }
        shared.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let group = self.resource_types.number_of(&shared);
        entries.append(&mut shared);
        self.push(place, entries.into_iter().collect(), group)
    }

    fn push(
        &mut self,
        place: Place,
        fields: Map<String, Value>,
        group: usize,
    ) -> Result<(), Error> {
        if self.resources.len() == MAX_RESOURCES {
            return Err(Error::too_many(place, MAX_RESOURCES, "resources"));
        }
        let snapshot = fields.get("snapshot").and_then(Value::as_u64).unwrap_or(0);
        if snapshot >= MAX_SNAPSHOTS {
            return Err(Error::malformed(
                place,
                format!("must name a snapshot, and there is no snapshot {snapshot}"),
            ));
        }
        self.types.push(group);
        self.resources.push(Resource { place, snapshot, fields });
        Ok(())
    }
}

/// The time of a snapshot.
fn time(snapshot: &Map<String, Value>) -> Value {
    snapshot.get("time").cloned().unwrap_or_else(|| NO_TIME.into())
}
