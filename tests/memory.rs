//! Devices whose memory is short: a call that does not fit gives the same results, and takes no more.

mod calls;
mod devices;
mod limits;
mod model;
mod overwritten;
mod partly_spilled;
mod promises;
mod shares;
mod spills;
mod suite;

use skel::{Context, mock::Mock};

/// A context of one mock device with so much memory; it counts what is used of it.
fn capped(cap_bytes: u64) -> (Context, Mock) {
    let mock = Mock::named("small");
    let unit = mock.unit().expect("a mock device");
    let context = Context::builder().unit(unit.with_memory_cap(cap_bytes));
    (context.build().expect("a context of a mock"), mock)
}
