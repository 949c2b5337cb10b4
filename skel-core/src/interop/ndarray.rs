//! Arrays of the crate `ndarray`: containers from them, arrays over what containers hold, and arrays
//! as arguments.

use crate::{
    Element, Error, Result,
    bind::{Bind, Destination, Dim1, Dim2, Dim3, Dim4, NoDomain},
    call::{ArgumentShapes, Fit, Operand, Operands},
    container::{
        HostRef, Matrix, SliceMut, Tensor3, Tensor4, Vector,
        host::{expect, made},
    },
    frame::View,
    param::{Each, EachMut, Whole},
    space::{MAX_RANK, Shape},
};
use ndarray::{
    Array, ArrayBase, ArrayView, Data, DataMut, Dimension, IntoDimension, Ix1, Ix2, Ix3, Ix4,
    RawData,
};

/// The shape of an array of one to four dimensions.
fn shape_of<S: RawData, D: Dimension>(array: &ArrayBase<S, D>) -> Shape {
    let (mut extents, rank) = ([1; MAX_RANK], array.ndim());
    extents[MAX_RANK - rank..].copy_from_slice(array.shape());
    Shape::of_rank(rank, extents)
}

/// The elements of an array in row-major order; nothing is copied if that is how they lie.
#[track_caller]
fn elements<T: Element, D: Dimension>(array: Array<T, D>) -> Vec<T> {
    if !array.is_standard_layout() {
        return expect(made(array.len(), array.iter().copied()));
    }
    let len = array.len();
    let (mut elements, offset) = array.into_raw_vec_and_offset();
    elements.drain(..offset.unwrap_or(0));
    elements.truncate(len);
    elements
}

/// `ndarray` counts extents beside a zero, where we do not.
fn uncountable(method: &'static str, shape: Shape) -> Error {
    Error::TooLarge {
        instance: method.into(),
        shape,
    }
}

/// How an argument of this shape takes part; what does not lie in row-major order cannot.
fn fit<S: Data, D: Dimension>(array: &ArrayBase<S, D>) -> Fit {
    match array.is_standard_layout() {
        true => Fit::Same,
        false => Fit::Scattered,
    }
}

macro_rules! arrays {
    ($($container:ident $dim:ident $ix:ident |$v:ident| $extents:expr, |$shape:ident, $elements:ident| $make:expr;)*) => { $(
        impl<T: Element> From<Array<T, $ix>> for $container<T> {
            /// Takes the elements over; copied only if they do not lie in row-major order, and then it
            /// panics if memory is short.
            #[track_caller]
            fn from(array: Array<T, $ix>) -> Self {
                let $shape = array.dim();
                let $elements = elements(array);
                $make
            }
        }

        impl<T: Element> $container<T> {
            /// All elements on the host, as an array of the crate `ndarray`: downloads what the host
            /// lacks, and copies nothing.
            ///
            /// # Errors
            /// As `host`; [`Error::TooLarge`] for extents beside a zero that `ndarray` refuses.
            pub fn host_array(&self) -> Result<ArrayView<'_, T, $ix>> {
                let $v = self;
                ArrayView::from_shape($extents.into_dimension(), HostRef::as_slice(&self.host()?))
                    .map_err(|_| uncountable("host_array", self.shape()))
            }

            /// The elements as an array of the crate `ndarray`. Nothing is copied but what the host
            /// lacks.
            ///
            /// # Errors
            /// As `into_vec` and `host_array`.
            pub fn into_array(self) -> Result<Array<T, $ix>> {
                let ($v, shape) = (&self, self.shape());
                let extents = $extents.into_dimension();
                Array::from_shape_vec(extents, self.into_vec()?)
                    .map_err(|_| uncountable("into_array", shape))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element, S: Data<Elem = T>> Bind<Each<T>> for &ArrayBase<S, $ix> {
            type Domain = $dim;

            fn operand(&mut self) -> Operand<'_> {
                Operand::read(View::of(self.as_slice().unwrap_or(&[])))
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                Some((shape_of(self), fit(self)))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: Element, S: DataMut<Elem = T>> Bind<EachMut<T>> for &mut ArrayBase<S, $ix> {
            type Domain = $dim;

            fn operand(&mut self) -> Operand<'_> {
                Operand::update(SliceMut::of(self.as_slice_mut().unwrap_or(&mut [])))
            }

            fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
                Some((shape_of(self), fit(self)))
            }
        }

        impl<T: Element, S: DataMut<Elem = T>> Destination<T> for &mut ArrayBase<S, $ix> {
            fn operands<'s>(&'s mut self, to: &mut Operands<'s>) {
                let elements = self.as_slice_mut().unwrap_or(&mut []);
                to.push(Operand::write(SliceMut::of(elements)));
            }

            fn call_shape(&self) -> Shape {
                shape_of(self)
            }

            fn shapes(&self, first: usize, to: &mut ArgumentShapes) {
                to.push((first, shape_of(self), fit(self)));
            }
        }
    )* };
}
arrays! {
    Vector Dim1 Ix1 |v| v.len(), |_shape, elements| elements.into();
    Matrix Dim2 Ix2 |m| (m.rows(), m.cols()), |shape, elements| Matrix::of(shape.0, shape.1, elements);
    Tensor3 Dim3 Ix3 |t| (t.planes(), t.rows(), t.cols()), |shape, elements| Tensor3::of(shape.into(), elements);
    Tensor4 Dim4 Ix4 |t| (t.volumes(), t.planes(), t.rows(), t.cols()), |shape, elements| Tensor4::of(shape.into(), elements);
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: Data<Elem = T>> Bind<Whole<T>> for &ArrayBase<S, Ix1> {
    type Domain = NoDomain;

    fn operand(&mut self) -> Operand<'_> {
        Operand::whole_slice(self.as_slice().unwrap_or(&[]))
    }

    fn shape_and_fit(&self) -> Option<(Shape, Fit)> {
        (!self.is_standard_layout()).then(|| (shape_of(self), Fit::Scattered))
    }
}
