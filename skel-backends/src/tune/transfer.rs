//! What moving bytes between the host and a device takes.

use super::{measure::PAUSE, stats};
use crate::unit::Unit;
use skel_core::Result;
use skel_model::TransferModel;
use std::thread;

/// Where latency counts, and where bandwidth does.
const SMALL_BYTES: usize = 4 << 10;
const LARGE_BYTES: usize = 16 << 20;
const RUNS: usize = 7;

/// Measures a device's transfers: latency with few bytes, bandwidth with many. Nothing where there are none. `pauses`
/// says whether the machine rests before each, as it does between calls.
///
/// # Errors
/// Those of the device.
pub(super) fn measure(unit: &dyn Unit, pauses: bool) -> Result<Option<TransferModel>> {
    let Some((small_up, small_down)) = median(unit, SMALL_BYTES, pauses)? else {
        return Ok(None);
    };
    // A device with little memory is measured with what it has.
    let (mut large_bytes, mut large) = (LARGE_BYTES, median(unit, LARGE_BYTES, pauses));
    while large.is_err() && large_bytes > 4 * SMALL_BYTES {
        large_bytes /= 4;
        large = median(unit, large_bytes, pauses);
    }
    let Some((large_up, large_down)) = large? else {
        return Ok(None);
    };
    let per_byte =
        |small: f64, large: f64| ((large - small) / (large_bytes - SMALL_BYTES) as f64).max(0.0);
    let (up, down) = (
        per_byte(small_up, large_up),
        per_byte(small_down, large_down),
    );
    let latency = |small: f64, per_byte: f64| (small - per_byte * SMALL_BYTES as f64).max(0.0);
    Ok(Some(TransferModel {
        up_latency_ns: latency(small_up, up),
        up_ns_per_byte: up,
        down_latency_ns: latency(small_down, down),
        down_ns_per_byte: down,
    }))
}

/// The medians of some transfers there and back, in nanoseconds.
fn median(unit: &dyn Unit, bytes: usize, pauses: bool) -> Result<Option<(f64, f64)>> {
    let (mut up, mut down) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        if pauses {
            thread::sleep(PAUSE);
        }
        let Some((there, back)) = unit.time_transfer(bytes)? else {
            return Ok(None);
        };
        up.push(there.as_nanos() as f64);
        down.push(back.as_nanos() as f64);
    }
    Ok(stats::median(&up).zip(stats::median(&down)))
}
