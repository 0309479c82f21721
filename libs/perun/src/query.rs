//! Perun's query functions, under Perun's names.
//!
//! Where Perun returns a set, the values here are in order of first appearance.

pub use crate::items::{items as all_items_of, values_under as all_key_values_of};

use crate::format::Profile;
use crate::items::{identity, items};
use serde_json::{Map, Value};
use std::collections::HashSet;

/// Each resource with the number of its snapshot.
pub fn all_resources_of(profile: &Profile) -> impl Iterator<Item = (u64, &Map<String, Value>)> {
    profile.grouped().map(|resource| (resource.snapshot, &resource.fields))
}

/// Every key of the resources, flattened and not flattened.
pub fn all_resource_fields_of(profile: &Profile) -> Vec<String> {
    let mut seen = HashSet::new();
    let keys = all_resources_of(profile).flat_map(|(_, resource)| items(resource));
    keys.map(|(key, _)| key).filter(|key| seen.insert(key.clone())).collect()
}

/// The keys of [`all_resource_fields_of`] whose values are numbers in every resource that has them.
pub fn all_numerical_resource_fields_of(profile: &Profile) -> Vec<String> {
    let (mut seen, mut other) = (HashSet::new(), HashSet::new());
    let mut keys = Vec::new();
    for (key, value) in all_resources_of(profile).flat_map(|(_, resource)| items(resource)) {
        if !value.is_number() {
            other.insert(key);
        } else if seen.insert(key.clone()) {
            keys.push(key);
        }
    }
    keys.retain(|key| !other.contains(key));
    keys
}

/// Each value that a key has in the resources, once. For the form of the key see
/// [`all_key_values_of`].
pub fn unique_resource_values_of<'a>(profile: &'a Profile, resource_key: &str) -> Vec<&'a Value> {
    unique(all_resources_of(profile).map(|(_, resource)| resource), resource_key)
}

/// Each model with its number.
pub fn all_models_of(profile: &Profile) -> impl Iterator<Item = (usize, &Map<String, Value>)> {
    profile.models().iter().enumerate()
}

/// Each value that a key has in the models, once. For the form of the key see
/// [`all_key_values_of`].
pub fn unique_model_values_of<'a>(profile: &'a Profile, model_key: &str) -> Vec<&'a Value> {
    unique(profile.models().iter(), model_key)
}

fn unique<'a>(blocks: impl Iterator<Item = &'a Map<String, Value>>, key: &str) -> Vec<&'a Value> {
    let mut seen = HashSet::new();
    let values = blocks.flat_map(|block| all_key_values_of(block, key));
    values.filter(|value| seen.insert(identity(value))).collect()
}
