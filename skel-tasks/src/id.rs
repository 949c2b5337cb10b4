//! What tasks, data handles, workers and memory nodes are called.

use std::fmt;

/// Nanoseconds, of real or of virtual time.
pub type Ns = u64;

/// A submitted task. When the task is over, the number names no task any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl TaskId {
    /// A small number that no other unfinished task has; for tables of a scheduler.
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "task {}.{}", self.slot, self.generation)
    }
}

/// A piece of data that tasks access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct HandleId {
    pub(crate) slot: u32,
    pub(crate) generation: u32,
}

impl HandleId {
    /// No handle of any engine.
    pub const NONE: HandleId = HandleId {
        slot: u32::MAX,
        generation: u32::MAX,
    };

    /// A small number that no other registered handle has.
    #[must_use]
    pub fn slot(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for HandleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "handle {}.{}", self.slot, self.generation)
    }
}

/// A kind of tasks, which take alike times (StarPU: a codelet). Numbered from 0 as
/// [`Engine::kind`](crate::Engine::kind) meets their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub u32);

/// Something that executes tasks: a core, some cores together, a device. A device may have the next one while it is at work. Numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WorkerId(pub u32);

/// Workers of one architecture on one memory node. Numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(pub u8);

/// A kind of workers, which take the same time for the same task. Numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Arch(pub u8);

/// A memory that holds copies of data. The host's is number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemoryNode(pub u8);

impl MemoryNode {
    /// The host's memory.
    pub const HOST: MemoryNode = MemoryNode(0);
}

macro_rules! set {
    ($(#[$doc:meta])* $name:ident of $of:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name(u64);

        impl $name {
            /// How many there can be.
            pub const CAPACITY: usize = 64;
            /// None.
            pub const EMPTY: $name = $name(0);
            /// All of them.
            pub const ALL: $name = $name(u64::MAX);

            /// One alone.
            #[must_use]
            pub fn only(one: $of) -> $name {
                $name(1 << one.0)
            }

            /// Whether it is among them.
            #[must_use]
            pub fn contains(self, one: $of) -> bool {
                self.0 >> one.0 & 1 == 1
            }

            /// Adds one.
            pub fn insert(&mut self, one: $of) {
                self.0 |= 1 << one.0;
            }

            /// Takes one away.
            pub fn remove(&mut self, one: $of) {
                self.0 &= !(1 << one.0);
            }

            /// Those in both.
            #[must_use]
            pub fn and(self, other: $name) -> $name {
                $name(self.0 & other.0)
            }

            /// Those in either.
            #[must_use]
            pub fn or(self, other: $name) -> $name {
                $name(self.0 | other.0)
            }

            /// How many there are.
            #[must_use]
            pub fn len(self) -> usize {
                self.0.count_ones() as usize
            }

            /// Whether there are none.
            #[must_use]
            pub fn is_empty(self) -> bool {
                self.0 == 0
            }

            /// In ascending order.
            pub fn iter(self) -> impl Iterator<Item = $of> {
                let mut rest = self.0;
                std::iter::from_fn(move || {
                    let first = rest.trailing_zeros();
                    rest &= rest.wrapping_sub(1);
                    (first < 64).then(|| $of(first as u8))
                })
            }
        }

        impl FromIterator<$of> for $name {
            fn from_iter<I: IntoIterator<Item = $of>>(all: I) -> $name {
                let mut set = $name::EMPTY;
                all.into_iter().for_each(|one| set.insert(one));
                set
            }
        }
    };
}
set! {
    /// Architectures, those that have an implementation of a task for example.
    ArchSet of Arch
}
set! {
    /// Memory nodes, those that hold a valid copy for example.
    NodeSet of MemoryNode
}
set! {
    /// Classes of workers.
    ClassSet of ClassId
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn sets_hold_up_to_the_last_bit() {
        let set: NodeSet = [MemoryNode(63), MemoryNode(0)].into_iter().collect();
        assert_eq!(
            set.iter().collect::<Vec<_>>(),
            [MemoryNode(0), MemoryNode(63)]
        );
        assert!(set.contains(MemoryNode(63)) && !set.contains(MemoryNode(62)));
        assert_eq!((set.len(), NodeSet::ALL.iter().count()), (2, 64));
    }
}
