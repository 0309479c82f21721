//! The import graph of a crate in figures: `cargo xtask tidy --figures`.

use super::graph::{circles, upward};
use super::imports::between_files;
use super::source::Crate;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Figures of a crate's import graph.
///
/// A room is a name in the crate's source folder: `foo.rs` with its folder `foo/`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    files: usize,
    rooms: usize,
    /// Imports between rooms; several of one room from another count once.
    arrows: usize,
    /// Arrows that point upward in the best layout found.
    upward: usize,
    /// Circles between rooms.
    room_circles: usize,
    /// Circles between files, and the number of files in the largest one.
    circles: usize,
    largest_circle: usize,
    /// Number of names in the fullest folder.
    largest_folder: usize,
}

impl Figures {
    /// Takes the figures of a crate.
    pub(crate) fn from_crate(source: &Crate) -> Self {
        let imports = between_files(source);
        let mut numbers = BTreeMap::new();
        let mut room_of_file = vec![0; source.files.len()];
        for (path, module) in &source.modules {
            let count = numbers.len();
            let is_file_of_parent = path.is_empty();
            let name = if is_file_of_parent { "" } else { path[0].as_str() };
            // An inline module lies in the file, and so in the room, of its parent.
            let name = if module.file == 0 { "" } else { name };
            room_of_file[module.file] = *numbers.entry(name.to_owned()).or_insert(count);
        }
        let between = |&(from, to): &(usize, usize)| (room_of_file[from], room_of_file[to]);
        let root = room_of_file.first().copied();
        let between = imports.iter().map(between).filter(|(from, to)| from != to);
        // The root is the interface of the whole crate, and not a room.
        let arrows: BTreeSet<_> =
            between.filter(|(from, to)| Some(*from) != root && Some(*to) != root).collect();
        let of_files = circles(source.files.len(), &imports);
        Self {
            files: source.files.len(),
            rooms: numbers.len().saturating_sub(1),
            arrows: arrows.len(),
            upward: upward(numbers.len(), &arrows),
            room_circles: circles(numbers.len(), &arrows).len(),
            circles: of_files.len(),
            largest_circle: of_files.iter().map(Vec::len).max().unwrap_or(0),
            largest_folder: source.folders().values().map(BTreeSet::len).max().unwrap_or(0),
        }
    }
}

/// The heading over the figures of many crates.
pub(crate) const HEADING: &str =
    "files  rooms  arrows  upward  circles of rooms  circles of files (largest)  largest folder";

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { files, rooms, arrows, upward, .. } = self;
        let Self { room_circles, circles, largest_circle, largest_folder, .. } = self;
        let largest = format!("({largest_circle})");
        write!(
            f,
            "{files:5}  {rooms:5}  {arrows:6}  {upward:6}  {room_circles:16}  \
             {circles:16} {largest:>9}  {largest_folder:14}"
        )
    }
}
