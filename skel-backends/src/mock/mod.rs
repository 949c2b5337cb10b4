//! A device for tests on machines without one: a thread of its own, memory of its own, the time that
//! a law says, and the failures that a script says.
//!
//! ```
//! use skel::{Context, mock::{Law, Mock}, prelude::*};
//!
//! let slow = Mock::named("slow").law(Law::per_elem_ns(1.0).latency_ns(1e4));
//! let context = Context::builder().unit(slow.unit()?).build()?;
//! let double = map!(|x: u32| 2 * x).within(context);
//! assert_eq!(double.on(Device(0)).run((&[1, 2, 3],))?.host()?[..], [2, 4, 6]);
//! # skel::Result::Ok(())
//! ```

mod density;
mod driver;
mod gate;
mod law;
mod load;
mod noise;
mod pace;
mod script;

pub use gate::Gate;
pub use law::Law;
pub(crate) use law::nanos;
pub use load::Load;
pub use script::{Mock, Operation};
