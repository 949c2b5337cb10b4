//! Pages of 2 MiB, where the system has them: 512 times fewer of them to make.
#![allow(unsafe_code, reason = "advises the system on memory")]

use std::mem::MaybeUninit;

/// The size of a huge page.
const PAGE_BYTES: usize = 2 << 20;

/// Asks the system to make what is untouched of this memory of huge pages: the part of it that whole
/// huge pages cover. It may refuse, which changes nothing but the time.
pub(crate) fn advise<T>(room: &mut [MaybeUninit<T>]) {
    let (address, len_bytes) = (room.as_mut_ptr().addr(), size_of_val(room));
    let Some(first) = address.checked_next_multiple_of(PAGE_BYTES) else {
        return;
    };
    let skipped_bytes = first - address;
    let interior_bytes = len_bytes.saturating_sub(skipped_bytes) / PAGE_BYTES * PAGE_BYTES;
    if interior_bytes > 0 {
        let interior = room.as_mut_ptr().cast::<u8>().wrapping_add(skipped_bytes);
        advise_pages(interior, interior_bytes);
    }
}

#[cfg(all(target_os = "linux", not(miri)))]
fn advise_pages(start: *mut u8, len_bytes: usize) {
    // SAFETY: this advice changes no contents and no access, whatever memory it is given for.
    let _refused = unsafe { libc::madvise(start.cast(), len_bytes, libc::MADV_HUGEPAGE) };
}

#[cfg(not(all(target_os = "linux", not(miri))))]
fn advise_pages(_: *mut u8, _: usize) {}
