//! What goes wrong on devices, and what becomes of calls, containers and the context.

mod asynchrony;
mod cases;
mod compile;
mod deadline;
mod late;
mod leaves;
mod lost;
mod matrix;
mod once;
mod recovery;
mod streamed;
mod table;
mod threads;
mod untold;
mod watchdog;
mod wgpu;

use skel::{Context, mock::Mock};

/// The CPU and these devices.
fn context(mocks: impl IntoIterator<Item = Mock>) -> Context {
    let mut builder = Context::builder();
    for mock in mocks {
        builder = builder.unit(mock.unit().unwrap());
    }
    builder.build().unwrap()
}
