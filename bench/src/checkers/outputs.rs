//! Outputs of a task: right ones, ones that have only the form of a right one, and changed ones.

use super::random::Random;
use super::task::{Instance, Task};

/// Words that replace another one.
const BAD_WORDS: [&str; 5] = ["x", "-1", "0", "nan", "99999999999999999999"];
/// Blanks between the words of an output.
const BLANKS: [&str; 3] = [" ", "\n", "  "];
/// Number of kinds of outputs: two are right, one has the form of a right one, one is changed.
const KINDS: usize = 4;

/// An output to judge.
pub(super) struct Output {
    /// The numbers of the task.
    pub(super) data: String,
    pub(super) text: String,
    /// The only right answer, if answers are real numbers.
    pub(super) expected: String,
    pub(super) is_right: bool,
}

/// Makes outputs of a task, each of an instance of its own. An output whose verdict depends on
/// rounding is left out, and another one is made.
pub(super) fn outputs(task: &Task, seed: u32, count: usize) -> Vec<Output> {
    let mut random = Random::new(seed);
    let mut outputs = Vec::new();
    while outputs.len() < count {
        let kind = outputs.len() % KINDS;
        outputs.extend(output(task, kind, &mut random));
    }
    outputs
}

fn output(task: &Task, kind: usize, random: &mut Random) -> Option<Output> {
    let Instance { data, mut answer, expected } = (task.make)(random, kind != 2);
    if kind == 3 {
        for _ in 0..random.among(1..=2) {
            change(&mut answer, random);
        }
    }
    let words: Vec<&str> = answer.iter().map(String::as_str).collect();
    let is_right = task.judge(&data, &words)?;
    let blank = random.pick(BLANKS.to_vec());
    let data: Vec<_> = data.iter().map(ToString::to_string).collect();
    Some(Output {
        data: data.join(" ") + "\n",
        text: words.join(blank) + "\n",
        expected: expected.join(" ") + "\n",
        is_right,
    })
}

/// Changes the words of an answer, mostly so that it is wrong.
fn change(words: &mut Vec<String>, random: &mut Random) {
    if words.is_empty() {
        words.push("1".into());
    }
    let [at, other] = [random.below(words.len()), random.below(words.len())];
    match random.below(9) {
        0 => words.swap(at, other),
        1 | 2 => words[at] = altered(&words[at], random),
        3 => drop(words.remove(at)),
        4 => words.insert(at, words[at].clone()),
        5 => words.push("1".into()),
        6 => words.reverse(),
        7 => words[at] = random.pick(BAD_WORDS.to_vec()).into(),
        _ => words.truncate(if random.below(4) == 0 { 0 } else { at }),
    }
}

/// Another whole number near a whole number, or the word with another character after its point.
fn altered(word: &str, random: &mut Random) -> String {
    if let Ok(number) = word.parse::<i64>() {
        return (number + random.pick(vec![-2, -1, 1, 2])).to_string();
    }
    let begin = word.find('.').map_or(0, |point| point + 1);
    let at = begin + random.below(word.len() - begin);
    let other = match (&word[at..=at], word[at..=at].parse::<usize>()) {
        (_, Ok(digit)) => ((digit + random.among(1..=9)) % 10).to_string(),
        ("(", _) => ")".into(),
        _ => "(".into(),
    };
    format!("{}{other}{}", &word[..at], &word[at + 1..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkers::tasks::TASKS;

    #[test]
    fn outputs_are_right_and_wrong() {
        for task in &TASKS {
            let outputs = outputs(task, 7, 100);
            let right = outputs.iter().filter(|output| output.is_right).count();
            assert!((40..=80).contains(&right), "{}: {right} of 100", task.name);
            let meant = outputs.chunks(KINDS).flat_map(|chunk| chunk.iter().take(2));
            for Output { data, text, is_right, .. } in meant {
                assert!(is_right, "{}: {data}{text}", task.name);
            }
        }
    }

    #[test]
    fn changed_answer_is_another() {
        let mut random = Random::new(1);
        for word in ["1", "-7", "0.500", "(())", "x"] {
            for _ in 0..50 {
                let other = altered(word, &mut random);
                assert_ne!(other, word);
                assert!(other.split_whitespace().count() == 1, "{other}");
            }
        }
    }
}
