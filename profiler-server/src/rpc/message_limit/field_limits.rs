//! The limits of single fields of requests. A repeated field without an entry may have no elements,
//! so that a new field is not forgotten; a test names it.

use profiler_core::limits::{
    MAX_BOUNDS, MAX_CANDIDATES, MAX_FILES, MAX_FLAGS, MAX_SIZES, MAX_TEST_CASES,
};
use profiler_infer::limits::MAX_SAMPLES;
use profiler_input::limits::{MAX_FIELDS, MAX_ITEMS, MAX_PARTS, MAX_VARIABLES, MAX_VARIANTS};

/// Prefix of every name below.
const PACKAGE: &str = "swiftsolve.profiler.v1.";

/// Maximum number of elements of each repeated field.
const ELEMENTS: [(&str, usize); 20] = [
    ("CheckerProgram.compiler_flags", MAX_FLAGS),
    ("CodeMessage.compiler_flags", MAX_FLAGS),
    ("CodeMessage.files", MAX_FILES),
    ("InferInputsRequest.samples", MAX_SAMPLES),
    ("InputSpec.layout", MAX_PARTS),
    ("InputSpec.vars", MAX_VARIABLES),
    ("Interactor.compiler_flags", MAX_FLAGS),
    ("Items.items", MAX_ITEMS),
    ("Job.input_bounds", MAX_BOUNDS),
    ("Job.input_sizes", MAX_SIZES),
    ("Job.input_specs", MAX_CANDIDATES),
    ("Job.inputs", MAX_SIZES),
    ("Job.test_cases", MAX_TEST_CASES),
    ("OtherProgram.compiler_flags", MAX_FLAGS),
    ("OtherProgram.files", MAX_FILES),
    ("Queries.variants", MAX_VARIANTS),
    ("QueryVariant.fields", MAX_FIELDS),
    ("Repetition.layout", MAX_PARTS),
    ("Repetition.vars", MAX_VARIABLES),
    ("SizeList.values", MAX_SIZES),
];

/// The list whose elements do not count among those of the whole message, because it may be longer
/// than all others together. An element takes less than 0.1 KiB besides its texts.
const COUNTED_APART: &str = "Job.test_cases";

/// The fields that hold a file. The service never quotes them.
const FILES: [&str; 13] = [
    "CheckerProgram.code_cpp",
    "CheckerProgram.testlib_h",
    "CodeMessage.code_cpp",
    "CodeMessage.program",
    "ExplicitInput.data",
    "InferInputsRequest.samples",
    "InputSpec.generator",
    "InputSpec.testlib_h",
    "Interactor.code_cpp",
    "OtherProgram.code_cpp",
    "SourceFile.text",
    "TestCase.input",
    "TestCase.output",
];

/// Returns the maximum number of elements of a repeated field of a request, by its full name.
pub fn most_elements(field: &str) -> Option<usize> {
    let name = field.strip_prefix(PACKAGE)?;
    ELEMENTS.iter().find(|(listed, _)| *listed == name).map(|(_, most)| *most)
}

/// Whether the elements of a repeated field count among those of the whole message, by the field's
/// full name.
pub(super) fn counts_in_message(field: &str) -> bool {
    field.strip_prefix(PACKAGE) != Some(COUNTED_APART)
}

/// Whether a field of texts or bytes holds files, by its full name.
pub(super) fn holds_files(field: &str) -> bool {
    field.strip_prefix(PACKAGE).is_some_and(|name| FILES.contains(&name))
}
