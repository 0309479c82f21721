//! Places of the keys and values in a file, for messages about faults of the file.

use serde_saphyr::granit_parser::{Event, Parser, Span};
use std::collections::BTreeMap;
use std::fmt;

/// Length of all kept paths together, in bytes, after which no further place is kept. Each path
/// repeats the keys around it, so a short text can have very long paths.
const MAX_PATHS_BYTES: usize = 16 << 20;

/// A place in a file. Both numbers count from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// Positions in a YAML or JSON document, by path, such as `vars[0].array.len`.
#[derive(Debug, Default)]
pub struct Places {
    keys: BTreeMap<String, Place>,
    values: BTreeMap<String, Place>,
    /// Length of all paths together, in bytes.
    paths_bytes: usize,
}

/// A list or map whose end has not been reached.
enum Open {
    List {
        path: String,
        index: usize,
    },
    /// `key` is present if its value comes next.
    Map {
        path: String,
        key: Option<String>,
    },
}

impl Open {
    /// Path of the value that comes next; `None` if a key comes next.
    fn next(&self) -> Option<String> {
        match self {
            Self::List { path, index } => Some(format!("{path}[{index}]")),
            Self::Map { path, key } => Some(below(path, key.as_ref()?)),
        }
    }
}

impl Places {
    /// The places in a text, up to the first error of syntax, and as long as there is room for
    /// their paths.
    pub fn new(text: &str) -> Self {
        let mut places = Self::default();
        let mut open: Vec<Open> = Vec::new();
        for (event, span) in Parser::new_from_str(text).map_while(Result::ok) {
            if places.paths_bytes > MAX_PATHS_BYTES {
                break;
            }
            let path = open.last().map_or(Some(String::new()), Open::next);
            match (event, path) {
                (Event::Scalar(key, ..), None) => places.key(&key, span, &mut open),
                (Event::Scalar(..) | Event::Alias(_), Some(path)) => {
                    places.value(path, span);
                    ended(&mut open);
                }
                (Event::SequenceStart(..), Some(path)) => {
                    places.value(path.clone(), span);
                    open.push(Open::List { path, index: 0 });
                }
                (Event::MappingStart(..), Some(path)) => {
                    places.value(path.clone(), span);
                    open.push(Open::Map { path, key: None });
                }
                (Event::SequenceEnd | Event::MappingEnd, _) => {
                    open.pop();
                    ended(&mut open);
                }
                // A key that is a list, a map or an alias.
                (Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..), None) => {
                    break;
                }
                _ => {}
            }
        }
        places
    }

    fn key(&mut self, key: &str, span: Span, open: &mut [Open]) {
        if let Some(Open::Map { path, key: last }) = open.last_mut() {
            let path = below(path, key);
            self.paths_bytes += path.len();
            self.keys.insert(path, place(span));
            *last = Some(key.into());
        }
    }

    fn value(&mut self, path: String, span: Span) {
        self.paths_bytes += path.len();
        self.values.insert(path, place(span));
    }

    /// Returns the place of the key of a path.
    pub fn key_of(&self, path: &str) -> Option<Place> {
        self.keys.get(path).or_else(|| self.values.get(path)).copied()
    }

    /// Returns the place of the value of a path, or the place of the nearest value around it.
    pub fn value_of(&self, path: &str) -> Option<Place> {
        let mut path = path;
        loop {
            if let Some(place) = self.values.get(path) {
                return Some(*place);
            }
            path = path.rfind(['.', '[']).map_or("", |end| &path[..end]);
            if path.is_empty() {
                return self.values.get("").copied();
            }
        }
    }

    /// Returns the place of the value of `path` in a spec, or the place of the nearest value around
    /// it. The spec is entry `index` of the list at `root`, or the value at `root` if this is not a
    /// list.
    pub fn in_spec(&self, root: &str, index: usize, path: &str) -> Option<Place> {
        let entry = within(root, &format!("[{index}]"));
        let spec = if self.values.contains_key(&entry) { &entry } else { root };
        self.value_of(&within(spec, path))
    }
}

/// Notes that a value of the innermost list or map has ended.
fn ended(open: &mut [Open]) {
    match open.last_mut() {
        Some(Open::List { index, .. }) => *index += 1,
        Some(Open::Map { key, .. }) => *key = None,
        None => {}
    }
}

/// Returns the path of the value at `path` within the value at `root`.
pub fn within(root: &str, path: &str) -> String {
    match (root, path) {
        (root, "") => root.into(),
        (root, path) if path.starts_with('[') => format!("{root}{path}"),
        (root, path) => below(root, path),
    }
}

pub(super) fn below(path: &str, key: &str) -> String {
    if path.is_empty() { key.into() } else { format!("{path}.{key}") }
}

fn place(span: Span) -> Place {
    Place { line: span.start.line(), column: span.start.col() + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: usize, column: usize) -> Place {
        Place { line, column }
    }

    #[test]
    fn keys_and_values_have_places() {
        for text in [
            "vars:\n  - {name: a, array: {len: n}}\n  - {name: b}\n",
            "{\"vars\":\n [  {\"name\": 1, \"array\": {\"len\": 2}},\n  {\"name\": 3}]}",
        ] {
            let places = Places::new(text);
            assert_eq!(places.key_of("vars[0].array").map(|place| place.line), Some(2), "{text}");
            assert_eq!(places.value_of("vars[1].name").map(|place| place.line), Some(3), "{text}");
        }
        let places = Places::new("{name: m, int: {min: 1}}");
        assert_eq!(places.key_of("int"), Some(at(1, 11)));
        assert_eq!(places.value_of("int.min"), Some(at(1, 22)));
    }

    #[test]
    fn missing_value_has_the_place_of_its_parent() {
        let places = Places::new("a:\n  b: [1, {c: 2}]\n");
        assert_eq!(places.value_of("a.b[1].d.e"), places.value_of("a.b[1]"));
        assert_eq!(places.value_of("x"), Some(at(1, 1)));
        assert_eq!(places.value_of("a.b[0]"), Some(at(2, 7)));
    }

    #[test]
    fn spec_alone_and_specs_in_a_list_have_places() {
        for (text, index, line) in
            [("name: a\n", 0, 1), ("\n- name: a\n", 0, 2), ("- name: a\n- name: b\n", 1, 2)]
        {
            let place = Places::new(text).in_spec("", index, "name").unwrap();
            assert_eq!((place.line, place.column > 6), (line, true), "{text}");
        }
    }

    #[test]
    fn paths_can_begin_within_a_value() {
        let paths = [("", "a.b"), ("x", "a.b"), ("x", "[0].a"), ("x", "")];
        assert_eq!(paths.map(|(root, path)| within(root, path)), ["a.b", "x.a.b", "x[0].a", "x"]);
    }

    #[test]
    fn paths_that_repeat_long_keys_have_a_bound() {
        let key = "k".repeat(500);
        let [ones, pairs] = [
            "1,".repeat(2000),
            (0..2000).map(|at| format!("k{at}: 1,")).collect::<Vec<_>>().concat(),
        ];
        for inner in [format!("[{ones}]"), format!("{{{pairs}}}")] {
            let text = format!("{}{inner}{}", format!("{{{key}: ").repeat(40), "}".repeat(40));
            let places = Places::new(&text);
            let kept = places.keys.keys().chain(places.values.keys()).map(String::len);
            let kept = kept.sum::<usize>();
            assert!((MAX_PATHS_BYTES..2 * MAX_PATHS_BYTES).contains(&kept), "{kept}");
            assert_eq!(places.key_of(&key), Some(at(1, 2)));
        }
    }

    #[test]
    fn no_text_makes_it_fail() {
        for text in ["", "[", "{? [a]: b}", "a: *b", "{a", "- - -", "\u{0}", "%X"] {
            let _ = Places::new(text).value_of("a.b");
        }
    }
}
