//! Steps, one after the other.

use super::{Everywhere, Iterated, MapOverlap, PadValue, Padded};
use crate::{
    Result,
    bind::BindAll,
    call::{ArgumentShapes, Executor},
    param::ParamList,
    plan::Phases,
    skeleton::{
        bound::shapes_of,
        elementwise::Elementwise,
        neighbourhood::{Placed, unfit},
    },
    space::EdgeKind,
    user_function::UserFunction,
};

impl<F, E: Executor, V: PadValue> MapOverlap<F, E, V, Everywhere> {
    /// `steps` times the result of the call in place of its first argument, which must be seen through a
    /// window; the other arguments, `rest`, stay. No steps give what came.
    ///
    /// There are two containers, which take turns. Their parts stay where they are computed; between
    /// units, only what windows see across the borders moves. Where the CPU alone computes containers that are larger than
    /// its caches, it may take several steps in one pass over memory: with the same bits, and the same errors.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// #[user_function]
    /// fn heat(w: Window1<f32, 1>, #[uniform] k: f32) -> f32 {
    ///     w[0] + k * (w[-1] - 2.0 * w[0] + w[1])
    /// }
    ///
    /// let rod = Vector::from(vec![0.0, 0.0, 16.0, 0.0, 0.0]);
    /// let later = map_overlap!(heat).iterate(2, rod, (0.25,))?;
    /// assert_eq!(later.host()?, [1.0, 4.0, 6.0, 4.0, 1.0]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// Several containers are stepped together: a function whose first two, three or four parameters are
    /// windows, and which returns a tuple of as many results, takes the place of that many containers. All
    /// results of a step are computed from what the step before gave.
    ///
    /// ```
    /// use skel::prelude::*;
    ///
    /// /// A wave: how high it is, and how fast it rises.
    /// #[user_function]
    /// fn wave(high: Window1<f32, 1>, fast: Window1<f32, 0>, #[uniform] dt: f32) -> (f32, f32) {
    ///     let rises = fast[0] + dt * (high[-1] - 2.0 * high[0] + high[1]);
    ///     (high[0] + dt * fast[0], rises)
    /// }
    ///
    /// let start = (Vector::from([0.0, 4.0, 0.0]), Vector::filled(3, 0.0));
    /// let (high, fast) = map_overlap!(wave).pad(0.0).iterate(2, start, (0.5,))?;
    /// assert_eq!(high.host()?, [1.0, 2.0, 1.0]);
    /// assert_eq!(fast.host()?, [4.0, -8.0, 4.0]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`MapOverlap::run`]; [`Neighbourhood`](crate::Error::Neighbourhood) where the result has not
    /// the shape of the argument. The containers are lost.
    pub fn iterate<P, X, A>(&self, steps: usize, x: X, rest: A) -> Result<X>
    where
        P: ParamList + Padded<V>,
        X: Iterated<P>,
        F: UserFunction<P, Output = X::Output>,
        A: BindAll<X::Rest>,
    {
        self.steps(steps, x, rest, &[Elementwise::<F, P>::WINDOWS])
    }
}

impl<F, E: Executor, V: PadValue, U> MapOverlap<F, E, V, U> {
    /// `count` times these plans, one after the other, each on what the one before gave.
    pub(super) fn steps<P, X, A>(
        &self,
        count: usize,
        x: X,
        mut rest: A,
        plans: &[&'static dyn Phases],
    ) -> Result<X>
    where
        P: ParamList + Padded<V>,
        X: Iterated<P>,
        F: UserFunction<P, Output = X::Output>,
        A: BindAll<X::Rest>,
    {
        let (input, placed) = (x.shape(), self.place_first::<P, X>(&x, &rest)?);
        if placed.shape != input {
            let reason = format!(
                "with `Edge::None`, {input} gives {}, and so cannot be the next step's argument: take another edge",
                placed.shape
            );
            return Err(unfit(&self.instance, reason));
        }
        if count == 0 {
            return Ok(x);
        }
        let beyond = self.beyond()?;
        let mut y = x.unwritten()?;
        let (mut x, mut left) = (x, count);
        // Steps of one plan may be taken together. Where that fails, one by one: then it is known which element failed.
        let mut together = plans.len() == 1;
        while left > 0 {
            let mut done = 1;
            for plan in plans {
                let steps = {
                    let mut call = self.instance.open(*plan, input);
                    let operands = &mut call.operands;
                    x.read(operands);
                    rest.operands(operands);
                    placed.tell(operands, beyond);
                    y.write(operands);
                    let several = match together && left > 1 {
                        true => self.instance.execute_steps(&mut call, left),
                        false => Ok(0),
                    };
                    match several {
                        Ok(0) => self.instance.execute(&mut call).map(|_| Some(1))?,
                        Ok(steps) => Some(steps),
                        Err(_) => None,
                    }
                };
                let Some(steps) = steps else {
                    (together, done) = (false, 0);
                    break;
                };
                done = steps;
                std::mem::swap(&mut x, &mut y);
            }
            left -= done;
        }
        Ok(x)
    }

    /// Where windows lie, of which the first ones see the containers `x`.
    fn place_first<P, X>(&self, x: &X, rest: &impl BindAll<X::Rest>) -> Result<Placed>
    where
        P: ParamList,
        X: Iterated<P>,
        F: UserFunction<P, Output = X::Output>,
    {
        let (mut shapes, others) = (ArgumentShapes::new(), shapes_of(rest));
        x.shapes(&mut shapes);
        let count = shapes.len();
        shapes.extend(
            others
                .into_iter()
                .map(|(at, shape, fit)| (at + count, shape, fit)),
        );
        let form = Elementwise::<F, P>::NEAR;
        self.settings.layout.place(&self.instance, form, &shapes)
    }

    /// Edges must give results of the arguments' shape.
    pub(super) fn needs_edges(&self, what: &str) -> Result<()> {
        if self.settings.layout.edge == EdgeKind::None {
            return Err(unfit(
                &self.instance,
                format!(
                    "{what} keeps elements, so the result must have the argument's shape: take another edge than `Edge::None`"
                ),
            ));
        }
        Ok(())
    }
}
