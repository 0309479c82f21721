//! Moves repeated values of resources into chunks.

use super::chunk::CHUNKS;
use super::profile::Profile;
use super::resource::each_resource;
use crate::error::Error;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};

impl Profile {
    /// The profile with each repeated trace and uid once, in `chunks`. This saves space; Perun
    /// cannot read it.
    ///
    /// # Errors
    /// As [`Profile::from_document`].
    pub fn chunked(&self) -> Result<Self, Error> {
        let mut document = self.expanded()?.into_document();
        let mut found = Repeated::default();
        each_resource(&mut document, &mut |resource| found.note(resource));
        let mut table = Map::new();
        let mut names = HashMap::new();
        let mut number = 0_usize;
        for (text, value) in found.values {
            while found.texts.contains(&format!("#{number}")) {
                number += 1;
            }
            table.insert(format!("#{number}"), value);
            names.insert(text, format!("#{number}"));
            number += 1;
        }
        each_resource(&mut document, &mut |resource| {
            for value in resource.values_mut().filter(|value| value.is_object() || value.is_array())
            {
                if let Some(name) = names.get(&value.to_string()) {
                    *value = name.as_str().into();
                }
            }
        });
        document.insert(CHUNKS.into(), Value::Object(table));
        Self::from_document(document)
    }
}

/// The values that several resources repeat, and all texts. The name of a chunk must not be one of
/// the texts.
#[derive(Default)]
struct Repeated {
    once: HashSet<String>,
    values: Map<String, Value>,
    texts: HashSet<String>,
}

impl Repeated {
    fn note(&mut self, resource: &mut Map<String, Value>) {
        for value in resource.values() {
            self.texts(value);
            let nested = value.is_object() || value.is_array();
            if nested && !self.once.insert(value.to_string()) {
                self.values.insert(value.to_string(), value.clone());
            }
        }
    }

    fn texts(&mut self, value: &Value) {
        match value {
            Value::String(text) => drop(self.texts.insert(text.clone())),
            Value::Array(list) => list.iter().for_each(|value| self.texts(value)),
            Value::Object(object) => object.values().for_each(|value| self.texts(value)),
            _ => {}
        }
    }
}
