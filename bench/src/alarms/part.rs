//! Part of the programs, for a benchmark that runs in several pieces.

use std::str::FromStr;

/// Part `index` of `count`, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    index: usize,
    count: usize,
}

impl Part {
    /// Returns every `count`-th item, so that each part has items of every corpus.
    pub(super) fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.index).step_by(self.count).collect()
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(index, count)| {
            Some((index.parse::<usize>().ok()?.checked_sub(1)?, count.parse().ok()?))
        });
        match numbers {
            Some((index, count)) if index < count => Ok(Self { index, count }),
            _ => Err("expected a part such as 2/3".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn parts_have_every_item_once() {
        let part = |text: &str| text.parse().map(|part: Part| part.of((1..=8).collect()));
        assert_eq!(part("1/3"), Ok(vec![1, 4, 7]));
        assert_eq!(part("2/3"), Ok(vec![2, 5, 8]));
        assert_eq!(part("3/3"), Ok(vec![3, 6]));
        for text in ["0/3", "4/3", "1/0", "1", "x/2", ""] {
            assert!(part(text).is_err(), "{text:?}");
        }
    }
}
