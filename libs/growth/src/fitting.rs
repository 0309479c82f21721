//! Fits the curves of every class to one series, and computes the probability of each class,
//! averaged over the unknown parameters.

pub(crate) mod base;
pub(crate) mod curve;
pub(crate) mod family;
pub(crate) mod fit;
mod ln_product;
pub(crate) mod model;
mod peak;
pub(crate) mod posterior;
