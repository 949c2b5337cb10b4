//! The best shares.
//!
//! All combinations in steps of 5 % where they are not too many. Otherwise by local search, one instance or
//! two at a time, from several starts: each instance as it is best alone, everything on one unit, everything
//! shared in the same way. Then in steps of 1 % around the best.

use crate::chain::{
    sequence::{self, Sequence, Site},
    simulate::Simulation,
};

/// So many calls and reads are simulated at most, for all combinations and once more for going downhill.
const MOST_WORK: usize = 2_000_000;
/// Up to so many instances, two are moved at a time.
const MOST_PAIRED: usize = 8;
/// Times that differ by less count as equal.
const SAME: f64 = 1.0 - 1e-9;

/// What each unit takes, by unit.
type Shares = Vec<f64>;

/// Shares for all sites, and the time with them.
#[derive(Clone, Debug)]
pub(super) struct SearchResult {
    pub(super) shares: Vec<Shares>,
    pub(super) ns: f64,
}

pub(super) struct Search<'a> {
    sequence: &'a Sequence<'a>,
    /// What is tried for each site, single units first.
    grids: Vec<Vec<Shares>>,
    work_left: usize,
}

impl<'a> Search<'a> {
    pub(super) fn new(sequence: &'a Sequence<'a>) -> Search<'a> {
        Search {
            grids: sequence.sites.iter().map(grid).collect(),
            work_left: MOST_WORK,
            sequence,
        }
    }

    /// The best that was found, and whether all combinations in steps of 5 % were tried.
    pub(super) fn best(&mut self) -> (bool, SearchResult) {
        let all = self.exhaustive();
        let exhaustive = all.is_some();
        let coarse = all.unwrap_or_else(|| self.downhill());
        self.work_left = self.work_left.max(MOST_WORK / 4);
        let fine = self.descend(coarse, &|_, shares| near(shares));
        (exhaustive, fine)
    }

    /// Each site as is best for itself.
    pub(super) fn alone(&self) -> SearchResult {
        let sites = self.sequence.sites.iter().zip(&self.grids);
        self.outcome(
            sites
                .map(|(site, grid)| alone(self.sequence, site, grid))
                .collect(),
        )
    }

    /// The best of all combinations, if they are not too many.
    pub(super) fn exhaustive(&self) -> Option<SearchResult> {
        let combinations = self
            .grids
            .iter()
            .try_fold(1_usize, |n, grid| n.checked_mul(grid.len()))?;
        let work = combinations.checked_mul(self.sequence.ops.len())?;
        if work > MOST_WORK {
            return None;
        }
        let mut best: Option<SearchResult> = None;
        for number in 0..combinations {
            let mut rest = number;
            let mut digit = |grid: &Vec<Shares>| {
                let shares = grid[rest % grid.len()].clone();
                rest /= grid.len();
                shares
            };
            let found = self.outcome(self.grids.iter().map(&mut digit).collect());
            if best.as_ref().is_none_or(|best| found.ns < best.ns * SAME) {
                best = Some(found);
            }
        }
        best
    }

    /// The best of what is downhill of some beginnings.
    pub(super) fn downhill(&mut self) -> SearchResult {
        let alone = self.alone();
        // What a site cannot do, it does as alone.
        let everywhere = |shares: &Shares| {
            let sites = self.sequence.sites.iter().zip(&alone.shares);
            let fitting = sites.map(|(site, own)| if can(site, shares) { shares } else { own });
            self.outcome(fitting.cloned().collect())
        };
        let mut tried: Vec<&Shares> = Vec::new();
        for shares in self.grids.iter().flatten() {
            let work = tried.len() * self.sequence.ops.len();
            if work < MOST_WORK / 4 && !tried.contains(&shares) {
                tried.push(shares);
            }
        }
        let mut common: Vec<SearchResult> = tried.into_iter().map(everywhere).collect();
        common.sort_by(|a, b| a.ns.total_cmp(&b.ns));
        let (single, shared): (Vec<SearchResult>, Vec<SearchResult>) = common
            .into_iter()
            .partition(|c| c.shares.iter().all(|s| s.contains(&1.0)));
        let mut starts = vec![alone];
        starts.extend(single);
        starts.extend(shared.into_iter().take(2));
        starts.sort_by(|a, b| a.ns.total_cmp(&b.ns));

        let grids = self.grids.clone();
        let mut best = starts[0].clone();
        for start in starts {
            let found = self.descend(start, &|site, _| grids[site].clone());
            if found.ns < best.ns * SAME {
                best = found;
            }
        }
        best
    }

    /// Takes every move that is better, until none is.
    fn descend(
        &mut self,
        start: SearchResult,
        moves: &dyn Fn(usize, &Shares) -> Vec<Shares>,
    ) -> SearchResult {
        let sites = &self.sequence.sites;
        let mut best = start;
        loop {
            let before_ns = best.ns;
            for site in 0..sites.len() {
                for shares in moves(site, &best.shares[site]) {
                    let others = if sites.len() > MOST_PAIRED {
                        0..0
                    } else {
                        site + 1..sites.len()
                    };
                    let pairs = others.filter(|other| can(&sites[*other], &shares));
                    for other in std::iter::once(site).chain(pairs) {
                        let mut tried = best.shares.clone();
                        tried[site].clone_from(&shares);
                        tried[other].clone_from(&shares);
                        let Some(left) = self.work_left.checked_sub(self.sequence.ops.len()) else {
                            return best;
                        };
                        self.work_left = left;
                        let found = self.outcome(tried);
                        if found.ns < best.ns * SAME {
                            best = found;
                        }
                    }
                }
            }
            let better = best.ns < before_ns * SAME;
            if !better {
                return best;
            }
        }
    }

    fn outcome(&self, shares: Vec<Shares>) -> SearchResult {
        let ns = Simulation::run(self.sequence, &shares);
        SearchResult { shares, ns }
    }
}

/// Whether a site can be shared so.
fn can(site: &Site<'_>, shares: &Shares) -> bool {
    let mut taking = (0..shares.len()).filter(|unit| shares[*unit] > 0.0);
    if shares.contains(&1.0) {
        taking.all(|unit| site.curves[unit].is_some())
    } else {
        taking.all(|unit| site.shareable.contains(&unit))
    }
}

/// The shares that take least time where nothing has to be moved, or what was verified to be best.
fn alone(sequence: &Sequence<'_>, site: &Site<'_>, grid: &[Shares]) -> Shares {
    if let Some(best) = sequence.verified(site).filter(|best| can(site, best)) {
        return best;
    }
    let ns = |shares: &Shares| {
        let taking = (0..shares.len()).filter(|unit| shares[*unit] > 0.0);
        let end = |unit: usize| {
            let elems = (shares[unit] * site.elems as f64).round() as usize;
            sequence::ns(&site.curves, unit, elems)
        };
        let ends = taking.clone().map(end);
        let overhead_ns = if taking.count() > 1 {
            site.split_overhead_ns()
        } else {
            0.0
        };
        ends.fold(0.0, f64::max) + overhead_ns
    };
    let least = grid.iter().map(|shares| (ns(shares), shares));
    let least = least.min_by(|a, b| a.0.total_cmp(&b.0));
    least.map_or_else(Vec::new, |(_, shares)| shares.clone())
}

/// Each unit alone, and all shares between those that can share: in steps of 5 %, or larger ones if there
/// are many units.
fn grid(site: &Site<'_>) -> Vec<Shares> {
    let units = site.curves.len();
    let single = |unit: usize| {
        let mut shares = vec![0.0; units];
        shares[unit] = 1.0;
        shares
    };
    let known = (0..units).filter(|unit| site.curves[*unit].is_some());
    let mut grid: Vec<Shares> = known.map(single).collect();
    let mut divisions = Vec::new();
    for steps in [20, 10, 5, 4, 2] {
        divisions.clear();
        if divide(steps, site.shareable.len(), &mut Vec::new(), &mut divisions) {
            let shared = divisions.iter().filter(|parts| !parts.contains(&steps));
            grid.extend(shared.map(|parts| {
                let mut shares = vec![0.0; units];
                for (unit, part) in site.shareable.iter().zip(parts) {
                    shares[*unit] = f64::from(*part) / f64::from(steps);
                }
                shares
            }));
            break;
        }
    }
    grid
}

/// All ways to divide so many steps among so many units; whether those are few enough.
fn divide(steps: u32, units: usize, begun: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) -> bool {
    match units {
        0 => return true,
        1 => {
            let mut parts = begun.clone();
            parts.push(steps);
            found.push(parts);
            return found.len() <= 2000;
        }
        _ => {}
    }
    (0..=steps).all(|part| {
        begun.push(part);
        let few = divide(steps - part, units - 1, begun, found);
        begun.pop();
        few
    })
}

/// Shares around these: some hundredths from one unit to another, from one to all others, and from all others
/// to one. (Where two units are the last ones at the same time, only both together can do with less.)
fn near(shares: &Shares) -> Vec<Shares> {
    let taking: Vec<usize> = (0..shares.len())
        .filter(|unit| shares[*unit] > 0.0)
        .collect();
    let mut near = Vec::new();
    if taking.len() < 2 {
        return near;
    }
    let mut push = |changes: &[(usize, f64)]| {
        let mut moved = shares.clone();
        for (unit, change) in changes {
            moved[*unit] = round(moved[*unit] + change);
        }
        if taking.iter().all(|unit| moved[*unit] > 0.0) {
            near.push(moved);
        }
    };
    for step in [0.01, 0.02, 0.04] {
        for one in &taking {
            let others = || taking.iter().filter(|other| *other != one);
            others().for_each(|other| push(&[(*one, step), (*other, -step)]));
            for sign in [step, -step] {
                let mut changes: Vec<(usize, f64)> =
                    others().map(|other| (*other, -sign)).collect();
                changes.push((*one, sign * changes.len() as f64));
                push(&changes);
            }
        }
    }
    near
}

/// To a hundredth, so that no sum of steps is seen in a file.
fn round(share: f64) -> f64 {
    (share * 100.0).round() / 100.0
}
