//! What windows, pools and sweeps of the corpus lie in: for each number a container and neighbourhoods in it,
//! such that all ways to lie there come up.
//!
//! The value of such a parameter names a world and an element of a call there.

use super::{
    lines,
    run::{Argument, Case, Native},
    values::Random,
};
use skel_core::{
    Element,
    ir::{Ty, Value, ViewKind, ViewTy, eval::View},
    param::{
        EachPool1, EachPool2, EachPool3, EachPool4, EachSweep1, EachSweep2, EachSweep3,
        EachWindow1, EachWindow2, EachWindow3, EachWindow4, Pool1, Pool2, Pool3, Pool4, Sweep1,
        Sweep2, Sweep3, Window1, Window2, Window3, Window4,
    },
    space::{EdgeKind, MAX_RANK, Neighbourhood},
};
use std::{cell::RefCell, ops::Range, sync::Arc};

/// Elements of a call, at most.
pub const MOST_ELEMS: usize = 1 << 9;

/// How many worlds there are of one type.
const WORLDS: u64 = 128;

/// Containers of more elements are not worth their time.
const MOST_IN_CONTAINER: usize = 20_000;

/// A container, and the neighbourhoods of a call in it.
#[derive(Debug)]
pub struct World {
    pub near: Neighbourhood,
    pub elements: Vec<Value>,
    /// What lies beyond edges that are padded.
    pub pad: Value,
}

/// Whether values of this type are windows or pools.
pub fn is_near(ty: &Ty) -> bool {
    matches!(ty, Ty::View(view) if view.kind.reach(0).is_some())
}

/// The value that stands for the neighbourhood of `element` in world `salt`.
pub fn value(view: &Value, salt: usize, element: usize) -> Value {
    match view {
        Value::View(ty, _) => Value::View(ty.clone(), salt * MOST_ELEMS + element),
        other => unreachable!("{other:?} is no neighbourhood"),
    }
}

/// A neighbourhood of any element of any world.
pub(crate) fn any(view: &Value, random: &mut Random) -> Value {
    let (salt, element) = (random.bits() % WORLDS, random.bits());
    value(view, salt as usize, element as usize % MOST_ELEMS)
}

/// Puts neighbourhoods of `element` among the arguments, each in a world of its own.
pub fn place(arguments: &mut [Value], salt: usize, element: usize) {
    for (k, argument) in arguments.iter_mut().enumerate() {
        if is_near(&argument.ty()) {
            *argument = value(argument, 8 * salt + k, element);
        }
    }
}

/// Gives each element that traps the arguments of one that does not, but for its neighbourhoods, which belong to its
/// place, as its index does. False if one traps for them still, or all do.
pub fn without_traps(
    inputs: &mut [Vec<Value>],
    natives: &mut [Native],
    native: fn(&[Value]) -> Native,
) -> bool {
    let Some(clean) = natives.iter().position(Result::is_ok) else {
        return false;
    };
    for i in 0..inputs.len() {
        if natives[i].is_err() {
            inputs[i] = moved(&inputs[clean], &inputs[i]);
            natives[i] = native(&inputs[i]);
        }
    }
    natives.iter().all(Result::is_ok)
}

/// The arguments `from`, but with the neighbourhoods that are in `to`, which belong to an element.
fn moved(from: &[Value], to: &[Value]) -> Vec<Value> {
    let pairs = from.iter().zip(to);
    let one = |(from, to): (&Value, &Value)| if is_near(&to.ty()) { to } else { from }.clone();
    pairs.map(one).collect()
}

impl World {
    /// The world and the element that a value names.
    pub fn of(value: &Value) -> (Arc<World>, usize) {
        thread_local! {
            static KNOWN: RefCell<Vec<(Value, usize, Arc<World>)>> = const { RefCell::new(Vec::new()) };
        }
        let Value::View(ty, number) = value else {
            unreachable!("{value:?} is no neighbourhood")
        };
        let (salt, element) = (number / MOST_ELEMS, number % MOST_ELEMS);
        let world = KNOWN.with_borrow_mut(|known| {
            let here = |(view, of, _): &&(Value, usize, Arc<World>)| {
                *of == salt && view.ty() == Ty::View(ty.clone())
            };
            if let Some((.., world)) = known.iter().find(here) {
                return Arc::clone(world);
            }
            let world = Arc::new(World::new(ty, salt));
            known.truncate(WORLDS as usize - 1);
            known.insert(0, (value.clone(), salt, Arc::clone(&world)));
            world
        });
        (world, element)
    }

    fn new(view: &ViewTy, salt: usize) -> World {
        let mut random = Random(salt as u64 * 0x9E37 + view.kind.rank() as u64);
        let near = loop {
            let near = neighbourhood(view.kind, &mut random);
            if len(&near) <= MOST_IN_CONTAINER {
                break near;
            }
        };
        World {
            elements: (0..len(&near)).map(|_| random.value(&view.elem)).collect(),
            pad: random.value(&view.elem),
            near,
        }
    }

    /// What an element sees at these offsets, as many as there are dimensions.
    fn seen(&self, element: usize, offsets: &[isize]) -> Value {
        let mut all = [0; MAX_RANK];
        all[MAX_RANK - offsets.len()..].copy_from_slice(offsets);
        match self.near.element(element, all) {
            Some(at) => self.elements[at].clone(),
            None => self.pad.clone(),
        }
    }
}

/// Elements of the container that a call of `MOST_ELEMS` elements sees.
fn len(near: &Neighbourhood) -> usize {
    let positions: usize = near.positions.iter().product::<usize>() * near.inner;
    let places: usize = near.extents.iter().product::<usize>() * near.inner;
    MOST_ELEMS.div_ceil(positions) * places
}

fn neighbourhood(kind: ViewKind, random: &mut Random) -> Neighbourhood {
    let mut pick = |n: usize| (random.bits() % n as u64) as usize;
    let rank = kind.rank();
    let edges = EdgeKind::ALL;
    let mut near = Neighbourhood {
        rank,
        positions: [1; MAX_RANK],
        extents: [1; MAX_RANK],
        stride: [1; MAX_RANK],
        shift: [0; MAX_RANK],
        inner: [1, 1, 1, 2, 5][pick(5)],
        edge: edges[pick(edges.len())],
    };
    let most = [60, 25, 8, 5][rank - 1];
    // As MapOverlap has it, or anything.
    let plain = pick(2) == 0;
    for d in MAX_RANK - rank..MAX_RANK {
        let reach = kind
            .reach(d + rank - MAX_RANK)
            .expect("it is a neighbourhood");
        near.positions[d] = 1 + pick(most);
        if !plain {
            near.stride[d] = 1 + pick(3);
            near.shift[d] = pick(4);
        }
        if near.edge == EdgeKind::None {
            near.shift[d] += reach.start.unsigned_abs() as usize;
            let last = (near.positions[d] - 1) * near.stride[d] + near.shift[d];
            near.extents[d] = last + reach.end as usize + pick(2);
        } else if plain {
            near.extents[d] = near.positions[d];
        } else {
            near.extents[d] = 1 + pick(most);
        }
    }
    near
}

/// What the interpreter reads of it.
struct EvalNeighbourhood {
    world: Arc<World>,
    element: usize,
}

impl View for EvalNeighbourhood {
    fn extent(&self, _: usize) -> usize {
        unreachable!("neighbourhoods are not asked")
    }

    fn get(&self, offsets: &[isize]) -> Value {
        self.world.seen(self.element, offsets)
    }
}

impl Case {
    /// The arguments as the interpreter takes them, and what the views among them see, by number.
    pub fn environment(&self, arguments: &[Value]) -> (Vec<Value>, Vec<Box<dyn View>>) {
        let mut tables = self.tables().into_iter();
        let mut views: Vec<Box<dyn View>> = Vec::new();
        let mut passed = arguments.to_vec();
        for (argument, (ty, _)) in passed.iter_mut().zip(self.params()) {
            if lines::is_line(&ty)
                && let Ty::View(view) = &ty
            {
                let line = Value::View(view.clone(), views.len());
                views.push(Box::new(lines::EvalLine::of(&std::mem::replace(
                    argument, line,
                ))));
                continue;
            }
            let Value::View(ty, number) = argument else {
                continue;
            };
            let own = Value::View(ty.clone(), *number);
            *number = views.len();
            views.push(if is_near(&own.ty()) {
                let (world, element) = World::of(&own);
                Box::new(EvalNeighbourhood { world, element })
            } else {
                Box::new(tables.next().expect("one for each"))
            });
        }
        (passed, views)
    }
}

/// What one element sees, for rustc's function: all of it, one after the other.
pub struct Patch<T> {
    elements: Vec<T>,
    /// The one at offset 0.
    origin: usize,
    pitch: [usize; MAX_RANK],
}

impl<T: Element> Patch<T> {
    fn of(value: &Value) -> Patch<T> {
        let Value::View(view, _) = value else {
            unreachable!("{value:?} is no neighbourhood")
        };
        let (world, element) = World::of(value);
        let rank = view.kind.rank();
        let reach: Vec<Range<i64>> = (0..rank).filter_map(|d| view.kind.reach(d)).collect();
        let (mut pitch, mut origin, mut count) = ([1; MAX_RANK], 0, 1);
        for d in (0..rank).rev() {
            pitch[MAX_RANK - rank + d] = count;
            origin += reach[d].start.unsigned_abs() as usize * count;
            count *= (reach[d].end - reach[d].start) as usize;
        }
        let elements = (0..count).map(|k| {
            let mut rest = k;
            let mut offsets = vec![0; rank];
            for d in (0..rank).rev() {
                let span = (reach[d].end - reach[d].start) as usize;
                offsets[d] = (rest % span) as isize + reach[d].start as isize;
                rest /= span;
            }
            T::from_value(&world.seen(element, &offsets)).expect("its type has this value")
        });
        Patch {
            elements: elements.collect(),
            origin,
            pitch,
        }
    }
}

macro_rules! neighbourhoods {
    ($($kind:ident $name:ident ($($n:ident)*);)*) => { $(
        impl<T: Element, $(const $n: usize),*> Argument for $kind<T, $($n),*> {
            type Store = Patch<T>;

            fn store(value: &Value) -> Patch<T> {
                Patch::of(value)
            }

            #[expect(unsafe_code, reason = "says what the patch has")]
            fn arg(store: &mut Patch<T>) -> $name<'_, T, $($n),*> {
                const RANK: usize = [$(stringify!($n)),*].len();
                let mut pitch = [0; RANK];
                pitch.copy_from_slice(&store.pitch[MAX_RANK - RANK..]);
                // SAFETY: the patch has all elements that it reaches.
                unsafe { $name::new(store.elements.as_ptr().add(store.origin), pitch) }
            }
        }
    )* };
}
neighbourhoods! {
    EachWindow1 Window1 (X);
    EachWindow2 Window2 (Y X);
    EachWindow3 Window3 (Z Y X);
    EachWindow4 Window4 (W Z Y X);
    EachPool1 Pool1 (X);
    EachPool2 Pool2 (Y X);
    EachPool3 Pool3 (Z Y X);
    EachPool4 Pool4 (W Z Y X);
}

macro_rules! sweeps {
    ($($kind:ident $name:ident ($($n:ident)*);)*) => { $(
        impl<T: Element, $(const $n: usize),*> Argument for $kind<T, $($n),*> {
            type Store = Patch<T>;

            fn store(value: &Value) -> Patch<T> {
                Patch::of(value)
            }

            #[expect(unsafe_code, reason = "says what the patch has")]
            fn arg(store: &mut Patch<T>) -> $name<'_, T, $($n),*> {
                const RANK: usize = [$(stringify!($n)),*].len();
                let pitch = std::array::from_fn(|d| store.pitch[MAX_RANK - RANK + d].cast_signed());
                // SAFETY: the patch has all elements that it reaches.
                unsafe { $name::new(store.elements.as_ptr().add(store.origin), pitch) }
            }
        }
    )* };
}
sweeps! {
    EachSweep1 Sweep1 (X);
    EachSweep2 Sweep2 (Y X);
    EachSweep3 Sweep3 (Z Y X);
}

#[cfg(test)]
mod test {
    use super::*;
    use std::collections::HashSet;

    /// Else its trap would be looked for without end.
    #[test]
    fn what_traps_for_its_neighbourhood_traps_on() {
        fn native(args: &[Value]) -> Native {
            let Value::View(_, at) = args[0] else {
                panic!("a neighbourhood")
            };
            match (at, &args[1]) {
                (2, _) | (_, Value::I32(0)) => Err(Box::new("a trap")),
                _ => Ok((Value::I32(1), Vec::new())),
            }
        }
        let radius = [0, 0, 0, 1];
        let view = Value::zero(&Ty::view(Ty::I32, ViewKind::Window { rank: 1, radius }));
        let inputs = |traps: &[usize], divisors: [i32; 4]| -> Vec<Vec<Value>> {
            let one = |i: usize| vec![value(&view, 0, i), Value::I32(divisors[i])];
            (0..4).filter(|i| !traps.contains(i)).map(one).collect()
        };
        let settle = |mut inputs: Vec<Vec<Value>>| {
            let mut natives: Vec<Native> = inputs.iter().map(|args| native(args)).collect();
            let clean = without_traps(&mut inputs, &mut natives, native);
            (clean, inputs)
        };
        let (clean, settled) = settle(inputs(&[2], [5, 0, 0, 6]));
        assert!(clean);
        assert_eq!(
            format!("{settled:?}"),
            format!("{:?}", inputs(&[2], [5, 5, 0, 6]))
        );
        assert!(!settle(inputs(&[], [5, 0, 7, 6])).0);
        assert!(!settle(inputs(&[2], [0; 4])).0);
    }

    /// Else agreement would say little.
    #[test]
    fn worlds_show_all_ways_to_lie_somewhere() {
        let radius = [0, 0, 1, 3];
        let kind = ViewKind::Window { rank: 2, radius };
        let Value::View(ty, _) = Value::zero(&Ty::view(Ty::U32, kind)) else {
            panic!("a view has views as values")
        };
        let mut seen = HashSet::new();
        for salt in 0..WORLDS as usize {
            let world = World::new(&ty, salt);
            let near = world.near;
            let edge = near.edge as usize;
            for d in [2, 3] {
                for position in 0..near.positions[d] {
                    let place = position * near.stride[d] + near.shift[d];
                    let far = radius[d] as usize;
                    let inside = place >= far && place + far < near.extents[d];
                    seen.insert(if inside {
                        ("inside", edge)
                    } else {
                        ("at an edge", edge)
                    });
                }
                if near.extents[d] <= radius[d] as usize {
                    seen.insert(("smaller than the radius", edge));
                }
                if near.stride[d] > 1 {
                    seen.insert(("apart", edge));
                }
            }
            seen.insert((
                if near.inner > 1 {
                    "down columns"
                } else {
                    "along rows"
                },
                edge,
            ));
        }
        // Without an edge, windows are inside, and containers as large as that asks for.
        assert_eq!(seen.len(), 6 * 6 - 2, "{seen:?}");
    }
}
