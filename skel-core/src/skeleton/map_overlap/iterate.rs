//! Steps, one after the other.

use super::{Everywhere, MapOverlap, PadValue, Padded, Stencil};
use crate::{
    Result,
    bind::{Bind, BindAll},
    call::{ArgumentShapes, EdgeKind, Executor, Fit, Operand, Operands},
    container::{Container, Shape},
    plan::Phases,
    skeleton::{
        elementwise::Elementwise,
        near::{Placed, unfit},
    },
    user_function::UserFunction,
};

impl<F, E: Executor, V: PadValue> MapOverlap<F, E, V, Everywhere> {
    /// `steps` times the result of the call in place of its first argument, which must be seen through a
    /// window; the other arguments, `rest`, stay. No steps give what came.
    ///
    /// There are two containers, which take turns. Their parts stay where they are computed; between
    /// units, only what windows see across the borders moves.
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
    /// assert_eq!(later.host()?[..], [1.0, 4.0, 6.0, 4.0, 1.0]);
    /// # skel::Result::Ok(())
    /// ```
    ///
    /// # Errors
    /// As [`MapOverlap::run`]; [`Neighbourhood`](crate::Error::Neighbourhood) where the result has not
    /// the shape of the argument. The container is lost.
    pub fn iterate<P, C, A>(&self, steps: usize, x: C, rest: A) -> Result<C>
    where
        P: Stencil + Padded<V>,
        F: UserFunction<P, Output = P::Elem>,
        C: Container<P::Elem>,
        for<'c> &'c C: Bind<P::First>,
        A: BindAll<P::Rest>,
    {
        self.steps(steps, x, rest, &[Elementwise::<F, P>::WINDOWS])
    }
}

impl<F, E: Executor, V: PadValue, U> MapOverlap<F, E, V, U> {
    /// `count` times these plans, one after the other, each on what the one before gave.
    pub(super) fn steps<P, C, A>(
        &self,
        count: usize,
        x: C,
        mut rest: A,
        plans: &[&'static dyn Phases],
    ) -> Result<C>
    where
        P: Stencil + Padded<V>,
        F: UserFunction<P, Output = P::Elem>,
        C: Container<P::Elem>,
        for<'c> &'c C: Bind<P::First>,
        A: BindAll<P::Rest>,
    {
        let Some((input, _)) = Bind::<P::First>::shape_and_fit(&&x) else {
            unreachable!("a container has a shape")
        };
        let placed = self.place_first::<P>(input, &rest)?;
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
        let mut y = C::unwritten(input)?;
        let mut x = x;
        for _ in 0..count {
            for plan in plans {
                {
                    let mut from = &x;
                    let mut operands = Operands::new();
                    operands.push(Bind::<P::First>::operand(&mut from));
                    rest.operands(&mut operands);
                    placed.tell(&mut operands, self.beyond()?);
                    operands.push(Operand::Write(y.target()));
                    self.instance.execute(*plan, input, operands)?;
                }
                std::mem::swap(&mut x, &mut y);
            }
        }
        Ok(x)
    }

    /// Where windows lie, of which the first sees a container of shape `input`.
    fn place_first<P>(&self, input: Shape, rest: &impl BindAll<P::Rest>) -> Result<Placed>
    where
        P: Stencil,
        F: UserFunction<P, Output = P::Elem>,
    {
        let (mut shapes, mut others) = (ArgumentShapes::new(), ArgumentShapes::new());
        shapes.push((1, input, Fit::Near));
        rest.shapes(&mut others);
        shapes.extend(
            others
                .into_iter()
                .map(|(at, shape, fit)| (at + 1, shape, fit)),
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
