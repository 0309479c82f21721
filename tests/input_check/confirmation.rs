//! Whether programs confirm the specs that are proposed for samples of their tasks, and no others.

use crate::{input_use, native, unread_bytes};
use profiler_infer::infer;
use profiler_input::{InputSpec, Recipe, Scope};
use profiler_proto::v1::InputUse;
use profiler_tests::harness::Backend;
use profiler_tests::specs;
use profiler_tests::swiftprof::file;
use std::fs;

/// Tasks with a program and specs. No two neighbours have the same input.
const TASKS: [&str; 9] =
    ["array", "geometry", "hashmap", "grid", "graph", "multitest", "queries", "string", "tree"];
/// The size of a sample.
const SAMPLE_SIZE: u8 = 9;
/// The one size that a program is profiled at.
const SIZE: u8 = 24;

struct Task {
    name: &'static str,
    source: String,
    /// Spec proposed for an input of the task; absent if none is.
    proposed: Option<InputSpec>,
}

impl Task {
    fn of(name: &'static str) -> Self {
        let source = fs::read_to_string(file(&format!("examples/tasks/{name}.cpp")));
        let spec = specs::of_file(&format!("examples/tasks/{name}.yaml")).remove(0);
        let scope = Scope { size_variable: "n".into(), ..Scope::default() };
        let mut sample = Vec::new();
        let recipe = Recipe { spec, scope, n: SAMPLE_SIZE.into() };
        recipe.write(&mut sample).expect("the task has an input");
        let sample = String::from_utf8(sample).expect("an input is text");
        let proposed = infer(&[&sample]).ok().map(|inferred| inferred.proposal.spec);
        Self { name, source: source.expect("the program is there"), proposed }
    }

    /// Whether the program reads all of the inputs of `spec` and no more.
    async fn confirms(&self, backend: &Backend, spec: &InputSpec) -> bool {
        let profiling = backend.profile_source(self.name, self.source.as_str());
        let ended = profiling.sizes(&[SIZE.into()]).described(vec![spec.clone()]).await;
        input_use(&ended) == Some(InputUse::Enough) && unread_bytes(&ended) == Some(0)
    }
}

#[tokio::test]
async fn task_confirms_its_own_spec_and_not_that_of_its_neighbour() {
    let Some(backend) = native().await else { return };
    let tasks = TASKS.map(Task::of);
    let proposed = tasks.iter().filter(|task| task.proposed.is_some()).count();
    let mut wrong = Vec::new();
    for (task, next) in tasks.iter().zip(tasks.iter().cycle().skip(1)) {
        if let Some(spec) = &task.proposed
            && !task.confirms(&backend, spec).await
        {
            wrong.push(format!("{} does not confirm its own spec", task.name));
        }
        if let Some(spec) = &next.proposed
            && task.confirms(&backend, spec).await
        {
            wrong.push(format!("{} confirms the spec of {}", task.name, next.name));
        }
    }
    assert!(wrong.is_empty() && proposed >= 6, "{proposed} proposed: {wrong:#?}");
}
