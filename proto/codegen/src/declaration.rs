//! Declarations in the .proto files: extensions of the options of a field, and comments.

use protox::prost_reflect::prost_types::source_code_info::Location;
use protox::prost_reflect::{DynamicMessage, ExtensionDescriptor, FieldDescriptor, FileDescriptor};

/// First paragraph of the comment at a path of a file.
pub(crate) fn meaning(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|it| it.path == path));
    let comment = location.map(Location::leading_comments).unwrap_or_default();
    let lines = comment.lines().map(str::trim).skip_while(|line| line.is_empty());
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Declaration of a field, if the field has a declaration.
pub(crate) fn declaration(
    field: &FieldDescriptor,
    extension: &ExtensionDescriptor,
) -> Option<DynamicMessage> {
    let options = field.options();
    let value = options.has_extension(extension).then(|| options.get_extension(extension));
    value.and_then(|value| value.as_message().cloned())
}

/// Text in a declaration; empty if the text is not given.
pub(crate) fn text(declaration: &DynamicMessage, name: &str) -> String {
    let value = declaration.get_field_by_name(name);
    value.and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Texts of a list in a declaration.
pub(crate) fn list(declaration: &DynamicMessage, name: &str) -> Vec<String> {
    let value = declaration.get_field_by_name(name);
    let list = value.as_ref().and_then(|value| value.as_list()).unwrap_or_default();
    list.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
