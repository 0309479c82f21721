use super::*;
use crate::measure::program_session::tests::start;
use crate::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, Items, Layout, Variable, layout};
use profiler_input::{InputSpec, Scope};
use runner_protocol::{Ending, Response};

const MAX_BYTES: u64 = 1 << 20;
pub(super) const LONG: Duration = Duration::from_secs(3600);

/// A line of as many random numbers as `len` says, in 1 to 10^9.
pub(super) fn space(len: &str) -> Space {
    let array = Array { len: len.into(), min: "1".into(), max: "10^9".into(), ..Array::default() };
    let vars = vec![Variable { name: "a".into(), kind: Some(Kind::Array(array)) }];
    let line = Items { items: vec!["a".into()], omit_empty: false };
    let layout = vec![Layout { kind: Some(layout::Kind::Line(line)) }];
    let spec = InputSpec { name: String::new(), vars, layout, ..InputSpec::default() };
    Space::new(vec![spec], Scope::default(), MAX_BYTES)
}

pub(super) fn plan(n: u64, executions: u32, time: Duration) -> WorstPlan {
    WorstPlan { n, seed: 7, executions, time, goal: WorstGoal::Instructions }
}

/// Runs a search with the program that `backend` models, and returns its end and its findings.
async fn searched(backend: Fake, plan: WorstPlan) -> (WorstEnd, WorstCase) {
    let (mut session, builder) = start(backend, "int main() {}").await;
    session.compile(&builder).await.unwrap().unwrap();
    let (mut case, mut told) = (WorstCase::new(space("n"), plan), 0);
    let end = case.run(&mut session, &mut [], &builder, |_| told += 1).await.unwrap();
    assert!(told > 0 && told <= case.executions());
    session.end().await;
    (end, case)
}

/// A program whose work is the square of the length of its input.
pub(super) fn quadratic() -> Fake {
    Fake::new(|bytes| Some(ok(BASE_NS + 10 * bytes * bytes, BASE_RSS)))
}

#[tokio::test]
async fn worst_pattern_is_measured_at_sizes_that_were_not_searched() {
    let (end, case) = searched(quadratic(), plan(800, 100_000, LONG)).await;
    assert_eq!((end, case.end), (WorstEnd::Found, Some(SearchEnd::NothingBetter)));
    let words = case.search.space().words(case.worst().unwrap());
    assert_eq!(words, ["a: all the largest allowed"], "the longest numbers");
    assert_eq!(case.searched_size(), 100);
    assert_eq!(case.points.iter().map(|it| it.n).collect::<Vec<_>>(), [50, 100, 200, 400, 800]);
    let largest = case.points.last().unwrap();
    let (worst, most) = (largest.worst.unwrap().all, largest.random.last().unwrap().all);
    assert!(worst > most, "{worst} {most}");
    assert!(largest.median().unwrap().all <= most);
    let classes = case.growth().unwrap().map(|found| found.class.map(profiler_growth::Class::name));
    assert_eq!(classes, [Some("n²".into()), Some("n²".into())]);
    assert!(!case.varies);
}

/// A program can tell that it is counted, and then sort by another algorithm.
#[tokio::test]
async fn worst_input_of_a_program_that_does_less_when_counted_has_a_problem() {
    let problem = async |program: Fake| {
        let (end, case) = searched(program, plan(800, 200, LONG)).await;
        assert_eq!(end, WorstEnd::Found);
        case.found(Some(&end)).problem
    };
    assert_eq!(problem(quadratic()).await, "");
    let short = quadratic().bending(|mut answer| {
        match &mut answer {
            Response::Counted(counted) => counted.instructions = Ok(5_000_000),
            Response::CountedSeries(counted) => {
                counted.counts.iter_mut().for_each(|count| count.instructions = Ok(5_000_000));
            }
            _ => {}
        }
        Some(answer)
    });
    let problem = problem(short).await;
    assert!(problem.starts_with("the program does less work when it is counted"), "{problem}");
}

/// A count that fits its time by itself may not fit beside those of random inputs.
#[tokio::test]
async fn count_is_compared_with_those_of_random_inputs() {
    let problem = async |program: Fake| {
        let (end, case) = searched(program, plan(800, 200, LONG)).await;
        assert_eq!(end, WorstEnd::Found);
        case.found(Some(&end)).problem
    };
    // Of the inputs of n = 800, only the longest take so much. The kernel's ticks do not show it.
    let slow = |bytes: u64| if bytes > 8500 { 15_000_000 } else { 0 };
    let program =
        move || Fake::new(move |bytes| Some(ok(BASE_NS + 100 * bytes + slow(bytes), BASE_RSS)));
    assert_eq!(problem(program()).await, "");
    let forged = program().bending(|mut answer| {
        let lower = |count: &mut u64| *count = (*count).min(5_000_000);
        match &mut answer {
            Response::Counted(counted) => counted.instructions.iter_mut().for_each(lower),
            Response::CountedSeries(counted) => {
                counted.counts.iter_mut().flat_map(|it| &mut it.instructions).for_each(lower);
            }
            _ => {}
        }
        Some(answer)
    });
    let problem = problem(forged).await;
    assert!(problem.ends_with("and that of a random input 5000000 in 1.8 ms"), "{problem}");
}

#[test]
fn ratio_is_net_of_a_start_up_below_the_median() {
    let mut case = WorstCase::new(space("n"), plan(800, 1, LONG));
    case.start_up = Some(100);
    let ratios = [case.ratio(300, 200), case.ratio(300, 100), case.ratio(50, 200)];
    assert_eq!(ratios.map(|it| format!("{it:.1}")), ["2.0", "3.0", "0.0"]);
}

#[tokio::test]
async fn no_pattern_is_the_worst_if_a_random_input_costs_more() {
    // The longest inputs cost most at the searched size, and least at larger ones.
    let cost = |bytes: u64| if bytes < 1300 { bytes } else { 20_000 - bytes };
    let backend = Fake::new(move |bytes| Some(ok(BASE_NS + 100 * cost(bytes), BASE_RSS)));
    let (_, case) = searched(backend, plan(800, 60, LONG)).await;
    let largest = case.points.last().unwrap();
    assert_eq!(largest.worst, largest.random.last().copied());
    let worst = case.worst().unwrap();
    assert!(worst.is_declared(), "{:?}", case.search.space().words(worst));
    let input = case.search.space().input(worst, largest.n).unwrap();
    assert_eq!(input.len() as u64, largest.input_bytes);
}

#[tokio::test]
async fn small_size_is_searched_itself_and_has_no_class() {
    let (end, case) = searched(quadratic(), plan(20, 300, LONG)).await;
    assert_eq!((end, case.searched_size()), (WorstEnd::Found, 20));
    assert_eq!((case.points.len(), case.growth().is_none()), (1, true));
}

#[tokio::test]
async fn same_seed_finds_the_same() {
    let once = || searched(quadratic(), plan(200, 150, LONG));
    let (first, again) = (once().await.1, once().await.1);
    assert_eq!(first.end, Some(SearchEnd::Executions));
    assert_eq!((first.worst(), &first.points), (again.worst(), &again.points));
    assert_eq!(first.search.elites(), again.search.elites());
}

#[tokio::test]
async fn time_ends_a_search_after_its_first_inputs() {
    let (end, case) = searched(quadratic(), plan(400, 1000, Duration::ZERO)).await;
    assert_eq!((end, case.end), (WorstEnd::Found, Some(SearchEnd::Time)));
    // Further runs show which choices of the best genome are needed.
    let tried = case.search.executions();
    assert!((GENERATION..2 * GENERATION).contains(&tried), "{tried}");
    // Selecting a pattern has no time either: the pattern is only counted again, measured, and
    // counted by line.
    let sizes = u32::try_from(case.points.len()).unwrap();
    assert_eq!(case.executions() - tried, 1 + sizes * (RANDOM_INPUTS + 1) + 2);
}

#[tokio::test]
async fn inputs_on_which_the_program_crashes_are_told_apart() {
    let backend = Fake::new(|bytes| {
        let crash = ended(Ending::Signaled(11), BASE_NS, BASE_RSS);
        Some(if bytes > 500 { crash } else { ok(BASE_NS + bytes, BASE_RSS) })
    });
    let (end, case) = searched(backend, plan(50, 200, LONG)).await;
    assert_eq!(end, WorstEnd::Found);
    let failures = case.failures.as_ref().unwrap();
    assert_eq!((failures.size, failures.ended.as_str()), (50, "SIGSEGV"));
    assert!(failures.count > 0 && failures.count < case.executions());
}

#[tokio::test]
async fn program_that_always_crashes_or_cannot_be_counted_has_no_worst_input() {
    let crashes = Fake::new(|_| Some(ended(Ending::Signaled(11), BASE_NS, BASE_RSS)));
    let (end, case) = searched(crashes, plan(50, 30, LONG)).await;
    assert_eq!((end, case.worst()), (WorstEnd::NothingEndedOk, None));
    let threads = quadratic().bending(|answer| match answer {
        Response::CountedSeries(mut counted) => {
            counted.counts.truncate(1);
            counted.counts[0].instructions = Err("it starts threads".into());
            Some(Response::CountedSeries(counted))
        }
        other => Some(other),
    });
    let (mut session, builder) = start(threads, "int main() {}").await;
    session.compile(&builder).await.unwrap().unwrap();
    let mut case = WorstCase::new(space("n"), plan(50, 30, LONG));
    let end = case.run(&mut session, &mut [], &builder, |_| {}).await.unwrap();
    assert_eq!(end, WorstEnd::Uncountable("it starts threads".into()));
    assert_eq!(case.executions(), 0);
}

#[tokio::test]
async fn findings_outlive_an_interrupted_search() {
    let (mut session, builder) = start(quadratic(), "int main() {}").await;
    session.compile(&builder).await.unwrap().unwrap();
    let mut case = WorstCase::new(space("n"), plan(100, 100_000, LONG));
    let (enough, mut waiting) = tokio::sync::mpsc::unbounded_channel();
    tokio::select! {
        _ = case.run(&mut session, &mut [], &builder, |case| {
            if case.executions() == 40 {
                let _ = enough.send(());
            }
        }) => panic!("the search ended"),
        _ = waiting.recv() => {}
    }
    assert!(case.executions() >= 40 && case.end.is_none());
    assert!(case.worst().is_some() && case.points.is_empty() && case.growth().is_none());
}
