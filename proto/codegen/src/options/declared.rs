//! The declarations of options.

use crate::declaration::{self, meaning};
use protox::prost_reflect::{
    DescriptorPool, DynamicMessage, EnumDescriptor, FieldDescriptor, Kind,
};

/// Message whose fields are options.
const JOB: &str = "swiftsolve.profiler.v1.Job";
/// Extension that declares an option.
const EXTENSION: &str = "swiftsolve.profiler.v1.job_option";
/// End of the name of an enum's value 0.
const UNSPECIFIED: &str = "UNSPECIFIED";

/// Field that is declared as an option.
pub(super) struct Declared {
    /// Field of the job whose message has this field; `None` if the job itself has it.
    pub(super) outer: Option<FieldDescriptor>,
    pub(super) field: FieldDescriptor,
    pub(super) declaration: DynamicMessage,
}

/// Word of an enum's value.
pub(super) struct Word {
    pub(super) name: String,
    pub(super) number: i32,
    pub(super) meaning: String,
}

/// Every declared field of a job and of its messages, in their order. A field of a message that
/// several fields have is an option of the first one.
pub(super) fn all(pool: &DescriptorPool) -> Option<Vec<Declared>> {
    let job = pool.get_message_by_name(JOB)?;
    let extension = pool.get_extension_by_name(EXTENSION)?;
    let declaration = |field: &FieldDescriptor| declaration::declaration(field, &extension);
    let mut found = Vec::new();
    for outer in job.fields() {
        if let Some(declaration) = declaration(&outer) {
            found.push(Declared { outer: None, field: outer.clone(), declaration });
        }
        let Kind::Message(message) = outer.kind() else { continue };
        for field in message.fields().filter(|_| !outer.is_list() && !outer.is_map()) {
            // Several fields of a job can have the same message.
            let is_new = found.iter().all(|it: &Declared| it.field != field);
            if let Some(declaration) = declaration(&field).filter(|_| is_new) {
                found.push(Declared { outer: Some(outer.clone()), field, declaration });
            }
        }
    }
    Some(found)
}

impl Declared {
    /// Path of the field in a job.
    pub(super) fn path(&self) -> String {
        let outer = self.outer.as_ref().map(|outer| format!("{}.", outer.name()));
        outer.unwrap_or_default() + self.field.name()
    }

    /// Whether clients take the value as it is: the option is a field of the job itself, and is
    /// neither a message nor a list.
    pub(super) fn is_plain(&self) -> bool {
        let is_message = matches!(self.field.kind(), Kind::Message(_));
        self.outer.is_none() && !is_message && !self.field.is_list()
    }

    /// First paragraph of the field's comment.
    pub(super) fn meaning(&self) -> String {
        meaning(&self.field.parent_message().parent_file(), self.field.path())
    }

    pub(super) fn text(&self, name: &str) -> String {
        declaration::text(&self.declaration, name)
    }

    pub(super) fn is(&self, name: &str) -> bool {
        let value = self.declaration.get_field_by_name(name);
        value.and_then(|value| value.as_bool()).unwrap_or_default()
    }

    /// Number in the declaration, if it is given.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        let is_given = self.declaration.has_field_by_name(name);
        let value = self.declaration.get_field_by_name(name).filter(|_| is_given);
        value.and_then(|value| value.as_f64())
    }
}

/// Words of an enum, in the order of their values.
pub(super) fn words(kind: &EnumDescriptor) -> Vec<Word> {
    let named = kind.values().filter(|value| value.number() != 0);
    let words = named.map(|value| Word {
        name: word(kind, value.name()),
        number: value.number(),
        meaning: meaning(&kind.parent_file(), value.path()),
    });
    words.collect()
}

/// Word of an enum's value, given the name of the value: `list` for `SCHEDULE_LIST`.
pub(crate) fn word(kind: &EnumDescriptor, name: &str) -> String {
    let zero = kind.default_value();
    let prefix = zero.name().strip_suffix(UNSPECIFIED).unwrap_or_default();
    name.strip_prefix(prefix).unwrap_or(name).to_ascii_lowercase()
}
