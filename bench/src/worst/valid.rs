//! Whether a spec allows an input.

use profiler_infer::accept;
use profiler_input::InputSpec;
use profiler_input::spec::{Items, Layout, layout};

/// Inputs of one size that a spec allows.
pub(super) struct Valid {
    /// The spec with the size on a line before everything, because not every layout contains it.
    spec: InputSpec,
    n: u64,
}

impl Valid {
    pub(super) fn new(mut spec: InputSpec, n: u64) -> Self {
        let size = Items { items: vec!["n".into()], omit_empty: false };
        spec.layout.insert(0, Layout { kind: Some(layout::Kind::Line(size)) });
        Self { spec, n }
    }

    /// Whether the spec allows an input. Promises about a graph are not checked.
    pub(super) fn has(&self, input: &[u8]) -> bool {
        let text = str::from_utf8(input);
        text.is_ok_and(|text| accept(&self.spec, &format!("{}\n{text}", self.n)).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::Valid;
    use crate::worst::by_hand::by_hand;
    use crate::worst::programs::{FIRST, SECOND, read};

    #[test]
    fn specs_allow_the_hand_made_inputs() {
        for program in FIRST.iter().chain(&SECOND) {
            let (_, space) = read(program.folder, program.name).unwrap();
            let valid = Valid::new(space.declared(0).unwrap().clone(), program.n);
            assert!(valid.has(&by_hand(program.name, program.n)), "{}", program.name);
        }
    }
}
