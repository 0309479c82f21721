//! Formats of exported runs. Each is declared once, at its value in the .proto files; see
//! `format.proto`.

use crate::{options, v1};

include!("gen/formats.rs");

/// Format of an exported run.
#[derive(Debug)]
pub struct Format {
    /// Value on the wire.
    pub value: v1::ExportFormat,
    /// Name in Python.
    pub name: &'static str,
    /// Word on the command line. Formats that differ only in another option share a word.
    pub word: &'static str,
    /// Help on the command line.
    pub summary: &'static str,
    /// End of a suggested file name, without the dot before it.
    pub suffix: &'static str,
    /// Ends of file names that choose the format on the command line.
    pub recognized: &'static [&'static str],
    /// Media type of a document.
    pub media_type: &'static str,
    /// Field of a job that requests the data; empty if every run has the data.
    pub needs: &'static str,
    /// Whether a job requests the data.
    pub is_requested: fn(&v1::Job) -> bool,
    /// Turns on the switch of a job that completes the document at no cost, if there is one.
    pub complete: fn(&mut v1::Job),
}

impl Format {
    /// Returns the flag that requests the data, without the dashes; `None` if every run has the
    /// data.
    pub fn needed_flag(&self) -> Option<&'static str> {
        options::of_field(self.needs).map(|option| option.flag)
    }
}

impl v1::ExportFormat {
    /// Returns the declaration of this format; `None` for `UNSPECIFIED`.
    pub fn declared(self) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.value == self)
    }
}

#[cfg(test)]
mod tests {
    use crate::v1::ExportFormat;

    #[test]
    fn format_has_its_facts_from_its_value() {
        let graph = ExportFormat::FlameGraph.declared().unwrap();
        assert_eq!((graph.word, graph.suffix), ("flame-graph", "svg"));
        assert_eq!(graph.needed_flag(), Some("hotspots"));
        let text = ExportFormat::Text.declared().unwrap();
        assert_eq!((text.word, text.needed_flag()), ("table", None));
        assert!(ExportFormat::Unspecified.declared().is_none());
    }
}
