//! Elements by blocks of lanes, where that is faster: the loops of functions that have such a face.

mod fold;

pub(super) use fold::{fold, only_reads};

use super::elementwise::by_rows;
use crate::{
    caught::{Caught, catch, or_unwind},
    frame::{Frame, Opening},
    ir::{FnId, Mode, Ty, Weight, functions_that_trap, weights},
    isa,
    lanes::{self, Choice, Face},
    param::{Outputs, ParamList, Position, Random, Source},
    plan::Kernel,
    space::Segment,
    user_function::UserFunction,
};
use std::{cell::Cell, marker::PhantomData, ops::Range};

/// The arguments of a block.
pub(super) struct Block<'b, At, P: ParamList> {
    access: P::Access<'b>,
    segment: &'b Segment,
    first: usize,
    _at: PhantomData<fn() -> At>,
}

impl<'b, At: Position, P: ParamList> Block<'b, At, P> {
    /// The `N` elements from `at` on, counted from the beginning of the segment and of the access.
    #[inline(always)]
    pub(super) fn new<'a: 'b, const N: usize>(
        access: &'b mut P::Access<'a>,
        segment: &'b Segment,
        at: usize,
    ) -> Self {
        Block {
            access: P::sub(access, at..at + N),
            segment,
            first: at,
            _at: PhantomData,
        }
    }
}

impl<At: Position, P: ParamList> Source<P> for Block<'_, At, P> {
    type At = At;

    #[inline(always)]
    fn at(&self, l: usize) -> At {
        At::at(self.segment, self.first + l)
    }

    #[inline(always)]
    fn args(&mut self, l: usize) -> P::Args<'_> {
        P::get(&mut self.access, l)
    }
}

/// Whether the last elements of a segment of `elems`, which make no whole block, are computed by one that overlaps the
/// block before it. What it computes for the second time must not have been changed; and one by one, an eighth of a
/// block would usually take as long as the block.
#[inline(always)]
const fn overlaps<P: ParamList, const N: usize>(elems: usize) -> bool {
    only_reads::<P>() && elems >= N && elems % N >= N / 8
}

/// The loop over the blocks of a segment. Its progress is known if it panics.
struct Loop<'a, 'm, F, P> {
    frame: &'a mut Frame<'m>,
    segment: &'a Segment,
    done: &'a Cell<usize>,
    _types: PhantomData<fn() -> (F, P)>,
}

impl<F, P> isa::LaneBody for Loop<'_, '_, F, P>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    type Output = ();

    #[inline(always)]
    fn run<const N: usize>(self) {
        let range = self.segment.range();
        let (inputs, outputs) = self.frame.slots.split_at_mut(P::LEN);
        let mut inputs = P::open(inputs, self.segment);
        let mut outputs = <F::Output as Outputs>::open(outputs, &range);
        let (n, mut at) = (range.len(), 0);
        loop {
            if n - at < N {
                if at == n || !overlaps::<P, N>(n) {
                    break;
                }
                at = n - N;
            }
            let mut block = Block::<F::At, P>::new::<N>(&mut inputs, self.segment, at);
            let mut results = lanes::var::<F::Output, N>();
            F::lanes(&mut block, &mut results);
            for l in 0..N {
                <F::Output as Outputs>::put(&mut outputs, at + l, lanes::get(&results, l));
            }
            at += N;
            self.done.set(at);
        }
    }
}

/// The loop of a function that has lanes.
pub(super) struct LaneLoop {
    /// See [`UserFunction::LANES_MAY_GUESS`].
    pub(super) may_guess: bool,
    by_rows: bool,
    /// Computes the elements of a segment in blocks, and says how many are done, also if it panics.
    run: fn(&mut Frame<'_>, &Segment, &Cell<usize>),
}

/// That of `F`, if it has lanes.
pub(super) const fn lane_loop<F, P>() -> Option<LaneLoop>
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    if !F::HAS_LANES || P::NEAR.is_some() {
        return None;
    }
    Some(LaneLoop {
        may_guess: F::LANES_MAY_GUESS,
        by_rows: by_rows::<F, P>(),
        run: in_blocks::<F, P>,
    })
}

fn in_blocks<F, P>(frame: &mut Frame<'_>, segment: &Segment, done: &Cell<usize>)
where
    P: ParamList,
    F: UserFunction<P, Output: Outputs>,
{
    isa::dispatch_lanes(Loop::<F, P> {
        frame,
        segment,
        done,
        _types: PhantomData,
    });
}

/// Computes the elements `range` of the frame, each by the face whose turn it is. `scalar` computes those of a
/// segment.
pub(super) fn run(
    frame: &mut Frame<'_>,
    range: Range<usize>,
    opening: Opening,
    choice: &Choice,
    lanes: &LaneLoop,
    scalar: &mut dyn FnMut(&mut Frame<'_>, Segment),
) {
    let mut rest = range;
    let mut turns = choice.turns(frame.space.elems(), rest.len());
    while !rest.is_empty() {
        let turn = turns.next(rest.len());
        let most = rest.start..rest.start + turn.elems;
        let segment = opening.segment(&most, lanes.by_rows);
        let elems = segment.range().len();
        rest.start += elems;
        let (done, mut panicked) = (Cell::new(0), false);
        if turn.face == Face::Lanes {
            match catch(|| (lanes.run)(frame, &segment, &done)) {
                Ok(()) => {}
                Err(Caught::OutOfMemory(error)) => or_unwind(Err(error)),
                // Of which element, and whether of one at all, the user's own function will tell.
                Err(Caught::Panic(_)) => panicked = true,
            }
        }
        if done.get() < elems {
            scalar(frame, segment.after(done.get()));
        }
        match panicked {
            false => turns.done(&turn, elems),
            // Of none: it was for lanes that take no part.
            true => {
                choice.never_again();
                turns = choice.turns(frame.space.elems(), rest.len());
            }
        }
    }
}

/// Bytes of a function's variables, at most: each has a value per lane, and all of them are on the stack.
const MOST_BYTES: usize = 1 << 10;

/// Whether a function may be run in lanes. What it calls by its name stands behind the mask, and may trap and change what it
/// is lent; or all lanes call it, those that take no part with what another passes, which a function that only computes
/// does not show. What is [`Function::implied`] is run by lanes that take no part, too, so it must neither panic nor loop;
/// nor may it change its arguments, but for operators that assign: to the macro, which knows no types, a method of the
/// user's that is named like one of numbers (`x.min(y)`) changes nothing. The same holds of functions with loops or draws
/// that it calls, which may have lanes as well. The variables of all of them, each taken once, must not be large. Where lanes may
/// `guess`, the function must neither trap nor loop.
///
/// [`Function::implied`]: crate::ir::Function::implied
pub(super) fn usable(kernel: &Kernel, guess: bool) -> bool {
    let program = &kernel.program;
    let (weights, trapping) = (weights(program), functions_that_trap(program));
    let changes = |f: FnId| {
        let function = program.function(f);
        let assigned = usize::from(function.name.ends_with("_assign"));
        let mut others = function.params.iter().skip(assigned);
        others.any(|param| param.mode == Mode::InOut)
    };
    let reached = program.reached_from(kernel.map);
    let loops = |f: FnId| weights[f.0] == Weight::Unknown;
    let functions = (0..program.functions.len()).map(FnId);
    let may_have_lanes = |f: FnId| loops(f) || Random::is_drawn_from(program.function(f));
    let in_lanes = functions.filter(|f| *f == kernel.map || reached[f.0] && may_have_lanes(*f));
    let mut bytes = 0;
    let all_may = in_lanes.map(|f| program.function(f)).all(|function| {
        let locals = function.locals.iter().map(|local| held_bytes(&local.ty));
        bytes += locals.sum::<usize>() + function.ret.size_bytes();
        let mut implied = function.implied.iter();
        implied.all(|f| !trapping[f.0] && !changes(*f) && !loops(*f))
    });
    // A large angle, which the lanes take for another, must lead nowhere that it would not lead.
    let must_not_guess = trapping[kernel.map.0] || loops(kernel.map);
    all_may && bytes <= MOST_BYTES && program.is_pure() && !(guess && must_not_guess)
}

/// Bytes of a variable; whole containers are no variables.
fn held_bytes(ty: &Ty) -> usize {
    match ty {
        Ty::View(_) => 0,
        ty => ty.size_bytes(),
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use crate::{
        param::Each,
        skeleton::elementwise::{arguments, kernel_of_map},
    };
    use skel_macros::{Element, user_function};

    fn kernel_of<F: UserFunction<(Each<u32>,)>>() -> Kernel {
        let arguments = arguments::<(Each<u32>,)>(&[]);
        kernel_of_map::<F::At>(crate::plan::Pattern::Elementwise, F::ir, arguments).unwrap()
    }

    #[user_function]
    fn halves(x: u32) -> u32 {
        let (mut x, mut n) = (x, 0);
        while x > 1 {
            x /= 2;
            n += 1;
        }
        n
    }

    #[user_function]
    fn calls_what_loops(x: u32) -> u32 {
        let mut x = x;
        while x > 5 {
            x = halves(x);
        }
        x
    }

    #[user_function]
    fn large(x: u32) -> u32 {
        let mut table = [x; 300];
        let mut k = 0;
        while table[0] < 9 {
            table[k % 300] += 1;
            k += 7;
        }
        table[7]
    }

    #[derive(Clone, Copy, Element)]
    #[repr(C)]
    struct Own {
        value: u32,
    }

    #[user_function]
    impl Own {
        fn min(&mut self, other: u32) -> u32 {
            self.value += other;
            self.value
        }
    }

    #[user_function]
    fn changes_by_a_method(x: u32) -> u32 {
        let mut own = Own { value: x };
        let mut n = 0;
        while own.value < 100 {
            let least = own.min(7);
            n += least;
        }
        n
    }

    #[user_function]
    impl Own {
        fn kick(&mut self, by: u32) -> u32 {
            self.value += 100 / by;
            self.value
        }
    }

    #[user_function]
    fn changes_by_a_method_of_another_name(x: u32) -> u32 {
        let mut own = Own { value: x };
        while own.value < 100 {
            own.kick(x);
        }
        own.value
    }

    #[user_function]
    impl std::ops::Div for Own {
        type Output = Own;

        fn div(self, by: Own) -> Own {
            Own {
                value: self.value / by.value,
            }
        }
    }

    #[user_function]
    fn traps_in_an_operator(x: u32) -> u32 {
        let mut own = Own { value: x };
        while own.value > 100 {
            own = own / Own { value: x - 2 };
        }
        own.value
    }

    #[user_function]
    fn calls_what_is_large(x: u32) -> u32 {
        large(x) + 1
    }

    #[user_function]
    fn calls_what_traps_in_an_operator(x: u32) -> u32 {
        traps_in_an_operator(x) + 1
    }

    #[user_function]
    fn large_and_drawn_from(random: &mut Random, x: u32) -> u32 {
        let table = [random.next_u32(); 300];
        table[(x % 300) as usize]
    }

    #[user_function]
    fn calls_what_is_large_and_drawn_from(random: &mut Random, x: u32) -> u32 {
        large_and_drawn_from(random, x) + 1
    }

    #[user_function]
    fn draws(random: &mut Random, x: u32) -> u32 {
        x + (random.normal_f32() * 100.0) as u32 + (random.uniform_f64() * 100.0) as u32
    }

    const TABLE: [u32; 5] = [3, 1, 4, 1, 5];

    #[user_function]
    fn angle(x: u32) -> u32 {
        (x as f32).sin().to_bits() ^ (x as f64).cos().to_bits() as u32
    }

    #[user_function]
    fn index_of_an_angle(x: u32) -> u32 {
        TABLE[((x as f32).sin() * 2.0 + 2.0) as usize]
    }

    #[test]
    fn what_is_called_must_be_harmless_and_variables_small() {
        assert!(!usable(&kernel_of::<changes_by_a_method>(), false));
        assert!(usable(
            &kernel_of::<changes_by_a_method_of_another_name>(),
            false
        ));
        assert!(!usable(&kernel_of::<traps_in_an_operator>(), false));
        assert!(usable(&kernel_of::<halves>(), false));
        assert!(usable(&kernel_of::<calls_what_loops>(), false));
        assert!(!usable(&kernel_of::<calls_what_is_large>(), false));
        assert!(!usable(
            &kernel_of::<calls_what_traps_in_an_operator>(),
            false
        ));
        assert!(!usable(&kernel_of::<large>(), false));
        assert!(usable(&kernel_of::<draws>(), false));
        assert!(!usable(
            &kernel_of::<calls_what_is_large_and_drawn_from>(),
            false
        ));
        assert!(usable(&kernel_of::<angle>(), true));
        assert!(!usable(&kernel_of::<index_of_an_angle>(), true));
    }
}
