//! Sweep.

use super::{
    instance::{Instance, instance_methods, instance_traits},
    map_overlap::{NoPad, Pad, PadValue, Padded},
    swept::Plan,
};
use crate::{
    Element, Error, Result,
    bind::BindAll,
    call::Executor,
    param::{SweepKind, SweepParams, Swept},
    space::MAX_RANK,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `x[i] = f(x[..= i], …)`, for all `i` in order: each element from what the sweep has made of those before it.
///
/// The first parameter of the user function is what an element sees of the container that is swept: `w: Sweep1<T, R>` of
/// a vector, `w: Sweep2<T, RY, RX>` of a matrix, `w: Sweep3<T, RZ, RY, RX>` of a tensor. Offsets are literals, and count
/// along the sweep. What lies at offsets of which none is positive comes before the element in every dimension, and is
/// what the sweep has made of it: `w[(-1, 0)]`, `w[(-1, -1)]`. What lies at offsets of which none is negative is what was
/// there before: `w[(0, 0)]` is the element itself, `w[(0, 1)]` one behind it. Other offsets are refused, since those
/// elements may be computed at the same time. What the function returns becomes the element.
///
/// Further parameters are read: elements at the same index, vectors [down](crate::container::down) and
/// [across](crate::container::across), whole containers, values for all elements; and the index.
///
/// Beyond the edges is what [`pad`](Sweep::pad) says; else the nearest element of the container, which may be the
/// element itself.
///
/// ```
/// use skel::prelude::*;
///
/// /// The edit distance of the prefixes that end here.
/// #[user_function]
/// fn distance(d: Sweep2<u32, 1, 1>, a: u8, b: u8, at: Index2) -> u32 {
///     let (up, left, diagonal) = if at.row == 0 {
///         (at.col as u32 + 1, if at.col == 0 { 1 } else { d[(0, -1)] }, at.col as u32)
///     } else if at.col == 0 {
///         (d[(-1, 0)], at.row as u32 + 1, at.row as u32)
///     } else {
///         (d[(-1, 0)], d[(0, -1)], d[(-1, -1)])
///     };
///     let replaced = diagonal + if a == b { 0 } else { 1 };
///     replaced.min(up.min(left) + 1)
/// }
///
/// let (a, b) = (Vector::from(b"kitten".to_vec()), Vector::from(b"sitting".to_vec()));
/// let mut d = Matrix::filled(6, 7, 0);
/// sweep!(distance).run((&mut d, down(&a), across(&b)))?;
/// assert_eq!(d.host()?[41], 3);
///
/// // An integral image: what all elements above and to the left come to.
/// let integral = sweep!(|s: Sweep2<i32, 1, 1>| s[(0, 0)] + s[(-1, 0)] + s[(0, -1)] - s[(-1, -1)]).pad(0);
/// let mut m = Matrix::filled(2, 3, 1);
/// integral.run((&mut m,))?;
/// assert_eq!(m.host()?[..], [1, 2, 3, 2, 4, 6]);
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// Every unit gives the bits of a plain loop over the elements, within the numeric contract. One unit takes all of a
/// call: its cores go along tiles, devices compute hyperplanes of tiles one after the other.
pub struct Sweep<F, E, V = NoPad> {
    instance: Instance<E>,
    settings: Settings<V>,
    _function: PhantomData<fn() -> F>,
}

/// What an instance says of its sweeps.
#[derive(Clone, Copy, Debug)]
struct Settings<V> {
    /// A bit for each dimension that it goes downwards along, counted from the outermost.
    descending: u32,
    pad: V,
}

impl<F, E: Executor + Default> Sweep<F, E> {
    /// An instance named after the type, run by the default executor: what `sweep!` makes, in long.
    #[must_use]
    #[expect(
        clippy::new_without_default,
        reason = "an instance is no default of anything"
    )]
    pub fn new() -> Self {
        let function = std::any::type_name::<F>();
        Self::with_executor("", E::default()).named(format!("Sweep<{function}>"))
    }
}

instance_traits!(Sweep<F; V> { _function, settings });

impl<F, E: Executor> Sweep<F, E> {
    /// An instance of this name, run by `executor`.
    pub const fn with_executor(name: &'static str, executor: E) -> Self {
        Sweep {
            instance: Instance::new(name, executor),
            settings: Settings {
                descending: 0,
                pad: NoPad,
            },
            _function: PhantomData,
        }
    }
}

impl<F, E: Executor, V> Sweep<F, E, V> {
    /// The same instance, run by another executor: a context of one's own.
    #[must_use]
    pub fn within<X: Executor>(self, executor: X) -> Sweep<F, X, V> {
        Sweep {
            instance: self.instance.within(executor),
            settings: self.settings,
            _function: PhantomData,
        }
    }

    instance_methods!();

    /// The sweep goes downwards along these dimensions, counted from the outermost, from 0 on; along all others upwards.
    /// Offsets count along the sweep: `w[-1]` is what comes before the element, so of a sweep downwards the element with
    /// the next higher index.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let sums = sweep!(|w: Sweep1<i32, 1>| w[-1] + w[0]).pad(0);
    /// let mut x = Vector::from(vec![1, 2, 3]);
    /// sums.clone().run((&mut x,))?;
    /// assert_eq!(x.host()?[..], [1, 3, 6]);
    /// sums.descending([0]).run((&mut x,))?;
    /// assert_eq!(x.host()?[..], [10, 9, 6]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn descending<const N: usize>(mut self, dimensions: [usize; N]) -> Self {
        let bit = |dimension: usize| 1 << dimension.min(31);
        self.settings.descending = dimensions.into_iter().fold(0, |all, d| all | bit(d));
        self
    }

    /// Beyond the edges, elements see this value. It has the type of the elements that are swept.
    #[must_use]
    pub fn pad<T: Element>(self, value: T) -> Sweep<F, E, Pad<T>> {
        Sweep {
            instance: self.instance,
            settings: Settings {
                descending: self.settings.descending,
                pad: Pad::new(value),
            },
            _function: PhantomData,
        }
    }
}

impl<F, E: Executor, V: PadValue> Sweep<F, E, V> {
    /// Runs the call: the first argument becomes what the sweep makes of it.
    ///
    /// Where a device takes the call, this may return before it is done; what goes wrong there surfaces when the result
    /// is read. A container without elements stays as it is. What was swept is lost if the call fails after it began.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// // Gauss and Seidel: neighbours before are new, those behind are old.
    /// let step = sweep!(|u: Sweep2<f64, 1, 1>, f: f64| {
    ///     0.25 * (u[(-1, 0)] + u[(0, -1)] + u[(1, 0)] + u[(0, 1)] + f)
    /// }).pad(0.0);
    /// let (mut u, f) = (Matrix::filled(2, 2, 0.0), Matrix::filled(2, 2, 4.0));
    /// step.run((&mut u, &f))?;
    /// assert_eq!(u.host()?[..], [1.0, 1.25, 1.25, 1.625]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`Sweep`](crate::Error::Sweep) if [`Sweep::descending`] names a dimension that the container does not have;
    /// [`ShapeMismatch`](crate::Error::ShapeMismatch), [`Scattered`](crate::Error::Scattered);
    /// [`Trap`](crate::Error::Trap), whose index is that of the first element that panics in a plain loop; whatever the
    /// chosen unit reports.
    pub fn run<P, A>(&self, mut args: A) -> Result<()>
    where
        P: SweepParams + Padded<V>,
        F: UserFunction<P, Output = Swept<P>>,
        A: BindAll<P>,
    {
        let descending = self.directions(<P::Sweep as SweepKind>::RANK)?;
        let pad = self.settings.pad.view();
        let bound = self.instance.bind_sweep(&mut args, descending, pad)?;
        bound.run_in_place(Plan::<F, P>::PLAN)
    }

    /// Along which dimensions it goes downwards, of a container of so many.
    fn directions(&self, rank: usize) -> Result<[bool; MAX_RANK]> {
        let descending = self.settings.descending;
        if descending >> rank != 0 {
            return Err(Error::Sweep {
                instance: self.instance.name.to_string(),
                reason: format!(
                    "`.descending([{}])`: a sweep of rank {rank} has dimensions 0 (outermost) to {}",
                    31 - descending.leading_zeros(),
                    rank - 1
                ),
            });
        }
        let first = MAX_RANK - rank;
        Ok(std::array::from_fn(|d| {
            d >= first && descending >> (d - first) & 1 == 1
        }))
    }
}
