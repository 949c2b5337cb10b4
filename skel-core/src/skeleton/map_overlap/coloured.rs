//! Updates of one colour.

use super::{
    Coloured, Coordinates, Iterated, MapOverlap, PadValue, Padded, Stencil, parity::Parity,
};
use crate::{
    Result,
    bind::{BindAll, Destination, Domain},
    call::{Executor, Input, Operand, Operands},
    container::Container,
    plan::Phases,
    skeleton::{
        elementwise::Elementwise,
        neighbourhood::{Placed, unfit},
    },
    space::Shape,
    user_function::UserFunction,
};

/// Which elements a step computes, by the sum of their indices: those with an odd sum are red, the
/// others black, so that neighbours have different colours.
///
/// The function's first parameter is a window, whose elements have the type of the result: elements
/// that are not computed keep its centre. A function that is given an index must be given one of as many
/// dimensions as the container has, or [`Index4`](crate::param::Index4).
///
/// ```
/// use skel::prelude::*;
///
/// let mean = map_overlap!(|w: Window1<f32, 1>| 0.5 * (w[-1] + w[1]));
/// let x = [0.0, 9.0, 4.0, 9.0, 8.0];
/// let red = mean.clone().update(Update::Red).run((&x,))?;
/// assert_eq!(red.host()?[..], [0.0, 2.0, 4.0, 6.0, 8.0]);
/// let both = mean.update(Update::RedBlack).run((&x,))?;
/// assert_eq!(both.host()?[..], [1.0, 2.0, 4.0, 6.0, 7.0]);
/// # skel::Result::Ok(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Update {
    /// Those with an odd sum; then the others, which see what became of those.
    RedBlack,
    /// Those with an odd sum.
    Red,
    /// Those with an even sum.
    Black,
}

/// The plans of an update: one for each colour.
fn plans<F, P>(update: Update) -> &'static [&'static dyn Phases]
where
    P: Stencil,
    F: UserFunction<P, Output = P::Elem, At: Coordinates>,
{
    let both: &'static [&'static dyn Phases] = const {
        &[
            Elementwise::<Parity<F, true>, P>::WINDOWS,
            Elementwise::<Parity<F, false>, P>::WINDOWS,
        ]
    };
    match update {
        Update::RedBlack => both,
        Update::Red => &both[..1],
        Update::Black => &both[1..],
    }
}

impl<F, E: Executor, V: PadValue> MapOverlap<F, E, V, Coloured> {
    /// Runs the call, and gives a new container.
    ///
    /// # Errors
    /// As [`MapOverlap::run`] of all elements; [`Neighbourhood`](crate::Error::Neighbourhood) with
    /// [`Edge::None`](super::Edge::None), and for a function of an index with too few dimensions.
    pub fn run<P, A, D>(&self, mut args: A) -> Result<D::Container<P::Elem>>
    where
        P: Stencil + Padded<V>,
        F: UserFunction<P, Output = P::Elem, At: Coordinates>,
        A: BindAll<P, Domain = D>,
        D: Domain,
    {
        let placed = self.placed(&args, None)?;
        let mut out = <D::Container<P::Elem>>::unwritten(placed.shape)?;
        self.update_all(&placed, &mut args, Operand::write(out.target()))?;
        Ok(out)
    }

    /// Runs the call, and writes the result to `out`.
    ///
    /// # Errors
    /// As `run`. After an error, `out` has no valid elements (a slice: unspecified ones).
    pub fn run_into<P, A, D, O>(&self, mut args: A, mut out: O) -> Result<()>
    where
        P: Stencil + Padded<V>,
        F: UserFunction<P, Output = P::Elem, At: Coordinates>,
        A: BindAll<P, Domain = D>,
        D: Domain,
        O: Destination<P::Elem>,
    {
        let placed = self.placed(&args, Some((P::LEN + 1, out.call_shape())))?;
        let mut outputs = Operands::new();
        out.operands(&mut outputs);
        let Some(out) = outputs.into_iter().next() else {
            unreachable!("one output has one operand")
        };
        self.update_all(&placed, &mut args, out)
    }

    /// As `iterate` of all elements: `steps` updates, in two containers that take turns.
    ///
    /// # Errors
    /// As `run`. The container is lost.
    pub fn iterate<P, X, A>(&self, steps: usize, x: X, rest: A) -> Result<X>
    where
        P: Stencil + Padded<V>,
        X: Iterated<P, Output = P::Elem>,
        F: UserFunction<P, Output = P::Elem, At: Coordinates>,
        A: BindAll<X::Rest>,
    {
        self.fits::<P>(x.shape())?;
        self.steps(steps, x, rest, plans::<F, P>(self.settings.update.0))
    }

    fn placed<P, A>(&self, args: &A, out: Option<(usize, Shape)>) -> Result<Placed>
    where
        P: Stencil,
        F: UserFunction<P, Output = P::Elem, At: Coordinates>,
        A: BindAll<P>,
    {
        self.needs_edges("an update of one colour")?;
        let placed = self.place(Elementwise::<F, P>::NEAR, args, out)?;
        self.fits::<P>(placed.shape)?;
        Ok(placed)
    }

    /// Whether the function's index tells the colour of an element.
    fn fits<P>(&self, shape: Shape) -> Result<()>
    where
        P: Stencil,
        F: UserFunction<P, At: Coordinates>,
    {
        let dimensions = <F::At as Coordinates>::DIMENSIONS;
        if dimensions < shape.rank() {
            let rank = shape.rank();
            return Err(unfit(
                &self.instance,
                format!(
                    "the colour of an element of {shape} is not known from an `Index{dimensions}`: let the function take an `Index{rank}`"
                ),
            ));
        }
        Ok(())
    }

    /// All colours of the update, one after the other; the last one writes `out`.
    fn update_all<P, A, D>(&self, placed: &Placed, args: &mut A, out: Operand<'_>) -> Result<()>
    where
        P: Stencil + Padded<V>,
        F: UserFunction<P, Output = P::Elem, At: Coordinates>,
        A: BindAll<P, Domain = D>,
        D: Domain,
    {
        let pad = self.beyond()?;
        let plans = plans::<F, P>(self.settings.update.0);
        let mut between = None;
        if let [first, _] = plans {
            let between = between.insert(<D::Container<P::Elem>>::unwritten(placed.shape)?);
            let mut call = self.instance.open(*first, placed.shape);
            args.operands(&mut call.operands);
            placed.tell(&mut call.operands, pad);
            call.operands.push(Operand::write(between.target()));
            self.instance.execute(&mut call)?;
        }
        let [.., last] = plans else { return Ok(()) };
        let mut call = self.instance.open(*last, placed.shape);
        let operands = &mut call.operands;
        args.operands(operands);
        placed.tell(operands, pad);
        if let (Some(between), Some(first)) = (&between, operands.first_mut())
            && let Operand::Input(Input { source, .. }) = first
        {
            *source = between.elements().into();
        }
        operands.push(out);
        self.instance.execute(&mut call)?;
        Ok(())
    }
}
