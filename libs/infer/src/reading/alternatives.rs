//! The possible meanings of the lines of one shape, given the evidence in all samples and cases.

use crate::layout::sample::Sample;
use crate::layout::shape::{Count, Field, Scope, Shape, Width};
use crate::limits::{MAX_BODY_READINGS, MAX_MEANINGS};
use crate::reading::content::{self, Base, Content, LineField, Numbers, Parents, Part, Positions};
use crate::reading::cost::{self, Cost};
use crate::reading::used;
use crate::reading::view::{PartView, products};
use crate::reading::{evidence, pairs, records};

/// The likeliest readings of the parts of cases, each with its cost; the cheapest first.
pub(crate) fn of_cases(
    samples: &[Sample],
    scopes: &[Scope],
    body: &[Shape],
) -> Vec<(Vec<Part>, Cost)> {
    let mut readings: Vec<(Vec<Part>, Cost)> = vec![(Vec::new(), 0)];
    for index in 0..body.len() {
        let longer = readings.iter().flat_map(|(parts, price)| {
            let view = PartView { samples, scopes, shapes: body, index, earlier: parts };
            view.meanings().into_iter().map(move |part| {
                let price = price + part.cost;
                ([parts.as_slice(), &[part]].concat(), price)
            })
        });
        let mut longer: Vec<_> = longer.collect();
        longer.sort_by_key(|(_, price)| *price);
        longer.truncate(MAX_BODY_READINGS);
        readings = longer;
    }
    for (parts, price) in &mut readings {
        *price += used::cost_of_unused(content::used_by(parts), scopes);
    }
    readings.sort_by_key(|(_, price)| *price);
    readings
}

impl PartView<'_> {
    /// The likeliest meanings of the part, the cheapest first. Cases have none here.
    pub(crate) fn meanings(&self) -> Vec<Part> {
        let mut parts = match &self.shapes[self.index] {
            Shape::Line(fields) => self.line(fields),
            Shape::Block { count, width } => self.block(*count, *width),
            Shape::Cases { .. } => Vec::new(),
        };
        let repeated = self.saved_by_repetition();
        let after = if self.is_after_queries() { cost::AFTER_QUERIES } else { 0 };
        for part in &mut parts {
            part.cost += after - repeated;
        }
        parts.sort_by_key(|part| part.cost);
        parts.truncate(MAX_MEANINGS);
        let least = parts.first().map_or(0, |part| part.cost);
        parts.retain(|part| part.cost <= least + cost::MARGIN);
        parts
    }

    fn block(&self, count: Count, width: Width) -> Vec<Part> {
        let mut parts = match width {
            Width::Numbers(cols) => self.matrices(count, cols),
            Width::Characters(cols) => self.grids(count, cols),
            Width::Operations => records::of_operations(self, count, None),
            Width::Columns(columns) => self.records(count, columns),
            Width::Lists(before) => records::lists::of_lists(self, count, before),
            Width::Mixed(mask, columns) => records::words::of_words(self, count, mask, columns),
        };
        if self.blocks().all(|(_, rows)| rows.len() < 2) {
            for part in &mut parts {
                part.cost += cost::ONE_ROW;
            }
        }
        parts
    }

    fn records(&self, count: Count, columns: usize) -> Vec<Part> {
        let kinds = (0..columns).map(|column| {
            let lists = self.column(column);
            let kinds = evidence::of_numbers(&lists).into_iter();
            let any = kinds.take(if columns == 1 { usize::MAX } else { 1 });
            let positions = self.positions(&lists, count).filter(|_| columns == 1);
            // Beside other numbers, few parents are often some of these by chance.
            let parents = self.parents(&lists, count).filter(|kind| {
                let is_certain = matches!(kind, Numbers::Parents(it) if !it.any_order);
                columns == 1 || (is_certain && matches!(count, Count::OneLess(_)))
            });
            let positions = positions.collect::<Vec<_>>().into_iter();
            any.chain(positions)
                .chain(parents)
                .map(|kind| (kind, self.numbers(&lists, kind)))
                .collect()
        });
        let kinds: Vec<Vec<(Numbers, Cost)>> = kinds.collect();
        let by_chance =
            if self.is_number_of_columns(columns) { cost::COLUMNS_BY_CHANCE } else { 0 };
        let plain = products(&kinds).into_iter().map(|columns| Part {
            cost: cost::PART
                + self.rows_cost(count, &referred(&columns))
                + columns.iter().map(|(_, price)| price).sum::<Cost>()
                + if columns.len() > 1 { cost::RECORDS + by_chance } else { 0 },
            used: count.scalar().into_iter().chain(referred(&columns)).collect(),
            content: Content::Columns {
                count,
                columns: columns.into_iter().map(|(kind, _)| kind).collect(),
            },
            doubt: None,
        });
        let mut parts: Vec<Part> = plain.collect();
        if columns == 2 {
            parts.extend(pairs::of_intervals(self, count, &parts[0]));
        }
        if columns > 1 {
            parts.extend(records::of_positions(self, count, columns));
            parts.extend(records::of_operations(self, count, Some(columns)));
            parts.extend(records::corners::of_corners(self, count, columns, parts[0].cost));
        }
        if columns > 1 {
            parts.extend(pairs::of_edges(self, count, columns));
        }
        parts
    }

    fn line(&self, fields: &[Field]) -> Vec<Part> {
        let mut options: Vec<Vec<(LineField, Cost)>> = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            options.push(match *field {
                Field::Scalar => {
                    let values = self.column(i).concat();
                    let price = values.iter().map(|value| cost::number(*value)).sum::<Cost>();
                    vec![(LineField::Scalar, cost::SCALAR + price)]
                }
                Field::Decimal => {
                    let values = self.column(i).concat();
                    let price = values.iter().map(|value| cost::number(*value)).sum::<Cost>();
                    vec![(LineField::Decimal, cost::DECIMAL + price)]
                }
                Field::Text(count) if self.are_brackets(i, count) => {
                    vec![(LineField::Brackets(count), self.text(i, count))]
                }
                Field::Text(count) => vec![(LineField::Text(count), self.text(i, count))],
                Field::Words(count) => {
                    let words =
                        self.rows().map(|(_, row)| row.iter().map(|it| &*it.text).collect());
                    let lists: Vec<Vec<&str>> = words.collect();
                    let (kind, price) = records::texts::of_lists(&lists);
                    let lengths = cost::lengths(count, lists.iter().map(|list| list.iter()));
                    let price = self.values_cost(count) + lengths + price;
                    vec![(LineField::Numbers(count, kind), price)]
                }
                Field::Numbers(count) => {
                    let lists = self.blocks().map(|(_, rows)| {
                        rows[0][i..].iter().filter_map(|word| word.number).collect()
                    });
                    let lists: Vec<Vec<i64>> = lists.collect();
                    let kinds = evidence::of_numbers(&lists).into_iter();
                    let kinds = kinds.chain(self.positions(&lists, count));
                    let kinds = kinds.chain(self.parents(&lists, count));
                    let short = lists.iter().all(|list| list.len() < 2);
                    let chance = if short { cost::ONE_NUMBER } else { 0 };
                    let priced = |kind| {
                        let lengths = cost::lengths(count, lists.iter().map(|list| list.iter()));
                        let price = self.values_cost(count) + lengths + self.numbers(&lists, kind);
                        (LineField::Numbers(count, kind), chance + price)
                    };
                    kinds.map(priced).collect()
                }
            });
        }
        let later = self.later_numbers(fields);
        let part = |fields: Vec<(LineField, Cost)>| Part {
            cost: cost::PART + later + fields.iter().map(|(_, price)| price).sum::<Cost>(),
            used: fields.iter().flat_map(|(field, _)| field.scalars()).collect(),
            content: Content::Line(fields.into_iter().map(|(field, _)| field).collect()),
            doubt: None,
        };
        products(&options).into_iter().map(part).collect()
    }

    /// The cost of several numbers on a line after the first one, where a count is alone or before
    /// its list.
    fn later_numbers(&self, fields: &[Field]) -> Cost {
        let numbers = fields.iter().filter(|field| matches!(field, Field::Scalar)).count();
        let has_list = fields.iter().any(|field| matches!(field, Field::Numbers(_)));
        match numbers {
            _ if self.index == 0 && !has_list => 0,
            2 if !has_list => cost::TWO_NUMBERS,
            2.. => cost::SEVERAL_NUMBERS,
            _ => 0,
        }
    }

    fn text(&self, column: usize, count: Count) -> Cost {
        let words: Vec<&str> =
            self.rows().filter_map(|(_, row)| row.get(column)).map(|word| &*word.text).collect();
        let lengths = cost::lengths(count, words.iter().map(|word| word.bytes()));
        self.values_cost(count) + lengths + cost::characters(words.into_iter())
    }

    /// The cost of the values of lists of this kind, one list for each scope.
    fn numbers(&self, lists: &[Vec<i64>], kind: Numbers) -> Cost {
        match kind {
            Numbers::Any => cost::numbers(lists),
            Numbers::Permutation(_) => {
                let shuffled = lists.iter().any(|list| !list.is_sorted());
                let known = if shuffled { 0 } else { cost::IDENTITY };
                let each = |list: &Vec<i64>| cost::distinct(list.len() as f64, list.len());
                cost::PERMUTATION + known + lists.iter().map(each).sum::<Cost>()
            }
            Numbers::Words(_) => 0,
            Numbers::Parents(parents) => {
                let base = if parents.zero_based { cost::ZERO_BASED } else { 0 };
                let price =
                    if parents.any_order { cost::PARENTS_IN_ANY_ORDER } else { cost::PARENTS };
                let each = |list: &Vec<i64>| {
                    let ways =
                        |earlier: usize| if parents.any_order { list.len() } else { earlier };
                    let rows = list.len() + 1 - usize::from(parents.root.is_some());
                    (1..rows).map(|earlier| cost::choice(ways(earlier) as f64)).sum::<Cost>()
                };
                base + price + lists.iter().map(each).sum::<Cost>()
            }
            Numbers::Positions(positions, distinct) => {
                let base = if positions.is_zero_based() { cost::ZERO_BASED } else { 0 };
                let nodes = self.counts_nodes(positions.count);
                let kind = if nodes { cost::LIST_OF_NODES } else { cost::LIST_OF_POSITIONS };
                let each = |(scope, list): (&Scope, &Vec<i64>)| {
                    let length = positions.length(scope) as f64;
                    let any = cost::times(list.len(), cost::choice(length));
                    if distinct { cost::distinct(length, list.len()) } else { any }
                };
                let kind = kind + if distinct { cost::DISTINCT } else { 0 };
                base + kind + self.scopes.iter().zip(lists).map(each).sum::<Cost>()
            }
        }
    }

    /// The sequences in whose positions all numbers of these lists are. Only sequences that differ
    /// in length from the lists count, because an array often has small numbers.
    fn positions(&self, lists: &[Vec<i64>], count: Count) -> impl Iterator<Item = Numbers> {
        let scalars = self.scopes.first().map_or(0, |scope| scope.scalars.len());
        let all = (0..scalars).filter(|scalar| {
            Count::Scalar(*scalar) != count
                && (self.counts_earlier(*scalar)
                    || self.counts_nodes(*scalar)
                    || self.is_referred(*scalar))
        });
        let all =
            all.flat_map(|count| [Base::One, Base::Zero].map(|base| Positions { count, base }));
        let inside = |positions: &Positions| {
            let mut each = self.scopes.iter().zip(lists);
            self.allows(*positions)
                && each.all(|(scope, list)| list.iter().all(|value| positions.has(scope, *value)))
        };
        // An input with different positions is also valid for a task that allows equal ones.
        let distinct = records::lists::are_distinct(lists.iter().map(Vec::as_slice));
        let kind = |positions| Numbers::Positions(positions, distinct);
        all.filter(inside).map(kind).collect::<Vec<_>>().into_iter()
    }

    /// The lists as the parents of a tree's nodes, if they can be that. A tree has one of them.
    fn parents(&self, lists: &[Vec<i64>], count: Count) -> impl Iterator<Item = Numbers> {
        let roots: &[Option<i64>] = match count {
            _ if self.has_edges() => &[],
            Count::OneLess(_) => &[None],
            Count::Scalar(_) => &[Some(0), Some(-1)],
            _ => &[],
        };
        let all = roots.iter().flat_map(|root| {
            [(false, false), (true, false), (false, true), (true, true)]
                .map(|(zero_based, any_order)| Parents { zero_based, root: *root, any_order })
        });
        let fitting = all.filter(|parents| evidence::are_parents(lists, *parents));
        fitting.map(Numbers::Parents).collect::<Vec<_>>().into_iter()
    }

    /// Whether the words of a column are balanced brackets. Their number is even, as no count that
    /// is one less or one more than a length can say.
    fn are_brackets(&self, column: usize, count: Count) -> bool {
        let mut words = self.rows().filter_map(|(_, row)| row.get(column));
        matches!(count, Count::Scalar(_) | Count::Double(_) | Count::Free)
            && words.all(|word| evidence::are_brackets(&word.text))
    }
}

/// The scalars that count the positions in lists of positions.
fn referred(columns: &[(Numbers, Cost)]) -> Vec<usize> {
    let positions = columns.iter().filter_map(|(kind, _)| kind.positions());
    positions.map(|positions| positions.count).collect()
}
