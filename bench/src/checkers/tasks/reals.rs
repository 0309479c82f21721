//! Tasks whose answers are real numbers. The judges compute with integers alone.

use crate::checkers::random::Random;
use crate::checkers::task::{Errors, Instance};

/// Decimal places of an answer.
const PLACES: usize = 9;
/// The unit of an answer: 10 to the power of [`PLACES`] make 1.
const UNIT: i128 = 1_000_000_000;
/// The unit of a root, which is more precise than an answer: this many make a unit of an answer.
const FINER: i128 = 1_000;
/// The longest whole part of an answer.
const MAX_WHOLE_DIGITS: usize = 9;
/// The allowed error, absolute or relative.
const ERROR: f64 = 1e-6;
/// Less and more than the allowed error, in units. An error between them is not judged.
const BORDERS: [i128; 2] = [999, 1001];

/// An absolute error.
pub(super) const ABSOLUTE: Errors =
    Errors { tolerance: Some(ERROR), relative_tolerance: Some(0.0) };
/// A relative error.
pub(super) const RELATIVE: Errors = Errors { tolerance: None, relative_tolerance: Some(ERROR) };
/// The default: an absolute error below 1, a relative one above.
pub(super) const DEFAULT: Errors = Errors { tolerance: None, relative_tolerance: None };

/// Reads a decimal number in units of 10 to the power of -`places`. `None` if it has more places,
/// or is none.
pub(super) fn decimal(word: &str, places: usize) -> Option<i128> {
    let (sign, digits) = word.strip_prefix('-').map_or((1, word), |digits| (-1, digits));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    let is_good = (1..=MAX_WHOLE_DIGITS).contains(&whole.len()) && part.len() <= places;
    let digits = format!("{whole}{part:0<places$}");
    let is_good = is_good && digits.bytes().all(|digit| digit.is_ascii_digit());
    is_good.then(|| digits.parse::<i128>().ok()).flatten().map(|number| sign * number)
}

fn wide(number: usize) -> i128 {
    number as i128
}

/// Whether an answer is right, if it is the same for both [`BORDERS`].
fn decided(is_right: impl Fn(i128) -> bool) -> Option<bool> {
    let [tight, loose] = BORDERS.map(is_right);
    (tight == loose).then_some(tight)
}

/// A relative size of an error, in parts of the allowed one.
fn error(random: &mut Random, is_right: bool) -> f64 {
    let sizes = if is_right { [0.0, 0.1, 0.5, 0.9, 0.99] } else { [1.01, 1.1, 2.0, 10.0, 1e3] };
    let size = random.pick(sizes.to_vec()) * ERROR;
    if random.is_head() { size } else { -size }
}

fn instance(data: Vec<usize>, answers: &[f64], expected: &[f64]) -> Instance {
    let answer = answers.iter().map(|number| format!("{number:.PLACES$}")).collect();
    let expected = expected.iter().map(|number| format!("{number:.12}")).collect();
    Instance { data, answer, expected }
}

/// The square root of a number.
pub(super) fn root(random: &mut Random, is_right: bool) -> Instance {
    let most = random.pick(vec![10, 1_000, 1_000_000]);
    let number = random.below(most);
    let root = (number as f64).sqrt();
    instance(vec![number], &[root + error(random, is_right)], &[root])
}

pub(super) fn is_root(data: &[usize], words: &[&str]) -> Option<bool> {
    let ([number], [word]) = (data, words) else { return Some(false) };
    let Some(answer) = decimal(word, PLACES) else { return Some(false) };
    let root = finer_root(wide(*number));
    decided(|most| (answer * FINER - root).abs() <= most * FINER)
}

/// The square root of a number, in finer units.
fn finer_root(number: i128) -> i128 {
    (number * UNIT * UNIT * FINER * FINER).isqrt()
}

/// The distance of two points.
pub(super) fn distance(random: &mut Random, is_right: bool) -> Instance {
    let most = random.pick(vec![3, 100, 1_000]);
    let mut points = random.list(4, 0..=most);
    if points[..2] == points[2..] {
        points[3] += 1;
    }
    let distance = (square(&points) as f64).sqrt();
    instance(points, &[distance * (1.0 + error(random, is_right))], &[distance])
}

/// The square of the distance of two points.
fn square(points: &[usize]) -> usize {
    let [x, y] = [0, 1].map(|at| points[at].abs_diff(points[at + 2]));
    x * x + y * y
}

pub(super) fn is_distance(data: &[usize], words: &[&str]) -> Option<bool> {
    let [word] = words else { return Some(false) };
    let Some(answer) = decimal(word, PLACES) else { return Some(false) };
    let distance = finer_root(wide(square(data)));
    decided(|most| (answer * FINER - distance).abs() * UNIT <= most * distance)
}

/// The probability that some dice show at least a sum, and the mean number of throws until they do.
pub(super) fn dice(random: &mut Random, is_right: bool) -> Instance {
    let dice = random.among(1..=5);
    let least = random.among(dice..=6 * dice);
    let (good, all) = throws(dice, least);
    let chance = good as f64 / all as f64;
    let is_first_right = is_right || random.is_head();
    let first = chance + error(random, is_first_right);
    let second = (1.0 + error(random, is_right || !is_first_right)) / chance;
    instance(vec![dice, least], &[first, second], &[chance, 1.0 / chance])
}

/// The number of throws that show at least a sum, and of all throws.
fn throws(dice: usize, least: usize) -> (usize, usize) {
    if dice == 0 {
        return (usize::from(least == 0), 1);
    }
    let after = |face| throws(dice - 1, least.saturating_sub(face));
    (1..=6).map(after).fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1))
}

pub(super) fn is_dice(data: &[usize], words: &[&str]) -> Option<bool> {
    let (&[dice, least], [chance, mean]) = (data, words) else { return Some(false) };
    let answers = [chance, mean].map(|word| decimal(word, PLACES));
    let [Some(chance), Some(mean)] = answers else { return Some(false) };
    let (good, all) = throws(dice, least);
    let (good, all) = (wide(good), wide(all));
    let is_near = |most: i128| {
        let is_chance = (chance * all - good * UNIT).abs() <= most * all;
        is_chance && (mean * good - all * UNIT).abs() <= most * all
    };
    decided(is_near)
}
