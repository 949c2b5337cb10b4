//! Host memory whose size depends on the user's data: had, or an error.
//!
//! Rust's collections abort the process where memory is short. So everything of this library that
//! grows with the data is allocated here, or with `try_reserve`, and a shortage is
//! [`Error::OutOfMemory`]. What does not grow with the data (a message, a task's box, the list of a
//! call's operands) goes through std, and aborts by Rust's own rule.

pub mod memory;
pub(crate) mod pool;

use crate::{Error, Result};

/// That the host has no room for so many bytes.
#[must_use]
pub fn short(needed_bytes: usize) -> Error {
    Error::OutOfMemory {
        device: "the host".into(),
        needed_bytes: needed_bytes as u64,
        available_bytes: 0,
    }
}

/// A vector without elements, with room for `len`.
///
/// ```
/// use skel_core::{Error, host_memory};
///
/// assert!(host_memory::vec::<u8>(5)?.capacity() >= 5);
/// assert!(matches!(host_memory::vec::<u64>(usize::MAX), Err(Error::OutOfMemory { .. })));
/// # skel_core::Result::Ok(())
/// ```
///
/// # Errors
/// [`Error::OutOfMemory`], when the memory that is kept for containers has been given back, too.
pub fn vec<T>(len: usize) -> Result<Vec<T>> {
    let mut vec = Vec::new();
    reserve(&mut vec, len)?;
    Ok(vec)
}

/// Room for `more` elements behind those of `vec`.
///
/// # Errors
/// As [`vec()`].
pub fn reserve<T>(vec: &mut Vec<T>, more: usize) -> Result<()> {
    if vec.try_reserve_exact(more).is_ok() {
        return Ok(());
    }
    memory::trim();
    let len = vec.len().saturating_add(more);
    vec.try_reserve_exact(more)
        .map_err(|_| short(len.saturating_mul(size_of::<T>())))
}

/// `len` times `value`.
///
/// # Errors
/// As [`vec()`].
pub fn filled<T: Copy>(len: usize, value: T) -> Result<Vec<T>> {
    let mut vec = vec(len)?;
    vec.resize(len, value);
    Ok(vec)
}

/// A copy of a slice.
///
/// # Errors
/// As [`vec()`].
pub fn copy<T: Copy>(elements: &[T]) -> Result<Vec<T>> {
    let mut copy = vec(elements.len())?;
    copy.extend_from_slice(elements);
    Ok(copy)
}

/// All that an iterator gives.
///
/// # Errors
/// As [`vec()`].
pub fn collect<T>(elements: impl IntoIterator<Item = T>) -> Result<Vec<T>> {
    let mut elements = elements.into_iter();
    let mut all = vec(elements.size_hint().0)?;
    while let Some(element) = elements.next() {
        if all.len() == all.capacity() {
            // As `Vec` grows, so that each element is moved a few times at most.
            let more = elements
                .size_hint()
                .0
                .saturating_add(1)
                .max(all.len())
                .max(4);
            reserve(&mut all, more)?;
        }
        all.push(element);
    }
    Ok(all)
}
