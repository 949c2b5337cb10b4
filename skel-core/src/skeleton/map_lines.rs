//! MapLines.

use super::{
    bound::shapes_of,
    elementwise::Elementwise,
    instance::{Instance, of_one_function},
};
use crate::{
    Error, Result,
    bind::{BindAll, Destination, Domain, Fill},
    call::{ArgumentShapes, Executor, Fit},
    param::{Outputs, ParamList},
    space::{Lines, Shape},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// `f(line)`, once for each line of a container along one of its dimensions: for all that goes from element to element,
/// as recurrences, solvers of tridiagonal systems and running sums do.
///
/// The user function has one or more *lines* among its parameters: `l: &mut Line<T>` reads and writes `l[i]`,
/// `l: &Line<T>` reads it; `l.len()` is how many elements there are. Containers that are seen line by line have the same
/// shape. [`along`](MapLines::along) says the dimension, counted from the outermost, by itself the innermost: a
/// matrix has its rows along 1, its columns along 0. A vector is one line.
///
/// The call has an element for each line: its shape is that of the containers without the dimension. What is passed
/// for other parameters, element by element, has this shape, and so do results; the index is that of the line. Slices,
/// and parts without gaps, are taken as containers are.
///
/// ```
/// use skel::prelude::*;
///
/// /// Solves `-x[i - 1] + 3 x[i] - x[i + 1] = d[i]`, by Thomas' algorithm: `x` is `d` before.
/// #[user_function]
/// fn solve(x: &mut Line<f64>, c: &mut Line<f64>) {
///     let n = x.len();
///     c[0] = -1.0 / 3.0;
///     x[0] /= 3.0;
///     for i in 1..n {
///         let k = 1.0 / (3.0 + c[i - 1]);
///         c[i] = -k;
///         x[i] = k * (x[i] + x[i - 1]);
///     }
///     for i in (0..n - 1).rev() {
///         x[i] = x[i] - c[i] * x[i + 1];
///     }
/// }
///
/// let mut x = Matrix::from_vec(2, 3, vec![2.0, 1.0, 2.0, 5.0, 10.0, 7.0])?;
/// let mut scratch = Matrix::filled(2, 3, 0.0);
/// map_lines!(solve).run((&mut x, &mut scratch))?;
/// for (found, exact) in x.host()?.iter().zip([1.0, 1.0, 1.0, 4.0, 7.0, 6.0]) {
///     assert!((found * 7.0 - exact * 7.0).abs() < 30.0);
/// }
/// # skel::Result::Ok(())
/// ```
///
/// # Determinism
/// Every unit gives the same bits, within the numeric contract; the split does not matter.
pub struct MapLines<F, E> {
    instance: Instance<E>,
    /// The dimension, counted from the outermost; by itself the innermost.
    axis: Option<usize>,
    _function: PhantomData<fn() -> F>,
}

of_one_function!(MapLines, "map_lines!", axis: None);

/// Where the lines of a call lie.
struct Placed {
    lines: Lines,
    shape: Shape,
}

impl<F, E: Executor> MapLines<F, E> {
    /// The dimension along which lines go, counted from the outermost, from 0 on; by itself, the innermost.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let reverse = map_lines!(|l: &mut Line<u8>| {
    ///     let last = l.len() - 1;
    ///     for i in 0..=last / 2 {
    ///         let first = l[i];
    ///         l[i] = l[last - i];
    ///         l[last - i] = first;
    ///     }
    /// });
    /// let mut m = Matrix::from_vec(2, 3, vec![1_u8, 2, 3, 4, 5, 6])?;
    /// reverse.along(0).run((&mut m,))?;
    /// assert_eq!(m.host()?[..], [4, 5, 6, 1, 2, 3]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn along(mut self, axis: usize) -> Self {
        self.axis = Some(axis);
        self
    }

    /// Runs the call, and gives new containers for what the function returns: an element for each line, in
    /// row-major order over the other dimensions; a vector for a matrix, a matrix for a tensor of three dimensions. A
    /// function that returns nothing changes lines in place, and gives nothing. In containers without elements there is
    /// nothing to do.
    ///
    /// Where devices take part, this may return before they are done; what goes wrong there surfaces when the result is
    /// read. In-place arguments of a failed call are lost, unless it failed before it began.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// let largest = map_lines!(|l: &Line<i32>| {
    ///     let mut most = l[0];
    ///     for i in 1..l.len() {
    ///         most = most.max(l[i]);
    ///     }
    ///     most
    /// });
    /// let m = Matrix::from_vec(2, 3, vec![3, 1, 2, 4, 9, 6])?;
    /// assert_eq!(largest.run((&m,))?.host()?[..], [3, 9]);
    /// assert_eq!(largest.along(0).run((&m,))?.host()?[..], [4, 9, 6]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// [`Lines`](crate::Error::Lines) if the containers have no such dimension, or lines without elements are to give
    /// results; [`ShapeMismatch`](crate::Error::ShapeMismatch), [`Scattered`](crate::Error::Scattered);
    /// [`Trap`](crate::Error::Trap), whose index is that of the line; whatever the chosen unit reports.
    pub fn run<P, A, D, C>(&self, mut args: A) -> Result<C>
    where
        P: ParamList,
        F: UserFunction<P>,
        A: BindAll<P, Domain = D>,
        D: Domain,
        F::Output: Fill<D, Containers = C>,
    {
        let placed = self.place::<P, F::Output>(&args, None)?;
        let lines = self
            .instance
            .bind_lines(&mut args, placed.shape, placed.lines);
        lines.run::<F::Output, D>(Elementwise::<F, P>::LINES)
    }

    /// Runs the call, and writes what the function returns for each line to `out`.
    ///
    /// # Errors
    /// As [`MapLines::run`]. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, O>(&self, mut args: A, out: O) -> Result<()>
    where
        P: ParamList,
        F: UserFunction<P, Output: Outputs>,
        A: BindAll<P>,
        O: Destination<F::Output>,
    {
        let first = Some((P::LEN + 1, out.call_shape(), Fit::Same));
        let placed = self.place::<P, F::Output>(&args, first)?;
        let mut outputs = ArgumentShapes::new();
        out.shapes(P::LEN + 1, &mut outputs);
        self.instance.check(&outputs, placed.shape, LINES_OF)?;
        let lines = self
            .instance
            .bind_lines(&mut args, placed.shape, placed.lines);
        lines.run_into(Elementwise::<F, P>::LINES, out)
    }

    /// Where the lines of a call with these arguments lie.
    fn place<P, O: Outputs>(
        &self,
        args: &impl BindAll<P>,
        out: Option<(usize, Shape, Fit)>,
    ) -> Result<Placed> {
        let mut shapes = shapes_of(args);
        shapes.extend(out);
        self.instance.no_gaps(&shapes)?;
        let mut seen = shapes.iter().filter(|(_, _, fit)| *fit == Fit::Lines);
        let Some((_, input, _)) = seen.next() else {
            unreachable!("the plan says that there is a line")
        };
        if let Some((argument, found, _)) = seen.find(|(_, found, _)| found != input) {
            return Err(Error::ShapeMismatch {
                instance: self.instance.name.to_string(),
                argument: *argument,
                found: Box::new(*found),
                expected: *input,
                reference: "the first container that is seen line by line has",
            });
        }
        let axis = self.axis.unwrap_or(input.rank() - 1);
        if axis >= input.rank() {
            return Err(self.unfit(format!(
                "there are no lines along {axis} in {input}, whose dimensions are counted from 0, the outermost, to {}",
                input.rank() - 1
            )));
        }
        let shape = Lines::call_shape(*input, axis);
        self.instance.check(&shapes, shape, LINES_OF)?;
        if !input.is_empty() {
            return Ok(Placed {
                lines: Lines::along(*input, axis),
                shape,
            });
        }
        if O::LEN > 0 && !shape.is_empty() {
            return Err(self.unfit(format!(
                "lines along {axis} in {input} have no elements, so nothing gives their results"
            )));
        }
        // Nothing to do. Where lines are all that there is of the shape, none is left of it.
        Ok(Placed {
            lines: Lines::along(*input, axis),
            shape: match shape.is_empty() {
                true => shape,
                false => Shape::of_rank(shape.rank(), [0; 4]),
            },
        })
    }

    /// What the instance was told does not go together with the arguments.
    fn unfit(&self, reason: String) -> Error {
        Error::Lines {
            instance: self.instance.name.to_string(),
            reason,
        }
    }
}

/// What has the shape of the call.
const LINES_OF: &str = "the lines of the first container that is seen line by line have";
