//! A call that can be made again and again: copies of what it works on.

use super::{Call, Layout, Operand, SliceMut, Source, Window};
use crate::{
    Result,
    container::{Buffer, BufferMut, Shape},
    frame::{ErasedArray, Partial, View},
    ir::Ty,
    param::Stream,
    plan::{Blocks, Phases},
};
use std::ops::Range;

/// Copies of the containers and of the outputs of a call, for tuners, which make it many times to see how
/// long it takes. The program's own containers are not touched: not what is in them, and not where it is.
pub struct Replica<'e> {
    instance: &'e str,
    phases: &'static dyn Phases,
    initial: Partial,
    shape: Shape,
    along: Option<super::Along>,
    stream: Stream,
    operands: Vec<Copied<'e>>,
}

/// What a container or a slice was copied to.
enum From<'e> {
    Container(Buffer),
    Slice(View<'e>),
}

/// What is written, and what it was before, if that counts.
struct Target<T> {
    now: T,
    before: Option<T>,
}

enum Copied<'e> {
    Read(From<'e>),
    Strided(From<'e>, Layout),
    Uniform(View<'e>),
    Scalar(Buffer),
    View(From<'e>, Shape),
    ViewPart(From<'e>, Range<usize>, Shape),
    Window(From<'e>, Window<'e>),
    WindowPart(From<'e>, Range<usize>, Window<'e>),
    Update(Target<Buffer>, Range<usize>),
    Scatter(Target<Buffer>, Range<usize>, Layout, bool),
    Write(Buffer, Range<usize>),
    UpdateSlice(Target<ErasedArray>, fn() -> Ty),
    WriteSlice(ErasedArray, fn() -> Ty),
}

impl<'e> From<'e> {
    fn container(buffer: &Buffer) -> Result<Self> {
        buffer.copy_to_host().map(From::Container)
    }

    fn of(source: &Source<'e>) -> Result<Self> {
        match source {
            Source::Container(buffer) => Self::container(buffer),
            Source::Slice(view) => Ok(From::Slice(*view)),
        }
    }

    fn source(&self) -> Source<'_> {
        match self {
            From::Container(buffer) => Source::Container(buffer),
            From::Slice(view) => Source::Slice(*view),
        }
    }
}

impl Target<Buffer> {
    fn copy(of: &Buffer) -> Result<Self> {
        let before = of.copy_to_host()?;
        Ok(Target {
            now: before.copy_to_host()?,
            before: Some(before),
        })
    }
}

impl<'e> Call<'e> {
    /// About how many bytes a [`Call::replica`] takes.
    #[must_use]
    pub fn replica_bytes(&self) -> u64 {
        let of = |operand: &Operand<'_>| {
            let bytes = |buffer: &Buffer| (buffer.len() * buffer.layout().size_bytes()) as u64;
            match operand {
                Operand::Update(target) | Operand::Scatter(target, ..) => {
                    2 * bytes(target.buffer())
                }
                Operand::UpdateSlice(slice) | Operand::WriteSlice(slice) => {
                    2 * (slice.len() * slice.layout().size_bytes()) as u64
                }
                operand => operand.buffer().map_or(0, bytes),
            }
        };
        self.operands.iter().map(of).sum()
    }

    /// Copies of what the call works on. What is only borrowed to be read is not copied.
    ///
    /// # Errors
    /// Those of downloading what the host lacks; [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If something that the call writes was lent before.
    pub fn replica(&self) -> Result<Replica<'e>> {
        let copied = |operand: &Operand<'e>| {
            Ok(match operand {
                Operand::Read(buffer) => Copied::Read(From::container(buffer)?),
                Operand::ReadSlice(view) => Copied::Read(From::Slice(*view)),
                Operand::Strided(source, layout) => Copied::Strided(From::of(source)?, *layout),
                Operand::Uniform(view) => Copied::Uniform(*view),
                Operand::Scalar(buffer) => Copied::Scalar(buffer.copy_to_host()?),
                Operand::View(buffer, shape) => Copied::View(From::container(buffer)?, *shape),
                Operand::ViewSlice(view) => {
                    Copied::View(From::Slice(*view), Shape::D1(view.window().len()))
                }
                Operand::ViewPart(source, part, shape) => {
                    Copied::ViewPart(From::of(source)?, part.clone(), *shape)
                }
                Operand::Window(buffer, window) => {
                    Copied::Window(From::container(buffer)?, **window)
                }
                Operand::WindowSlice(view, window) => Copied::Window(From::Slice(*view), **window),
                Operand::WindowPart(source, part, window) => {
                    Copied::WindowPart(From::of(source)?, part.clone(), **window)
                }
                Operand::Update(target) => {
                    Copied::Update(Target::copy(target.buffer())?, target.window())
                }
                Operand::Scatter(target, layout, reads) => {
                    let (copy, window) = (Target::copy(target.buffer())?, target.window());
                    Copied::Scatter(copy, window, *layout, *reads)
                }
                Operand::Write(target) => Copied::Write(target.buffer().alike()?, target.window()),
                Operand::UpdateSlice(slice) => {
                    let (before, ty) = slice.copy()?;
                    let now = ErasedArray::copy_of(before.all())?;
                    let before = Some(before);
                    Copied::UpdateSlice(Target { now, before }, ty)
                }
                Operand::WriteSlice(slice) => {
                    let (now, ty) = slice.copy()?;
                    Copied::WriteSlice(now, ty)
                }
            })
        };
        let operands = self.operands.iter().map(copied).collect::<Result<_>>()?;
        Ok(Replica {
            instance: self.instance,
            phases: self.phases,
            initial: self.initial,
            shape: self.shape,
            along: self.along,
            stream: self.stream,
            operands,
        })
    }
}

impl Replica<'_> {
    /// The call, over the copies. Arguments that are changed in place are what the last one made of them.
    pub fn call(&mut self) -> Call<'_> {
        let operand = |copied| match copied {
            &mut Copied::Read(ref from) => match from {
                From::Container(buffer) => Operand::Read(buffer),
                From::Slice(view) => Operand::ReadSlice(*view),
            },
            &mut Copied::Strided(ref from, layout) => Operand::Strided(from.source(), layout),
            &mut Copied::Uniform(view) => Operand::Uniform(view),
            &mut Copied::Scalar(ref buffer) => Operand::Scalar(buffer),
            &mut Copied::View(ref from, shape) => match from {
                From::Container(buffer) => Operand::View(buffer, shape),
                From::Slice(view) => Operand::ViewSlice(*view),
            },
            &mut Copied::ViewPart(ref from, ref part, shape) => {
                Operand::ViewPart(from.source(), part.clone(), shape)
            }
            &mut Copied::Window(ref from, window) => match from {
                From::Container(buffer) => Operand::Window(buffer, Box::new(window)),
                From::Slice(view) => Operand::WindowSlice(*view, Box::new(window)),
            },
            &mut Copied::WindowPart(ref from, ref part, window) => {
                Operand::WindowPart(from.source(), part.clone(), Box::new(window))
            }
            Copied::Update(target, window) => {
                Operand::Update(BufferMut::part(&mut target.now, window.clone()))
            }
            Copied::Scatter(target, window, layout, reads) => {
                let target = BufferMut::part(&mut target.now, window.clone());
                Operand::Scatter(target, *layout, *reads)
            }
            Copied::Write(now, window) => Operand::Write(BufferMut::part(now, window.clone())),
            Copied::UpdateSlice(target, ty) => {
                Operand::UpdateSlice(SliceMut::over(&mut target.now, *ty))
            }
            Copied::WriteSlice(now, ty) => Operand::WriteSlice(SliceMut::over(now, *ty)),
        };
        Call {
            instance: self.instance,
            phases: self.phases,
            initial: self.initial,
            shape: self.shape,
            along: self.along,
            stream: self.stream,
            blocks: Blocks::default(),
            operands: self.operands.iter_mut().map(operand).collect(),
        }
    }

    /// Whether the call changes arguments in place.
    #[must_use]
    pub fn changes_arguments(&self) -> bool {
        self.operands.iter().any(|operand| match operand {
            Copied::Update(..) | Copied::UpdateSlice(..) => true,
            Copied::Scatter(.., reads) => *reads,
            _ => false,
        })
    }

    /// Makes arguments that are changed in place what they were before the first call, on the host.
    ///
    /// # Errors
    /// None today.
    pub fn restore(&mut self) -> Result<()> {
        for operand in &mut self.operands {
            match operand {
                Copied::Update(target, _) | Copied::Scatter(target, _, _, true) => {
                    if let Some(before) = &target.before {
                        target.now.restore_from(before)?;
                    }
                }
                Copied::UpdateSlice(target, _) => {
                    if let Some(before) = &target.before {
                        target.now.view_out(before.window()).copy_from(before.all());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// What the call has written of its elements `r`, on the host, container by container, with the types of
    /// the elements. What is written elsewhere than the call counts it is left out.
    ///
    /// # Errors
    /// Those of the calls, as far as they show only now.
    pub fn written(&self, r: &Range<usize>) -> Result<Vec<(View<'_>, Ty)>> {
        let mut written = Vec::new();
        for operand in &self.operands {
            match operand {
                Copied::Update(Target { now, .. }, window) | Copied::Write(now, window) => {
                    let places = window.start + r.start..window.start + r.end;
                    written.push((now.host_view(places)?, now.ty()));
                }
                Copied::UpdateSlice(Target { now, .. }, ty) | Copied::WriteSlice(now, ty) => {
                    written.push((now.view(r.clone()), ty()));
                }
                _ => {}
            }
        }
        Ok(written)
    }
}
