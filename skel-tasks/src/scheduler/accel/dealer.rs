//! A share of a row of tasks.

use super::side::Side;
use crate::KindId;

/// Deals tasks of each kind to devices and host, so that after every task the devices have their share to half a
/// task. The share may change between any two.
#[derive(Default)]
pub(super) struct Dealer {
    /// What the devices are short of, per kind.
    short: Vec<f64>,
}

impl Dealer {
    pub(super) fn deal(&mut self, kind: KindId, device_share: f64) -> Side {
        let k = kind.0 as usize;
        if k >= self.short.len() {
            self.short.resize(k + 1, 0.0);
        }
        deal(&mut self.short[k], device_share)
    }
}

/// The next one, by what the devices are short of.
pub(super) fn deal(short: &mut f64, device_share: f64) -> Side {
    *short += device_share;
    // A hair below a half is a half: sums of decimal fractions are not exact.
    match *short > 0.5 - 1e-9 {
        true => {
            *short -= 1.0;
            Side::Device
        }
        false => Side::Host,
    }
}
