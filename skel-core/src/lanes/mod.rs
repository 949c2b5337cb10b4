//! User functions with loops, for several elements at once.
//!
//! A loop whose number of rounds differs from element to element is not vectorised: each element ends when it
//! likes. So the macro writes a second host face of such a function,
//! `UserFunction::lanes`. It computes a block of `N` elements, the
//! *lanes*, in step: a [`Mask`] says which of them still take part, each variable is a [`Var`] with a value per
//! lane, and every stretch of the user's text without loops stands in a loop over the lanes, which rustc
//! vectorises.
//!
//! ```text
//! while n < max {                     loop {
//!     if z > 4.0 { break; }               for l in 0..N {
//!     z = z * z + c;                          on &= n < max;  on &= !(z > 4.0);
//!     n += 1;                                 z = z * z + c;  n = if on { n + 1 } else { n };
//! }                                       }
//!                                         if no lane is on { break; }
//!                                     }
//! ```
//!
//! Both faces give the same bits, so which of them runs is a matter of time alone: [`Choice`] measures both, and
//! keeps the faster. Lanes that are through run the text as well, on values that mean nothing; whatever could
//! panic, loop, or call something stands behind the mask.
//!
//! A function that is called has its lanes called, where it has some: beside the marker stands `__lanes`, which takes
//! what is [`Given`] for all lanes at once. Lanes of the caller that take no part pass what one of the others passes
//! ([`among`]), so the callee needs no mask. Whether it has such a face, its `__LANES` says, a constant; of one that has
//! none, [`NoLanes`](crate::user_function::NoLanes) says so. How many loops the face would bring in ([`loops`]; the draws
//! of a function count as one) say `__LOOPS_0` to `__LOOPS_2`, each by what the functions say that it calls, a level deeper:
//! so functions that call each other, which only devices refuse, have constants without a circle. Loops more than three
//! calls away do not count.
//!
//! Random numbers are drawn in the same way: a draw is one of all lanes
//! ([`Generators`](crate::param::Generators)), so a function that draws has a face, with loops or without.

mod choice;
mod given;
mod lane;

pub use choice::{Choice, Face, Mode, Turn, Turns, choose};
pub use given::{Given, Same, Slice, among, is_same, lane, lifts, loops, slice};
pub use lane::{Active, AllLanes, Lane, Mask, Var, get, idle, pick, set, var};
