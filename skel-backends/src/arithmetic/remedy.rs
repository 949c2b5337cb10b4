//! Operations that can be printed as integer arithmetic.

use std::fmt;

macro_rules! remedies {
    ($($(#[$doc:meta])* $name:ident $says:literal;)*) => {
        /// What the WGSL dialect prints as code of its own where a driver's operation is wrong.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Remedy { $($(#[$doc])* $name,)* }

        impl Remedy {
            /// All of them.
            pub const ALL: &[Remedy] = &[$(Remedy::$name),*];

            /// The operation, in a few words.
            #[must_use]
            pub fn operation(self) -> &'static str {
                match self { $(Remedy::$name => $says,)* }
            }
        }
    };
}

remedies! {
    /// `trunc`, and what is made of it.
    TruncF32 "trunc of f32";
    /// `floor`.
    FloorF32 "floor of f32";
    /// `ceil`.
    CeilF32 "ceil of f32";
    /// `round_ties_even`.
    TiesEvenF32 "round_ties_even of f32";
    /// `/`.
    DivF32 "division of f32";
    /// `sqrt`.
    SqrtF32 "sqrt of f32";
    /// `trunc`, and what is made of it.
    TruncF64 "trunc of f64";
    /// `floor`.
    FloorF64 "floor of f64";
    /// `ceil`.
    CeilF64 "ceil of f64";
    /// `round_ties_even`.
    TiesEvenF64 "round_ties_even of f64";
    /// `/`.
    DivF64 "division of f64";
    /// `sqrt`.
    SqrtF64 "sqrt of f64";
    /// Operands of float arithmetic, and of comparisons of 64-bit integers, are hidden from a driver that takes
    /// `x + 0` for `x`, `x * 0` for 0 and the like.
    HideOperands "operands hidden from the optimiser";
    /// `mul_add`, which WGSL lets drivers round twice.
    FmaF32 "mul_add of f32";
    /// `i64` from `i32`: Mesa 22.3 takes no number to be negative where it is made a float next.
    SpreadSigns "i64 from i32";
}

/// A set of remedies.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Remedies(u32);

impl Remedies {
    /// None.
    pub const NONE: Remedies = Remedies(0);

    /// All of them, for tests of the code that they print.
    #[must_use]
    pub fn all() -> Remedies {
        Remedy::ALL.iter().copied().collect()
    }

    /// Whether `remedy` is one of them.
    #[must_use]
    pub fn has(self, remedy: Remedy) -> bool {
        self.0 & (1 << remedy as u32) != 0
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, remedy: Remedy) -> Remedies {
        Remedies(self.0 | (1 << remedy as u32))
    }

    /// These and those.
    #[must_use]
    pub fn and(self, other: Remedies) -> Remedies {
        Remedies(self.0 | other.0)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// As a number, for files.
    pub(super) fn bits(self) -> u32 {
        self.0
    }

    /// The set of this number; `None` if no set has it.
    pub(super) fn from_bits(bits: u32) -> Option<Remedies> {
        (bits >> Remedy::ALL.len() == 0).then_some(Remedies(bits))
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Remedy> {
        Remedy::ALL.iter().copied().filter(move |r| self.has(*r))
    }
}

impl FromIterator<Remedy> for Remedies {
    fn from_iter<I: IntoIterator<Item = Remedy>>(all: I) -> Remedies {
        all.into_iter().fold(Remedies::NONE, Remedies::with)
    }
}

impl fmt::Debug for Remedies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl fmt::Display for Remedies {
    /// The operations, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (k, remedy) in self.iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            f.write_str(remedy.operation())?;
        }
        Ok(())
    }
}
