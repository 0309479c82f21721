//! A profile: the file as it was read, with its resources and models.

use super::reader::Reader;
use super::resource::Resource;
use crate::error::Error;
use crate::items::identity;
use crate::limits::{MAX_DEPTH, MAX_FILE_BYTES};
use serde_json::{Map, Value};
use std::collections::HashSet;
use std::io::{Read, Write};

/// The region of models.
pub(super) const MODELS: &str = "models";

/// A performance profile.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The file.
    document: Map<String, Value>,
    /// In the order of the file.
    resources: Vec<Resource>,
    /// Positions in `resources`, in the order of Perun's iteration.
    order: Vec<usize>,
    models: Vec<Map<String, Value>>,
}

impl Profile {
    /// Reads a profile: JSON, uncompressed, of at most [`MAX_FILE_BYTES`].
    ///
    /// # Errors
    /// The problem and its place in the file.
    pub fn read(source: impl Read) -> Result<Self, Error> {
        let mut bytes = Vec::new();
        source.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(Error::Unreadable)?;
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(Error::TooLong);
        }
        match serde_json::from_slice(&bytes).map_err(Error::NotJson)? {
            Value::Object(document) => Self::from_document(document),
            _ => Err(Error::malformed("the file", "must be an object")),
        }
    }

    /// Reads a profile from its JSON object.
    ///
    /// # Errors
    /// The problem and its place.
    pub fn from_document(document: Map<String, Value>) -> Result<Self, Error> {
        for (key, value) in &document {
            if deeper_than(MAX_DEPTH - 1, value) {
                return Err(Error::too_many(key, MAX_DEPTH, "levels"));
            }
        }
        let mut reader = Reader::new(&document)?;
        reader.regions(&document)?;
        let models = models(&mut reader, &document)?;
        let (resources, order) = reader.finish();
        Ok(Self { document, resources, order, models })
    }

    /// Writes the profile as JSON.
    ///
    /// # Errors
    /// An error of the writer.
    pub fn write(&self, mut out: impl Write) -> std::io::Result<()> {
        serde_json::to_writer_pretty(&mut out, &self.document)?;
        out.write_all(b"\n")
    }

    /// The regions of the file.
    pub fn document(&self) -> &Map<String, Value> {
        &self.document
    }

    /// The collected resources, in the order of the file.
    pub fn resources(&self) -> &[Resource] {
        &self.resources
    }

    pub(crate) fn resources_mut(&mut self) -> &mut [Resource] {
        &mut self.resources
    }

    /// The resources in the order of Perun's iteration: resources that differ only in collected
    /// values (`amount`, `structure-unit-size`, `address`, …) are adjacent.
    pub fn grouped(&self) -> impl Iterator<Item = &Resource> {
        self.order.iter().filter_map(|&at| self.resources.get(at))
    }

    /// The models of all regions (`models`, `global`, `snapshots`), each once.
    pub fn models(&self) -> &[Map<String, Value>] {
        &self.models
    }

    /// The type of the profile: `time`, `mixed` or `memory`.
    pub fn kind(&self) -> Option<&str> {
        self.document.get("header")?.get("type")?.as_str()
    }

    /// The unit of a type of resources in the header. A subtype can have its own unit: `mixed(time
    /// delta)`.
    pub fn unit(&self, kind: &str, subtype: Option<&str>) -> Option<&str> {
        let units = self.document.get("header")?.get("units")?;
        let narrow = subtype.and_then(|subtype| units.get(format!("{kind}({subtype})")));
        narrow.or_else(|| units.get(kind))?.as_str()
    }

    /// Sets `origin`: the commit of the profile.
    pub fn set_origin(&mut self, commit: &str) {
        self.document.insert("origin".into(), commit.into());
    }

    /// Adds models to the region that every Perun reads, and their step to `postprocessors`. A
    /// model replaces an existing one with the same uid, name, method and interval.
    ///
    /// # Errors
    /// If `postprocessors` is not a list.
    pub fn add_models(
        &mut self,
        models: Vec<Map<String, Value>>,
        postprocessor: Value,
    ) -> Result<(), Error> {
        let steps = self.document.entry("postprocessors").or_insert_with(|| Value::Array(vec![]));
        let Value::Array(steps) = steps else {
            return Err(Error::malformed("postprocessors", "must be a list"));
        };
        steps.push(postprocessor);
        for model in models {
            let name = model_identity(&model);
            self.models.retain(|old| model_identity(old) != name);
            self.models.push(model);
        }
        let all = self.models.iter().cloned().map(Value::Object).collect();
        self.document.insert(MODELS.into(), all);
        Ok(())
    }
}

/// The models of all regions, without duplicates.
fn models<'a>(
    reader: &mut Reader<'a>,
    document: &'a Map<String, Value>,
) -> Result<Vec<Map<String, Value>>, Error> {
    let mut regions = vec![(MODELS.to_owned(), document.get(MODELS))];
    regions.push(("global.models".into(), document.get("global").and_then(|it| it.get(MODELS))));
    let snapshots = document.get("snapshots").and_then(Value::as_array);
    for (at, snapshot) in snapshots.into_iter().flatten().enumerate() {
        regions.push((format!("snapshots[{at}].models"), snapshot.get(MODELS)));
    }
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for (place, region) in regions {
        let Some(region) = region else { continue };
        let mut fresh = Vec::new();
        for (at, model) in reader.list(&place, region)?.iter().enumerate() {
            let model = reader.object(&format!("{place}[{at}]"), model)?;
            if !seen.contains(&model_identity(&model)) {
                fresh.push(model);
            }
        }
        seen.extend(fresh.iter().map(model_identity));
        all.extend(fresh);
    }
    Ok(all)
}

/// The keys of a model's interval: for each bound the documented key, then Perun's own.
pub(crate) const BOUNDS: [[&str; 2]; 2] =
    [["x_start", "x_interval_start"], ["x_end", "x_interval_end"]];

/// The bounds of a model's interval.
pub(crate) fn bounds(model: &Map<String, Value>) -> [Option<&Value>; 2] {
    BOUNDS.map(|keys| keys.into_iter().find_map(|key| model.get(key)))
}

/// The identity of a model, which all of its records share.
fn model_identity(model: &Map<String, Value>) -> String {
    let [start, end] = bounds(model);
    [model.get("uid"), model.get("model"), model.get("method"), start, end]
        .map(|part| part.map(identity).unwrap_or_default())
        .join(" ")
}

fn deeper_than(levels: usize, value: &Value) -> bool {
    match value {
        Value::Object(object) => {
            levels == 0 || object.values().any(|value| deeper_than(levels - 1, value))
        }
        Value::Array(list) => {
            levels == 0 || list.iter().any(|value| deeper_than(levels - 1, value))
        }
        _ => false,
    }
}
