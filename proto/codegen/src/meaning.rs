//! The meaning of what a .proto file declares.

use protox::prost_reflect::FileDescriptor;
use protox::prost_reflect::prost_types::source_code_info::Location;

/// First paragraph of the comment at a path of a file.
pub(crate) fn meaning(file: &FileDescriptor, path: &[i32]) -> String {
    let info = file.file_descriptor_proto().source_code_info.as_ref();
    let location = info.and_then(|info| info.location.iter().find(|it| it.path == path));
    let comment = location.map(Location::leading_comments).unwrap_or_default();
    let lines = comment.lines().map(str::trim).skip_while(|line| line.is_empty());
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
