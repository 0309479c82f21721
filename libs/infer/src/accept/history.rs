//! Properties that queries have because of earlier queries.

use super::{Reader, Rows};
use profiler_input::spec::{Queries, QueryField, QueryRange, QueryVariant, query_field};
use std::collections::BTreeSet;

/// The queries before a row.
#[derive(Default)]
struct History {
    there: u64,
    elements: Vec<i64>,
    /// The numbers that must be unique, with the indexes of their variant and field.
    seen: BTreeSet<(usize, usize, i64)>,
}

impl Reader<'_> {
    /// Checks the order of queries. A row has the index of a variant, then a number for each field.
    pub(super) fn history(&self, queries: &Queries, rows: &Rows) -> Result<(), String> {
        let mut history = History::default();
        for row in rows {
            let Some((at, numbers)) = row.split_first() else { continue };
            let at = usize::try_from(*at).unwrap_or(usize::MAX);
            let Some(variant) = queries.variants.get(at) else { continue };
            let left = history.there.checked_sub(variant.removes.into());
            let left = left.ok_or("removes what is not there")?;
            for (index, (field, number)) in variant.fields.iter().zip(numbers).enumerate() {
                self.after(&mut history, (at, index), field, *number)?;
            }
            history.there = left + u64::from(variant.adds);
            history.change(variant, numbers);
        }
        Ok(())
    }

    /// Checks the number of a field after the earlier queries.
    fn after(
        &self,
        history: &mut History,
        (at, index): (usize, usize),
        field: &QueryField,
        number: i64,
    ) -> Result<(), String> {
        match &field.kind {
            Some(query_field::Kind::Number(QueryRange { grows: true, min, max, .. })) => {
                let most = self.value(max)?.saturating_add_unsigned(history.there);
                let known = (self.value(min)?..=most).contains(&number);
                known.then_some(()).ok_or(format!("{number} is not there yet"))
            }
            Some(query_field::Kind::Number(QueryRange { unique: true, .. })) => {
                let is_new = history.seen.insert((at, index, number));
                is_new.then_some(()).ok_or(format!("{number} is there twice"))
            }
            Some(query_field::Kind::Added(_)) => {
                let known = history.elements.iter().position(|element| *element == number);
                let known = known.ok_or(format!("{number} is not in the collection"))?;
                history.elements.swap_remove(known);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl History {
    fn change(&mut self, variant: &QueryVariant, numbers: &[i64]) {
        let is_number =
            |kind: &Option<query_field::Kind>| matches!(kind, Some(query_field::Kind::Number(_)));
        let number = variant.fields.iter().position(|field| is_number(&field.kind));
        if variant.adds > 0 {
            self.elements.extend(number.and_then(|at| numbers.get(at)));
        }
    }
}
