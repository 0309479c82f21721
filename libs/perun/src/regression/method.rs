//! The five methods that assign points to models.

use super::fit::{Fit, Fitting, split};
use super::kind::Kind;
use super::points::{FitError, Points};
use std::cmp::Ordering;

/// The number of parts of a bisection.
const HALVES: usize = 2;

/// A method that assigns points to models.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Method {
    /// Every model, fitted to all points.
    #[default]
    Full,
    /// The best model of each interval of sizes.
    Interval,
    /// The best model of all sizes; intervals are halved while a half has another best model.
    Bisection,
    /// The best model of the first part of the points, fitted to all points.
    InitialGuess,
    /// Part by part, always extending the best model so far.
    Iterative,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 5] =
        [Self::Full, Self::Interval, Self::Bisection, Self::InitialGuess, Self::Iterative];

    /// Perun's name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Interval => "interval",
            Self::Bisection => "bisection",
            Self::InitialGuess => "initial_guess",
            Self::Iterative => "iterative",
        }
    }

    /// Fits models to points. Models found before an error are kept, as in Perun.
    pub(super) fn run(
        self,
        points: Points,
        kinds: &[Kind],
        steps: usize,
        found: &mut Vec<Fit>,
    ) -> Result<(), FitError> {
        match self {
            Self::Full => {
                // An error of one model does not affect the others.
                let mut ended = Ok(());
                for &kind in kinds {
                    match Fit::whole(kind, &points) {
                        Ok(fit) => found.push(fit),
                        Err(trouble) => ended = Err(trouble),
                    }
                }
                ended
            }
            Self::Interval => {
                let points = sorted(points);
                for part in split(points.len(), steps)? {
                    found.push(best_of(kinds, &points.get(part).unwrap_or_default().to_vec())?);
                }
                Ok(())
            }
            Self::Bisection => {
                let points = sorted(points);
                let whole = best_of(kinds, &points)?;
                bisect(kinds, &points, whole, found)
            }
            Self::InitialGuess => {
                let (mut fittings, mut fits) = begin(kinds, &points, steps)?;
                let best = best(&fits);
                while advance(&mut fittings, &mut fits, best)? {}
                found.extend(fits.into_iter().nth(best));
                Ok(())
            }
            Self::Iterative => {
                let (mut fittings, mut fits) = begin(kinds, &points, steps)?;
                let mut leader = best(&fits);
                while advance(&mut fittings, &mut fits, leader)? {
                    leader = best(&fits);
                }
                found.extend(fits.into_iter().nth(leader));
                Ok(())
            }
        }
    }
}

/// The points by increasing size. The sort is stable.
fn sorted(mut points: Points) -> Points {
    points.sort_by(|(a, _), (b, _)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    points
}

fn best_of(kinds: &[Kind], points: &Points) -> Result<Fit, FitError> {
    let mut fits: Vec<_> =
        kinds.iter().map(|&kind| Fit::whole(kind, points)).collect::<Result<_, _>>()?;
    Ok(fits.swap_remove(best(&fits)))
}

/// The position of the first fit with the greatest R². There is always a fit, because a constant
/// adds a linear model.
fn best(fits: &[Fit]) -> usize {
    let mut best = 0;
    for (at, fit) in fits.iter().enumerate() {
        if fits.get(best).is_some_and(|leader| fit.r_square > leader.r_square) {
            best = at;
        }
    }
    best
}

/// Keeps `whole` if both halves of its points have the same best model. Otherwise bisects each half
/// that differs.
fn bisect(
    kinds: &[Kind],
    points: &Points,
    whole: Fit,
    found: &mut Vec<Fit>,
) -> Result<(), FitError> {
    let halves = split(points.len(), HALVES)?
        .into_iter()
        .map(|half| {
            let points = points.get(half).unwrap_or_default().to_vec();
            best_of(kinds, &points).map(|best| (points, best))
        })
        .collect::<Result<Vec<_>, _>>()?;
    if halves.iter().all(|(_, best)| best.kind == whole.kind) {
        found.push(whole);
        return Ok(());
    }
    for (points, half) in halves {
        if half.kind == whole.kind {
            found.push(half);
        } else {
            match bisect(kinds, &points, half.clone(), found) {
                Err(FitError::FewPoints) => found.push(half),
                ended => ended?,
            }
        }
    }
    Ok(())
}

/// Fits the first part of the points with every model.
fn begin<'a>(
    kinds: &[Kind],
    points: &'a Points,
    steps: usize,
) -> Result<(Vec<Fitting<'a>>, Vec<Fit>), FitError> {
    let mut fittings = Vec::new();
    let mut fits = Vec::new();
    for &kind in kinds {
        let mut fitting = Fitting::new(kind, points, steps)?;
        fits.push(fitting.step().unwrap_or(Err(FitError::FewForParts))?);
        fittings.push(fitting);
    }
    Ok((fittings, fits))
}

/// Extends the model at `at` by one part. Returns false after the last part.
fn advance(fittings: &mut [Fitting<'_>], fits: &mut [Fit], at: usize) -> Result<bool, FitError> {
    let step = fittings.get_mut(at).and_then(Fitting::step);
    match (step, fits.get_mut(at)) {
        (Some(next), Some(fit)) => {
            *fit = next?;
            Ok(true)
        }
        _ => Ok(false),
    }
}
