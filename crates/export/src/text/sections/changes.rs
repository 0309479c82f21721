//! Advice: the changes of the program that made it faster, and those that did not.

use crate::report::{counted, readable};
use profiler_proto::v1::{Advice, Speedup, TriedChange};

/// Ratio from which one decimal place is enough.
const LARGE: f64 = 2.0;

/// Renders each piece of advice on a line, with the changed line below it, then the other changes
/// that were tried. `of_what` ends a share; see [`of_what`](crate::of_what).
pub fn text(advice: &Advice, of_what: &str) -> String {
    let given = advice.given.iter().flat_map(|it| [advised(it, advice, of_what), difference(it)]);
    let rest = [sentence(advice, of_what)].into_iter().filter(|_| advice.given.is_empty());
    let refused = advice.refused.iter().map(|it| format!("no advice: {}", refused(it)));
    let given = given.chain(together(advice)).chain(rest);
    let parts: Vec<_> = given.chain(refused).chain(left_out(advice)).collect();
    readable(&parts.join("\n"))
}

/// Describes the gain of all given changes at once.
pub fn together(advice: &Advice) -> Option<String> {
    let gain = times(advice.together.as_ref()?, "faster");
    Some(format!("all {} together: {gain}", advice.given.len()))
}

/// Names what was not tried, and why: "1 of 3 changes not tried: line 7: … (no time)". `None` if
/// all were.
pub fn left_out(advice: &Advice) -> Option<String> {
    let (tried, left) = (advice.given.len() + advice.refused.len(), advice.left_out);
    let all = counted(tried as u64 + u64::from(left), "change");
    let named = advice.untried.iter().map(|it| format!("{} ({})", head(it), it.why_not));
    let mut parts = vec![format!("{left} of {all} not tried")];
    parts.extend(Some(named.collect::<Vec<_>>().join("; ")).filter(|it| !it.is_empty()));
    (left > 0).then(|| parts.join(": "))
}

/// Returns the result in one sentence.
pub fn sentence(advice: &Advice, of_what: &str) -> String {
    let count = advice.refused.len();
    match advice.given.first() {
        Some(best) => advised(best, advice, of_what),
        None if !advice.problem.is_empty() => format!("nothing was tried: {}", advice.problem),
        None if count == 0 && advice.left_out > 0 => "no change was tried".into(),
        None if count == 0 => "none of the usual changes applies to the program".into(),
        None => {
            format!("no change made it faster: {} tried", counted(count as u64, "change"))
        }
    }
}

/// Describes a change that made the program faster, with the measurements that prove it.
pub fn advised(change: &TriedChange, advice: &Advice, of_what: &str) -> String {
    let Some(speedup) = &change.speedup else { return head(change) };
    let taken = |share: f64| format!("; its lines take {:.0} %{of_what}", share * 100.0);
    let share = change.share.map(taken);
    format!(
        "{}: {} at n = {} ({:.1} ms instead of {:.1} ms), same output on {}{}",
        head(change),
        times(speedup, "faster"),
        advice.size.unwrap_or_default(),
        speedup.changed_ms,
        speedup.original_ms,
        counted(speedup.same_outputs.into(), "input"),
        share.unwrap_or_default()
    )
}

/// Describes a change that is not advised, and why.
pub fn refused(change: &TriedChange) -> String {
    let measured = change.speedup.as_ref();
    let measured = measured.map(|it| format!(": {}", times(it, "as fast"))).unwrap_or_default();
    format!("{}: {}{measured}", head(change), change.why_not)
}

/// Renders a speedup: "4.1 times faster (3.9 to 4.3)", where `word` is "faster".
fn times(speedup: &Speedup, word: &str) -> String {
    let ratio = |ratio: f64| format!("{ratio:.*}", if speedup.times < LARGE { 2 } else { 1 });
    let interval = speedup.interval.as_ref();
    let interval = interval.map(|it| format!(" ({} to {})", ratio(it.low), ratio(it.high)));
    format!("{} times {word}{}", ratio(speedup.times), interval.unwrap_or_default())
}

fn head(change: &TriedChange) -> String {
    let line = change.line.map(|line| format!("line {line}: ")).unwrap_or_default();
    format!("{line}{}; with {}", change.found, change.remedy)
}

/// Renders the first changed line, before and after.
fn difference(change: &TriedChange) -> String {
    let others = change.changed_lines.saturating_sub(1);
    let more = if others > 0 { format!("\n  … and {others} more") } else { String::new() };
    format!("  - {}\n  + {}{more}", change.before, change.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::Interval;

    fn change(speedup: Option<Speedup>, why_not: &str) -> TriedChange {
        TriedChange {
            found: "`endl` flushes every line".into(),
            remedy: "`'\\n'` in its place".into(),
            line: Some(7),
            before: "cout << x << endl;".into(),
            after: "cout << x << '\\n';".into(),
            changed_lines: 3,
            edited_lines: vec![7, 8, 9],
            share: Some(0.921),
            speedup,
            why_not: why_not.into(),
        }
    }

    #[test]
    fn advice_has_its_proof() {
        let speedup = Speedup {
            times: 4.12,
            interval: Some(Interval { low: 3.94, high: 4.31, level: 0.95 }),
            original_ms: 41.2,
            changed_ms: 10.0,
            same_outputs: 7,
        };
        let given = vec![change(Some(speedup), "")];
        let refused = vec![change(None, "it does not compile")];
        let untried = vec![change(None, "no time")];
        let size = Some(100);
        let advice = Advice { size, given, refused, untried, left_out: 2, ..Advice::default() };
        assert_eq!(
            text(&advice, " of the instructions"),
            "line 7: `endl` flushes every line; with `'\\n'` in its place: 4.1 times faster \
             (3.9 to 4.3) at n = 100 (10.0 ms instead of 41.2 ms), same output on 7 inputs; its lines \
             take 92 % of the instructions\n  - cout << x << endl;\n  + cout << x << '\\n';\n  … and 2 more\n\
             no advice: line 7: `endl` flushes every line; with `'\\n'` in its place: it does not \
             compile\n2 of 4 changes not tried: line 7: `endl` flushes every line; with `'\\n'` in its \
             place (no time)"
        );
        let given = vec![change(None, ""); 2];
        let both = Advice { given, together: Some(speedup), ..Advice::default() };
        assert!(text(&both, "").ends_with("\nall 2 together: 4.1 times faster (3.9 to 4.3)"));
        let refused = vec![change(None, "it does not compile"); 8];
        let most = Advice { refused, left_out: 1, ..Advice::default() };
        assert_eq!(left_out(&most).as_deref(), Some("1 of 9 changes not tried"));
    }

    #[test]
    fn reason_is_told_without_advice() {
        let interval = Some(Interval { low: 0.98, high: 1.17, level: 0.95 });
        let speedup = Speedup { times: 1.07, interval, ..Speedup::default() };
        let refused = vec![change(Some(speedup), "it is not clearly faster")];
        let tried = Advice { size: Some(100), refused, ..Advice::default() };
        let said = text(&tried, "");
        assert!(said.starts_with("no change made it faster: 1 change tried\n"), "{said}");
        assert!(said.ends_with("not clearly faster: 1.07 times as fast (0.98 to 1.17)"), "{said}");
        let untried = Advice { problem: "no size ended OK".into(), ..Advice::default() };
        assert_eq!(text(&untried, ""), "nothing was tried: no size ended OK");
        assert!(text(&Advice::default(), "").starts_with("none of the usual changes"));
        let cold = Advice { left_out: 1, ..Advice::default() };
        assert_eq!(text(&cold, ""), "no change was tried\n1 of 1 change not tried");
    }
}
