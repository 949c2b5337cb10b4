//! A call that can be made again and again: copies of what it works on.

use super::{Access, Call, Input, Operand, Operands, Output, OutputAccess, OutputTarget};
use crate::{
    Result,
    container::{Buffer, BufferMut, SliceMut, Source},
    frame::{ErasedArray, Partial, View},
    ir::Ty,
    plan::{Blocks, Phases},
    space::IndexSpace,
};
use std::ops::Range;

/// Copies of the containers and of the outputs of a call, for tuners, which make it many times to see how
/// long it takes. The program's own containers are not touched: not what is in them, and not where it is.
pub struct Replica<'e> {
    instance: &'e str,
    phases: &'static dyn Phases,
    initial: Partial,
    space: IndexSpace,
    operands: Vec<Copied<'e>>,
}

enum Copied<'e> {
    Input(Memory<'e>, Access<'e>),
    Output(Written, bool, Option<Box<OutputAccess<'e>>>),
}

/// What is read.
enum Memory<'e> {
    /// A copy of the whole container, of which these elements are the operand.
    Container(Buffer, Range<usize>),
    Slice(View<'e>),
}

/// What is written: now, and, if it counts, what it was before.
#[expect(
    clippy::large_enum_variant,
    reason = "one for each output of a call that is about to be measured many times"
)]
enum Written {
    Container {
        now: Buffer,
        before: Option<Buffer>,
        window: Range<usize>,
    },
    Slice {
        now: ErasedArray,
        before: Option<ErasedArray>,
    },
}

impl<'e> Call<'e> {
    /// About how many bytes a [`Call::replica`] takes.
    #[must_use]
    pub fn replica_bytes(&self) -> u64 {
        let of = |operand: &Operand<'_>| {
            let elem_bytes = operand.element_layout().size_bytes();
            match operand {
                Operand::Input(input) if input.is_uniform() => 0,
                Operand::Input(input) => input.source.buffer().map_or(0, Buffer::len) * elem_bytes,
                Operand::Output(output) => {
                    let copies = match (&output.target, output.reads) {
                        (OutputTarget::Container(_), false) => 1,
                        _ => 2,
                    };
                    let elems = output
                        .target
                        .buffer()
                        .map_or(output.target.len(), Buffer::len);
                    copies * elems * elem_bytes
                }
            }
        };
        self.operands.iter().map(|operand| of(operand) as u64).sum()
    }

    /// Copies of what the call works on. What is only borrowed to be read is not copied.
    ///
    /// # Errors
    /// Those of downloading what the host lacks; [`crate::Error::OutOfMemory`].
    ///
    /// # Panics
    /// If something that the call writes was lent before.
    pub fn replica(&self) -> Result<Replica<'e>> {
        let operands = self.operands.iter().map(Copied::of);
        Ok(Replica {
            instance: self.instance,
            phases: self.phases,
            initial: self.initial.clone(),
            space: self.space,
            operands: operands.collect::<Result<_>>()?,
        })
    }
}

impl<'e> Copied<'e> {
    fn of(operand: &Operand<'e>) -> Result<Self> {
        Ok(match operand {
            Operand::Input(Input { source, access }) => {
                let memory = match *source {
                    Source::Container { buffer, first, len } => {
                        Memory::Container(buffer.copy_to_host()?, first..first + len)
                    }
                    Source::Slice(view) => Memory::Slice(view),
                };
                Copied::Input(memory, access.clone())
            }
            Operand::Output(output) => {
                Copied::Output(Written::of(output)?, output.reads, output.access.clone())
            }
        })
    }

    fn operand(&mut self) -> Operand<'_> {
        match self {
            Copied::Input(memory, access) => {
                let source = match memory {
                    Memory::Container(buffer, part) => Source::from(&*buffer).part(part.clone()),
                    Memory::Slice(view) => Source::Slice(*view),
                };
                Operand::Input(Input {
                    source,
                    access: access.clone(),
                })
            }
            Copied::Output(written, reads, access) => Operand::Output(Output {
                target: written.target(),
                reads: *reads,
                access: access.clone(),
            }),
        }
    }
}

impl Written {
    fn of(output: &Output<'_>) -> Result<Self> {
        let reads = output.reads;
        let target = match &output.target {
            OutputTarget::Slice(slice) => {
                let now = slice.copy()?;
                let before = match reads {
                    true => Some(ErasedArray::copy_of(now.all())?),
                    false => None,
                };
                return Ok(Written::Slice { now, before });
            }
            OutputTarget::Container(target) => target,
        };
        let buffer = target.buffer();
        // What lies between scattered elements stays.
        let now = match reads || output.scattered().is_some() {
            true => buffer.copy_to_host()?,
            false => buffer.alike()?,
        };
        let before = match reads {
            true => Some(now.copy_to_host()?),
            false => None,
        };
        Ok(Written::Container {
            now,
            before,
            window: target.window(),
        })
    }

    fn target(&mut self) -> OutputTarget<'_> {
        match self {
            Written::Slice { now, .. } => OutputTarget::Slice(SliceMut::over(now)),
            Written::Container { now, window, .. } => {
                OutputTarget::Container(BufferMut::part(now, window.clone()))
            }
        }
    }
}

impl Replica<'_> {
    /// The call, over the copies. Arguments that are changed in place are what the last one made of them.
    pub fn call(&mut self) -> Call<'_> {
        let operands: Operands<'_> = self.operands.iter_mut().map(Copied::operand).collect();
        Call {
            instance: self.instance,
            phases: self.phases,
            initial: self.initial.clone(),
            space: self.space,
            blocks: Blocks::default(),
            operands,
        }
    }

    /// Whether the call changes arguments in place.
    #[must_use]
    pub fn changes_arguments(&self) -> bool {
        let changes = |operand: &Copied<'_>| matches!(operand, Copied::Output(_, true, _));
        self.operands.iter().any(changes)
    }

    /// Makes arguments that are changed in place what they were before the first call, on the host.
    ///
    /// # Errors
    /// None today.
    pub fn restore(&mut self) -> Result<()> {
        for operand in &mut self.operands {
            match operand {
                Copied::Output(
                    Written::Container {
                        now,
                        before: Some(before),
                        ..
                    },
                    ..,
                ) => now.restore_from(before)?,
                Copied::Output(
                    Written::Slice {
                        now,
                        before: Some(before),
                    },
                    ..,
                ) => now.view_out(before.window()).copy_from(before.all()),
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
            let r = match operand {
                Copied::Output(_, _, Some(access)) => match &**access {
                    OutputAccess::Lines(lines) => &lines.hull(r),
                    OutputAccess::Sweep(_) => r,
                    OutputAccess::Scattered(_) => continue,
                },
                _ => r,
            };
            match operand {
                Copied::Output(Written::Container { now, window, .. }, ..) => {
                    let places = window.start + r.start..window.start + r.end;
                    written.push((now.host_view(places)?, now.ty()));
                }
                Copied::Output(Written::Slice { now, .. }, ..) => {
                    written.push((now.view(r.clone()), now.layout().ty()));
                }
                _ => {}
            }
        }
        Ok(written)
    }
}
