//! Tasks in the plane.

use super::reals::decimal;
use crate::checkers::random::Random;
use crate::checkers::task::{Instance, numbers};

/// Decimal places of a coordinate in an answer.
const PLACES: usize = 6;
/// The unit of a coordinate in an answer: 10 to the power of [`PLACES`] make 1.
const UNIT: usize = 1_000_000;

type Point = [i128; 2];

/// Positive if the way from `a` over `b` to `c` turns left, 0 if it is straight.
fn turn(a: Point, b: Point, c: Point) -> i128 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Reads points from their coordinates; `None` if one is missing.
fn points(coordinates: &[usize]) -> Option<Vec<Point>> {
    let pairs = coordinates.chunks(2).map(<[usize; 2]>::try_from);
    let pairs: Vec<[usize; 2]> = pairs.collect::<Result<_, _>>().ok()?;
    Some(pairs.into_iter().map(|pair| pair.map(|it| it as i128)).collect())
}

/// Different points up to a coordinate that are not all on a line, and the corners of their hull.
fn cloud(random: &mut Random, most: usize) -> (Vec<[usize; 2]>, Vec<[usize; 2]>) {
    loop {
        let mut cloud: Vec<[usize; 2]> = Vec::new();
        for _ in 0..random.among(5..=9) {
            let point = [random.among(0..=most), random.among(0..=most)];
            if !cloud.contains(&point) {
                cloud.push(point);
            }
        }
        let corners = corners(&cloud);
        if corners.len() > 2 {
            return (cloud, corners);
        }
    }
}

/// The corners of the convex hull, counterclockwise: wraps a line around the points.
fn corners(cloud: &[[usize; 2]]) -> Vec<[usize; 2]> {
    let wide = |point: [usize; 2]| point.map(|it| it as i128);
    let far = |a: Point, b: Point| (a[0] - b[0]).pow(2) + (a[1] - b[1]).pow(2);
    let first = cloud.iter().min().copied();
    let (mut corners, mut next) = (Vec::new(), first);
    while let Some(corner) = next.filter(|_| corners.is_empty() || next != first) {
        corners.push(corner);
        let others = cloud.iter().copied().filter(|point| *point != corner);
        next = others.reduce(|best, point| {
            let [from, old, new] = [corner, best, point].map(wide);
            let turn = turn(from, old, new);
            let is_better = turn < 0 || (turn == 0 && far(from, new) > far(from, old));
            if is_better { point } else { best }
        });
    }
    corners
}

/// The corners of the convex hull of some points, counterclockwise from any of them.
pub(super) fn hull(random: &mut Random, is_right: bool) -> Instance {
    let (cloud, mut corners) = cloud(random, 6);
    let change = if is_right { None } else { Some(random.below(3)) };
    match change {
        None => {}
        Some(0) => corners.reverse(),
        Some(1) => {
            corners.remove(random.below(corners.len()));
        }
        Some(_) => {
            let point = random.pick(cloud.clone());
            corners.insert(random.below(corners.len()), point);
        }
    }
    let first = random.below(corners.len());
    corners.rotate_left(first);
    Instance::new([&[cloud.len()], &cloud.concat()[..]].concat(), corners.concat())
}

/// Checks that all points are left of each side, and that the way turns left at each corner.
pub(super) fn is_hull(data: &[usize], words: &[&str]) -> bool {
    let (Some(cloud), Some(given)) = (points(&data[1..]), numbers(words)) else { return false };
    let Some(corners) = points(&given).filter(|corners| corners.len() > 2) else { return false };
    let corner = |at: usize| corners[at % corners.len()];
    let is_corner = |at: usize| {
        let (one, two) = (corner(at), corner(at + 1));
        let is_new = !corners[..at].contains(&one) && cloud.contains(&one);
        let is_side = cloud.iter().all(|point| turn(one, two, *point) >= 0);
        is_new && is_side && turn(one, two, corner(at + 2)) > 0
    };
    (0..corners.len()).all(is_corner)
}

/// A point inside of a convex polygon, not on its border, with at most six decimal places.
pub(super) fn inside(random: &mut Random, is_right: bool) -> Instance {
    let (_, corners) = cloud(random, 20);
    let place = if is_right {
        let weights = random.list(corners.len(), 1..=9);
        [0, 1].map(|axis| {
            let weighted = corners.iter().zip(&weights).map(|(it, weight)| it[axis] * weight);
            weighted.sum::<usize>() * UNIT / weights.iter().sum::<usize>()
        })
    } else if random.is_head() {
        let side = random.below(corners.len());
        let (one, other) = (corners[side], corners[(side + 1) % corners.len()]);
        [0, 1].map(|axis| (one[axis] + other[axis]) * UNIT / 2)
    } else {
        [0, 1].map(|_| random.among(0..=200) * UNIT / 10)
    };
    let answer = place.map(|it| format!("{}.{:0PLACES$}", it / UNIT, it % UNIT));
    let data = [&[corners.len()], &corners.concat()[..]].concat();
    Instance { answer: answer.into(), ..Instance::new(data, []) }
}

/// Counts the sides that a ray from the point to the right crosses.
pub(super) fn is_inside(data: &[usize], words: &[&str]) -> bool {
    let (Some(corners), [x, y]) = (points(&data[1..]), words) else { return false };
    let [Some(x), Some(y)] = [x, y].map(|word| decimal(word, PLACES)) else { return false };
    let unit = UNIT as i128;
    let corner = |at: usize| corners[at % corners.len()].map(|it| it * unit);
    let mut is_inside = false;
    for at in 0..corners.len() {
        let (a, b) = (corner(at), corner(at + 1));
        let side = turn(a, b, [x, y]);
        let is_between = |axis: usize, value: i128| {
            (a[axis].min(b[axis])..=a[axis].max(b[axis])).contains(&value)
        };
        if side == 0 && is_between(0, x) && is_between(1, y) {
            return false;
        }
        if (a[1] > y) != (b[1] > y) && (side > 0) == (b[1] > a[1]) {
            is_inside = !is_inside;
        }
    }
    is_inside
}
