//! Exact division of a number of elements by shares.

use crate::{Error, Result};

/// A share of the work, from 0 to 1, as an exact fraction of 2⁵³. Every `f64` from 2⁻⁵³ up to 1 that
/// a program can write as a ratio is represented to the last bit or rounded down by less than 2⁻⁵³.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u64);

impl Share {
    /// All of it.
    pub const ALL: Share = Share(1 << 53);
    /// Nothing.
    pub const NONE: Share = Share(0);

    /// A ratio.
    ///
    /// # Errors
    /// [`Error::BadRatio`] unless it is from 0 to 1.
    pub fn from_ratio(ratio: f64) -> Result<Share> {
        if (0.0..=1.0).contains(&ratio) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "from 0 to 2^53, and rounded down on purpose"
            )]
            return Ok(Share((ratio * Share::ALL.0 as f64) as u64));
        }
        Err(Error::BadRatio {
            what: "ratio",
            found: ratio.to_string(),
            expected: "a number from 0 to 1",
        })
    }

    /// This share, and equal parts of the rest for so many others; all of it without any.
    #[must_use]
    pub fn and_rest(self, others: usize) -> Vec<Share> {
        if others == 0 {
            return vec![Share::ALL];
        }
        let rest = (0..others).map(|k| self.rest().part(k, others));
        [self].into_iter().chain(rest).collect()
    }

    /// What is left of [`Share::ALL`].
    #[must_use]
    pub fn rest(self) -> Share {
        Share(Share::ALL.0 - self.0)
    }

    /// The `k`-th of `parts` parts of this share; the parts differ by one unit of 2⁻⁵³ at most, and
    /// add up to it.
    ///
    /// # Panics
    /// If there are no parts.
    #[must_use]
    pub fn part(self, k: usize, parts: usize) -> Share {
        let (share, parts) = (u128::from(self.0), parts as u128);
        let upto = |k: u128| share * k / parts;
        let part = upto(k as u128 + 1) - upto(k as u128);
        Share(u64::try_from(part).expect("a part is at most the whole"))
    }
}

/// Divides `elems` by shares: sizes that add up to `elems`, each within one element of its exact
/// share. Shares need not add up to [`Share::ALL`]; only their proportions count.
///
/// All in integers: no rounding can lose or invent an element, whatever the number.
#[must_use]
pub fn cut(elems: usize, shares: &[Share]) -> Vec<usize> {
    let total: u128 = shares.iter().map(|s| u128::from(s.0)).sum();
    let mut sizes = Vec::with_capacity(shares.len());
    let (mut sum, mut taken) = (0_u128, 0);
    for share in shares {
        sum += u128::from(share.0);
        // Rounded to nearest; `elems` has 64 bits and a sum of shares fewer than 64.
        let upto = (elems as u128 * sum + total / 2)
            .checked_div(total)
            .unwrap_or(0);
        let upto = usize::try_from(upto)
            .expect("at most all elements")
            .min(elems);
        sizes.push(upto - taken);
        taken = upto;
    }
    if let (Some(last), true) = (sizes.last_mut(), total == 0) {
        *last = elems;
    }
    sizes
}

#[cfg(test)]
mod test {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ratios_outside_are_refused() {
        for bad in [f64::NAN, -0.1, 1.0 + f64::EPSILON, f64::INFINITY] {
            assert!(
                matches!(Share::from_ratio(bad), Err(Error::BadRatio { .. })),
                "{bad}"
            );
        }
        assert_eq!(Share::from_ratio(1.0).unwrap(), Share::ALL);
        assert_eq!(Share::from_ratio(0.0).unwrap(), Share::NONE);
    }

    #[test]
    fn all_or_nothing_is_exact_at_any_size() {
        for elems in [0, 1, 2, 1000, usize::MAX] {
            assert_eq!(cut(elems, &[Share::ALL, Share::NONE]), [elems, 0]);
            assert_eq!(cut(elems, &[Share::NONE, Share::ALL]), [0, elems]);
            assert_eq!(cut(elems, &[Share::NONE, Share::NONE]), [0, elems]);
        }
    }

    proptest! {
        #[test]
        fn every_element_goes_to_a_unit(elems: usize, ratio in 0.0..=1.0_f64, devices in 1_usize..5) {
            let cpu = Share::from_ratio(ratio).unwrap();
            let mut shares = vec![cpu];
            shares.extend((0..devices).map(|k| cpu.rest().part(k, devices)));
            let sizes = cut(elems, &shares);
            prop_assert_eq!(sizes.iter().map(|s| *s as u128).sum::<u128>(), elems as u128);
            // Within one element of the exact share, up to the resolution of a share.
            let exact = ratio * elems as f64;
            prop_assert!((sizes[0] as f64 - exact).abs() <= 1.0 + elems as f64 * 2e-15);
        }
    }
}
