//! The classes of growth, and the curves behind each.

use std::f64::consts::LN_2;

/// How something grows with n.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Class {
    /// 1
    Constant,
    /// log n
    Logarithmic,
    /// √n
    Root,
    /// n
    Linear,
    /// n log n
    Linearithmic,
    /// n√n
    RootCubed,
    /// n²
    Quadratic,
    /// n² log n
    QuadraticLog,
    /// n³
    Cubic,
    /// 2ⁿ, and every other base above 1
    Exponential,
    /// n!
    Factorial,
    /// Another power, by its exponent.
    Power(f64),
}

/// The classes that have a name, rising.
pub(super) const NAMED: [Class; 11] = [
    Class::Constant,
    Class::Logarithmic,
    Class::Root,
    Class::Linear,
    Class::Linearithmic,
    Class::RootCubed,
    Class::Quadratic,
    Class::QuadraticLog,
    Class::Cubic,
    Class::Exponential,
    Class::Factorial,
];

/// The exponents that stand for the other powers: what lies between them, drift covers.
pub(super) const POWERS: [f64; 17] = [
    0.25, 0.33, 0.41, 0.6, 0.67, 0.75, 1.25, 1.33, 1.41, 1.585, 1.67, 1.75, 2.33, 2.5, 2.67, 2.807,
    4.0,
];

impl Class {
    /// What reports call it.
    pub fn name(self) -> String {
        match self {
            Self::Constant => "1".into(),
            Self::Logarithmic => "log n".into(),
            Self::Root => "√n".into(),
            Self::Linear => "n".into(),
            Self::Linearithmic => "n log n".into(),
            Self::RootCubed => "n√n".into(),
            Self::Quadratic => "n²".into(),
            Self::QuadraticLog => "n² log n".into(),
            Self::Cubic => "n³".into(),
            Self::Exponential => "2ⁿ".into(),
            Self::Factorial => "n!".into(),
            Self::Power(exponent) => format!("n^{exponent:.2}"),
        }
    }

    /// Its place among the others: of two classes the one with the larger rank grows faster.
    pub(super) fn rank(self) -> f64 {
        match self {
            Self::Constant => 0.0,
            Self::Logarithmic => 0.1,
            Self::Root => 0.5,
            Self::Linear => 1.0,
            Self::Linearithmic => 1.1,
            Self::RootCubed => 1.5,
            Self::Quadratic => 2.0,
            Self::QuadraticLog => 2.1,
            Self::Cubic => 3.0,
            Self::Exponential => 100.0,
            Self::Factorial => 101.0,
            Self::Power(exponent) => exponent,
        }
    }

    /// Its place in a table of all, in which the powers come last.
    pub(super) fn index(self) -> usize {
        match self {
            Self::Power(exponent) => {
                let nearest = POWERS
                    .iter()
                    .enumerate()
                    .min_by(|a, b| (a.1 - exponent).abs().total_cmp(&(b.1 - exponent).abs()));
                NAMED.len() + nearest.map_or(0, |(at, _)| at)
            }
            named => NAMED.iter().position(|&class| class == named).unwrap_or(0),
        }
    }

    /// All classes, in the order of [`Self::index`].
    pub(super) fn all() -> impl Iterator<Item = Self> {
        NAMED.into_iter().chain(POWERS.map(Self::Power))
    }

    /// The curve that a class is named after.
    pub(super) fn curve(self) -> Shape {
        let power = |power| Shape { power, ..Shape::default() };
        match self {
            Self::Constant => Shape::default(),
            Self::Logarithmic => Shape { logs: 1.0, ..Shape::default() },
            Self::Root => power(0.5),
            Self::Linear => power(1.0),
            Self::Linearithmic => Shape { logs: 1.0, ..power(1.0) },
            Self::RootCubed => power(1.5),
            Self::Quadratic => power(2.0),
            Self::QuadraticLog => Shape { logs: 1.0, ..power(2.0) },
            Self::Cubic => power(3.0),
            Self::Exponential => Shape { ln_base: LN_2, ..Shape::default() },
            Self::Factorial => Shape { factorial: 1.0, ..Shape::default() },
            Self::Power(exponent) => power(exponent),
        }
    }

    /// The curves that count as the class, with their share of its probability.
    pub(super) fn shapes(self) -> Vec<(Shape, f64)> {
        let curve = self.curve();
        match self {
            Self::Linearithmic => vec![(curve, 0.9), (Shape { logs: 2.0, ..curve }, 0.1)],
            // The factor n is the work at each leaf. Naive Fibonacci numbers grow by the golden ratio.
            Self::Exponential => {
                let bases =
                    [(2.0, 0.5), (1.618, 0.15), (3.0, 0.1), (4.0, 0.05), (1.414, 0.1), (1.3, 0.1)];
                let each = bases.iter().flat_map(|&(base, share): &(f64, f64)| {
                    let plain = Shape { ln_base: base.ln(), ..curve };
                    let times = |power| Shape { power, ..plain };
                    [(plain, share * 0.5), (times(1.0), share * 0.3), (times(2.0), share * 0.2)]
                });
                each.collect()
            }
            Self::Factorial => {
                let times = |power, share| (Shape { power, ..curve }, share);
                vec![times(0.0, 0.5), times(1.0, 0.3), times(-1.0, 0.2)]
            }
            _ => vec![(curve, 1.0)],
        }
    }
}

/// A curve: nᵖᵒʷᵉʳ · (log₂ n)ˡᵒᵍˢ · baseⁿ · (n!)ᶠᵃᶜᵗᵒʳⁱᵃˡ.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Shape {
    power: f64,
    logs: f64,
    ln_base: f64,
    factorial: f64,
}

impl Shape {
    /// The natural logarithm of its value at `n`; −∞ where that is 0.
    pub(super) fn ln(&self, n: f64) -> f64 {
        let mut sum = n * self.ln_base;
        if self.power != 0.0 {
            // A factor 1/n of what grows faster is 1 at 0.
            sum += self.power * if self.power < 0.0 { n.max(1.0) } else { n }.ln();
        }
        if self.logs != 0.0 {
            sum += self.logs * n.max(1.0).log2().ln();
        }
        if self.factorial != 0.0 {
            sum += self.factorial * ln_factorial(n);
        }
        sum
    }

    /// Whether it grows faster than every power.
    pub(super) fn is_steep(&self) -> bool {
        self.ln_base > 0.0 || self.factorial > 0.0
    }
}

/// ln n! = ln Γ(n + 1), also between whole numbers: Stirling's series from 10 on (relative error below 1e-9), and
/// below it of what is so many whole steps above.
fn ln_factorial(n: f64) -> f64 {
    let (mut above, mut product) = (n, 1.0);
    while above < 10.0 {
        above += 1.0;
        product *= above;
    }
    let series =
        1.0 / (12.0 * above) - 1.0 / (360.0 * above.powi(3)) + 1.0 / (1260.0 * above.powi(5));
    let stirling = above * above.ln() - above + 0.5 * (2.0 * std::f64::consts::PI * above).ln();
    stirling + series - f64::ln(product)
}
