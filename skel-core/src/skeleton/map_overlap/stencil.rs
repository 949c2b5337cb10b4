//! Functions that begin with a window.

use crate::{
    Element,
    param::{NeighbourhoodKind, Param, ParamList, Params},
};

/// Parameters of which the first is a window: its container can be iterated over, and elements that are
/// left out keep its value.
#[diagnostic::on_unimplemented(
    message = "the first parameter must be a window, not as in `{Self}`",
    label = "the first parameter is no window"
)]
pub trait Stencil: ParamList {
    /// The first parameter.
    type First: Param + NeighbourhoodKind<Elem = Self::Elem>;
    /// The type of its elements.
    type Elem: Element;
    /// The other parameters.
    type Rest: ParamList;

    /// The element that the first window is around.
    fn centre(args: &<Self as Params>::Args<'_>) -> Self::Elem;
}

macro_rules! stencil {
    ($($k:ident),*) => {
        impl<First: Param + NeighbourhoodKind $(, $k: Param)*> Stencil for (First, $($k,)*) {
            type First = First;
            type Elem = First::Elem;
            type Rest = ($($k,)*);

            #[inline(always)]
            fn centre(args: &<Self as Params>::Args<'_>) -> First::Elem {
                First::centre(&args.0)
            }
        }
    };
}
stencil!();
stencil!(A);
stencil!(A, B);
stencil!(A, B, C);
stencil!(A, B, C, D);
stencil!(A, B, C, D, G);
stencil!(A, B, C, D, G, H);
stencil!(A, B, C, D, G, H, I);
stencil!(A, B, C, D, G, H, I, J);
stencil!(A, B, C, D, G, H, I, J, K);
stencil!(A, B, C, D, G, H, I, J, K, L);
stencil!(A, B, C, D, G, H, I, J, K, L, M);
