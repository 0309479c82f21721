//! Possible contents of a spec: the kinds of variables, an example of each, and the schema.

use crate::exit::{Exit, Failure};
use crate::output;
use profiler_proto::file::kinds::{self, FieldEntry, KindEntry};
use std::fmt::Write;

/// A spec for each kind, in the order of the kinds.
pub(super) const EXAMPLES: [(&str, &str); 11] = [
    ("scalar", include_str!("../../../../../examples/kinds/scalar.yaml")),
    ("array", include_str!("../../../../../examples/kinds/array.yaml")),
    ("permutation", include_str!("../../../../../examples/kinds/permutation.yaml")),
    ("matrix", include_str!("../../../../../examples/kinds/matrix.yaml")),
    ("grid", include_str!("../../../../../examples/kinds/grid.yaml")),
    ("text", include_str!("../../../../../examples/kinds/text.yaml")),
    ("tree", include_str!("../../../../../examples/kinds/tree.yaml")),
    ("graph", include_str!("../../../../../examples/kinds/graph.yaml")),
    ("points", include_str!("../../../../../examples/kinds/points.yaml")),
    ("intervals", include_str!("../../../../../examples/kinds/intervals.yaml")),
    ("queries", include_str!("../../../../../examples/kinds/queries.yaml")),
];

/// Lists the kinds of variables.
pub(super) fn kinds() -> Result<Exit, Failure> {
    let kinds = kinds::kinds().map_err(Failure::broken("read the messages"))?;
    output::print(&table(&kinds))?;
    Ok(Exit::Done)
}

/// Renders each kind as a paragraph, with a line for each field.
fn table(kinds: &[KindEntry]) -> String {
    let mut text = String::from("* must be given; an expression is a number or a formula of n\n");
    for kind in kinds {
        let _ = writeln!(text, "\n{}: {}", kind.name, kind.meaning);
        let mark = |field: &FieldEntry| if field.required { "*" } else { "" };
        let name = |field: &FieldEntry| format!("{}{}", field.name, mark(field));
        let width = kind.fields.iter().map(|field| name(field).len()).max().unwrap_or_default();
        for field in &kind.fields {
            let FieldEntry { form, meaning, .. } = field;
            let _ = writeln!(text, "  {:width$}  {form}: {meaning}", name(field));
        }
    }
    text
}

/// Prints the example of a kind.
pub(super) fn example(kind: &str) -> Result<Exit, Failure> {
    let Some((_, example)) = EXAMPLES.iter().find(|(name, _)| *name == kind) else {
        let all = EXAMPLES.map(|(name, _)| name).join(", ");
        let problem = format!("{kind} is not a kind; use one of {all}");
        return Err(Failure::argument("--example", problem));
    };
    output::print(example)?;
    Ok(Exit::Done)
}

/// Prints the JSON schema.
pub(super) fn schema() -> Result<Exit, Failure> {
    let schema = kinds::schema().map_err(Failure::broken("read the messages"))?;
    output::print(&format!("{schema:#}"))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_input::{Plan, Scope};
    use profiler_proto::file::{self, Format};
    use serde_json::{Value, json};

    #[test]
    fn every_kind_has_an_example_that_writes_inputs() {
        let known: Vec<_> = kinds::kinds().unwrap().into_iter().map(|kind| kind.name).collect();
        assert_eq!(known, EXAMPLES.map(|(kind, _)| kind));
        for (kind, text) in EXAMPLES {
            let spec = file::parse(text, Format::Yaml).unwrap().remove(0);
            assert!(text.contains(&format!("{kind}: ")), "{kind}");
            let plan = Plan::new(&spec, &Scope::default()).unwrap();
            for n in [0, 1, 2, 10, 1000] {
                let mut bytes = Vec::new();
                plan.write(n, &mut bytes).unwrap_or_else(|error| panic!("{kind} {n}: {error:?}"));
                assert!(!bytes.is_empty() || n == 0, "{kind}");
            }
        }
    }

    /// The fields of the example's variable of this kind, as JSON.
    fn with_fields(kind: &str, text: &str, change: impl Fn(&mut Value)) -> Result<Plan, String> {
        let mut spec = as_json(text);
        let vars = spec["vars"].as_array_mut().unwrap();
        change(vars.iter_mut().find_map(|var| var.get_mut(kind)).unwrap());
        let specs = file::specs(spec).map_err(|error| error.to_string())?;
        let spec = specs.into_iter().next().unwrap();
        Plan::new(&spec, &Scope::default()).map_err(|problems| format!("{problems:?}"))
    }

    /// The spec as JSON, with the fields that were given.
    fn as_json(yaml: &str) -> Value {
        let spec = file::parse(yaml, Format::Yaml).unwrap().remove(0);
        let json = profiler_proto::json::to_string(&spec).unwrap();
        without_empty(serde_json::from_str(&json).unwrap())
    }

    fn without_empty(value: Value) -> Value {
        match value {
            Value::Object(fields) => {
                let fields = fields.into_iter().map(|(key, value)| (key, without_empty(value)));
                let kept = fields.filter(|(_, value)| !is_default(value));
                Value::Object(kept.collect())
            }
            Value::Array(list) => Value::Array(list.into_iter().map(without_empty).collect()),
            other => other,
        }
    }

    fn is_default(value: &Value) -> bool {
        let unspecified =
            value.as_str().is_some_and(|text| text.is_empty() || text.ends_with("_UNSPECIFIED"));
        unspecified || *value == json!(false) || *value == json!(0) || *value == json!([])
    }

    #[test]
    fn field_is_needed_exactly_if_the_table_says_so() {
        let needed_by_shape =
            [("graph", "edges"), ("scalar", "value"), ("queries", "variants"), ("text", "len")];
        for (kind, text) in EXAMPLES {
            let entry = kinds::kinds().unwrap().into_iter().find(|entry| entry.name == kind);
            for field in entry.unwrap().fields {
                assert!(!field.meaning.is_empty(), "{kind}.{}", field.name);
                let without = with_fields(kind, text, |fields| {
                    fields.as_object_mut().unwrap().remove(&field.name);
                });
                if !needed_by_shape.contains(&(kind, field.name.as_str())) {
                    let is_needed = without.is_err();
                    assert_eq!(is_needed, field.required, "{kind}.{}: {without:?}", field.name);
                }
            }
        }
    }

    #[test]
    fn table_has_a_line_for_every_field() {
        let text = table(&kinds::kinds().unwrap());
        assert!(text.contains("\narray: A list of numbers.\n"), "{text}");
        assert!(
            text.contains("\n  len*             expression: the number of elements.\n"),
            "{text}"
        );
        assert!(text.contains("  distinct         true or false: "), "{text}");
        assert!(text.contains("Only for few-distinct. Default: 10."), "{text}");
        assert!(text.contains("not all-equal, few-distinct or anti-hash."), "{text}");
    }
}
