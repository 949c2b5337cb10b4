//! Recycled host memory: new containers get that of dropped ones.
//!
//! A fresh array costs more than most calls: the system has to make and clear its pages. So the memory
//! of a large container is kept when it is dropped, up to a limit, and becomes that of a new one of
//! about the same size. Where Linux is the system, new memory is made of huge pages. The memory of a `Vec` or array that
//! a container was made of goes back to the allocator instead, where the program's next one finds it.
//!
//! ```
//! use skel::{memory, prelude::*};
//!
//! let double = map!(|x: f32| 2.0 * x);
//! let x = Vector::filled(1 << 20, 1.0_f32);
//! for _ in 0..10 {
//!     let y = double.run((&x,))?; // from the second time on, in the memory of the one before
//!     assert_eq!(y.host()?[7], 2.0);
//! }
//! memory::trim();
//! assert_eq!(memory::kept_bytes(), 0);
//! # skel::Result::Ok(())
//! ```

use super::pool::pool;

/// Gives all memory that is kept back to the allocator. Containers that live are not concerned.
pub fn trim() {
    // Freed here, after the lock.
    let all = pool().empty();
    drop(all);
}

/// Keeps so many bytes at most, from now on; 1 GiB if this is never called, and 0 keeps none.
pub fn set_limit_bytes(limit: usize) {
    let excess = pool().set_limit(limit);
    drop(excess);
}

/// How many bytes are kept now.
#[must_use]
pub fn kept_bytes() -> usize {
    pool().kept_bytes()
}
