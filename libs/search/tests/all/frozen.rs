//! A frozen set of programs, as functions that count their steps, each with a worst input made by
//! hand. It shows what the search reaches at sizes
//! that it did not search.

mod numbers;
mod orders;
mod strings;

use crate::finds::{numbers as parsed, spec};
use profiler_input::Scope;
use profiler_input::spec::variable::Kind;
use profiler_input::spec::{Array, InputSpec, Permutation, Text};
use profiler_search::{Cost, Genome, Search, Settings, Space, Trial};
use std::collections::BTreeMap;

const MAX_BYTES: u64 = 1 << 20;
/// Size of the search, and factor of the size at which its result is compared.
const SEARCHED: u64 = 64;
const FACTOR: u64 = 8;
/// Share of the hand-made worst that counts as reached.
const REACHED: f64 = 0.8;

/// A program: the steps that it takes on numbers or letters.
pub(crate) struct Program {
    pub(crate) name: &'static str,
    pub(crate) reads: Reads,
    pub(crate) steps: fn(&[i64], &mut Lines),
    /// The worst input that was made by hand, of this length.
    pub(crate) hand: fn(i64) -> Vec<i64>,
}

/// Input of a program.
#[derive(Clone, Copy)]
pub(crate) enum Reads {
    /// Numbers from 0 to 10^9.
    Numbers,
    /// The numbers from 0 to n - 1, each once.
    Order,
    /// Letters a and b, as 0 and 1.
    Letters,
}

/// Number of times that each line of a program was reached.
#[derive(Default)]
pub(crate) struct Lines(BTreeMap<u32, u64>);

impl Lines {
    pub(crate) fn reach(&mut self, line: u32) {
        *self.0.entry(line).or_default() += 1;
    }

    pub(crate) fn reach_often(&mut self, line: u32, times: usize) {
        *self.0.entry(line).or_default() += times as u64;
    }

    fn sum(&self) -> u64 {
        self.0.values().sum()
    }
}

impl Reads {
    fn space(self) -> Space {
        let len = || "n".into();
        let kind = match self {
            Self::Numbers => Kind::Array(Array {
                len: len(),
                min: "0".into(),
                max: "10^9".into(),
                ..Array::default()
            }),
            Self::Order => Kind::Permutation(Permutation {
                len: len(),
                base: "0".into(),
                ..Permutation::default()
            }),
            Self::Letters => {
                Kind::Text(Text { len: len(), alphabet: "ab".into(), ..Text::default() })
            }
        };
        let spec: InputSpec = spec("a", kind);
        Space::new(vec![spec], Scope::default(), MAX_BYTES)
    }

    fn read(self, bytes: &[u8]) -> Vec<i64> {
        match self {
            Self::Letters => {
                let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic());
                letters.map(|letter| i64::from(letter - b'a')).collect()
            }
            _ => parsed(bytes),
        }
    }
}

impl Program {
    fn lines(&self, input: &[i64]) -> Lines {
        let mut lines = Lines::default();
        (self.steps)(input, &mut lines);
        lines
    }

    fn cost(&self, space: &Space, genome: &Genome, n: u64) -> u64 {
        let input = space.input(genome, n).map(|bytes| self.reads.read(&bytes));
        input.map_or(0, |input| self.lines(&input).sum())
    }

    /// Searches with this many inputs. Returns the share of the hand-made worst at the larger size,
    /// and what the best input looks like. As in a real search, the better half of the best
    /// patterns goes on to the next size.
    fn searched(&self, executions: u32) -> (f64, String) {
        let settings = Settings { n: SEARCHED, seed: 1, executions };
        let mut search = Search::new(self.reads.space(), settings);
        loop {
            let generation: Vec<Trial> = search.generation(64);
            if generation.is_empty() {
                break;
            }
            for trial in generation {
                let lines = self.lines(&self.reads.read(&trial.bytes));
                let cost = Cost { whole: lines.sum(), parts: lines.0 };
                search.tell(trial, Some(cost));
            }
        }
        let space = search.space();
        let mut left: Vec<&Genome> = search.elites().iter().map(|elite| &elite.genome).collect();
        let mut n = SEARCHED;
        while n < SEARCHED * FACTOR {
            n *= 2;
            left.sort_by_cached_key(|genome| std::cmp::Reverse(self.cost(space, genome, n)));
            left.truncate(left.len().div_ceil(2));
        }
        let hand = self.lines(&(self.hand)(n.cast_signed())).sum();
        let share = self.cost(space, left[0], n) as f64 / hand as f64;
        (share, space.words(left[0]).join("; "))
    }
}

fn all() -> impl Iterator<Item = Program> {
    orders::programs().into_iter().chain(numbers::programs()).chain(strings::programs())
}

/// Searches with all programs, whose names and shares are printed. Returns those that are reached.
fn reached(programs: impl Iterator<Item = Program>, executions: u32) -> Vec<&'static str> {
    let mut reached = Vec::new();
    for program in programs {
        let (share, looks) = program.searched(executions);
        println!("{:20} {share:.2} {looks}", program.name);
        if share >= REACHED {
            reached.push(program.name);
        }
    }
    reached
}

#[test]
#[ignore = "a measurement, which takes a minute"]
fn shares_of_the_hand_made_worst() {
    let reached = reached(all(), 6000);
    println!("{} of {} reach {REACHED}", reached.len(), all().count());
}

#[test]
fn rules_reach_what_no_name_does() {
    let wanted = ["pivot upper middle", "cycle leaders", "runs times runs", "middle differs"];
    let programs = all().filter(|program| wanted.contains(&program.name));
    assert_eq!(reached(programs, 2500), wanted);
}
