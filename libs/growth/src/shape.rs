//! The functions that are fitted to series. Their values can exceed the range of an `f64`; their
//! logarithms do not.

use std::f64::consts::PI;

/// Minimum n at which Stirling's series has a relative error below 1e-9.
const STIRLING: f64 = 10.0;

/// A function of n: nᵖᵒʷᵉʳ · (log₂ n + offset)ˡᵒᵍˢ · baseⁿ · (n!)ᶠᵃᶜᵗᵒʳⁱᵃˡ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) power: f64,
    pub(crate) logs: f64,
    pub(crate) offset: f64,
    pub(crate) base: f64,
    pub(crate) factorial: f64,
}

/// The smallest power of two that is at least `n`, and at least 1.
pub(crate) fn rounded_up(n: f64) -> f64 {
    n.max(1.0).log2().ceil().exp2()
}

/// The function that is 1 everywhere.
pub(crate) const ONE: Shape =
    Shape { power: 0.0, logs: 0.0, offset: 0.0, base: 1.0, factorial: 0.0 };

impl Shape {
    /// Combines two functions: adds powers, logarithms, offsets and factorials, and multiplies
    /// bases. Without offsets, this is their product.
    pub(crate) fn times(self, other: Self) -> Self {
        Self {
            power: self.power + other.power,
            logs: self.logs + other.logs,
            offset: self.offset + other.offset,
            base: self.base * other.base,
            factorial: self.factorial + other.factorial,
        }
    }

    /// The value at `n`, which is 0 or more; infinite if an `f64` cannot hold it.
    pub(crate) fn value(&self, n: f64) -> f64 {
        let log = n.max(1.0).log2() + self.offset;
        let powers = n.powf(self.power) * log.powf(self.logs) * self.base.powf(n);
        powers * (self.factorial * ln_factorial(n)).exp()
    }

    /// The natural logarithm of the value at `n`; −∞ if the value is 0.
    pub(crate) fn ln(&self, n: f64) -> f64 {
        let mut sum = n * self.base.ln();
        if self.power != 0.0 {
            // A factor 1/n counts as 1 at 0.
            sum += self.power * if self.power < 0.0 { n.max(1.0) } else { n }.ln();
        }
        if self.logs != 0.0 {
            sum += self.logs * (n.max(1.0).log2() + self.offset).ln();
        }
        if self.factorial != 0.0 {
            sum += self.factorial * ln_factorial(n);
        }
        sum
    }

    /// Whether the function grows faster than every power of n.
    pub(crate) fn is_steep(&self) -> bool {
        self.base > 1.0 || self.factorial > 0.0
    }
}

/// ln n! = ln Γ(n + 1), also between whole numbers.
///
/// Stirling's series from [`STIRLING`] on. A smaller n is first raised by whole steps with Γ(n + 1)
/// = Γ(n + 2) / (n + 1). Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 6.1.15
/// and 6.1.41.
pub(crate) fn ln_factorial(n: f64) -> f64 {
    let (mut above, mut product) = (n, 1.0);
    while above < STIRLING {
        above += 1.0;
        product *= above;
    }
    let series =
        1.0 / (12.0 * above) - 1.0 / (360.0 * above.powi(3)) + 1.0 / (1260.0 * above.powi(5));
    let stirling = above * above.ln() - above + 0.5 * (2.0 * PI * above).ln();
    stirling + series - f64::ln(product)
}
