//! Writes a profile in the shape that every Perun reads.

use super::chunk::CHUNKS;
use super::profile::{BOUNDS, MODELS, Profile, bounds};
use super::resource::{Place, Resource};
use crate::error::Error;
use serde_json::{Map, Value, json};

/// The types of profiles that Perun knows.
const TYPES: [&str; 3] = ["time", "mixed", "memory"];

impl Profile {
    /// The profile in the shape that Perun reads since 0.16.9: chunks resolved, keys nested,
    /// resources in `snapshots` or a list, all models in one region and with both names of their
    /// interval.
    ///
    /// # Errors
    /// Those of [`Profile::from_document`].
    pub fn expanded(&self) -> Result<Self, Error> {
        let mut document = self.document().clone();
        if document.shift_remove("resource_type_map").is_some() {
            document.shift_remove("resources");
        }
        if document.contains_key(CHUNKS) {
            document.insert(CHUNKS.into(), json!({}));
        }
        self.put_snapshots(&mut document);
        self.put_lists(&mut document);
        if !self.models().is_empty() {
            let models = self.models().iter().map(both_names).map(Value::Object).collect();
            document.insert(MODELS.into(), models);
        }
        Self::from_document(document)
    }

    /// Whether Perun can list the profile.
    ///
    /// # Errors
    /// If a region that Perun needs is missing or malformed.
    pub fn check_listable(&self) -> Result<(), Error> {
        let at = |pointer: &str| {
            let mut value = None;
            for key in pointer.split('.') {
                value = value.map_or_else(|| self.document().get(key), |it: &Value| it.get(key));
                value?;
            }
            value
        };
        for place in ["header.cmd", "header.workload", "collector_info.name"] {
            if !at(place).is_some_and(Value::is_string) {
                return Err(Error::malformed(place, "must be a string"));
            }
        }
        if !self.kind().is_some_and(|kind| TYPES.contains(&kind)) {
            let problem = format!("must be one of {}", TYPES.join(", "));
            return Err(Error::malformed("header.type", problem));
        }
        if !at("collector_info.params").is_some_and(Value::is_object) {
            return Err(Error::malformed("collector_info.params", "must be an object"));
        }
        let steps = at("postprocessors").and_then(Value::as_array);
        let named = |step: &Value| step.get("name").is_some() && step.get("params").is_some();
        if !steps.is_some_and(|steps| steps.iter().all(named)) {
            let problem = "must be a list of steps with name and params";
            return Err(Error::malformed("postprocessors", problem));
        }
        self.resources().iter().try_for_each(|resource| resource.uid().map(drop))
    }

    fn put_snapshots(&self, document: &mut Map<String, Value>) {
        let mut snapshots = match document.get("snapshots") {
            Some(Value::Array(snapshots)) => snapshots.clone(),
            _ => vec![],
        };
        if let Some(last) = self.resources().iter().filter_map(snapshot_of).max() {
            snapshots.resize(snapshots.len().max(last + 1), json!({}));
        }
        if snapshots.is_empty() && !document.contains_key("snapshots") {
            return;
        }
        let mut lists = vec![vec![]; snapshots.len()];
        for resource in self.resources() {
            let Some(at) = snapshot_of(resource) else { continue };
            if let (Some(list), Some(Value::Object(snapshot))) =
                (lists.get_mut(at), snapshots.get_mut(at))
            {
                let mut fields = resource.fields.clone();
                fields.shift_remove("snapshot");
                if let Some(time) = fields.shift_remove("time") {
                    snapshot.entry("time").or_insert(time);
                }
                list.push(Value::Object(fields));
            }
        }
        for (snapshot, list) in snapshots.iter_mut().zip(lists) {
            let Value::Object(snapshot) = snapshot else { continue };
            snapshot.insert("resources".into(), list.into());
            // The models are now in the region of all models.
            if snapshot.contains_key(MODELS) {
                snapshot.insert(MODELS.into(), json!([]));
            }
        }
        document.insert("snapshots".into(), snapshots.into());
    }

    fn put_lists(&self, document: &mut Map<String, Value>) {
        let (mut global, mut lists) = (vec![], Map::new());
        for resource in self.resources() {
            let mut fields = resource.fields.clone();
            match resource.place {
                Place::Global(_) => {
                    fields.shift_remove("time");
                    global.push(Value::Object(fields));
                }
                Place::List { region, .. } => push(&mut lists, region, fields),
                Place::Column { .. } if snapshot_of(resource).is_none() => {
                    push(&mut lists, "resources", fields);
                }
                Place::Snapshot { .. } | Place::Column { .. } => {}
            }
        }
        document.extend(lists);
        // Perun fails on a global region without resources.
        if let Some(Value::Object(region)) = document.get_mut("global") {
            region.insert("resources".into(), global.into());
        }
    }
}

/// The snapshot of a resource: the one that contains it or, in columns, the one that it names.
fn snapshot_of(resource: &Resource) -> Option<usize> {
    match resource.place {
        Place::Snapshot { snapshot, .. } => Some(snapshot),
        Place::Column { .. } if resource.fields.contains_key("snapshot") => {
            usize::try_from(resource.snapshot).ok()
        }
        _ => None,
    }
}

fn push(lists: &mut Map<String, Value>, region: &str, fields: Map<String, Value>) {
    if let Value::Array(list) = lists.entry(region).or_insert_with(|| json!([])) {
        list.push(Value::Object(fields));
    }
}

/// The model with the bounds of its interval under the documented names and under Perun's names.
fn both_names(model: &Map<String, Value>) -> Map<String, Value> {
    let mut both = model.clone();
    for (keys, bound) in BOUNDS.into_iter().zip(bounds(model)) {
        let Some(bound) = bound else { continue };
        both.extend(keys.map(|key| (key.to_owned(), bound.clone())));
    }
    both
}
