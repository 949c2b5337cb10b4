//! Random user functions, well-typed by construction.
//!
//! Every loop counts its rounds in a variable that the rest of the function cannot change, so all of
//! them end; what a function costs is estimated on the way, and nothing costly is added where the
//! estimate has reached its limit.

mod composite;
#[cfg(test)]
mod constructs;
mod entry;
mod exits;
mod expr;
mod flow;
mod function;
mod generic_struct;
mod implementation;
mod lines;
mod literal;
mod methods;
mod pattern;
mod resolve;
mod scope;
mod stmt;
mod traits;

use super::{
    dice::Dice,
    tree::Node,
    types::{Bound, Scalar, Ty},
};
use function::Callable;
use implementation::Operator;
pub(super) use literal::plain;
use resolve::Impls;
use scope::Scope;

/// A user function to be compared, with all it needs.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// The name of the function, unique in the run.
    pub(super) name: String,
    /// Everything it needs, then itself. Each could be left out where nothing names it.
    pub(super) items: Vec<Node>,
    /// The kinds of its parameters, as `case::<name, (HERE)>` wants them.
    pub(super) kinds: String,
}

impl Case {
    /// The source text of its module, `compared()` included.
    pub(super) fn text(&self) -> String {
        let items: String = self.items.iter().map(|item| item.text() + "\n").collect();
        let (name, kinds) = (&self.name, &self.kinds);
        format!("{items}pub fn compared() -> Case {{\n    case::<{name}, ({kinds})>()\n}}\n")
    }

    /// How many nodes it has.
    pub(super) fn size(&self) -> usize {
        self.items.iter().map(Node::size).sum()
    }
}

/// What is being generated.
struct Generator {
    dice: Dice,
    /// Unique within the run.
    number: u64,
    items: Vec<Node>,
    callables: Vec<Callable>,
    operators: Vec<Operator>,
    /// What has been implemented for which types.
    impls: Impls,
    /// Constants, by the name they are read with.
    constants: Vec<(String, Ty)>,
    /// Types that this case computes with.
    pool: Vec<Ty>,
    /// The body being written is that of a function inside of another one.
    inside: bool,
    /// Methods that units compute only roughly are among those used.
    rough: bool,
    fresh: usize,
    body: Scope,
}

/// Function `index` of the run with this seed.
pub(super) fn case(seed: u64, index: u64) -> Case {
    let mut dice = Dice::new(seed, index);
    let rough = dice.percent(20);
    let generator = Generator {
        dice,
        number: index,
        items: Vec::new(),
        callables: Vec::new(),
        operators: Vec::new(),
        impls: Impls::default(),
        constants: Vec::new(),
        pool: Vec::new(),
        inside: false,
        rough,
        fresh: 0,
        body: Scope::default(),
    };
    generator.whole()
}

impl Generator {
    /// A name that nothing else has.
    fn fresh(&mut self, prefix: &str) -> String {
        self.fresh += 1;
        format!("{prefix}{}", self.fresh)
    }

    /// A type of the pool.
    fn any_ty(&mut self) -> Ty {
        self.dice.pick(&self.pool).clone()
    }

    /// A number type of the pool, or `T` in a generic function.
    fn any_number(&mut self) -> Ty {
        let numbers: Vec<Ty> = self
            .pool
            .iter()
            .filter(|ty| match ty {
                Ty::Generic(_) => true,
                ty => ty.scalar().is_some_and(|s| s != Scalar::Bool),
            })
            .cloned()
            .collect();
        match numbers.is_empty() {
            true => Scalar::U32.into(),
            false => self.dice.pick(&numbers).clone(),
        }
    }

    /// Whether the function being written has type parameters.
    fn is_generic(&self) -> bool {
        self.pool.iter().any(|ty| matches!(ty, Ty::Generic(_)))
            || self.constants.iter().any(|(name, _)| name.contains("::"))
            || self.callables.iter().any(|c| c.name == "F::call")
    }

    /// An integer type, more often one of the pool.
    fn any_integer(&mut self) -> Scalar {
        let pool = self.pool.iter().filter_map(Ty::scalar);
        let pool: Vec<Scalar> = pool.filter(|s| s.is_integer()).collect();
        if pool.is_empty() || self.dice.percent(15) {
            return *self.dice.pick(&methods::INTEGERS);
        }
        *self.dice.pick(&pool)
    }
}

/// Whether values of the type are computed with as floats.
fn is_float(ty: &Ty) -> bool {
    matches!(ty, Ty::Generic(Bound::Float)) || ty.scalar().is_some_and(Scalar::is_float)
}
