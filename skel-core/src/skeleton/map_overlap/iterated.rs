//! What steps are made of: one container, or several.

use super::Stencil;
use crate::{
    Element, Result,
    bind::Bind,
    call::{ArgumentShapes, Fit, Operand, Operands, Window},
    container::{Container, Matrix, Tensor3, Tensor4, Vector},
    param::{NeighbourhoodKind, Outputs, ParamList},
    space::Shape,
};

/// What [`iterate`](super::MapOverlap::iterate) gives back changed: a container, which the first of the
/// parameters `P` is a window to, or a tuple of two to four, for as many windows.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be iterated over by a function of the parameters `{P}`",
    label = "wanted: a container for the window that the function begins with; or a tuple of containers, one for each of as many windows"
)]
pub trait Iterated<P>: Sized {
    /// What a function of these parameters returns.
    type Output: Outputs;
    /// The parameters behind the windows.
    type Rest: ParamList;

    /// The shape of the first container.
    fn shape(&self) -> Shape;

    /// The shapes of all, as arguments.
    fn shapes(&self, to: &mut ArgumentShapes);

    /// As many of the same shapes, without elements.
    ///
    /// # Errors
    /// [`OutOfMemory`](crate::Error::OutOfMemory).
    fn unwritten(&self) -> Result<Self>;

    /// Appends them as arguments.
    fn read<'s>(&'s self, to: &mut Operands<'s>);

    /// Appends them as outputs.
    fn write<'s>(&'s mut self, to: &mut Operands<'s>);
}

/// A container that is seen through windows of the kind `K`.
fn seen<K: NeighbourhoodKind<Elem = T>, T: Element>(container: &impl Container<T>) -> Operand<'_> {
    let window = Window::of(container.shape(), K::REACH);
    Operand::window(container.elements(), window)
}

macro_rules! one {
    ($($container:ident)*) => { $(
        impl<T, P> Iterated<P> for $container<T>
        where
            T: Element,
            P: Stencil<Elem = T>,
            for<'c> &'c $container<T>: Bind<P::First>,
        {
            type Output = T;
            type Rest = P::Rest;

            fn shape(&self) -> Shape {
                Container::shape(self)
            }

            fn shapes(&self, to: &mut ArgumentShapes) {
                to.push((1, Container::shape(self), Fit::Neighbourhood));
            }

            fn unwritten(&self) -> Result<Self> {
                Container::unwritten(Container::shape(self))
            }

            fn read<'s>(&'s self, to: &mut Operands<'s>) {
                to.push(seen::<P::First, T>(self));
            }

            fn write<'s>(&'s mut self, to: &mut Operands<'s>) {
                to.push(Operand::write(Container::target(self)));
            }
        }
    )* };
}
one!(Vector Matrix Tensor3 Tensor4);

/// The parameters behind the first, second, … window.
type After<P> = <P as Stencil>::Rest;

macro_rules! several {
    ($($container:ident $at:tt: $number:literal $params:ty;)*, $last:ty) => {
        impl<P, $($container),*> Iterated<P> for ($($container,)*)
        where
            P: Stencil,
            $(
                $params: Stencil,
                $container: Container<<$params as Stencil>::Elem>,
                for<'c> &'c $container: Bind<<$params as Stencil>::First>,
            )*
        {
            type Output = ($(<$params as Stencil>::Elem,)*);
            type Rest = $last;

            fn shape(&self) -> Shape {
                self.0.shape()
            }

            fn shapes(&self, to: &mut ArgumentShapes) {
                $(to.push(($number, self.$at.shape(), Fit::Neighbourhood));)*
            }

            fn unwritten(&self) -> Result<Self> {
                Ok(($($container::unwritten(self.$at.shape())?,)*))
            }

            fn read<'s>(&'s self, to: &mut Operands<'s>) {
                $(to.push(seen::<<$params as Stencil>::First, _>(&self.$at));)*
            }

            fn write<'s>(&'s mut self, to: &mut Operands<'s>) {
                $(to.push(Operand::write(self.$at.target()));)*
            }
        }
    };
}
several! { A 0: 1 P; B 1: 2 After<P>;, After<After<P>> }
several! { A 0: 1 P; B 1: 2 After<P>; C 2: 3 After<After<P>>;, After<After<After<P>>> }
several! {
    A 0: 1 P; B 1: 2 After<P>; C 2: 3 After<After<P>>; D 3: 4 After<After<After<P>>>;,
    After<After<After<After<P>>>>
}
