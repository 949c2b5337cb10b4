//! Performance models: measured where calls are made, used where they are made next.
//!
//! A call runs as its instance's model says with [`Hybrid::tuned()`](crate::Hybrid::tuned) and with
//! [`Auto`](crate::Auto). Models come from
//!
//! - [`tune`], for the rest of the process;
//! - the command `cargo tune run`, which measures a program that is not changed for it, and keeps what it
//!   finds for the programs that come after, on this machine: see `docs/tuning.md`.
//!
//! A model may change how long a call takes, never what it computes.
//!
//! ```
//! use skel::{Context, mock::Mock, prelude::*, tuning};
//!
//! let context = Context::builder().unit(Mock::named("device").unit()?).build()?;
//! let square = map!(|x: f32| x * x).within(context.clone()).on(Hybrid::tuned());
//! let x = Vector::from(vec![2.0_f32; 10_000]);
//! let (y, tuned) = tuning::tune(&context, &tuning::Options::quick(), || square.run((&x,)));
//! assert_eq!(y?.host()?[0], 4.0);
//! for model in &tuned.instances {
//!     println!("{}: {} size classes", model.key.name, model.classes.len());
//! }
//! # skel::Result::Ok(())
//! ```

pub use skel_backends::{Tuned, TuningOptions as Options, embed, tune};
