//! What safe code may try, and must not get: two strided views of one place, memory that nothing has written.
//! Run by Miri as well (`cargo xtask miri`).
#![forbid(unsafe_code)]

use crate::{
    Result,
    call::{Call, Executor, Operand, OutputAccess},
    container::{BufferMut, Container, Matrix, Vector},
    frame::{Before, NeighbourhoodView, Partial, Slot, SparseView, Spine, SweepMut, View, ViewMut},
    ir::{Imp, build::Cx},
    param::{
        Each, EachMut, EachSweep2, EachWindow1, EachWindow2, EachWindow3, Param, Sweep2, SweepKind,
    },
    plan::{Grouping, Pattern},
    schedule::Target,
    skeleton::{Map, Reduce, Scan, Sweep, scan::All},
    space::{
        CoalescedLayout, EdgeKind, Layout, Lines, Neighbourhood, Segment, SegmentSpace, Shape,
        Stream, SweepOrder,
    },
    user_function::UserFunction,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Four elements, each so far from the last.
fn coalesced(offset: usize, stride: isize) -> CoalescedLayout {
    let layout = Layout {
        offset,
        strides: [0, 0, 0, stride],
    };
    layout.over(Shape::D1(4))
}

/// Writes elements of a call at these places.
fn put(target: &mut BufferMut<'_>, coalesced: &CoalescedLayout, elements: std::ops::Range<usize>) {
    let n = elements.len();
    let mut strided = target
        .lend_scattered(coalesced, elements.clone(), true)
        .unwrap();
    strided.slice_mut::<u32>(elements)[..n].fill(7);
}

#[test]
fn elements_of_one_call_lie_in_one_way() {
    let mut vector = Vector::from(vec![0_u32; 4]);
    let mut target = vector.target();
    let mut first = target.lend_scattered(&coalesced(0, 1), 0..2, true).unwrap();
    first.slice_mut::<u32>(0..2).fill(1);
    // From behind, elements 2 and 3 lie where elements 0 and 1 do from the front.
    let other = catch_unwind(AssertUnwindSafe(|| {
        put(&mut target, &coalesced(3, -1), 2..4)
    }));
    assert!(other.is_err(), "two strided views of one place");
    put(&mut target, &coalesced(0, 1), 2..4);
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "places outside of 0..4")]
fn places_that_wrap_around_are_none() {
    let mut vector = Vector::from(vec![0_u32; 4]);
    let mut turns = coalesced(0, 1);
    // Elements 0 and 2³³ would have one place.
    turns.dims[0] = (1 << 34, 1 << 31);
    put(&mut vector.target(), &turns, 0..1);
}

#[test]
#[should_panic(expected = "places outside of 0..4")]
fn places_lie_within_the_container() {
    let mut vector = Vector::from(vec![0_u32; 4]);
    put(&mut vector.target(), &coalesced(2, -1), 0..1);
}

/// Of such a range it was once said that it is empty, so that nothing had to be checked, and its bytes wrapped to eight.
#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "elements ")]
fn what_ends_before_it_begins_is_not_lent() {
    let mut vector = Vector::from(vec![0_u64; 4]);
    let mut target = vector.target();
    let end = 1_000_000_usize;
    let begin = end + ((1 << 61) - 1);
    let _ = target.lend_out(begin..end);
}

/// Adds an output to every call that the plan knows nothing of, and runs the phase that writes. If that went
/// well, the unit that ran it would vouch for memory that nothing has written.
struct Forger;

impl Executor for Forger {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let mut more: Vector<u32> = Container::unwritten(call.space.shape())?;
        // For as long as what is added lasts.
        let mut call = Call {
            operands: std::mem::take(&mut call.operands),
            blocks: call.blocks.clone(),
            initial: call.initial.clone(),
            ..*call
        };
        let (n, phases) = (call.space.elems(), call.phases);
        call.operands.push(Operand::write(more.target()));
        let mut frame = call.host_frame(0..n, Grouping::of(phases))?;
        let ran = catch_unwind(AssertUnwindSafe(|| match phases.pattern() {
            Pattern::Elementwise | Pattern::Fold | Pattern::Sweep => phases.local(&mut frame),
            Pattern::Scan => phases.finish(&mut frame, &Spine::EMPTY),
        }));
        assert!(ran.is_err(), "a plan ran that leaves an output unwritten");
        Ok(Partial::NONE)
    }
}

/// `|x| *x += 1`.
struct Touch;

impl UserFunction<(EachMut<u32>,)> for Touch {
    type At = ();
    type Output = ();
    const NAME: &'static str = "touch";

    fn call((): (), (x,): (&mut u32,)) {
        *x += 1;
    }

    fn ir(_: &mut Cx) -> Imp {
        Imp::Failed
    }
}

/// `|a, b| a + b`.
struct Add;

impl UserFunction<(Each<u32>, Each<u32>)> for Add {
    type At = ();
    type Output = u32;
    const NAME: &'static str = "add";

    fn call((): (), (a, b): (u32, u32)) -> u32 {
        a + b
    }

    fn ir(_: &mut Cx) -> Imp {
        Imp::Failed
    }
}

#[test]
fn no_plan_runs_with_an_output_that_it_does_not_write() {
    let mut vector = Vector::from(vec![1_u32, 2, 3]);
    let touch = Map::<Touch, _>::with_executor("", Forger);
    touch
        .run::<(EachMut<u32>,), _, _, _>((&mut vector,))
        .unwrap();
    let numbers = [1_u32, 2, 3];
    let sum = Map::<Add, _>::with_executor("", Forger);
    sum.run::<(Each<u32>, Each<u32>), _, _, Vector<u32>>((&numbers, &numbers))
        .unwrap();
    // Without a partial, there is no result; what counts was asserted by then.
    let _none = Reduce::<Add, _>::with_executor("", Forger).run((&numbers,));
    let _none = Scan::<Add, All, _>::with_executor("", Forger).run((&numbers,));
}

/// The segment of all elements of a row.
fn row(shape: Shape) -> Segment {
    let stream = Stream::default();
    Segment::new(
        &(0..shape.row_elems()),
        true,
        SegmentSpace { shape, stream },
    )
}

#[test]
fn a_slot_that_is_opened_for_wider_windows_holds_their_elements() {
    let (shape, data) = (Shape::D2(4, 8), (0..32).collect::<Vec<u32>>());
    let mut near = Neighbourhood::around(shape, 2);
    near.edge = EdgeKind::Duplicate;
    let near_slot = NeighbourhoodView::new(SparseView::of(View::of(&data)), near, None);
    let mut slot = Slot::Window(Box::new(near_slot));
    let _narrow = <EachWindow2<u32, 1, 1> as Param>::open(&mut slot, &row(shape));
    let mut wide = <EachWindow2<u32, 3, 3> as Param>::open(&mut slot, &row(shape));
    for i in 0..8 {
        let window = <EachWindow2<u32, 3, 3> as Param>::get(&mut wide, i);
        for (y, x) in [(-3, -3), (3, 3), (3, -3), (0, 0)] {
            let element = near
                .element(i, [0, 0, y, x])
                .expect("the edge is duplicated");
            assert_eq!(window[(y, x)], data[element]);
        }
    }
}

#[test]
fn rows_without_columns_are_copied_with_their_pads() {
    // What lies in the thread's scratch memory from before.
    let (shape, data) = (Shape::D2(4, 4), [1_u32; 16]);
    let opened = |near, data, shape: Shape, rows| {
        let (view, pad) = (SparseView::of(View::of(data)), View::of(&[7_u32]));
        let mut slot = Slot::Window(Box::new(NeighbourhoodView::new(view, near, Some(pad))));
        type Kind = EachWindow2<u32, 1, 1>;
        let mut rows = <Kind as Param>::open_rows(&mut slot, &row(shape), rows);
        let mut opened = <Kind as Param>::row(&mut rows, 0, 0, 1);
        let window = <Kind as Param>::get(&mut opened, 0);
        [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 1)].map(|at| window[at])
    };
    let mut near = Neighbourhood::around(shape, 2);
    near.edge = EdgeKind::Pad;
    assert_eq!(opened(near, &data[..], shape, 4), [7, 7, 1, 1, 1]);
    near.positions = [1, 1, 2, 1];
    near.extents = [1, 1, 2, 0];
    assert_eq!(opened(near, &[], Shape::D2(2, 1), 2), [7; 5]);
}

#[test]
#[should_panic(expected = "more elements than memory can hold")]
fn lines_of_more_elements_than_can_be_counted_are_none() {
    // The hull of two such lines would have two elements.
    let _ = Lines::along(Shape::D2((1 << (usize::BITS - 1)) + 1, 2), 0);
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "larger than any memory")]
fn neighbourhoods_as_far_apart_as_no_memory_is_large_are_refused() {
    let (shape, data) = (Shape::D1(3), [1_u32, 2, 3]);
    let mut near = Neighbourhood::around(shape, 1);
    (near.edge, near.stride[3]) = (EdgeKind::Duplicate, 1 << 63);
    let near_slot = NeighbourhoodView::new(SparseView::of(View::of(&data)), near, None);
    let mut slot = Slot::Window(Box::new(near_slot));
    // Twice the distance is none: the second neighbourhood would lie behind the copy's end.
    let mut opened = <EachWindow1<u32, 1> as Param>::open(&mut slot, &row(shape));
    let _ = <EachWindow1<u32, 1> as Param>::get(&mut opened, 1)[0];
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "larger than any memory")]
fn rows_as_far_apart_as_no_memory_is_large_are_refused() {
    // Three times as many are two.
    let span = 6_148_914_691_236_517_206_usize;
    let near = Neighbourhood {
        rank: 3,
        positions: [1, 1, 2, 4],
        extents: [1, 3, span, 4],
        stride: [1, 1, span - 3, 1],
        shift: [0, 1, 1, 0],
        inner: 1,
        edge: EdgeKind::Duplicate,
    };
    let data = [0_u32; 8];
    let near_slot = NeighbourhoodView::new(SparseView::of(View::of(&data)), near, None);
    let mut slot = Slot::Window(Box::new(near_slot));
    type Kind = EachWindow3<u32, 1, 1, 1>;
    let mut rows = <Kind as Param>::open_rows(&mut slot, &row(Shape::D3(1, 2, 4)), 2);
    let mut opened = <Kind as Param>::row(&mut rows, 0, 0, 1);
    let _ = <Kind as Param>::get(&mut opened, 0)[(1, 1, 1)];
}

/// A row of a matrix of five by five, opened for parameters that see further than the container has elements.
#[test]
#[should_panic(expected = "elements at an edge")]
fn what_sees_beyond_the_container_is_not_inside_of_it() {
    let mut data: Vec<u32> = (0..25).collect();
    let order = SweepOrder::over(Shape::D2(5, 5), [0, 0, 1, 1]);
    let all = SweepMut::new(ViewMut::of(&mut data), order, None);
    let mut slot = Slot::Sweep(Box::new(all));
    let space = SegmentSpace {
        shape: Shape::D2(5, 5),
        stream: Stream::default(),
    };
    let segment = Segment::new(&(5..10), true, space);
    let mut row = <EachSweep2<u32, 9, 9> as Param>::open(&mut slot, &segment);
    let _ = <EachSweep2<u32, 9, 9> as SweepKind>::inside(&mut row, 1..4);
}

/// Runs a part of a sweep that says that it is all of it.
struct Usurper;

impl Executor for Usurper {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let (n, phases) = (call.space.elems(), call.phases);
        let mut rest = call.host_frame(0..n, Grouping::of(phases))?;
        let mut front = rest.take_front(n / 2);
        front.range = 0..n;
        let ran = catch_unwind(AssertUnwindSafe(|| phases.local(&mut front)));
        assert!(ran.is_err(), "two parts that may touch the same elements");
        // Looking for a trap computes elements again.
        let looked = catch_unwind(AssertUnwindSafe(|| {
            let before = Before::of_sweep(|_| false);
            phases.find_trap(front, &before, Partial::NONE)
        }));
        assert!(looked.is_err(), "a part that computes elements again");
        Ok(Partial::NONE)
    }
}

/// Asks for the same elements of a sweep once more.
struct Doubler;

impl Executor for Doubler {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let (n, phases) = (call.space.elems(), call.phases);
        let mut all = call.host_frame(0..n, Grouping::of(phases))?;
        let twin = catch_unwind(AssertUnwindSafe(|| all.beside()));
        assert!(twin.is_err(), "two frames of the same sweep");
        Ok(Partial::NONE)
    }
}

/// `|w| w[(-1, 0)]`.
struct Above;

impl UserFunction<(EachSweep2<u32, 1, 1>,)> for Above {
    type At = ();
    type Output = u32;
    const NAME: &'static str = "above";

    fn call((): (), (w,): (Sweep2<'_, u32, 1, 1>,)) -> u32 {
        w[(-1, 0)]
    }

    fn ir(_: &mut Cx) -> Imp {
        Imp::Failed
    }
}

#[test]
fn a_part_of_a_sweep_does_not_run_as_a_whole() {
    let mut matrix = Matrix::filled(4, 4, 1_u32);
    let sweep = Sweep::<Above, _>::with_executor("", Usurper).pad(0_u32);
    sweep
        .run::<(EachSweep2<u32, 1, 1>,), _>((&mut matrix,))
        .unwrap();
}

#[test]
fn a_sweep_has_one_frame() {
    let mut matrix = Matrix::filled(4, 4, 1_u32);
    let sweep = Sweep::<Above, _>::with_executor("", Doubler).pad(0_u32);
    sweep
        .run::<(EachSweep2<u32, 1, 1>,), _>((&mut matrix,))
        .unwrap();
}

/// Says that no element sees the rows beside it, so that rows would not wait for each other.
struct Hurry;

impl Executor for Hurry {
    fn execute(&self, call: &mut Call<'_>, _: &Target) -> Result<Partial> {
        let (n, phases, shape) = (call.space.elems(), call.phases, call.space.shape());
        for output in call.outputs() {
            if let Some(OutputAccess::Sweep(sweep)) = output.access.as_deref_mut() {
                sweep.order = SweepOrder::over(shape, [0, 0, 0, 1]);
            }
        }
        let mut all = call.host_frame(0..n, Grouping::of(phases))?;
        let ran = catch_unwind(AssertUnwindSafe(|| phases.local(&mut all)));
        assert!(ran.is_err(), "rows that are seen and not waited for");
        Ok(Partial::NONE)
    }
}

#[test]
fn a_sweep_does_not_run_in_the_order_of_one_that_sees_less_far() {
    let mut matrix = Matrix::filled(4, 4, 1_u32);
    let sweep = Sweep::<Above, _>::with_executor("", Hurry).pad(0_u32);
    sweep
        .run::<(EachSweep2<u32, 1, 1>,), _>((&mut matrix,))
        .unwrap();
}

#[test]
#[cfg(target_pointer_width = "64")]
#[should_panic(expected = "a sweep over")]
fn a_sweep_over_more_elements_than_can_be_counted_is_none() {
    let _ = SweepOrder::over(Shape::D2(4, (1 << 62) + 5), [0, 0, 1, 1]);
}
