//! Parts of containers as operands.

use crate::{
    Element,
    call::{Fit, Operand, Window},
    container::{
        Across, Down, MatrixPart, MatrixPartMut, Tensor3Part, Tensor3PartMut, Tensor4Part,
        Tensor4PartMut, VectorPart, VectorPartMut,
    },
    space::Shape,
};

macro_rules! read {
    ($($part:ident)*) => { $(
        impl<'a, T: Element> $part<'a, T> {
            pub(crate) fn operand_to_read(&self) -> Operand<'a> {
                Operand::strided(self.source(), self.grid().layout())
            }

            /// How it takes part in a call as a whole: so, if its elements lie one after the other.
            pub(crate) fn fit_as_whole(&self, fit: Fit) -> Fit {
                match self.grid().contiguous() {
                    Some(_) => fit,
                    None => Fit::Scattered,
                }
            }

            /// What is wrong with it as a whole, where its shape is free.
            #[allow(dead_code, reason = "there is no view of four dimensions")]
            pub(crate) fn gaps(&self) -> Option<(Shape, Fit)> {
                let fit = self.fit_as_whole(Fit::Same);
                (fit == Fit::Scattered).then(|| (self.shape(), fit))
            }

            /// The operand of a call that reads it as a whole, which needs [`Fit`] to have been asked.
            #[allow(dead_code, reason = "there is no view of four dimensions")]
            pub(crate) fn operand_as_whole(&self) -> Operand<'a> {
                let places = self.grid().contiguous().unwrap_or(0..0);
                Operand::whole(self.source().part(places), self.shape())
            }

            /// The operand of a call whose elements see neighbourhoods of it; likewise.
            pub(crate) fn operand_seen_near(&self, window: Window<'a>) -> Operand<'a> {
                let places = self.grid().contiguous().unwrap_or(0..0);
                Operand::window(self.source().part(places), window)
            }
        }
    )* };
}
read!(VectorPart MatrixPart Tensor3Part Tensor4Part);

macro_rules! written {
    ($($part:ident)*) => { $(
        impl<T: Element> $part<'_, T> {
            pub(crate) fn operand_to_write(&mut self, reads: bool) -> Operand<'_> {
                let (contiguous, layout) = (self.grid().contiguous(), self.grid().layout());
                match (contiguous, reads) {
                    (Some(_), true) => Operand::update(self.target()),
                    (Some(_), false) => Operand::write(self.target()),
                    (None, _) => Operand::scattered(self.target(), layout, reads),
                }
            }
        }
    )* };
}
written!(VectorPartMut MatrixPartMut Tensor3PartMut Tensor4PartMut);

macro_rules! spread {
    ($($part:ident)*) => { $(
        impl<'a, T: Element> $part<'a, T> {
            pub(crate) fn operand_to_read(&self) -> Operand<'a> {
                let layout = self.part().grid().along(Self::DIMENSION);
                Operand::strided(self.part().source(), layout)
            }
        }
    )* };
}
spread!(Down Across);
