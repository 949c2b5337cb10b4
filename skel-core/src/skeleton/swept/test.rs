//! Tiles that end early.
#![allow(unsafe_code, reason = "tiles, one at a time")]

use crate::{
    Element, Result,
    call::{Call, Executor},
    caught::catch,
    container::Matrix,
    frame::{Partial, Slot},
    ir::{Imp, build::Cx},
    param::{EachSweep2, Sweep2},
    plan::Grouping,
    schedule::Target,
    skeleton::Sweep,
    space::{SweepBox, SweepProgress},
    user_function::UserFunction,
};
use std::marker::PhantomData;

/// What traps.
const TRAP: u32 = 999;
/// What is computed is larger by this.
const COMPUTED: u32 = 1000;

/// An element of some size, with a number in it.
trait Numbered: Element {
    fn of(number: u32) -> Self;
    fn number(self) -> u32;
}

impl Numbered for u32 {
    fn of(number: u32) -> u32 {
        number
    }

    fn number(self) -> u32 {
        self
    }
}

impl<const N: usize> Numbered for [u32; N]
where
    [u32; N]: Element,
{
    fn of(number: u32) -> [u32; N] {
        [number; N]
    }

    fn number(self) -> u32 {
        self[0]
    }
}

/// Adds to the number of an element, unless that is [`TRAP`].
struct Add<T>(PhantomData<T>);

impl<T: Numbered> UserFunction<(EachSweep2<T, 1, 1>,)> for Add<T> {
    type At = ();
    type Output = T;
    const NAME: &'static str = "add";

    fn call((): (), (w,): (Sweep2<'_, T, 1, 1>,)) -> T {
        let own = w[(0, 0)].number();
        assert!(own != TRAP, "a trap");
        T::of(own + COMPUTED)
    }

    fn ir(_: &mut Cx) -> Imp {
        Imp::Failed
    }
}

/// Computes one tile, and compares what it says with what became of the elements.
struct OneTile<T> {
    start: [usize; 4],
    end: [usize; 4],
    /// Whether it meets the trap.
    traps: bool,
    element: PhantomData<fn() -> T>,
}

impl<T: Numbered> Executor for OneTile<T> {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let (n, phases) = (call.space.elems(), call.phases);
        let mut frame = call.host_frame(0..n, Grouping::of(phases))?;
        let order = *frame.sweep().expect("a sweep");
        let (start, end) = (self.start, self.end);
        let (tile, progress) = (SweepBox { start, end }, SweepProgress::default());
        // SAFETY: one thread, and no other tile.
        let caught = catch(|| unsafe { phases.tile(&mut frame, &tile, &progress) });
        assert_eq!(caught.is_err(), self.traps);
        let mut computed = 0;
        for element in 0..n {
            let Slot::Sweep(sweep) = &frame.slots[0] else {
                panic!("what is swept comes first");
            };
            let own = sweep.seen::<T>(element, [0; 4]).number();
            let places = order.places(element);
            let is_in = (0..4).all(|d| (start[d]..end[d]).contains(&places[d]));
            if !is_in {
                assert!(own < COMPUTED, "{element} is of no tile");
            } else if self.traps {
                assert_eq!(
                    own >= COMPUTED,
                    progress.has(&tile, places),
                    "{places:?}, {progress:?}"
                );
            } else {
                assert!(own >= COMPUTED);
            }
            computed += usize::from(own >= COMPUTED);
        }
        assert!(!self.traps || computed < n);
        Ok(Partial::NONE)
    }
}

/// `trap` is an element of the matrix.
fn one_tile<T: Numbered>(tile: ([usize; 4], [usize; 4]), descending: &[usize], trap: usize) {
    const ROWS: usize = 9;
    const COLS: usize = 40;
    let mut elements: Vec<T> = (0..ROWS * COLS).map(|k| T::of(k as u32)).collect();
    elements[trap] = T::of(TRAP);
    let mut matrix = Matrix::from_vec(ROWS, COLS, elements).unwrap();
    let place = |d: usize, of: usize, extent: usize| match descending.contains(&d) {
        true => extent - 1 - of,
        false => of,
    };
    let places = [place(0, trap / COLS, ROWS), place(1, trap % COLS, COLS)];
    let (start, end) = tile;
    let traps = (0..2).all(|d| (start[d + 2]..end[d + 2]).contains(&places[d]));
    let sweep = Sweep::<Add<T>, _>::with_executor(
        "",
        OneTile::<T> {
            start,
            end,
            traps,
            element: PhantomData,
        },
    );
    let sweep = match *descending {
        [] => sweep,
        [d] => sweep.descending([d]),
        _ => sweep.descending([0, 1]),
    };
    sweep
        .pad(T::of(0))
        .run::<(EachSweep2<T, 1, 1>,), _>((&mut matrix,))
        .unwrap();
}

/// Four rows at once, three, two, and one; all of the container and a part of it; every element of a few rows.
#[test]
fn a_tile_that_traps_knows_what_it_has_computed() {
    let all = ([0; 4], [1, 1, 9, 40]);
    let part = ([0, 0, 2, 7], [1, 1, 8, 33]);
    let traps = (0..360).step_by(if cfg!(miri) { 61 } else { 1 });
    for (trap, tile) in traps.flat_map(|trap| [(trap, all), (trap, part)]) {
        for descending in [&[][..], &[0], &[1], &[0, 1]] {
            one_tile::<[u32; 1]>(tile, descending, trap);
            one_tile::<u32>(tile, descending, trap);
            one_tile::<[u32; 4]>(tile, descending, trap);
            one_tile::<[u32; 20]>(tile, descending, trap);
        }
    }
}
