//! What `for i in a..=b` goes over in user functions on CPUs.

/// An integer type.
#[diagnostic::on_unimplemented(
    message = "a `for` of a user function counts integers of at most 64 bits, not `{Self}`",
    label = "no such integers"
)]
pub trait Counter: Copy {
    /// How many values there are from this one to the last. There are 2⁶⁴ of a 64-bit type, one more than can be said;
    /// no loop gets that far.
    fn count_to(self, last: Self) -> u64;

    /// The next value; behind the largest, any.
    fn next(self) -> Self;
}

macro_rules! counters {
    ($($t:ty as $unsigned:ty),*) => {$(
        impl Counter for $t {
            #[inline(always)]
            fn count_to(self, last: $t) -> u64 {
                match self <= last {
                    true => (last.wrapping_sub(self) as $unsigned as u64).saturating_add(1),
                    false => 0,
                }
            }

            #[inline(always)]
            fn next(self) -> $t {
                self.wrapping_add(1)
            }
        }
    )*};
}
counters!(
    i8 as u8,
    i16 as u16,
    i32 as u32,
    i64 as u64,
    isize as usize,
    u8 as u8,
    u16 as u16,
    u32 as u32,
    u64 as u64,
    usize as usize
);

/// The values from one to another, both of them among these.
#[derive(Clone, Debug)]
pub struct Inclusive<T> {
    next: T,
    left: u64,
}

/// As `first..=last`.
#[inline(always)]
#[must_use]
pub fn inclusive<T: Counter>(first: T, last: T) -> Inclusive<T> {
    Inclusive {
        next: first,
        left: first.count_to(last),
    }
}

impl<T: Counter> Iterator for Inclusive<T> {
    type Item = T;

    #[inline(always)]
    fn next(&mut self) -> Option<T> {
        self.left = self.left.checked_sub(1)?;
        let value = self.next;
        self.next = value.next();
        Some(value)
    }
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn values_are_those_of_the_range_of_std() {
        for first in i8::MIN..=i8::MAX {
            for last in i8::MIN..=i8::MAX {
                assert!(inclusive(first, last).eq(first..=last), "{first}..={last}");
            }
        }
        for (first, last) in [(250_u8, 255), (3, 3), (4, 3), (0, 255)] {
            assert!(inclusive(first, last).eq(first..=last));
        }
        assert!(inclusive(i64::MAX - 2, i64::MAX).eq(i64::MAX - 2..=i64::MAX));
        assert_eq!(inclusive(usize::MAX, 0).next(), None);
        assert_eq!(u64::MIN.count_to(u64::MAX), u64::MAX);
        assert_eq!(i64::MIN.count_to(i64::MAX), u64::MAX);
    }
}
