//! A user function that can be run natively, from values.

use super::{
    lanes::{Block, block},
    lines, near,
    stream::{generator, is_random},
    sweep::Sweep,
    tables::{MATRIX, TENSOR3, TENSOR4, Table},
    values::Random,
};
use skel_core::{
    Element,
    ir::{FnId, Mode, Program, TrapKind, Ty, Value, ViewKind, build, never_traps_from},
    lanes::Lane,
    param::{
        Each, EachMut, Index1, Index2, Index3, Index4, Kind, MatrixView, Params, Position,
        Tensor3View, Tensor4View, Uniform, Whole, WholeMatrix, WholeTensor3, WholeTensor4,
    },
    user_function::{Typed, UserFunction},
};

/// What a native call gave: the result, and the final values of `&mut` parameters.
pub type Native = std::thread::Result<(Value, Vec<Value>)>;

/// Computes a block of elements by both faces.
pub(crate) type InLanes = fn(&[Vec<Value>]) -> Block;

/// A user function with its parameter kinds.
pub struct Case {
    /// `module::function` or the like.
    pub name: String,
    /// Its IR.
    pub program: Program,
    /// Where it is in there.
    pub function: FnId,
    /// Calls the function that rustc compiled; `Err` if it panics. Arguments in source order.
    pub native: fn(&[Value]) -> Native,
    /// Makes arguments of the right types such that Rust has them: an enum is one of its variants.
    pub settle: fn(Vec<Value>) -> Vec<Value>,
    /// Computes a block of elements by both faces of the function, if it has lanes in this build.
    pub lanes: Option<InLanes>,
    /// Its arguments are these, and not random.
    pub sweep: Option<Sweep>,
}

impl Case {
    /// The types of the arguments, in source order, and how they are passed.
    pub fn params(&self) -> Vec<(Ty, Mode)> {
        let f = self.program.function(self.function);
        f.params
            .iter()
            .map(|p| (f.local(p.local).ty.clone(), p.mode))
            .collect()
    }

    /// Whether it is said to never trap so, with lines as long as they are here.
    pub fn never_traps(&self, kind: TrapKind) -> bool {
        // Whether builds check for overflow, the IR does not know.
        let is_checked = matches!(kind, TrapKind::Overflow(_));
        let from = never_traps_from(&self.program);
        !is_checked && from.is_some_and(|from| from <= lines::LEN)
    }

    /// Random arguments.
    pub fn arguments(&self, random: &mut Random) -> Vec<Value> {
        let params = self.params();
        let any = |(ty, _): &(Ty, Mode)| match lines::is_line(ty) {
            true => lines::value(ty, random),
            false => random.value(ty),
        };
        let mut values = (self.settle)(params.iter().map(any).collect());
        let mut views = 0;
        for value in &mut values {
            if is_random(&value.ty()) {
                *value = generator(random.bits() as usize % 1000);
            } else if near::is_near(&value.ty()) {
                *value = near::any(value, random);
            } else if let Value::View(_, number) = value {
                *number = views;
                views += 1;
            }
        }
        values
    }

    /// What the whole containers among the arguments see, in order.
    pub fn tables(&self) -> Vec<Table> {
        let params = self.params();
        let views = params.iter().filter_map(|(ty, _)| match ty {
            Ty::View(_) if !near::is_near(ty) && !lines::is_line(ty) => Some(Table::of(ty)),
            _ => None,
        });
        views.collect()
    }
}

/// The case of one function.
pub fn case<F, P>() -> Case
where
    P: Arguments,
    F: UserFunction<P, Output: Typed + ToValue + Lane, At: AtValue>,
{
    let (program, function) = build::build(F::ir).unwrap_or_else(|e| panic!("{}: {e}", F::NAME));
    Case {
        name: F::NAME.to_owned(),
        program,
        function,
        native: native::<F, P>,
        settle: settle::<P>,
        lanes: F::HAS_LANES.then_some(block::<F, P> as fn(&[Vec<Value>]) -> Block),
        sweep: None,
    }
}

fn native<F, P>(values: &[Value]) -> Native
where
    P: Arguments,
    F: UserFunction<P, Output: Typed + ToValue, At: AtValue>,
{
    let (at, rest) = F::At::take(values);
    std::panic::catch_unwind(|| {
        let mut store = P::store(&rest);
        let result = F::call(at(), P::args(&mut store)).to_value();
        (result, P::changed(&store))
    })
}

fn settle<P: Arguments>(mut values: Vec<Value>) -> Vec<Value> {
    let is_given = |v: &Value| {
        let index = matches!(v, Value::Struct(ty, _) if ty.name.starts_with("Index"));
        index || is_random(&v.ty())
    };
    let passed = values.iter_mut().filter(|v| !is_given(v));
    for (value, settle) in passed.zip(P::settlers()) {
        settle(value);
    }
    values
}

/// The nearest value that `T` has.
pub(crate) fn settle_one<T: Element>(value: &mut Value) {
    if T::from_value(value).is_some() {
        return;
    }
    let mut good = Value::zero(&value.ty());
    for k in 0..value.ty().leaves().len() {
        let wanted = leaf(value, &mut { k }).unwrap().clone();
        let other = wanted
            .as_integer()
            .map(|n| [1, 7, -1, 200, 2][n.rem_euclid(5) as usize]);
        let other = other.map(|n| integer(&wanted.ty(), n));
        for candidate in std::iter::once(wanted).chain(other) {
            let mut trial = good.clone();
            *leaf(&mut trial, &mut { k }).unwrap() = candidate;
            if T::from_value(&trial).is_some() {
                good = trial;
                break;
            }
        }
    }
    *value = good;
}

/// The scalar that comes after `k` others.
fn leaf<'v>(value: &'v mut Value, k: &mut usize) -> Option<&'v mut Value> {
    match value {
        Value::Struct(_, parts) | Value::Array(_, parts) => {
            parts.iter_mut().find_map(|part| leaf(part, k))
        }
        scalar if *k == 0 => Some(scalar),
        _ => {
            *k -= 1;
            None
        }
    }
}

fn integer(ty: &Ty, n: i128) -> Value {
    match ty {
        Ty::I8 => Value::I8(n as i8),
        Ty::I16 => Value::I16(n as i16),
        Ty::I32 => Value::I32(n as i32),
        Ty::I64 => Value::I64(n as i64),
        Ty::Isize => Value::Isize(n as isize),
        Ty::U8 => Value::U8(n as u8),
        Ty::U16 => Value::U16(n as u16),
        Ty::U32 => Value::U32(n as u32),
        Ty::U64 => Value::U64(n as u64),
        Ty::Usize => Value::Usize(n as usize),
        other => unreachable!("{other} is no integer"),
    }
}

/// A result as a value.
pub trait ToValue {
    fn to_value(self) -> Value;
}

/// Own types as results: what `Element` says is their value.
#[macro_export]
macro_rules! to_value {
    ($($t:ty)*) => { $(
        impl $crate::ToValue for $t {
            fn to_value(self) -> $crate::Value {
                $crate::Element::to_value(self)
            }
        }
    )* };
}
to_value!(f32 f64 i8 i16 i32 i64 isize u8 u16 u32 u64 usize bool);
to_value!(num_complex::Complex<f32> num_complex::Complex<f64> half::f16);

impl<T: Element, const N: usize> ToValue for [T; N] {
    fn to_value(self) -> Value {
        Element::to_value(self)
    }
}

macro_rules! tuple_to_value {
    ($(($($part:ident $i:tt)*))*) => { $(
        impl<$($part: ToValue),*> ToValue for ($($part,)*) {
            fn to_value(self) -> Value {
                let parts = vec![$(self.$i.to_value()),*];
                Value::structure(&Ty::tuple(parts.iter().map(Value::ty)), parts)
            }
        }
    )* };
}
tuple_to_value!((A 0) (A 0 B 1) (A 0 B 1 C 2) (A 0 B 1 C 2 D 3));

impl ToValue for () {
    fn to_value(self) -> Value {
        Value::Unit
    }
}

/// An index parameter from among the values, and the others.
pub trait AtValue: Position {
    fn take(
        values: &[Value],
    ) -> (
        Box<dyn Fn() -> Self + std::panic::RefUnwindSafe>,
        Vec<Value>,
    );
}

impl AtValue for () {
    fn take(values: &[Value]) -> (Box<dyn Fn() + std::panic::RefUnwindSafe>, Vec<Value>) {
        (Box::new(|| ()), values.to_vec())
    }
}

fn split(values: &[Value], name: &str) -> (Vec<usize>, Vec<Value>) {
    let (mut fields, mut rest) = (Vec::new(), Vec::new());
    for value in values {
        match value {
            Value::Struct(ty, parts) if ty.name == name => {
                fields.extend(parts.iter().map(|p| usize::from_value(p).unwrap()));
            }
            other => rest.push(other.clone()),
        }
    }
    (fields, rest)
}

macro_rules! at_value {
    ($($name:ident ($($field:ident $k:tt)*);)*) => { $(
        impl AtValue for $name {
            fn take(
                values: &[Value],
            ) -> (
                Box<dyn Fn() -> Self + std::panic::RefUnwindSafe>,
                Vec<Value>,
            ) {
                let (fields, rest) = split(values, stringify!($name));
                (Box::new(move || $name { $($field: fields[$k]),* }), rest)
            }
        }
    )* };
}
at_value! {
    Index1 (i 0);
    Index2 (row 0 col 1);
    Index3 (plane 0 row 1 col 2);
    Index4 (volume 0 plane 1 row 2 col 3);
}

/// A kind whose argument can be made from a value.
pub trait Argument: Kind {
    type Store;
    fn settle(_: &mut Value) {}
    fn store(value: &Value) -> Self::Store;
    fn arg(store: &mut Self::Store) -> Self::Arg<'_>;
    fn changed(_: &Self::Store) -> Option<Value> {
        None
    }
    /// What is one value for all elements is that of the first.
    fn share(_: &Self::Store, _: &mut Self::Store) {}
}

impl<T: Element> Argument for Each<T> {
    type Store = T;
    fn settle(value: &mut Value) {
        settle_one::<T>(value);
    }
    fn store(value: &Value) -> T {
        T::from_value(value).unwrap()
    }
    fn arg(store: &mut T) -> T {
        *store
    }
}

impl<T: Element> Argument for Uniform<T> {
    type Store = T;
    fn settle(value: &mut Value) {
        settle_one::<T>(value);
    }
    fn store(value: &Value) -> T {
        T::from_value(value).unwrap()
    }
    fn arg(store: &mut T) -> T {
        *store
    }
    fn share(first: &T, store: &mut T) {
        *store = *first;
    }
}

impl<T: Element> Argument for EachMut<T> {
    type Store = T;
    fn settle(value: &mut Value) {
        settle_one::<T>(value);
    }
    fn store(value: &Value) -> T {
        T::from_value(value).unwrap()
    }
    fn arg(store: &mut T) -> &mut T {
        store
    }
    fn changed(store: &T) -> Option<Value> {
        Some(Element::to_value(*store))
    }
}

/// Whole containers: the same for all elements.
macro_rules! whole {
    ($($kind:ident $rank:literal $arg:ty, |$store:ident| $passed:expr;)*) => { $(
        impl<T: Element> Argument for $kind<T> {
            type Store = Vec<T>;
            fn store(_: &Value) -> Vec<T> {
                Table::native(ViewKind::Whole { rank: $rank })
            }
            fn arg($store: &mut Vec<T>) -> $arg {
                $passed
            }
        }
    )* };
}
whole! {
    Whole 1 &[T], |store| store;
    WholeMatrix 2 MatrixView<'_, T>, |store| MatrixView::new(store, MATRIX[0], MATRIX[1]);
    WholeTensor3 3 Tensor3View<'_, T>, |store| Tensor3View::new(store, TENSOR3);
    WholeTensor4 4 Tensor4View<'_, T>, |store| Tensor4View::new(store, TENSOR4);
}

/// A tuple of such kinds.
pub trait Arguments: Params {
    type Store;
    fn store(values: &[Value]) -> Self::Store;
    fn args(store: &mut Self::Store) -> Self::Args<'_>;
    fn changed(store: &Self::Store) -> Vec<Value>;
    /// [`Argument::share`] of each.
    fn share(first: &Self::Store, store: &mut Self::Store);
    /// [`Argument::settle`] of each.
    fn settlers() -> Vec<fn(&mut Value)>;
}

macro_rules! arguments {
    ($($k:ident $i:tt),*) => {
        impl<$($k: Argument),*> Arguments for ($($k,)*) {
            type Store = ($($k::Store,)*);
            fn store(values: &[Value]) -> Self::Store {
                assert_eq!(values.len(), [$($i),*].len() as usize);
                ($($k::store(&values[$i]),)*)
            }
            fn args(store: &mut Self::Store) -> Self::Args<'_> {
                ($($k::arg(&mut store.$i),)*)
            }
            fn changed(store: &Self::Store) -> Vec<Value> {
                [$($k::changed(&store.$i)),*].into_iter().flatten().collect()
            }
            fn share(first: &Self::Store, store: &mut Self::Store) {
                $($k::share(&first.$i, &mut store.$i);)*
            }
            fn settlers() -> Vec<fn(&mut Value)> {
                vec![$($k::settle),*]
            }
        }
    };
}
arguments!(A 0);
arguments!(A 0, B 1);
arguments!(A 0, B 1, C 2);
arguments!(A 0, B 1, C 2, D 3);
arguments!(A 0, B 1, C 2, D 3, E 4);

impl Arguments for () {
    type Store = ();
    fn store(_: &[Value]) {}
    fn args(_: &mut ()) {}
    fn changed(_: &()) -> Vec<Value> {
        Vec::new()
    }
    fn share(_: &(), _: &mut ()) {}
    fn settlers() -> Vec<fn(&mut Value)> {
        Vec::new()
    }
}
