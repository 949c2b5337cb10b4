//! What has a bound: commands in front of a device, and what contexts that are gone leave behind.

mod queue;
mod retire;

use skel::{Context, Result, mock::Mock, prelude::*};

#[user_function]
fn double(x: u32) -> u32 {
    2 * x
}

#[user_function]
fn bump(x: &mut u32) {
    *x += 1;
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

fn context(mock: &Mock) -> Context {
    let builder = Context::builder().unit(mock.unit().expect("a thread"));
    builder.build().expect("a context of a mock")
}

/// Elements `0..n`, which the device alone has; it is done with them.
fn there(context: &Context, n: usize) -> Vector<u32> {
    try_there(context, n).expect("it is computed")
}

/// The same, where the device may be given up before.
fn try_there(context: &Context, n: usize) -> Result<Vector<u32>> {
    let make = map!(|at: Index1| at.i as u32);
    let make = make.within(context.clone()).on(Device(0));
    let made = make.run_shaped(n, ())?;
    context.sync()?;
    Ok(made)
}
