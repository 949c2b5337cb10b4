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

/// What traps.
const TRAP: u32 = 999;
/// What is computed is larger by this.
const COMPUTED: u32 = 1000;

/// Adds to the first number of an element, unless that is [`TRAP`].
struct Add<const N: usize>;

impl<const N: usize> UserFunction<(EachSweep2<[u32; N], 1, 1>,)> for Add<N>
where
    [u32; N]: Element,
{
    type At = ();
    type Output = [u32; N];
    const NAME: &'static str = "add";

    fn call((): (), (w,): (Sweep2<'_, [u32; N], 1, 1>,)) -> [u32; N] {
        let mut own = w[(0, 0)];
        assert!(own[0] != TRAP, "a trap");
        own[0] += COMPUTED;
        own
    }

    fn ir(_: &mut Cx) -> Imp {
        Imp::Failed
    }
}

/// Computes one tile, and compares what it says with what became of the elements.
struct OneTile {
    start: [usize; 4],
    end: [usize; 4],
    /// Whether it meets the trap.
    traps: bool,
}

impl Executor for OneTile {
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
            let own = sweep.layout().size_bytes() / 4;
            let first = match own {
                1 => sweep.seen::<[u32; 1]>(element, [0; 4])[0],
                4 => sweep.seen::<[u32; 4]>(element, [0; 4])[0],
                _ => sweep.seen::<[u32; 20]>(element, [0; 4])[0],
            };
            let places = order.places(element);
            let is_in = (0..4).all(|d| (start[d]..end[d]).contains(&places[d]));
            if !is_in {
                assert!(first < COMPUTED, "{element} is of no tile");
            } else if self.traps {
                assert_eq!(
                    first >= COMPUTED,
                    progress.has(&tile, places),
                    "{places:?}, {progress:?}"
                );
            } else {
                assert!(first >= COMPUTED);
            }
            computed += usize::from(first >= COMPUTED);
        }
        assert!(!self.traps || computed < n);
        Ok(Partial::NONE)
    }
}

/// `trap` is an element of the matrix.
fn one_tile<const N: usize>(tile: ([usize; 4], [usize; 4]), descending: &[usize], trap: usize)
where
    [u32; N]: Element,
{
    const ROWS: usize = 9;
    const COLS: usize = 40;
    let mut elements: Vec<[u32; N]> = (0..ROWS * COLS).map(|k| [k as u32; N]).collect();
    elements[trap] = [TRAP; N];
    let mut matrix = Matrix::from_vec(ROWS, COLS, elements).unwrap();
    let place = |d: usize, of: usize, extent: usize| match descending.contains(&d) {
        true => extent - 1 - of,
        false => of,
    };
    let places = [place(0, trap / COLS, ROWS), place(1, trap % COLS, COLS)];
    let (start, end) = tile;
    let traps = (0..2).all(|d| (start[d + 2]..end[d + 2]).contains(&places[d]));
    let sweep = Sweep::<Add<N>, _>::with_executor("", OneTile { start, end, traps });
    let sweep = match *descending {
        [] => sweep,
        [d] => sweep.descending([d]),
        _ => sweep.descending([0, 1]),
    };
    sweep
        .pad([0; N])
        .run::<(EachSweep2<[u32; N], 1, 1>,), _>((&mut matrix,))
        .unwrap();
}

/// Four rows at once, two, and one; all of the container and a part of it; every element of a few rows.
#[test]
fn a_tile_that_traps_knows_what_it_has_computed() {
    let all = ([0; 4], [1, 1, 9, 40]);
    let part = ([0, 0, 2, 7], [1, 1, 8, 33]);
    let traps = (0..360).step_by(if cfg!(miri) { 61 } else { 1 });
    for (trap, tile) in traps.flat_map(|trap| [(trap, all), (trap, part)]) {
        for descending in [&[][..], &[0], &[1], &[0, 1]] {
            one_tile::<1>(tile, descending, trap);
            one_tile::<4>(tile, descending, trap);
            one_tile::<20>(tile, descending, trap);
        }
    }
}
