//! Generators of random numbers among the arguments.

use crate::run::AtValue;
use skel_core::{
    ir::{Ty, Value, eval::View},
    param::{Position, Random, WithRandom},
    space::Stream,
};

/// The random numbers of every launch.
pub const STREAM: Stream = Stream {
    seed: 0x1234_5678_9abc_def0,
    call: 7,
};

/// Whether values of this type are generators.
pub(crate) fn is_random(ty: &Ty) -> bool {
    *ty == Random::ty()
}

/// The generator of element `index`, from which nothing was drawn.
pub(crate) fn generator(index: usize) -> Value {
    let ty = Random::ty();
    let Ty::Struct(shape) = &ty else {
        unreachable!("a generator is a struct")
    };
    let word = |name: &str| match name {
        "seed" => STREAM.seed as u32,
        "seed_high" => (STREAM.seed >> 32) as u32,
        "call" => STREAM.call,
        "index" => index as u32,
        "index_high" => (index as u64 >> 32) as u32,
        _ => 0,
    };
    let words = shape.fields.iter().map(|f| Value::U32(word(f.name)));
    Value::structure(&ty, words.collect())
}

/// The final values of what an interpreted function changed, without its generator; `views` is what it was given.
pub fn changed(inout: &[Value], views: &[&dyn View]) -> Vec<Value> {
    let own = inout.iter().filter(|value| !is_random(&value.ty()));
    let own = own.map(|value| match value {
        Value::View(ty, number) => {
            let line = views[*number];
            let elements = (0..line.extent(0)).map(|i| line.get(&[i as isize]));
            let array = Ty::array(ty.elem.clone(), line.extent(0));
            Value::array(&array, elements.collect())
        }
        value => value.clone(),
    });
    own.collect()
}

impl<P: AtValue> AtValue for WithRandom<P>
where
    WithRandom<P>: Position,
{
    fn take(
        values: &[Value],
    ) -> (
        Box<dyn Fn() -> Self + std::panic::RefUnwindSafe>,
        Vec<Value>,
    ) {
        let (generators, others): (Vec<Value>, Vec<Value>) =
            values.iter().cloned().partition(|v| is_random(&v.ty()));
        let index = match generators.as_slice() {
            [Value::Struct(ty, words)] => {
                let mut named = ty.fields.iter().zip(words);
                match named.find(|(field, _)| field.name == "index") {
                    Some((_, Value::U32(index))) => *index as usize,
                    _ => unreachable!("a generator without an index"),
                }
            }
            other => unreachable!("{other:?} instead of one generator"),
        };
        let (at, rest) = P::take(&others);
        let all = move || WithRandom {
            at: at(),
            random: Random::new(STREAM, index),
        };
        (Box::new(all), rest)
    }
}
