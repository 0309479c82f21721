//! A product that exceeds the range of an `f64`; its logarithm does not.

/// Bounds of a product whose logarithm is not yet taken. A factor between the bounds does not take
/// the product out of the range of an `f64`.
const BOUNDS: std::ops::RangeInclusive<f64> = 1e-150..=1e150;

/// A product of positive factors. Several factors share a logarithm, which takes longer to compute
/// than they take to multiply.
pub(crate) struct LnProduct {
    /// The logarithm of the factors that `rest` does not contain.
    ln: f64,
    rest: f64,
}

impl LnProduct {
    /// The product of no factors.
    pub(crate) const ONE: Self = Self { ln: 0.0, rest: 1.0 };

    pub(crate) fn multiply(&mut self, factor: f64) {
        self.rest *= factor;
        if !BOUNDS.contains(&self.rest) {
            self.ln += self.rest.ln();
            self.rest = 1.0;
        }
    }

    pub(crate) fn recip(self) -> Self {
        Self { ln: -self.ln, rest: self.rest.recip() }
    }

    /// Multiplies by the exponential function of `exponent`.
    pub(crate) fn multiply_exp(&mut self, exponent: f64) {
        self.ln += exponent;
    }

    pub(crate) fn ln(self) -> f64 {
        self.ln + self.rest.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn product_may_exceed_the_range() {
        let mut product = LnProduct::ONE;
        for factor in [1e120, 1e120, 1e120, 1e-155, 0.5] {
            product.multiply(factor);
        }
        product.multiply_exp(3.0);
        let expected = 205.0 * f64::ln(10.0) - f64::ln(2.0) + 3.0;
        assert!((product.recip().ln() + expected).abs() < 1e-9, "{expected}");
    }
}
