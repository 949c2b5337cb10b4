//! A device for tests on machines without one: a thread of its own, memory of its own, the time that
//! a law says, and the failures that a script says.
//!
//! ```
//! use skel::{Context, mock::Mock, prelude::*};
//! use std::time::Duration;
//!
//! let slow = Mock::named("slow").takes(|elems| Duration::from_nanos(elems as u64));
//! let context = Context::builder().unit(slow.unit()?).build()?;
//! let double = map!(|x: u32| 2 * x).within(context);
//! assert_eq!(double.on(Device(0)).run((&[1, 2, 3],))?.host()?[..], [2, 4, 6]);
//! # skel::Result::Ok(())
//! ```

mod driver;
mod gate;
mod script;

pub use gate::Gate;
pub use script::{Mock, Operation};
