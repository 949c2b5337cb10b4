//! Models of an instance, by size class.

use crate::{Fit, Quality, Sample, UnitId};
use skel_core::{hash::Fnv, plan::BlockConfig};

/// What one unit needs for calls of a size class.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitModel {
    /// The unit.
    pub unit: UnitId,
    /// Its time over the number of elements.
    pub fit: Fit,
    /// What was measured.
    pub samples: Vec<Sample>,
    /// The block configuration in which that was, if it was not the usual one: calls that are asked here are
    /// launched in it.
    pub block: Option<BlockConfig>,
}

/// A whole call that was measured, shared in some way.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Which unit took how much, from 0 to 1, in the order of the ranges.
    pub shares: Vec<(UnitId, f64)>,
    /// The time.
    pub sample: Sample,
}

/// What was measured of calls of one size class: those whose number of elements has the same nearest
/// power of two. Samples of the CPU are of prefixes and samples of devices are of suffixes of a call of
/// `elems` elements, with inputs that lie where they are needed and outputs that stay where they are
/// computed.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassModel {
    /// Elements of the call that was measured.
    pub elems: usize,
    /// Elements of its whole containers and views, or of a folded row or column: the cost of an element
    /// may depend on them.
    pub beside_elems: usize,
    /// One model per unit.
    pub units: Vec<UnitModel>,
    /// What a call takes longer for being shared.
    pub split_overhead_ns: f64,
    /// Whole calls.
    pub measured: Vec<Measured>,
    /// What was verified to be the fastest, if anything was: the share of each unit.
    pub best: Option<Vec<(UnitId, f64)>>,
    /// Whether calls are split by it.
    pub quality: Quality,
}

/// Shares that were chosen together with those of other instances.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainChoice {
    /// Elements of the calls it is for.
    pub elems: usize,
    /// As [`ClassModel::beside_elems`].
    pub beside_elems: usize,
    /// Which unit takes how much, from 0 to 1.
    pub shares: Vec<(UnitId, f64)>,
}

/// The key of a model: its skeleton instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceKey {
    /// Where it stands in the source, or what it was named.
    pub name: String,
    /// Its skeleton.
    pub pattern: String,
    /// The element types of its arguments and outputs; in brackets those that are slices, which are moved in
    /// every call, where containers may stay where they are.
    pub elements: String,
    /// Hash of its typed IR and its block configuration.
    pub hash: u128,
}

impl InstanceKey {
    /// 32 hexadecimal digits that stand for the key: its FNV-1a hash of 128 bits.
    #[must_use]
    pub fn id(&self) -> String {
        // With lengths before them, so that no two keys run together to the same bytes.
        let mut hash = Fnv::new();
        for text in [&self.name, &self.pattern, &self.elements] {
            hash.text(text);
        }
        hash.bytes(&self.hash.to_le_bytes());
        format!("{:032x}", hash.value())
    }
}

/// What is known of an instance on one machine.
#[derive(Clone, Debug, PartialEq)]
pub struct InstanceModel {
    /// Which one.
    pub key: InstanceKey,
    /// By size class.
    pub classes: Vec<ClassModel>,
    /// Shares that were chosen for whole sequences of calls; they go before the classes.
    pub chain: Vec<ChainChoice>,
    /// How much of the bytes of its outputs the host read next, from 0 to 1.
    pub read_back: f64,
    /// What the order of the measurements was drawn from.
    pub seed: u64,
    /// When it was measured, in seconds since 1970.
    pub when_unix_s: u64,
    /// By how much the first point differed when it was measured again in the end, relatively.
    pub drift: f64,
}

impl InstanceModel {
    /// The class that is nearest to a call, and how many times as large the call is. Which curves hold for
    /// it, and how far they are stretched, say its [`Sizes`](super::Sizes).
    #[must_use]
    pub fn class(&self, elems: usize, beside_elems: usize) -> Option<(&ClassModel, f64)> {
        let distance = |class: &&ClassModel| {
            let log = |a: usize, b: usize| ((a.max(1) as f64) / (b.max(1) as f64)).ln().abs();
            log(class.elems, elems) + log(class.beside_elems, beside_elems)
        };
        let by_distance = |a: &&ClassModel, b: &&ClassModel| distance(a).total_cmp(&distance(b));
        let class = self.classes.iter().min_by(by_distance)?;
        Some((class, elems.max(1) as f64 / class.elems.max(1) as f64))
    }

    /// The shares that were chosen for calls of this size class, together with those of other instances.
    #[must_use]
    pub fn chain_choice(&self, elems: usize, beside_elems: usize) -> Option<&ChainChoice> {
        let classes = |elems, beside_elems| (size_class(elems), size_class(beside_elems));
        let wanted = classes(elems, beside_elems);
        let same = |choice: &&ChainChoice| classes(choice.elems, choice.beside_elems) == wanted;
        self.chain.iter().find(same)
    }
}

/// The exponent of the power of two that is nearest, by ratio.
///
/// ```
/// use skel_model::size_class;
///
/// assert_eq!([0, 1, 2, 3, 5, 6, 1000, 1448, 1449].map(size_class), [0, 0, 1, 2, 2, 3, 10, 10, 11]);
/// ```
#[must_use]
pub fn size_class(elems: usize) -> u32 {
    let below = elems.max(1).ilog2();
    // Nearer to the next one from its half times the root of two on: squares, so that all is exact.
    let square = (elems as u128) * (elems as u128);
    below + u32::from(square >= 1_u128 << (2 * below + 1))
}

#[cfg(test)]
mod test;
