//! What programs may still say, and need not.

use super::{
    MapReduce, MapReduceAlong, Reduce, ReduceAlong,
    scan::{All, Scan},
};

macro_rules! deterministic {
    ($($skeleton:ty, [$($generics:ident),*];)*) => {$(
        impl<$($generics),*> $skeleton {
            /// The instance itself: floats have the same bits on every unit, in every split, without this.
            #[deprecated(since = "0.1.0", note = "results have the same bits on every unit by default")]
            #[must_use]
            pub fn deterministic(self) -> Self {
                self
            }
        }
    )*};
}
deterministic! {
    Reduce<R, E, I>, [R, E, I];
    MapReduce<F, R, E, I>, [F, R, E, I];
    Scan<R, All, E, M>, [R, E, M];
    ReduceAlong<R, E, I>, [R, E, I];
    MapReduceAlong<F, R, E, I>, [F, R, E, I];
}
