//! The oracle: every combination of ratios, in steps of 5 %.

/// Steps from 0 to 1.
pub(crate) const STEPS: usize = 20;

/// What it found.
#[derive(Clone, Debug)]
pub(crate) struct Oracle {
    /// Seconds.
    pub(crate) seconds: f64,
    /// The CPU's share of each instance.
    pub(crate) shares: Vec<f64>,
    /// How many combinations were tried.
    pub(crate) tried: usize,
    /// The step of the sweep, in twentieths; above 1, the best were refined to 1 from there.
    pub(crate) step: usize,
}

/// The best combinations found, best first, as twentieths; and how many were tried.
pub(crate) struct Sweep {
    pub(crate) best: Vec<Vec<usize>>,
    pub(crate) tried: usize,
    pub(crate) step: usize,
}

/// Tries every combination of `instances` shares, if those are at most `limit`. If there are more, a
/// coarser grid, and from its best points on, whatever neighbour is better.
pub(crate) fn sweep<E>(
    instances: usize,
    limit: usize,
    keep: usize,
    mut time: impl FnMut(&[usize]) -> Result<f64, E>,
) -> Result<Sweep, E> {
    let count = |step: usize| (STEPS / step + 1).pow(instances as u32);
    let steps = [1, 2, 4, 5, 10, 20];
    let step = steps.into_iter().find(|step| count(*step) <= limit);
    let step = step.unwrap_or(STEPS);
    let mut tried: Vec<(f64, Vec<usize>)> = Vec::new();
    for k in 0..count(step) {
        let point = digits(k, STEPS / step + 1, instances, step);
        tried.push((time(&point)?, point));
    }
    sort(&mut tried);
    if step > 1 {
        for start in tried.iter().take(3).cloned().collect::<Vec<_>>() {
            descend(start, &mut tried, &mut time)?;
        }
        sort(&mut tried);
    }
    let best = tried.iter().take(keep).map(|(_, point)| point.clone());
    Ok(Sweep {
        best: best.collect(),
        tried: tried.len(),
        step,
    })
}

fn sort(tried: &mut [(f64, Vec<usize>)]) {
    tried.sort_by(|(a, _), (b, _)| a.total_cmp(b));
}

/// Goes to the best neighbour as long as that is better.
fn descend<E>(
    (mut least, mut at): (f64, Vec<usize>),
    tried: &mut Vec<(f64, Vec<usize>)>,
    time: &mut impl FnMut(&[usize]) -> Result<f64, E>,
) -> Result<(), E> {
    loop {
        let from = at.clone();
        for k in 0..3_usize.pow(from.len() as u32) {
            let moves = digits(k, 3, from.len(), 1);
            let moved = from.iter().zip(moves).map(|(p, m)| (p + m).checked_sub(1));
            let Some(point) = moved.collect::<Option<Vec<usize>>>() else {
                continue;
            };
            if point.iter().any(|p| *p > STEPS) {
                continue;
            }
            let known = tried.iter().find(|(_, p)| *p == point).map(|(t, _)| *t);
            let seconds = match known {
                Some(seconds) => seconds,
                None => {
                    let seconds = time(&point)?;
                    tried.push((seconds, point.clone()));
                    seconds
                }
            };
            if seconds < least {
                (least, at) = (seconds, point);
            }
        }
        if at == from {
            return Ok(());
        }
    }
}

/// The digits of `k` to a base, each times `step`.
fn digits(mut k: usize, base: usize, places: usize, step: usize) -> Vec<usize> {
    let digit = |_| {
        let digit = k % base;
        k /= base;
        digit * step
    };
    (0..places).map(digit).collect()
}
