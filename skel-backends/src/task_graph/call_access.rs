//! Accesses of a call by chunks: what its closure gets.

use super::{
    access::{Argument, Read, Sealed, Update, Write},
    call::Declared,
    data::Datum,
    granted::Granted,
};
use crate::chunked::{Plan, Use};
use skel_core::{
    Error, Result,
    container::{RangeMut, Ranges},
};
use skel_tasks::{Mode, TaskError};

/// An access of a call by chunks: what [`Handle::read`](super::Handle::read), [`Handle::write`](super::Handle::write) and
/// [`Handle::update`](super::Handle::update) give for a container. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no access of a call by chunks",
    label = "wanted here: `x.read()`, `x.write()` or `x.update()` of a container that the graph was given"
)]
pub trait CallArgument: Argument + Sync {
    /// What the closure gets: `&C` for what is read, which chunks may be read of by calls alone; [`RangeMut`] for what is
    /// written.
    type Part<'t>;
    #[doc(hidden)]
    type Container: Ranges;

    #[doc(hidden)]
    fn datum(&self) -> &Datum<Self::Container>;
    #[doc(hidden)]
    const MODE: Mode;
    #[doc(hidden)]
    fn part(container: &mut Self::Container) -> Self::Part<'_>;
}

impl<C: Ranges> CallArgument for Read<C> {
    type Part<'t> = &'t C;
    type Container = C;
    const MODE: Mode = Mode::Read;

    fn datum(&self) -> &Datum<C> {
        &self.0
    }

    fn part(container: &mut C) -> &C {
        container
    }
}

macro_rules! written {
    ($($name:ident)*) => { $(
        impl<C: Ranges> CallArgument for $name<C> {
            type Part<'t> = RangeMut<'t, C>;
            type Container = C;
            const MODE: Mode = Mode::$name;

            fn datum(&self) -> &Datum<C> {
                &self.0
            }

            fn part(container: &mut C) -> RangeMut<'_, C> {
                RangeMut::new(container)
            }
        }
    )* };
}
written!(Write Update);

impl<C: Ranges> Datum<C> {
    fn declared(&self, mode: Mode) -> Declared {
        let outline = self.outline.as_ref().map(C::elements);
        let elem_bytes = outline.map_or(0, |buffer| buffer.layout().size_bytes() as u64);
        Declared {
            handle: self.id,
            graph: self.shared.address(),
            mode,
            len: outline.map_or(0, |buffer| buffer.len()),
            elem_bytes,
        }
    }

    fn to_plan(&self) -> Result<C> {
        let outline = self.outline.as_ref().map(C::outline);
        outline.ok_or(Error::Task(TaskError::Taken))
    }
}

/// All accesses of a call by chunks: a tuple of up to eight. Sealed.
pub trait CallAccesses: Sealed + Send + Sync + 'static {
    /// What the closure gets: a tuple of containers.
    type Refs<'t>;

    #[doc(hidden)]
    fn declare(&self) -> Vec<Declared>;
    /// Calls `work` with containers without elements, and the addresses of their buffers.
    #[doc(hidden)]
    fn plan(
        &self,
        work: impl for<'t> FnOnce(Vec<usize>, Self::Refs<'t>) -> Result<Plan>,
    ) -> Result<Plan>;
    /// The same, with containers that have the elements of a chunk.
    #[doc(hidden)]
    fn run(
        &self,
        uses: &[Use],
        work: impl for<'t> FnOnce(Vec<usize>, Self::Refs<'t>) -> Result<()>,
    ) -> Result<()>;
}

macro_rules! tuples {
    ($( ($($name:ident $guard:ident $index:tt),*) )*) => { $(
        impl<$($name: CallArgument),*> Sealed for ($($name,)*) {}
        impl<$($name: CallArgument),*> CallAccesses for ($($name,)*) {
            type Refs<'t> = ($($name::Part<'t>,)*);

            fn declare(&self) -> Vec<Declared> {
                vec![$( self.$index.datum().declared($name::MODE) ),*]
            }

            fn plan(
                &self,
                work: impl for<'t> FnOnce(Vec<usize>, Self::Refs<'t>) -> Result<Plan>,
            ) -> Result<Plan> {
                $( let mut $guard = self.$index.datum().to_plan()?; )*
                let buffers = vec![$( std::ptr::from_ref($guard.elements()).addr() ),*];
                work(buffers, ($($name::part(&mut $guard),)*))
            }

            fn run(
                &self,
                uses: &[Use],
                work: impl for<'t> FnOnce(Vec<usize>, Self::Refs<'t>) -> Result<()>,
            ) -> Result<()> {
                $(
                    let mut $guard = Granted::new(self.$index.datum(), &uses[$index])
                        .map_err(Error::Task)?;
                )*
                let buffers = vec![$( std::ptr::from_ref($guard.get_mut().elements()).addr() ),*];
                work(buffers, ($($name::part($guard.get_mut()),)*))
            }
        }
    )* };
}
tuples! {
    (A a 0)
    (A a 0, B b 1)
    (A a 0, B b 1, C c 2)
    (A a 0, B b 1, C c 2, D d 3)
    (A a 0, B b 1, C c 2, D d 3, E e 4)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6)
    (A a 0, B b 1, C c 2, D d 3, E e 4, F f 5, G g 6, H h 7)
}
