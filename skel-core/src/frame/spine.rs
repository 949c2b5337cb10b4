//! What phases of folds and scans exchange: the nodes that a range of tiles consists of.

use super::{Partial, values::Values};
use crate::{Element, Result, plan::nodes};
use std::fmt;

/// The combination of some neighbouring elements of a call: the values of the [`nodes`] that their tiles consist of,
/// perhaps behind a value that precedes all elements. The spines of neighbours join to that of both, whatever the
/// cuts were.
///
/// What did not keep to tiles (elements that begin or end within a tile) is a *lump*: one value, right up to the
/// grouping. What is joined with a lump is a lump.
#[derive(Clone)]
pub struct Spine {
    from: u64,
    to: u64,
    /// Whether the first value precedes all elements.
    begins: bool,
    is_lump: bool,
    values: Values,
}

/// Combines two values, the left one first.
pub type Combine<'c> = dyn FnMut(Partial, Partial) -> Result<Partial> + 'c;

impl Spine {
    /// Of no elements.
    pub const EMPTY: Spine = Spine {
        from: 0,
        to: 0,
        begins: false,
        is_lump: false,
        values: Values::EMPTY,
    };

    /// Of no elements yet: what precedes all of them, if anything does.
    #[must_use]
    pub fn beginning_with(initial: Partial) -> Spine {
        Spine {
            begins: !initial.is_none(),
            values: initial.into_values(),
            ..Spine::EMPTY
        }
    }

    /// All elements of a piece, grouped in whichever way.
    #[must_use]
    pub fn lump(value: Partial) -> Spine {
        Spine {
            is_lump: !value.is_none(),
            values: value.into_values(),
            ..Spine::EMPTY
        }
    }

    /// The nodes of tiles `from..to`, behind what precedes all elements, if anything does.
    ///
    /// # Panics
    /// If there are not as many values as there are nodes.
    #[must_use]
    pub fn of_nodes<T: Element>((from, to): (u64, u64), initial: Option<T>, values: &[T]) -> Spine {
        assert_eq!(
            values.len(),
            nodes(from, to).count(),
            "a value for each node"
        );
        let mut spine = Spine {
            from,
            to,
            begins: initial.is_some(),
            ..Spine::EMPTY
        };
        for value in initial.iter().chain(values) {
            spine.values.push(*value);
        }
        spine
    }

    /// As [`Spine::of_nodes`], of values whose type is not known here.
    ///
    /// # Panics
    /// As [`Spine::of_nodes`], and if they are of several types.
    #[must_use]
    pub fn of_partials((from, to): (u64, u64), values: &[Partial]) -> Spine {
        assert_eq!(
            values.len(),
            nodes(from, to).count(),
            "a value for each node"
        );
        let mut spine = Spine {
            from,
            to,
            ..Spine::EMPTY
        };
        for value in values {
            spine.values.append(value.values());
        }
        spine
    }

    /// As [`Spine::split`], of values whose type is not known here.
    #[must_use]
    pub fn partials(&self) -> (Partial, Vec<Partial>) {
        let mut values = (0..self.values.len()).map(|k| self.partial(k));
        let first = match self.begins || self.is_lump {
            true => values.next(),
            false => None,
        };
        (first.unwrap_or(Partial::NONE), values.collect())
    }

    /// Whether nothing is in it, not even what precedes all elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.len() == 0
    }

    /// The tiles; none of a lump.
    #[must_use]
    pub fn tiles(&self) -> Option<(u64, u64)> {
        (!self.is_lump).then_some((self.from, self.to))
    }

    /// What precedes all elements, and the values of the nodes; of a lump, the one value counts as what precedes what
    /// follows.
    ///
    /// # Panics
    /// If they are of another type.
    #[must_use]
    pub fn split<T: Element>(&self) -> (Option<T>, &[T]) {
        let values = self.values.get::<T>();
        match values.split_first() {
            Some((first, rest)) if self.begins || self.is_lump => (Some(*first), rest),
            _ => (None, values),
        }
    }

    /// All elements combined, behind what precedes them: the tree, from the right.
    ///
    /// # Errors
    /// Those of combining.
    pub fn value(self, combine: &mut Combine<'_>) -> Result<Partial> {
        if self.values.len() <= 1 {
            return Ok(Partial::of_values(self.values));
        }
        let first = usize::from(self.begins);
        let mut total = Partial::NONE;
        for k in (first..self.values.len()).rev() {
            total = joined(self.partial(k), total, combine)?;
        }
        match self.begins {
            true => joined(self.partial(0), total, combine),
            false => Ok(total),
        }
    }

    /// The spine of both, this one first.
    ///
    /// # Errors
    /// Those of combining.
    ///
    /// # Panics
    /// If the tiles are not neighbours.
    pub fn join(mut self, right: Spine, combine: &mut Combine<'_>) -> Result<Spine> {
        if right.is_empty() {
            return Ok(self);
        }
        if self.is_empty() {
            return Ok(right);
        }
        assert!(
            !right.begins,
            "something precedes elements that are not the first"
        );
        if self.is_lump || right.is_lump {
            let (left, right) = (self.value(combine)?, right.value(combine)?);
            return joined(left, right, combine).map(Spine::lump);
        }
        if self.from == self.to {
            self.from = right.from;
            self.to = right.from;
        }
        assert_eq!(self.to, right.from, "spines of neighbours");
        for (k, (level, number)) in nodes(right.from, right.to).enumerate() {
            let (mut level, mut number) = (level, number);
            let mut value = right.partial(k);
            while is_right_half(self.from, level, number) {
                value = combine(Partial::of_values(self.values.pop()), value)?;
                (level, number) = (level + 1, number / 2);
            }
            self.values.append(value.values());
        }
        self.to = right.to;
        Ok(self)
    }

    /// One of the values.
    fn partial(&self, k: usize) -> Partial {
        Partial::of_values(self.values.one(k))
    }
}

/// Whether a node that is appended to the nodes of tiles `from..` completes one of the next level.
#[inline(always)]
pub(crate) fn is_right_half(from: u64, level: u32, number: u64) -> bool {
    number % 2 == 1 && (number - 1) << level >= from
}

fn joined(left: Partial, right: Partial, combine: &mut Combine<'_>) -> Result<Partial> {
    match (left.is_none(), right.is_none()) {
        (false, false) => combine(left, right),
        (true, _) => Ok(right),
        (_, true) => Ok(left),
    }
}

impl From<Partial> for Spine {
    fn from(value: Partial) -> Spine {
        Spine::lump(value)
    }
}

impl fmt::Debug for Spine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Spine {
            from, to, values, ..
        } = self;
        match self.is_lump {
            true => f.write_str("Spine(lump)"),
            false => write!(f, "Spine({from}..{to}, {} values)", values.len()),
        }
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    fn concat(left: Partial, right: Partial) -> Result<Partial> {
        // Neither associative nor commutative: the grouping shows.
        let (a, b) = (left.get::<u64>().unwrap(), right.get::<u64>().unwrap());
        Ok(Partial::of(
            a.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(7) ^ b.wrapping_add(b << 3),
        ))
    }

    fn leaf(tile: u64) -> Spine {
        Spine::of_nodes((tile, tile + 1), None, &[tile.wrapping_mul(77) + 5])
    }

    fn tree(from: u64, to: u64) -> u64 {
        match to - from {
            1 => from.wrapping_mul(77) + 5,
            m => {
                let half = m.next_power_of_two() / 2;
                let (a, b) = (tree(from, from + half), tree(from + half, to));
                concat(Partial::of(a), Partial::of(b))
                    .unwrap()
                    .get()
                    .unwrap()
            }
        }
    }

    fn run(from: u64, to: u64) -> Spine {
        (from..to).fold(Spine::EMPTY, |all, tile| {
            all.join(leaf(tile), &mut concat).unwrap()
        })
    }

    fn value(spine: &Spine) -> Option<u64> {
        spine.clone().value(&mut concat).unwrap().get()
    }

    proptest! {
        #[test]
        fn cut_anywhere_and_joined_in_any_bracket_it_is_the_tree(tiles in 1_u64..300, a: u64, b: u64, right_first: bool) {
            let (a, b) = (a % (tiles + 1), b % (tiles + 1));
            let (a, b) = (a.min(b), a.max(b));
            let [x, y, z] = [run(0, a), run(a, b), run(b, tiles)];
            let all = match right_first {
                true => x.join(y.join(z, &mut concat).unwrap(), &mut concat),
                false => x.join(y, &mut concat).unwrap().join(z, &mut concat),
            }.unwrap();
            prop_assert_eq!(all.tiles(), Some((0, tiles)));
            prop_assert_eq!(value(&all), Some(tree(0, tiles)));
            prop_assert_eq!(all.split::<u64>().1.len(), nodes(0, tiles).count());
        }
    }

    #[test]
    fn what_precedes_comes_first_and_lumps_stay_one_value() {
        let begun = Spine::beginning_with(Partial::of(9_u64));
        assert_eq!(value(&begun), Some(9));
        let all = begun.clone().join(run(0, 3), &mut concat).unwrap();
        let expected = concat(Partial::of(9_u64), Partial::of(tree(0, 3))).unwrap();
        assert_eq!(value(&all), expected.get());
        assert_eq!(all.split::<u64>().0, Some(9));
        let lump = all
            .join(Spine::lump(Partial::of(4_u64)), &mut concat)
            .unwrap();
        assert_eq!((lump.tiles(), lump.split::<u64>().1.len()), (None, 0));
        assert_eq!(
            value(&lump),
            concat(expected, Partial::of(4_u64)).unwrap().get()
        );
        assert!(Spine::lump(Partial::NONE).is_empty());
    }

    #[test]
    fn values_of_an_unknown_type_make_the_same_spine() {
        let begun = Spine::beginning_with(Partial::of(9_u64));
        let all = begun.join(run(0, 7), &mut concat).unwrap();
        let (first, nodes) = all.partials();
        assert_eq!((first.get(), nodes.len()), (Some(9_u64), 3));
        let again = Spine::of_partials((0, 7), &nodes);
        assert_eq!(value(&again), value(&run(0, 7)));
        assert!(Spine::EMPTY.partials().0.is_none());
    }

    #[test]
    fn values_of_any_size_find_room() {
        type Large = [u64; 16];
        let values: Vec<Large> = (0..20).map(|k| [k; 16]).collect();
        // 2²⁰ − 1 tiles are twenty nodes.
        let spine = Spine::of_nodes((0, (1 << 20) - 1), None, &values);
        assert_eq!(spine.clone().split::<Large>().1, values);
    }

    #[test]
    #[should_panic(expected = "values of another type")]
    fn another_type_is_refused() {
        let _ = run(0, 1).split::<f64>();
    }
}
