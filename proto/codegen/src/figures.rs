//! Generates the tables of a report's figures from the declarations in the .proto files: one in
//! Rust, with the expression that reads each figure of a size, one in Python, and one in the page
//! for people.

use crate::declaration::{declaration, meaning, text};
use crate::error::Error;
use protox::prost_reflect::{DescriptorPool, FieldDescriptor, Kind, MessageDescriptor};
use std::fmt::Write;

/// File whose messages have figures.
const REPORT: &str = "swiftsolve/profiler/v1/report.proto";
/// Extension that declares a figure.
const EXTENSION: &str = "swiftsolve.profiler.v1.report_figure";
/// Message of a size. Each of its figures has a column.
const SIZE: &str = "swiftsolve.profiler.v1.SizeResult";
/// Marks around the table of the page.
const BEGIN: &str = "<!-- begin: made from the declarations in report.proto -->\n";
const END: &str = "<!-- end -->\n";

/// Field that is declared as a figure.
struct Declared {
    field: FieldDescriptor,
    column: String,
    unit: String,
    title: String,
    is_appended: bool,
    meaning: String,
}

/// Returns the table in Rust, the table in Python, and the page with its table.
pub(crate) fn tables(pool: &DescriptorPool, page: &str) -> Result<[String; 3], Error> {
    let figures = all(pool).ok_or(Error::None("figures of a report"))?;
    let (before, rest) = page.split_once(BEGIN).ok_or(Error::NoPlace)?;
    let (_, after) = rest.split_once(END).ok_or(Error::NoPlace)?;
    let page = format!("{before}{BEGIN}{}{END}{after}", people(&figures));
    let size = pool.get_message_by_name(SIZE).ok_or(Error::None("figures of a report"))?;
    let mut rows = Vec::new();
    walk(&size, None, &figures, &mut rows);
    let count = rows.len();
    let of_size = format!(
        "\n/// Figures of a size, in the order of the fields.\n\
         pub static SIZE_FIGURES: [SizeFigure; {count}] = [\n{}];\n",
        rows.concat()
    );
    Ok([rust(&figures) + &of_size, python(&figures), page])
}

/// Every declared field of a report's messages, in the order of the messages and the numbers.
fn all(pool: &DescriptorPool) -> Option<Vec<Declared>> {
    let report = pool.get_file_by_name(REPORT)?;
    let extension = pool.get_extension_by_name(EXTENSION)?;
    let mut found = Vec::new();
    for message in report.messages() {
        for field in message.fields() {
            let Some(declared) = declaration(&field, &extension) else { continue };
            let [column, unit, title] =
                ["column", "unit", "title"].map(|name| text(&declared, name));
            let is_appended = declared.get_field_by_name("appended")?.as_bool()?;
            let meaning = meaning(&report, field.path());
            found.push(Declared { field, column, unit, title, is_appended, meaning });
        }
    }
    Some(found)
}

impl Declared {
    /// Name of the field with its message, such as `Figures.wall_ms`.
    fn name(&self) -> String {
        format!("{}.{}", self.field.parent_message().name(), self.field.name())
    }
}

/// Adds a row for each figure in a message or in a message inside it. `place` is the expression
/// that reads `message`; `None` if `message` is the size itself. A figure that is reachable by
/// several paths gets one row, for the first path: the figures of the interactor have the same type
/// as those of the program.
fn walk(
    message: &MessageDescriptor,
    place: Option<&str>,
    figures: &[Declared],
    rows: &mut Vec<String>,
) {
    for field in message.fields().filter(|field| !field.is_list() && !field.is_map()) {
        let figure = figures.iter().find(|figure| figure.field == field);
        let kind = match field.kind() {
            Kind::Double => "Number",
            Kind::Uint64 => "Count",
            Kind::Bool => "Flag",
            Kind::Message(inner) if inner.name() == "Statistics" => "Statistics",
            Kind::Message(inner) if figure.is_none() => {
                walk(&inner, Some(&reading(place, &field)), figures, rows);
                continue;
            }
            _ => continue,
        };
        let Some(Declared { is_appended, .. }) = figure else { continue };
        let (message, constant) = (message.name(), field.name().to_ascii_uppercase());
        let declared = format!("v1::{message}::{constant},");
        if rows.iter().any(|row| row.contains(&declared)) {
            continue;
        }
        rows.push(format!(
            "    SizeFigure {{\n        message: {message:?},\n        \
             figure: {declared}\n        is_appended: {is_appended},\n        \
             of: |size| Value::{kind}({}),\n    }},\n",
            reading(place, &field)
        ));
    }
}

/// Expression that reads a field of a size, or of a message inside it, as an `Option`.
fn reading(place: Option<&str>, field: &FieldDescriptor) -> String {
    let (name, is_message) = (field.name(), matches!(field.kind(), Kind::Message(_)));
    let get = if is_message { ".as_ref()" } else { "" };
    match place {
        None => format!("size.{name}{get}"),
        Some(place) if field.supports_presence() => {
            format!("{place}.and_then(|it| it.{name}{get})")
        }
        Some(place) => format!("{place}.map(|it| it.{name})"),
    }
}

/// The figures as constants of the messages.
fn rust(figures: &[Declared]) -> String {
    let mut text =
        "// @generated by profiler-codegen from the declarations in the .proto files.\n".to_owned();
    for message in figures.chunk_by(|a, b| a.field.parent_message() == b.field.parent_message()) {
        // Writing to a text never fails, here and below.
        let _ = writeln!(text, "\nimpl v1::{} {{", message[0].field.parent_message().name());
        for Declared { field, column, unit, title, meaning, .. } in message {
            let constant = field.name().to_ascii_uppercase();
            let _ = writeln!(text, "    /// Declaration of `{}`.", field.name());
            let _ = writeln!(text, "    pub const {constant}: Figure = Figure {{");
            let _ = writeln!(text, "        column: {column:?},");
            let _ = writeln!(text, "        unit: {unit:?},");
            let _ = writeln!(text, "        title: {title:?},");
            let _ = writeln!(text, "        meaning: {meaning:?},\n    }};");
        }
        text += "}\n";
    }
    text
}

/// The units and meanings by the names of the fields.
fn python(figures: &[Declared]) -> String {
    let mut text = "\"\"\"The figures of a report. Generated by `cargo xtask codegen` from the \
                    .proto files.\"\"\"\n\nFIGURES = {\n"
        .to_owned();
    for figure in figures {
        let (name, Declared { unit, meaning, .. }) = (figure.name(), figure);
        let _ = writeln!(text, "    {name:?}: ({unit:?}, {meaning:?}),");
    }
    text += "}\n\"\"\"The unit and the meaning of each figure.\"\"\"\n";
    text
}

/// The table of the figures that have a column in CSV or a unit.
fn people(figures: &[Declared]) -> String {
    let mut text =
        "| figure | columns in CSV begin with | unit | meaning |\n|---|---|---|---|\n".to_owned();
    for figure in figures.iter().filter(|it| !it.column.is_empty() || !it.unit.is_empty()) {
        let (name, Declared { column, unit, meaning, .. }) = (figure.name(), figure);
        let column = if column.is_empty() { String::new() } else { format!("`{column}`") };
        let meaning = meaning.replace('|', "\\|");
        let _ = writeln!(text, "| `{name}` | {column} | {unit} | {meaning} |");
    }
    text
}
