//! What the code at one point may name, and what it may still cost.

use crate::fuzz::types::Ty;

/// A local variable.
#[derive(Clone, Debug)]
pub(super) struct Var {
    pub(super) name: String,
    pub(super) ty: Ty,
    /// How it is written: `x`, or `*x` for a `&mut` parameter.
    pub(super) place: String,
    pub(super) mutable: bool,
    /// Others must not take its name: it counts rounds.
    pub(super) counter: bool,
}

/// A loop or block that can be left.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// What `break` carries; nothing for loops that are statements.
    pub(super) value: Option<Ty>,
    /// `continue` is possible.
    pub(super) is_loop: bool,
    /// Its label, if it has one.
    pub(super) label: Option<String>,
}

/// A loop over indices of lines.
#[derive(Clone, Debug)]
pub(super) struct Along {
    pub(super) counter: String,
    /// A variable that is the length.
    pub(super) len: String,
    /// The first element is left out, and the last one.
    pub(super) inner: (bool, bool),
}

/// The state of one function's body.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) vars: Vec<Var>,
    /// Counters of loops over the indices of lines.
    pub(super) along: Vec<Along>,
    /// Inner ones last.
    pub(super) targets: Vec<Target>,
    pub(super) ret: Option<Ty>,
    /// Nodes that may still be made.
    pub(super) fuel: usize,
    /// How often the current point is reached, at most.
    pub(super) rounds: u64,
    /// Steps so far, loops counted.
    pub(super) cost: u64,
}

/// Steps that one call may take, roughly.
const MAX_COST: u64 = 6_000;

impl Scope {
    pub(super) fn new(ret: Ty, fuel: usize) -> Scope {
        Scope {
            ret: Some(ret),
            fuel,
            rounds: 1,
            ..Scope::default()
        }
    }

    /// Variables that their names mean here.
    pub(super) fn visible(&self) -> impl Iterator<Item = &Var> {
        let last = |k: usize, var: &Var| {
            self.vars[k + 1..]
                .iter()
                .all(|later| later.name != var.name)
        };
        self.vars
            .iter()
            .enumerate()
            .filter(move |(k, var)| last(*k, var))
            .map(|(_, var)| var)
    }

    pub(super) fn declare(&mut self, name: &str, ty: &Ty, mutable: bool) {
        self.vars.push(Var {
            name: name.into(),
            ty: ty.clone(),
            place: name.into(),
            mutable,
            counter: false,
        });
    }

    pub(super) fn declare_counter(&mut self, name: &str, ty: &Ty) {
        self.declare(name, ty, false);
        if let Some(var) = self.vars.last_mut() {
            var.counter = true;
        }
    }

    /// Pays for a node.
    pub(super) fn pay(&mut self) {
        self.fuel = self.fuel.saturating_sub(1);
        self.cost += self.rounds;
    }

    /// Whether something that costs `steps` each time fits here.
    pub(super) fn affords(&self, steps: u64) -> bool {
        self.fuel > 0 && self.cost + self.rounds * steps <= MAX_COST
    }
}
