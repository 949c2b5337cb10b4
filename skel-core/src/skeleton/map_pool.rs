//! MapPool.

use super::{
    bound::shapes_of,
    elementwise::Elementwise,
    instance::{Instance, of_one_function},
    neighbourhood::{Layout, Placed, unfit},
};
use crate::{
    Result,
    bind::{BindAll, Destination, Domain, Fill},
    call::{Executor, Fit},
    param::{Outputs, ParamList},
    space::{EdgeKind, MAX_RANK, Shape},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `out[i] = f(x[i * s .. i * s + n], …)`: each element from a pool of elements.
///
/// The user function has one or more *pools* among its parameters: `p: Pool1<T, N>` sees `p[0]` to
/// `p[N - 1]`, `p: Pool2<T, H, W>` sees `p[(row, col)]`, and so on to four dimensions. Pools lie side by
/// side, or as far apart as [`stride`](MapPool::stride) says, so that they overlap or leave gaps.
/// Containers with more dimensions than the pool are taken part by part: a `Pool2` goes over each plane
/// of a tensor. Along each of the pool's dimensions, `n` elements give `(n - size) / stride + 1`, or
/// none if `n` is less than the size; what is left over is not seen. All containers that are seen
/// through pools have the same shape. What is passed for other parameters, element by element, has the
/// shape of the result.
///
/// ```
/// use skel::prelude::*;
///
/// #[user_function]
/// fn largest(p: Pool2<i32, 2, 2>) -> i32 {
///     p[(0, 0)].max(p[(0, 1)]).max(p[(1, 0)].max(p[(1, 1)]))
/// }
///
/// let m = Matrix::from_fn(4, 5, |i, j| (10 * i + j) as i32);
/// let f = map_pool!(largest);
/// let pooled = f.run((&m,))?;
/// assert_eq!((pooled.rows(), pooled.cols()), (2, 2));
/// assert_eq!(pooled.host()?[..], [11, 13, 31, 33]);
///
/// let overlapping = f.stride((1, 3)).run((&m,))?;
/// assert_eq!(overlapping.host()?[..], [11, 14, 21, 24, 31, 34]);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// Every unit gives the same bits, within the numeric contract; the split does not matter.
pub struct MapPool<F, E> {
    instance: Instance<E>,
    /// The distance of neighbouring pools along each of their dimensions; by itself, their size.
    stride: Option<Shape>,
    _function: PhantomData<fn() -> F>,
}

of_one_function!(MapPool, "map_pool!", stride: None);

impl<F, E: Executor> MapPool<F, E> {
    /// How far neighbouring pools are apart: `2` along each of their dimensions, or `(2, 3)` or `[2, 3]`, …. By itself
    /// it is their size, so that they lie side by side.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let rise = map_pool!(|p: Pool1<i32, 2>| p[1] - p[0]).stride(1);
    /// assert_eq!(rise.run((&[1, 4, 9, 16],))?.host()?[..], [3, 5, 7]);
    /// let m = Matrix::from_vec(2, 3, vec![1, 2, 3, 4, 5, 6])?;
    /// let corners = map_pool!(|p: Pool2<i32, 2, 2>| p[(0, 0)] + p[(1, 1)]).stride([1, 1]);
    /// assert_eq!(corners.run((&m,))?.host()?[..], [6, 8]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn stride(mut self, stride: impl Into<Shape>) -> Self {
        self.stride = Some(stride.into());
        self
    }

    /// Runs the call, and gives new containers: see [`Map::run`](super::Map::run).
    ///
    /// # Errors
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`Trap`](crate::Error::Trap),
    /// [`Neighbourhood`](crate::Error::Neighbourhood) for a stride that is 0 or has not the pool's number
    /// of dimensions; whatever the chosen unit reports.
    pub fn run<P, A, D, C>(&self, mut args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P, Domain = D>,
        D: Domain,
        F::Output: Fill<D, Containers = C>,
    {
        let placed = self.place(&args, None)?;
        let bound = self.instance.bind_near(&mut args, &placed, None);
        bound.run::<F::Output, D>(Elementwise::<F, P>::POOLS)
    }

    /// Runs the call, and writes the result to `out`, a container or a slice; a tuple of those for a
    /// function that returns a tuple.
    ///
    /// # Errors
    /// As [`MapPool::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, O>(&self, mut args: A, out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
        O: Destination<F::Output>,
    {
        let placed = self.place(&args, Some((P::LEN + 1, out.call_shape())))?;
        self.instance
            .check_near::<F::Output>(&placed, P::LEN, &out)?;
        let bound = self.instance.bind_near(&mut args, &placed, None);
        bound.run_into(Elementwise::<F, P>::POOLS, out)
    }

    /// Where the pools of a call with these arguments lie.
    fn place<P, A>(&self, args: &A, out: Option<(usize, Shape)>) -> Result<Placed>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
    {
        let form = Elementwise::<F, P>::NEAR;
        let (rank, size) = (form.reach.rank, std::array::from_fn(|d| form.reach.span(d)));
        let stride = match self.stride {
            None => Shape::of_rank(rank, size),
            Some(Shape::D1(stride)) => Shape::of_rank(rank, [stride; MAX_RANK]),
            Some(stride) => stride,
        };
        if stride.rank() != rank || stride.extents().contains(&0) {
            return Err(unfit(
                &self.instance,
                format!(
                    "a stride of {stride} is none for pools of {rank} dimensions: give one number above 0, or one for each"
                ),
            ));
        }
        let mut shapes = shapes_of(args);
        shapes.extend(out.map(|(at, shape)| (at, shape, Fit::Same)));
        let layout = Layout {
            edge: EdgeKind::None,
            stride: stride.extents(),
            down: false,
        };
        layout.place(&self.instance, form, &shapes)
    }
}
