//! The heap map: the live memory of each snapshot.

use super::memory::{FREE, Memory, bounded_end, json, memory_unit};
use crate::error::Error;
use crate::format::{Profile, Resource};
use crate::items::identity;
use crate::limits::{MAX_MAP_ENTRIES, MAX_MISSING_SNAPSHOTS};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// One allocation.
#[derive(Clone)]
struct Allocation {
    memory: Memory,
    subtype: Value,
    /// Position in `info`.
    uid: usize,
}

/// The live allocations, in order of allocation.
#[derive(Default)]
struct Live {
    all: BTreeMap<usize, Allocation>,
    by_address: HashMap<i128, VecDeque<usize>>,
    count: usize,
}

/// The uids of the allocations, each once.
#[derive(Default)]
struct Info {
    uids: Vec<Value>,
    known: HashMap<String, usize>,
}

/// The statistics of the map of one snapshot.
struct Stats {
    max_address: i128,
    min_address: i128,
    sum_amount: i128,
    max_amount: i128,
    min_amount: i128,
}

/// Perun's `to_heap_map_format`. A snapshot shows its own allocations, then those that were live
/// before it. Memory that it frees is missing from the next snapshot on.
///
/// # Errors
/// If the profile is not a memory profile, has no allocation, or a resource lacks address, amount
/// or uid; if the maps have more than [`MAX_MAP_ENTRIES`]; or if more than
/// [`MAX_MISSING_SNAPSHOTS`] snapshots have no resources.
pub fn to_heap_map_format(profile: &Profile) -> Result<Value, Error> {
    let unit = memory_unit(profile)?;
    check_missing(profile)?;
    let (mut live, mut info) = (Live::default(), Info::default());
    let (mut snapshots, mut totals, mut entries) = (Vec::new(), Vec::new(), 0);
    for (number, resources) in by_snapshot(profile).into_iter().enumerate() {
        let before: Vec<_> = live.all.values().cloned().collect();
        let mut map = Vec::new();
        for resource in resources {
            let memory = Memory::read(resource)?;
            if resource.text("subtype") == Some(FREE) {
                live.free(memory.address);
            } else {
                let subtype = resource.fields.get("subtype").cloned().unwrap_or_default();
                let allocation = Allocation { memory, subtype, uid: info.number(resource)? };
                live.add(allocation.clone());
                map.push(allocation);
            }
        }
        map.extend(before);
        entries += map.len();
        if entries > MAX_MAP_ENTRIES {
            let place = format!("snapshots[{number}]");
            return Err(Error::too_many(place, MAX_MAP_ENTRIES, "map entries"));
        }
        let stats = Stats::of(&map);
        snapshots.push(snapshot(profile, number, &map, stats.as_ref()));
        totals.extend(stats);
    }
    let Some(stats) = overall(&totals) else {
        return Err(Error::malformed("snapshots", "must have an allocation"));
    };
    Ok(json!({
        "type": "heap", "snapshots": snapshots, "info": info.uids, "stats": stats, "unit": unit,
    }))
}

impl Live {
    fn add(&mut self, allocation: Allocation) {
        self.by_address.entry(allocation.memory.address).or_default().push_back(self.count);
        self.all.insert(self.count, allocation);
        self.count += 1;
    }

    /// Removes the oldest allocation at the address.
    fn free(&mut self, address: i128) {
        if let Some(first) = self.by_address.get_mut(&address).and_then(VecDeque::pop_front) {
            self.all.remove(&first);
        }
    }
}

impl Info {
    fn number(&mut self, resource: &Resource) -> Result<usize, Error> {
        let uid = resource.uid()?;
        let number = *self.known.entry(identity(uid)).or_insert(self.uids.len());
        if number == self.uids.len() {
            self.uids.push(uid.clone());
        }
        Ok(number)
    }
}

impl Stats {
    fn of(map: &[Allocation]) -> Option<Self> {
        let memory = || map.iter().map(|allocation| allocation.memory);
        Some(Self {
            max_address: memory().map(Memory::end).max()?,
            min_address: memory().map(|it| it.address).min()?,
            sum_amount: memory().map(|it| it.amount).sum(),
            max_amount: memory().map(|it| it.amount).max()?,
            min_amount: memory().map(|it| it.amount).min()?,
        })
    }
}

/// Refuses snapshot numbers that would leave too many maps without resources. The position of a map
/// is its snapshot number, so Perun has a map for each number up to the last.
fn check_missing(profile: &Profile) -> Result<(), Error> {
    let Some(last) = profile.resources().iter().max_by_key(|it| it.snapshot) else { return Ok(()) };
    let listed = profile.document().get("snapshots").and_then(Value::as_array).map_or(0, Vec::len);
    let numbers = profile.resources().iter().map(|it| it.snapshot);
    let beyond: HashSet<_> = numbers.filter(|&number| number >= listed as u64).collect();
    let missing = (last.snapshot + 1).saturating_sub((listed + beyond.len()) as u64);
    if missing <= MAX_MISSING_SNAPSHOTS {
        return Ok(());
    }
    let problem = format!(
        "snapshot is {}, but {missing} snapshots before it have no resources, and at most {MAX_MISSING_SNAPSHOTS} are allowed",
        last.snapshot
    );
    Err(Error::malformed(&last.place, problem))
}

/// The resources of each snapshot, in the order of the file.
fn by_snapshot(profile: &Profile) -> Vec<Vec<&Resource>> {
    let mut snapshots = vec![];
    for resource in profile.resources() {
        let at = usize::try_from(resource.snapshot).unwrap_or(usize::MAX);
        while snapshots.len() <= at {
            snapshots.push(vec![]);
        }
        if let Some(resources) = snapshots.get_mut(at) {
            resources.push(resource);
        }
    }
    snapshots
}

/// The fields of the snapshot in the file without its resources, with the map and its statistics.
fn snapshot(profile: &Profile, number: usize, map: &[Allocation], stats: Option<&Stats>) -> Value {
    let region = profile.document().get("snapshots").and_then(|all| all.get(number));
    let mut shown = match region {
        Some(Value::Object(snapshot)) => snapshot.clone(),
        _ => Map::new(),
    };
    shown.shift_remove("resources");
    let entry = |it: &Allocation| {
        json!({
            "address": json(it.memory.address), "subtype": it.subtype,
            "amount": json(it.memory.amount), "uid": it.uid,
        })
    };
    shown.insert("map".into(), map.iter().map(entry).collect());
    if let Some(stats) = stats {
        for (key, figure) in [
            ("max_address", stats.max_address),
            ("min_address", stats.min_address),
            ("sum_amount", stats.sum_amount),
            ("max_amount", stats.max_amount),
            ("min_amount", stats.min_amount),
        ] {
            shown.insert(key.into(), json(figure));
        }
    }
    Value::Object(shown)
}

fn overall(totals: &[Stats]) -> Option<Value> {
    let start = totals.iter().map(|it| it.min_address).min()?;
    let end = totals.iter().map(|it| it.max_address).max()?;
    Some(json!({
        "max_address": json(bounded_end(start, end)),
        "min_address": json(start),
        "max_sum_amount": json(totals.iter().map(|it| it.sum_amount).max()?),
        "max_amount": json(totals.iter().map(|it| it.max_amount).max()?),
        "min_amount": json(totals.iter().map(|it| it.min_amount).min()?),
    }))
}
