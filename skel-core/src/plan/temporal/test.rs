//! Steps together, small enough for Miri: no element is read before it is written, or while it is.

use super::StepMemory;
use crate::{
    Result,
    call::{Call, Executor},
    container::{Matrix, Vector},
    frame::Partial,
    param::{Window1, Window2},
    plan::Grouping,
    schedule::Target,
    skeleton::{Edge, MapOverlap},
};
use skel_macros::user_function;

/// Takes steps together, in so many pieces at least, or one by one.
struct Steps {
    together: bool,
    pieces: usize,
    group_elems: usize,
}

impl Executor for Steps {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let n = call.space.elems();
        let mut frame = call.host_frame(0..n, Grouping::of(call.phases))?;
        _ = call.phases.local(&mut frame);
        drop(frame);
        // SAFETY: the local phase of an elementwise plan has written all elements.
        unsafe { call.wrote_on_host(&(0..n)) };
        Ok(Partial::NONE)
    }

    fn execute_steps(&self, call: &mut Call<'_>, _: &Target, most: usize) -> Result<usize> {
        if !self.together {
            return Ok(0);
        }
        let blocks = call.temporal_blocks(most).expect("several steps");
        let blocks = blocks.in_groups(self.group_elems);
        let (n, seam) = (call.space.elems(), blocks.seam_elems());
        let mut rest = call.host_frame(0..n, Grouping::of(call.phases))?;
        let mut first = rest.take_front(seam);
        let mut middle = rest.take_front(n - seam);
        if seam > 0 {
            blocks.run_seam(call.phases, (&mut first, &mut rest));
        }
        let (mut memory, elems) = (StepMemory::default(), n / self.pieces + 1);
        while !middle.range.is_empty() {
            let mid = middle.range.end.min(middle.range.start + elems);
            blocks.run(call.phases, &mut middle.take_front(mid), &mut memory);
        }
        drop((first, middle, rest));
        // SAFETY: the last step of each element went through the local phase of an elementwise plan.
        unsafe { call.wrote_on_host(&(0..n)) };
        Ok(blocks.steps())
    }
}

#[user_function]
fn along(w: Window1<u32, 2>) -> u32 {
    w[-2].wrapping_mul(5) ^ w[2].wrapping_add(w[-1])
}

#[user_function]
fn around(w: Window2<u8, 1, 1>, k: u8) -> u8 {
    (w[(-1, 1)] ^ w[(1, 0)])
        .wrapping_mul(k)
        .wrapping_add(w[(0, -1)])
}

/// The same function, all steps together and one by one.
fn both<F>(edge: Edge) -> [MapOverlap<F, Steps>; 2] {
    [true, false].map(|together| {
        let steps = Steps {
            together,
            pieces: 3,
            group_elems: 7,
        };
        MapOverlap::<F, _>::with_executor("steps", steps).edge(edge)
    })
}

#[test]
fn they_give_what_single_steps_give() {
    // Miri takes minutes for what else takes none.
    let (edges, steps) = if cfg!(miri) { (2, 3) } else { (3, 7) };
    let all = [Edge::Duplicate, Edge::Cyclic, Edge::Reflect];
    for edge in &all[..edges] {
        let found = both::<along>(*edge).map(|f| {
            let x = (0..130_u32).map(|i| i.wrapping_mul(77_777));
            let x = f.iterate(steps, Vector::from(x.collect::<Vec<_>>()), ());
            x.unwrap().to_vec().unwrap()
        });
        assert_eq!(found[0], found[1], "{edge:?}");
        let factors = Matrix::from_fn(40, 9, |i, j| (i + j) as u8);
        let found = both::<around>(*edge).map(|f| {
            let x = Matrix::from_fn(40, 9, |i, j| (i * j) as u8);
            let x = f.iterate(steps, x, (&factors,));
            x.unwrap().to_vec().unwrap()
        });
        assert_eq!(found[0], found[1], "{edge:?}");
    }
}
