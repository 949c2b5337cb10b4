//! What `run` makes for the outputs.

use super::Domain;
use crate::{
    Element, Result,
    call::{Operand, Operands},
    container::Container,
    param::Outputs,
    space::Shape,
};

/// The new containers for the outputs of a user function, of the family `D`.
#[diagnostic::on_unimplemented(
    message = "no containers hold what this user function returns: `{Self}`",
    label = "neither an element, nor a tuple of two to four elements, nor `()`",
    note = "each part of a tuple fills a container: instead of a tuple in a tuple write `(a, b, c)`, or a struct with #[derive(Element)]"
)]
pub trait Fill<D: Domain>: Outputs {
    /// The container; a tuple of containers; or `()` if the function only writes through `&mut`.
    type Containers;

    /// Containers of this shape, to be written.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    fn unwritten(shape: Shape) -> Result<Self::Containers>;

    /// Appends their operands.
    fn operands<'s>(containers: &'s mut Self::Containers, to: &mut Operands<'s>);

    /// Their first elements, which must be there.
    ///
    /// # Errors
    /// Those of the call that wrote them, and of downloading.
    fn first(containers: &mut Self::Containers) -> Result<Self>
    where
        Self: Sized;
}

fn first<T: Element>(container: &mut impl Container<T>) -> Result<T> {
    let target = container.target();
    target.buffer().note_read(0..1);
    Ok(target.buffer().host_view(0..1)?.slice(0..1)[0])
}

impl<D: Domain, T: Element> Fill<D> for T {
    type Containers = D::Container<T>;

    fn unwritten(shape: Shape) -> Result<Self::Containers> {
        Container::unwritten(shape)
    }

    fn operands<'s>(containers: &'s mut Self::Containers, to: &mut Operands<'s>) {
        to.push(Operand::write(containers.target()));
    }

    fn first(container: &mut Self::Containers) -> Result<T> {
        first(container)
    }
}

impl<D: Domain> Fill<D> for () {
    type Containers = ();

    fn unwritten(_: Shape) -> Result<()> {
        Ok(())
    }

    fn operands<'s>((): &'s mut (), _: &mut Operands<'s>) {}

    fn first((): &mut ()) -> Result<()> {
        Ok(())
    }
}

macro_rules! tuple {
    ($($t:ident $i:tt),*) => {
        impl<D: Domain, $($t: Element),*> Fill<D> for ($($t,)*) {
            type Containers = ($(D::Container<$t>,)*);

            fn unwritten(shape: Shape) -> Result<Self::Containers> {
                Ok(($(<D::Container<$t> as Container<$t>>::unwritten(shape)?,)*))
            }

            fn operands<'s>(containers: &'s mut Self::Containers, to: &mut Operands<'s>) {
                $(to.push(Operand::write(containers.$i.target()));)*
            }

            fn first(containers: &mut Self::Containers) -> Result<Self> {
                Ok(($(first(&mut containers.$i)?,)*))
            }
        }
    };
}
tuple!(A 0, B 1);
tuple!(A 0, B 1, C 2);
tuple!(A 0, B 1, C 2, E 3);
