//! Whole tensors, as a user function sees them.

use crate::Element;
use std::ops::Index;

macro_rules! tensor_view {
    (
        $(#[$doc:meta])*
        $name:ident $rank:literal
        ($($outer:ident $what:literal $d:literal,)* ; $inner:ident $inner_what:literal $last:literal)
        $index:ty
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<'a, T> {
            /// As many as the product of the extents.
            elements: &'a [T],
            extents: [usize; $rank],
        }

        impl<T> Clone for $name<'_, T> {
            #[inline(always)]
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<'_, T> {}

        impl<'a, T: Element> $name<'a, T> {
            /// A tensor of these elements, in row-major order.
            ///
            /// # Panics
            /// Unless there are as many as the product of the extents.
            #[inline(always)]
            #[must_use]
            pub fn new(elements: &'a [T], extents: [usize; $rank]) -> Self {
                let mut len = Some(1_usize);
                $(len = len.and_then(|n| n.checked_mul(extents[$d]));)*
                len = len.and_then(|n| n.checked_mul(extents[$last]));
                assert!(
                    len == Some(elements.len()),
                    "{} elements with the extents {extents:?}",
                    elements.len()
                );
                $name { elements, extents }
            }

            tensor_view!(@extents $($outer $what $d)* $inner $inner_what $last);
        }

        impl<T: Element> Index<$index> for $name<'_, T> {
            type Output = T;

            #[inline(always)]
            fn index(&self, ($($outer,)* $inner): $index) -> &T {
                if $($outer >= self.extents[$d])||* {
                    out_of_range([$($outer,)* $inner], self.extents);
                }
                let mut row = 0;
                $(row = row * self.extents[$d] + $outer;)*
                // In a loop over columns, all of this but the last step is the same in every round.
                let cols = self.extents[$last];
                let row = &self.elements[row * cols..][..cols];
                &row[$inner]
            }
        }
    };
    (@extents $($dimension:ident $what:literal $d:literal)*) => { $(
        #[doc = concat!("The number of ", $what, ".")]
        #[inline(always)]
        #[must_use]
        pub fn $dimension(&self) -> usize {
            self.extents[$d]
        }
    )* };
}

tensor_view! {
    /// A whole tensor of three dimensions, read at random: `t[(plane, row, col)]`.
    ///
    /// As a parameter of a user function it is passed a `&Tensor3<T>` of any shape.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let depth = map!(|at: Index2, t: Tensor3View<f32>| {
    ///     let mut sum = 0.0;
    ///     for plane in 0..t.planes() {
    ///         sum += t[(plane, at.row, at.col)];
    ///     }
    ///     sum
    /// });
    /// let t = Tensor3::from_fn(3, 2, 2, |k, i, j| (100 * k + 10 * i + j) as f32);
    /// let sums = depth.run_shaped((2, 2), (&t,))?;
    /// assert_eq!(sums.host()?[..], [300.0, 303.0, 330.0, 333.0]);
    /// # skel::Result::Ok(())
    /// ```
    Tensor3View 3 (planes "planes" 0, rows "rows of a plane" 1, ; cols "columns" 2) (usize, usize, usize)
}

tensor_view! {
    /// A whole tensor of four dimensions, read at random: `t[(volume, plane, row, col)]`.
    ///
    /// As a parameter of a user function it is passed a `&Tensor4<T>` of any shape: the weights of a convolution, say.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// #[user_function]
    /// fn convolved(at: Index3, image: Tensor3View<f32>, weights: Tensor4View<f32>) -> f32 {
    ///     let mut sum = 0.0;
    ///     for channel in 0..weights.planes() {
    ///         for i in 0..weights.rows() {
    ///             for j in 0..weights.cols() {
    ///                 sum += weights[(at.plane, channel, i, j)] * image[(channel, at.row + i, at.col + j)];
    ///             }
    ///         }
    ///     }
    ///     sum
    /// }
    ///
    /// let image = Tensor3::filled(3, 5, 6, 1.0_f32);
    /// let weights = Tensor4::from_fn(2, 3, 2, 2, |out, _, _, _| (1 + out) as f32);
    /// let features = map!(convolved).run_shaped((2, 4, 5), (&image, &weights))?;
    /// assert_eq!((features.host()?[0], features.host()?[20]), (12.0, 24.0));
    /// # skel::Result::Ok(())
    /// ```
    Tensor4View 4
    (volumes "volumes" 0, planes "planes of a volume" 1, rows "rows of a plane" 2, ; cols "columns" 3)
    (usize, usize, usize, usize)
}

/// By value: a pointer to the view's extents would keep these in memory.
#[cold]
#[inline(never)]
fn out_of_range<const RANK: usize>(index: [usize; RANK], extents: [usize; RANK]) -> ! {
    panic!("index out of bounds: the extents are {extents:?} but the index is {index:?}")
}

#[cfg(test)]
mod test {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn each_index_has_its_own_bound() {
        let elements: Vec<u32> = (0..24).collect();
        let t = Tensor3View::new(&elements, [2, 3, 4]);
        assert_eq!((t[(0, 0, 3)], t[(1, 2, 0)]), (3, 20));
        for beyond in [
            (2, 0, 0),
            (0, 3, 0),
            (0, 0, 4),
            (usize::MAX, 0, 0),
            (0, usize::MAX, 1),
        ] {
            assert!(catch_unwind(|| t[beyond]).is_err(), "{beyond:?}");
        }
    }

    #[test]
    fn volumes_are_outermost() {
        let elements: Vec<u32> = (0..120).collect();
        let t = Tensor4View::new(&elements, [2, 3, 4, 5]);
        assert_eq!((t.volumes(), t.planes(), t.rows(), t.cols()), (2, 3, 4, 5));
        assert_eq!((t[(0, 0, 0, 4)], t[(1, 2, 3, 0)]), (4, 115));
        for beyond in [(2, 0, 0, 0), (0, 3, 0, 0), (0, 0, 4, 0), (1, 0, 0, 5)] {
            assert!(catch_unwind(|| t[beyond]).is_err(), "{beyond:?}");
        }
    }

    #[test]
    fn the_elements_must_be_as_many_as_the_extents_say() {
        let elements = [0_u32; 24];
        assert!(catch_unwind(|| Tensor4View::new(&elements, [2, 3, 4, 2])).is_err());
        assert!(catch_unwind(|| Tensor3View::new(&elements, [usize::MAX, 2, 3])).is_err());
    }
}
