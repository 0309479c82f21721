//! Limits on one input. Each limit is checked before the first byte is written.

/// Largest size. It fits an `i64`, as every value of an expression does.
pub const MAX_N: u64 = 1_000_000_000_000_000_000;
/// Longest input, in bytes.
pub const MAX_BYTES: u64 = 128 << 20;
/// Maximum number of rows, numbers or characters of one variable, printed or not. Sums and products
/// of two such counts fit 64 bits.
pub const MAX_COUNT: u64 = 1 << 31;
/// Maximum number of numbers whose order has a rule. Their ranks are stored.
pub const MAX_RULED: u64 = 1 << 22;
/// Maximum number of steps, ranks or parts in a rule.
pub const MAX_RULE_ITEMS: usize = 256;
/// Longest rule of a string, in bytes.
pub const MAX_RULE_BYTES: usize = 1024;
/// Maximum number of variables in a spec, and in a case.
pub const MAX_VARIABLES: usize = 64;
/// Maximum number of parts in a layout, and in a case's layout.
pub const MAX_PARTS: usize = 64;
/// Maximum number of items in one line.
pub const MAX_ITEMS: usize = 32;
/// Maximum number of variants, which are kinds of queries, in one variable.
pub const MAX_VARIANTS: usize = 16;
/// Maximum number of times that a query is drawn if it must differ from the earlier ones.
pub const MAX_DRAWS: u64 = 100;
/// Maximum number of fields in one variant of a query.
pub const MAX_FIELDS: usize = 16;
/// Maximum number of cases in one input.
pub const MAX_CASES: u64 = 100_000;
/// Maximum number of evaluation steps of all cases of one input together, with one more step per
/// case for its size. This limits the time to check an input whose cases all differ, and the time
/// to write it, to about an eighth of a second each.
pub const MAX_CASE_STEPS: u64 = 1 << 22;
/// Maximum number of problems that are collected from one spec. If there are more, one extra entry
/// reports that.
pub const MAX_PROBLEMS: usize = 16;
/// Longest expression, in bytes.
pub const MAX_EXPRESSION_BYTES: usize = 256;
/// Deepest nesting of an expression, and largest height of the stack during its evaluation.
pub const MAX_DEPTH: usize = 32;
/// Longest name of a spec or a variable, in bytes.
pub const MAX_NAME_BYTES: usize = 64;
/// Longest alphabet, in characters.
pub const MAX_ALPHABET: usize = 256;
/// Maximum number of marks in a grid.
pub const MAX_MARKS: usize = 16;
/// Longest literal text, in bytes.
pub const MAX_LITERAL_BYTES: usize = 1024;
/// Maximum number of digits after a decimal point.
pub const MAX_DECIMALS: u32 = 9;
/// Maximum number of digits that numbers are padded to.
pub const MAX_WIDTH: u32 = 20;
