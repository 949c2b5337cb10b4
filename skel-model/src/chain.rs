//! Shares that are chosen together, for whole sequences of calls.
//!
//! The best shares of each call alone may be bad for all. Between a call that leaves results on a device and
//! one that is fastest on the CPU, data is moved that neither of them counted. So the recorded calls are
//! simulated, with all transfers, for many choices of shares, and the best one is kept.
//!
//! | module | what |
//! |---|---|
//! | `sequence` | the recorded calls, with their models looked up |
//! | `simulate` | how long they take, for given shares |
//! | `each` | what is predicted for a call at its turn |
//! | `search` | the best shares |
//! | `apply` | what is noted in models |

mod apply;
mod each;
mod search;
mod sequence;
mod simulate;

use crate::policy::LEAST_GAIN;

use crate::{ChainChoice, Event, InstanceModel, Sizes, TransferModel, UnitId};
pub use apply::apply;
use search::Search;
use sequence::{Op, Sequence, ns};
use simulate::Simulation;

/// What was chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainPlan {
    /// Shares, with the [`id`](super::InstanceKey::id) of the instance they are for: one per size class
    /// that was simulated. None where the calls take less, or hardly more, if each is predicted at its turn
    /// ([`LEAST_GAIN`]), or where the curves may be off by what would be gained ([`unsure_ns`](ChainPlan::unsure_ns)).
    pub choices: Vec<(String, ChainChoice)>,
    /// What the calls take with them.
    pub ns: f64,
    /// By how much calls that are shared may take longer: what the curves of the units are off, and runs differ by.
    pub unsure_ns: f64,
    /// What they take, copies included, if each has the shares that would be best for it if it was the only
    /// call and all its data lay where they are needed.
    pub alone_ns: f64,
    /// What they take if each is predicted at its turn, from what lies where then.
    pub each_ns: f64,
    /// How many calls and reads were simulated: all, or some stretches of a long program.
    pub events: usize,
    /// Whether each combination of shares in steps of 5 % has been tried; otherwise, those that promised
    /// something.
    pub exhaustive: bool,
}

/// How long calls wait for the devices that they have given work to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// Until they have what is uploaded for them; they compute while the program goes on.
    #[default]
    ForUploads,
    /// Until they are done, as in contexts with a virtual clock.
    ForDevices,
}

/// The shares with which a program's calls take the least time together.
///
/// Always gives the same for the same. The work is bounded: of long programs, some stretches are looked at,
/// and where there are many instances, not all combinations. Calls of instances that have no model take no
/// time, and run on the host.
#[must_use]
pub fn choose(
    events: &[Event],
    models: &[InstanceModel],
    transfers: &[(UnitId, TransferModel)],
) -> ChainPlan {
    choose_where(Waits::default(), events, models, transfers)
}

/// The same, where calls wait as `waits` says.
fn choose_where(
    waits: Waits,
    events: &[Event],
    models: &[InstanceModel],
    transfers: &[(UnitId, TransferModel)],
) -> ChainPlan {
    let sizes: Vec<Sizes> = models.iter().map(Sizes::of).collect();
    let mut sequence = Sequence::new(events, models, &sizes, transfers);
    sequence.waits = waits;
    let mut search = Search::new(&sequence);
    let (exhaustive, best) = search.best();
    let each_ns = Simulation::run_each(&sequence);
    let choices = sequence.sites.iter().zip(&best.shares);
    let choices = choices.map(|(site, shares)| {
        let choice = ChainChoice {
            elems: site.elems,
            beside_elems: site.beside_elems,
            shares: sequence.named(shares),
        };
        (site.id.to_owned(), choice)
    });
    let unsure_ns = unsure_ns(&sequence, &best.shares);
    let choices = choices
        .filter(|_| best.ns + unsure_ns <= LEAST_GAIN * each_ns)
        .collect();
    ChainPlan {
        choices,
        each_ns,
        ns: best.ns,
        unsure_ns,
        alone_ns: search.alone().ns,
        events: sequence.ops.len(),
        exhaustive,
    }
}

/// How far the calls that are shared may be from what is predicted. Those of one site are off together, those of
/// different ones by chance.
fn unsure_ns(sequence: &Sequence<'_>, shares: &[Vec<f64>]) -> f64 {
    let of_site = |(site, shares): (usize, &Vec<f64>)| {
        let taking = || (0..shares.len()).filter(|unit| shares[*unit] > 0.0);
        if taking().count() < 2 {
            return 0.0;
        }
        let calls = sequence.ops.iter().filter_map(|op| match op {
            Op::Call(call) if call.site == Some(site) => Some(call),
            _ => None,
        });
        let ns = calls.map(|call| {
            let of_unit = |unit| {
                ns(
                    &call.curves,
                    unit,
                    (shares[unit] * call.elems as f64) as usize,
                )
            };
            taking().map(of_unit).fold(0.0, f64::max)
        });
        sequence.sites[site].unsure(taking(), &sequence.units) * ns.sum::<f64>()
    };
    shares.iter().enumerate().map(of_site).fold(0.0, f64::hypot)
}

#[cfg(test)]
mod test;
