//! The device face of a plan.

use super::{Grouping, Pace, Pattern, StepTrial};
use crate::{
    hash::Fnv,
    ir::{
        FnId, Program, Ty, Weight, functions_that_trap, goes_through, never_traps_from, print,
        weights,
    },
    space::{EdgeKind, MAX_RANK, SweepOrder, WindowSpecialisation},
};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What a device compiles: the user functions, and what the arguments are for.
///
/// A launch binds [`Kernel::arguments`] in order. The parameters of [`Kernel::map`] are those
/// arguments that are not [outputs](Role::is_out), in order, with the index and the random generator, if there
/// are such parameters, at their positions. What a kernel of the pattern [`Pattern::Sweep`] returns is the element of
/// its first argument, which has the role [`Role::Sweep`].
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The pattern to put the functions into.
    pub pattern: Pattern,
    /// All functions; [`Kernel::map`] and [`Kernel::operator`] are among them.
    pub program: Program,
    /// The function applied to each element. It returns the element of the output, a tuple of the
    /// elements of several, `()` if it writes through [`Role::InOut`] alone, or, in folds and scans, what
    /// is combined.
    pub map: FnId,
    /// Folds and scans: the operator, of two elements of the same type. Elementwise kernels: each element
    /// folds a row or column with it, as [`crate::space::Along`] says.
    pub operator: Option<FnId>,
    /// Elementwise kernels with an operator: the argument, a uniform value, that precedes every fold.
    /// `map` has no parameter for it.
    pub initial: Option<usize>,
    /// Scans: what is written.
    pub emission: Option<Emission>,
    /// Folds: whether the operator is known to commute, so that lanes may stride.
    pub commutative: bool,
    /// Which parameter of `map` is the index, and what it looks like.
    pub index: Option<(usize, IndexKind)>,
    /// Which parameter of `map` is the random generator, a struct by `&mut`.
    pub random: Option<usize>,
    /// The arguments, in the order of the call's operands: inputs, then outputs.
    pub arguments: Vec<Argument>,
    /// Whether the functions may be called more often than results need: not if one has a body of its own for devices, and
    /// is not declared to do nothing but compute on the CPU.
    pub is_pure: bool,
    /// Whether an element or an operator can trap, as far as each operation of it says.
    pub can_trap: bool,
    /// Of a kernel that changes arguments in place: the length of lines from which on none traps, in spite of
    /// [`Kernel::can_trap`]; 0 where there are no lines. Nothing if that is not known.
    pub never_traps_from: Option<usize>,
    /// How much work an element is: the function, and the operator if there is one. Of a fold of rows or
    /// columns, an element of those.
    pub weight: Weight,
    /// Whether `map` most likely reads all elements of a line.
    pub goes_through: bool,
    /// How the elements of folds, scans, rows and columns are grouped. It follows from what stands above and from
    /// the size of what is combined.
    pub grouping: Grouping,
    /// Whether all groupings give the same bits, since no float is combined: then calls may be cut anywhere.
    pub is_exact: bool,
    /// Scans: whether the prefixes within a block go by doubling reaches, as those of `f32` and `f64` by operators that
    /// commute.
    pub is_wide: bool,
    /// Hash of those of the fields above that the others follow from, for caches of this process. Source lines do not
    /// count.
    pub hash: u64,
    /// How fast a thread of the host has computed elements.
    pub pace: Pace,
    /// How a thread of the host takes its steps faster, where it is iterated.
    pub step_trial: StepTrial,
}

/// What a scan writes for an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Emission {
    /// The function that gives the element of the output: of a prefix, of what [`Kernel::map`] gives for
    /// the element, and of the uniform arguments, in order.
    pub function: FnId,
    /// Whether the prefix is what precedes the element, and not what goes up to it.
    pub exclusive: bool,
}

/// One argument or output of a kernel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Argument {
    /// What it is for.
    pub role: Role,
    /// Its element type; of a [`Role::View`], the view.
    pub ty: Ty,
}

/// What an argument is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Read at the element's own index.
    In,
    /// Read at a place that is computed of the element's index, by so many strides: see
    /// [`crate::space::Layout`]. Of a kernel that folds rows or columns, by two: from value to value,
    /// and from step to step.
    Strided(u8),
    /// Read and written at the element's own index.
    InOut,
    /// One value for all elements.
    Uniform,
    /// A whole container, read at random.
    View,
    /// A container of which an element sees a neighbourhood: the argument's type is a view of kind
    /// [`crate::ir::ViewKind::Window`] or `Pool`, and [`crate::space::Neighbourhood`] says where it lies.
    ///
    /// A kernel may be specialised for what is alike in all calls that it is launched for.
    Window(Option<WindowSpecialisation>),
    /// A line of a container, which is read: the argument's type is a view of kind
    /// [`crate::ir::ViewKind::Line`], and [`crate::space::Lines`] says where it lies.
    Line,
    /// The same, which is read and written.
    LineMut,
    /// A container that is swept: what the function returns is written at the element's own index, and it sees others
    /// around it. The argument's type is a view of kind [`crate::ir::ViewKind::Sweep`], and [`crate::space::SweepOrder`]
    /// says where what it sees lies.
    Sweep(SweepForm),
    /// Written at the element's own index.
    Out,
    /// Written, and, if the flag says so, read before, at a place that is computed by so many strides: see
    /// [`Role::Strided`]. No two elements have one place.
    StridedOut(u8, bool),
}

impl Role {
    /// By how many strides its places are computed.
    #[must_use]
    pub fn strides(self) -> Option<usize> {
        match self {
            Role::Strided(rank) | Role::StridedOut(rank, _) => Some(usize::from(rank)),
            _ => None,
        }
    }

    /// Whether an element of it is passed to [`Kernel::map`] and stored when that returns.
    #[must_use]
    pub fn is_in_out(self) -> bool {
        matches!(self, Role::InOut | Role::StridedOut(_, true))
    }

    /// Whether it takes what [`Kernel::map`] returns.
    #[must_use]
    pub fn is_out(self) -> bool {
        matches!(self, Role::Out | Role::StridedOut(_, false))
    }
}

/// How a sweep goes, as far as its kernel differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SweepForm {
    /// Along which dimensions it goes downwards.
    pub descending: [bool; MAX_RANK],
    /// What lies beyond the edges.
    pub edge: EdgeKind,
}

impl SweepForm {
    /// Upwards along all dimensions; what lies beyond the edges is the nearest element.
    pub const UPWARDS: SweepForm = SweepForm {
        descending: [false; MAX_RANK],
        edge: EdgeKind::Duplicate,
    };
}

impl From<&SweepOrder> for SweepForm {
    fn from(order: &SweepOrder) -> SweepForm {
        SweepForm {
            descending: order.is_descending(),
            edge: order.edge(),
        }
    }
}

/// What an index parameter looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexKind {
    /// `Index1 { i }`: one field of type `usize`.
    Index1,
    /// `Index2 { row, col }`: two fields of type `usize`.
    Index2,
    /// `Index3 { plane, row, col }`: three fields of type `usize`.
    Index3,
    /// `Index4 { volume, plane, row, col }`: four fields of type `usize`.
    Index4,
}

impl Kernel {
    /// Puts the parts together and hashes them.
    #[must_use]
    pub fn new(
        pattern: Pattern,
        program: Program,
        map: FnId,
        operator: Option<(FnId, bool)>,
        index: Option<(usize, IndexKind)>,
        arguments: Vec<Argument>,
    ) -> Kernel {
        let (operator, commutative) = operator.map_or((None, false), |(f, c)| (Some(f), c));
        let mut hasher = DefaultHasher::new();
        print(&program).hash(&mut hasher);
        (pattern, map, operator, commutative, index, &arguments).hash(&mut hasher);
        let hash = hasher.finish();
        let is_pure = program.is_pure();
        let goes_through = goes_through(program.function(map));
        let can_trap = functions_that_trap(&program).contains(&true);
        let weights = weights(&program);
        let combining = operator.map_or(Weight::Operations(0), |f| weights[f.0]);
        let weight = weights[map.0].and(combining);
        let mut kernel = Kernel {
            pattern,
            program,
            map,
            operator,
            initial: None,
            emission: None,
            commutative,
            index,
            random: None,
            arguments,
            is_pure,
            can_trap,
            never_traps_from: None,
            goes_through,
            weight,
            grouping: Grouping::Heavy,
            is_exact: false,
            is_wide: false,
            hash,
            pace: Pace::default(),
            step_trial: StepTrial::default(),
        };
        // What would have to be set aside is worth a longer look.
        if can_trap && kernel.changes_arguments() {
            kernel.never_traps_from = never_traps_from(&kernel.program);
        }
        kernel
    }

    /// Whether an element or an operator can trap in a call whose lines have so many elements, or that has none.
    #[must_use]
    pub fn can_trap_along(&self, line_elems: usize) -> bool {
        self.can_trap && self.never_traps_from.is_none_or(|from| line_elems < from)
    }

    /// Says that parameter `at` of `map` is the random generator.
    #[must_use]
    pub fn with_random(mut self, at: usize) -> Kernel {
        self.random = Some(at);
        self.rehash("random", at);
        self
    }

    /// Says that every fold begins with argument `at`.
    #[must_use]
    pub fn with_initial(mut self, at: usize) -> Kernel {
        self.initial = Some(at);
        self.rehash("initial", at);
        self
    }

    /// Says how many bytes what is combined has on the host.
    #[must_use]
    pub fn combining(mut self, value_bytes: usize) -> Kernel {
        self.grouping = Grouping::new(self.weight, self.commutative, value_bytes);
        self.is_exact = !self.result_ty().has_floats();
        self
    }

    /// Says what a scan writes.
    #[must_use]
    pub fn with_emission(mut self, emission: Emission) -> Kernel {
        self.emission = Some(emission);
        self.rehash("emission", emission);
        self
    }

    /// Says whether prefixes within a block go by doubling reaches.
    #[must_use]
    pub fn wide(mut self, is_wide: bool) -> Kernel {
        self.is_wide = is_wide;
        self.rehash("wide", is_wide);
        self
    }

    /// The kernel for arguments that have these roles, where one is given.
    #[must_use]
    pub(super) fn with_roles(&self, roles: &[Option<Role>]) -> Kernel {
        let mut kernel = self.clone();
        for (argument, role) in kernel.arguments.iter_mut().zip(roles) {
            argument.role = role.unwrap_or(argument.role);
        }
        kernel.rehash("roles", roles);
        kernel
    }

    fn rehash(&mut self, tag: &str, part: impl Hash) {
        let mut hasher = DefaultHasher::new();
        (self.hash, tag, part).hash(&mut hasher);
        self.hash = hasher.finish();
    }

    /// A hash of what the kernel means that is the same in every run of every program, for files. It is of the names of
    /// variants as well: renaming one discards the models of all kernels that have it.
    #[must_use]
    pub fn lasting_hash(&self) -> u128 {
        let text = format!(
            "{}{:?}",
            print(&self.program),
            (
                (
                    self.pattern,
                    self.map,
                    self.operator,
                    self.initial,
                    self.emission
                ),
                (self.commutative, self.index, self.random, &self.arguments),
            )
        );
        Fnv::of(text.as_bytes())
    }

    /// Whether each element folds a row or column, and long rows do so by lanes.
    #[must_use]
    pub fn folds_by_lanes(&self) -> bool {
        let along = self.pattern == Pattern::Elementwise && self.operator.is_some();
        along && self.grouping == Grouping::Lanes
    }

    /// Whether an argument is changed in place, or between what stays.
    #[must_use]
    pub fn changes_arguments(&self) -> bool {
        let changed = |role| {
            let strided = matches!(role, Role::StridedOut(..));
            strided || matches!(role, Role::InOut | Role::LineMut | Role::Sweep(_))
        };
        self.arguments.iter().any(|argument| changed(argument.role))
    }

    /// Whether a launch that has failed can be made again, whatever it did: nothing of what it reads is written.
    #[must_use]
    pub fn can_be_repeated(&self) -> bool {
        let is_changed =
            |role: Role| role.is_in_out() || matches!(role, Role::LineMut | Role::Sweep(_));
        !self
            .arguments
            .iter()
            .any(|argument| is_changed(argument.role))
    }

    /// Whether there are lines among the arguments.
    #[must_use]
    pub fn has_lines(&self) -> bool {
        let is_line = |a: &Argument| matches!(a.role, Role::Line | Role::LineMut);
        self.arguments.iter().any(is_line)
    }

    /// The type of what a fold or scan combines.
    #[must_use]
    pub fn result_ty(&self) -> &Ty {
        &self.program.function(self.map).ret
    }
}

#[cfg(test)]
mod test;
