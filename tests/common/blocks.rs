//! All block configurations compute the same, and those that a device does not offer change nothing.

use skel::{Context, Error, Target, prelude::*};
use skel_core::{
    call::{Call, Executor},
    frame::Partial,
    plan::BlockConfig,
    unit::NodeId,
};

/// A context whose device launches in one configuration.
#[derive(Clone)]
struct InBlock<'c> {
    context: &'c Context,
    node: NodeId,
    block: BlockConfig,
}

impl Executor for InBlock<'_> {
    fn execute(&self, call: &mut Call<'_>, target: &Target) -> skel::Result<Partial> {
        call.blocks.set(self.node, self.block);
        self.context.execute(call, target)
    }
}

#[user_function]
fn mixed(i: Index1, a: u32, b: u32) -> u32 {
    (a ^ (b >> 3)) * 2_654_435_761 + i.i as u32
}

#[user_function]
fn add(a: u32, b: u32) -> u32 {
    a + b
}

#[user_function]
fn add_floats(a: f32, b: f32) -> f32 {
    a + b
}

#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(C)]
struct Line {
    slope: u32,
    start: u32,
}

/// `2 x + 1` after `3 x + 1` is another thing than the other way round.
#[user_function]
fn after(f: Line, g: Line) -> Line {
    Line {
        slope: f.slope * g.slope,
        start: f.start * g.slope + g.start,
    }
}

#[user_function]
fn quotient(a: u32, b: u32) -> u32 {
    a / b
}

#[user_function]
fn around(x: Window1<u32, 1>) -> u32 {
    x[-1] + 3 * x[0] + 5 * x[1]
}

/// Runs skeletons on the context's only device, whose memory is `node`, in all configurations of so many lanes
/// and elements per lane.
pub(crate) fn all_compute_the_same(
    context: &Context,
    node: NodeId,
    lanes: &[u32],
    elems_per_lane: &[u32],
) {
    let all = lanes.iter().flat_map(|lanes| {
        elems_per_lane.iter().map(|elems_per_lane| BlockConfig {
            lanes: *lanes,
            elems_per_lane: *elems_per_lane,
        })
    });
    for block in all {
        let within = InBlock {
            context,
            node,
            block,
        };
        for elems in [1, 63, 1_025, 100_003] {
            elementwise(&within, elems);
            in_order(&within, elems);
        }
        let floats: Vec<f32> = (1..=50_000).map(|i| 1.0 / i as f32).collect();
        let sum = reduce!(add_floats).within(within.clone());
        let floats = Vector::from(floats);
        let on_cpu = sum.clone().on(Cpu).run((&floats,)).unwrap();
        let on_device = sum.on(Device(0)).run((&floats,)).unwrap();
        assert_eq!(on_device.to_bits(), on_cpu.to_bits(), "{block}");
    }
}

fn elementwise(within: &InBlock<'_>, elems: usize) {
    let at = |k: u32| move |i: usize| (i as u32).wrapping_mul(k) ^ k;
    let a: Vec<u32> = (0..elems).map(at(77_777)).collect();
    let b: Vec<u32> = (0..elems).map(at(1_234_567)).collect();
    let expected: Vec<u32> = (0..elems)
        .map(|i| {
            (a[i] ^ (b[i] >> 3))
                .wrapping_mul(2_654_435_761)
                .wrapping_add(i as u32)
        })
        .collect();
    let (va, vb) = (Vector::from(a.clone()), Vector::from(b));
    let map = map!(mixed).within(within.clone()).on(Device(0));
    let mapped = map.run((&va, &vb)).unwrap();
    assert_eq!(
        *mapped.host().unwrap(),
        expected,
        "{} {elems}",
        within.block
    );

    let near = map_overlap!(around)
        .edge(Edge::Duplicate)
        .within(within.clone())
        .on(Device(0));
    let near = near.run((&va,)).unwrap();
    let clamped = |i: usize| {
        let (left, right) = (i.saturating_sub(1), (i + 1).min(elems - 1));
        let sum = a[i].wrapping_mul(3).wrapping_add(a[right].wrapping_mul(5));
        sum.wrapping_add(a[left])
    };
    let expected: Vec<u32> = (0..elems).map(clamped).collect();
    assert_eq!(*near.host().unwrap(), expected, "{} {elems}", within.block);

    // The first element that traps is named, however many a lane has.
    let mut divisors = vec![1_u32; elems];
    for i in [elems / 3, elems / 2, elems - 1] {
        divisors[i] = 0;
    }
    let divide = map!(quotient).within(within.clone()).on(Device(0));
    let divided = divide.run((&va, &Vector::from(divisors)));
    let error = divided.and_then(|x| x.host().map(drop)).unwrap_err();
    let Error::Trap { index, .. } = error else {
        panic!("{}: {error}", within.block);
    };
    assert_eq!(index, Some(elems / 3), "{} {elems}", within.block);
}

fn in_order(within: &InBlock<'_>, elems: usize) {
    let x: Vec<u32> = (0..elems).map(|i| (i as u32).wrapping_mul(31)).collect();
    let mut total = 0_u32;
    let prefixes = x.iter().map(|x| {
        total = total.wrapping_add(*x);
        total
    });
    let prefixes: Vec<u32> = prefixes.collect();
    let vx = Vector::from(x.clone());
    let sum = reduce!(add).within(within.clone()).on(Device(0));
    assert_eq!(
        sum.run((&vx,)).unwrap(),
        prefixes[elems - 1],
        "{} {elems}",
        within.block
    );
    let scan = scan!(add).within(within.clone()).on(Device(0));
    let scanned = scan.run((&vx,)).unwrap();
    assert_eq!(
        *scanned.host().unwrap(),
        prefixes,
        "{} {elems}",
        within.block
    );

    let line = |x: &u32| Line {
        slope: 2 * (x % 7) + 1,
        start: *x,
    };
    let lines: Vec<Line> = x.iter().map(line).collect();
    let composed = lines.iter().skip(1).fold(lines[0], |f, g| Line {
        slope: f.slope.wrapping_mul(g.slope),
        start: f.start.wrapping_mul(g.slope).wrapping_add(g.start),
    });
    let compose = reduce!(after).within(within.clone()).on(Device(0));
    assert_eq!(
        compose.run((&Vector::from(lines),)).unwrap(),
        composed,
        "{} {elems}",
        within.block
    );
}
