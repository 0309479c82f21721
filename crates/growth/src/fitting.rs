//! One series against every class: the probability of each, averaged over what is not known.

pub(crate) mod curve;
pub(crate) mod family;
pub(crate) mod fit;
pub(crate) mod model;
pub(crate) mod posterior;
