//! Scans by the same tree: up by the totals of tiles, down by what precedes them.

use super::{
    TILE,
    tiles::{mapped, tile_totals, unindexed},
};
use crate::{
    Element, Result,
    call::{Executor, Operand, Operands},
    container::{Container, Vector},
    frame::View,
    ir::{
        Imp, Mode as Passing, Ty, ViewKind,
        build::{Cx, Source},
    },
    param::{Each, Index1, Uniform, Whole},
    skeleton::{
        elementwise::Elementwise,
        fold::Operator,
        instance::Instance,
        prefix::{Prefix, Whole as All},
        reduce::itself,
        scan::Mode,
    },
    space::Shape,
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// Scans the one input into the one output.
pub(super) fn run<R, T, M>(
    instance: &Instance<impl Executor>,
    mode: &M,
    shape: Shape,
    inputs: Operands<'_>,
    outputs: Operands<'_>,
) -> Result<()>
where
    T: Element,
    R: Operator<T>,
    M: Mode<T>,
{
    if shape.is_empty() {
        let mut operands = Operands::new();
        operands.extend(inputs);
        operands.extend(outputs);
        // Nothing to do but to say what is wrong with the target.
        let plan = Prefix::<All<R, T, false>>::PLAN;
        return instance.execute(plan, shape, operands).map(|_| ());
    }
    let n = shape.len();
    let mut levels = vec![mapped::<itself, (Each<T>,)>(instance, shape, inputs)?];
    while let Some(level) = levels.last()
        && level.len() >= TILE
    {
        let totals = tile_totals::<R, T>(instance, level, level.len() / TILE)?;
        levels.push(totals);
    }
    // Where nothing precedes all elements, what stands for it is not looked at.
    let initial = mode.initial();
    let begins = initial.is_some();
    let mut before = Vector::from(vec![initial.unwrap_or(crate::element::zero())]);
    for level in levels.drain(1..).rev() {
        // One more than there are elements: what precedes a last tile that is not full.
        let places = level.len() + 1;
        let mut next: Vector<T> = Container::unwritten(Shape::D1(places))?;
        let mut out = Operands::new();
        out.push(Operand::write(next.target()));
        settle::<R, T, true>(instance, [&level, &before], begins, places, out)?;
        before = next;
    }
    let both = [&levels[0], &before];
    match M::EXCLUSIVE {
        true => settle::<R, T, true>(instance, both, begins, n, outputs),
        false => settle::<R, T, false>(instance, both, begins, n, outputs),
    }
}

fn settle<R: Operator<T>, T: Element, const EXCLUSIVE: bool>(
    instance: &Instance<impl Executor>,
    [level, before]: [&Vector<T>; 2],
    begins: bool,
    places: usize,
    out: Operands<'_>,
) -> Result<()> {
    let mut operands = Operands::new();
    for whole in [level, before] {
        operands.push(Operand::whole(whole.buffer(), whole.shape()));
    }
    operands.push(Operand::uniform(View::of(std::slice::from_ref(&begins))));
    operands.extend(out);
    let plan = Elementwise::<Settled<R, T, EXCLUSIVE>, (Whole<T>, Whole<T>, Uniform<bool>)>::PLAN;
    unindexed(instance.execute(plan, Shape::D1(places), operands)).map(|_| ())
}

/// The prefix of element `at.i` of a level: what precedes its tile, combined with the tile's elements up to
/// it, or, if `EXCLUSIVE`, before it. `begins` says whether something precedes the first tile.
struct Settled<R, T, const EXCLUSIVE: bool>(PhantomData<fn() -> (R, T)>);

impl<R: Operator<T>, T: Element, const EXCLUSIVE: bool>
    UserFunction<(Whole<T>, Whole<T>, Uniform<bool>)> for Settled<R, T, EXCLUSIVE>
{
    type At = Index1;
    type Output = T;
    const NAME: &'static str = "settled";

    #[inline(always)]
    fn call(at: Index1, (level, before, begins): (&[T], &[T], bool)) -> T {
        let tile = at.i / TILE;
        let begin = tile * TILE;
        if EXCLUSIVE && at.i == begin {
            return before[tile];
        }
        let mut total = level[begin];
        for value in &level[begin + 1..at.i + usize::from(!EXCLUSIVE)] {
            total = R::apply(total, *value);
        }
        if tile > 0 || begins {
            R::apply(before[tile], total)
        } else {
            total
        }
    }

    fn ir(cx: &mut Cx) -> Imp {
        const { assert!(TILE == 16, "the text says 16") }
        let view = || (Ty::view(T::ty(), ViewKind::Slice), Passing::In);
        cx.define::<Self>("settled", |cx| Source {
            file: file!(),
            params: vec![
                (Index1::ty(), Passing::In),
                view(),
                view(),
                (Ty::Bool, Passing::In),
            ],
            ret: T::ty(),
            fast_math: false,
            mathematics: crate::ir::build::NO_MATHEMATICS,
            text: if EXCLUSIVE { EXCLUSIVELY } else { INCLUSIVELY },
            types: Vec::new(),
            constants: Vec::new(),
            imps: vec![R::ir(cx)],
            messages: Vec::new(),
        })
    }
}

const INCLUSIVELY: &str = "(fn (at level before begins) (bl \
     (let 4 tile - (b / - (f i (v 0)) (lit ^ 16))) \
     (let 5 k - (b * - (v 4) (lit ^ 16))) \
     (let 6 total - (ix (v 1) (v 5))) \
     (while 0 (b < - (v 5) (f i (v 0))) (bl \
     (= (v 5) (b + - (v 5) (lit ^ 1))) \
     (= (v 6) (c 0 (v 6) (ix (v 1) (v 5)))))) \
     (tail (if (|| (b > - (v 4) (lit ^ 0)) (v 3)) \
     (bl (tail (c 0 (ix (v 2) (v 4)) (v 6)))) (bl (tail (v 6)))))))";

const EXCLUSIVELY: &str = "(fn (at level before begins) (bl \
     (let 4 tile - (b / - (f i (v 0)) (lit ^ 16))) \
     (let 5 k - (b * - (v 4) (lit ^ 16))) \
     (if (b == - (f i (v 0)) (v 5)) (bl (ret (ix (v 2) (v 4))))) \
     (let 6 total - (ix (v 1) (v 5))) \
     (= (v 5) (b + - (v 5) (lit ^ 1))) \
     (while 0 (b < - (v 5) (f i (v 0))) (bl \
     (= (v 6) (c 0 (v 6) (ix (v 1) (v 5)))) \
     (= (v 5) (b + - (v 5) (lit ^ 1))))) \
     (tail (if (|| (b > - (v 4) (lit ^ 0)) (v 3)) \
     (bl (tail (c 0 (ix (v 2) (v 4)) (v 6)))) (bl (tail (v 6)))))))";
