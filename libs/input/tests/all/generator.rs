//! Specs with a generator, which runs elsewhere.

use crate::common::{problems, recipe};
use profiler_input::{Cause, Plan};

#[test]
fn generator_makes_no_input_here_but_its_sizes_are_checked() {
    let mut recipe = recipe(vec![], vec![], 3);
    recipe.spec.generator = "int main() {}".into();
    recipe.spec.n_max = "5".into();
    let why = "generator: needs a sandbox; use vars and layout instead";
    assert_eq!(problems(&recipe), [why]);
    let plan = Plan::of_generator(&recipe.spec).unwrap();
    assert_eq!(plan.n_max(), Some(5));
    assert!(plan.check(5).is_ok());
    assert_eq!(plan.check(6).unwrap_err()[0].cause, Cause::TooLarge);
}
