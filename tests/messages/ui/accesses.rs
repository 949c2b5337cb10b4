//! What one kind of parameter has opened, no other kind reads or writes: one that sees farther, or one that writes.
use skel_core::{
    frame::{Slot, LinesView},
    param::{EachLineMut, EachWindow1, Param},
    space::Segment,
};

fn farther(slot: &mut Slot<'_>, segment: &Segment) -> u32 {
    let mut opened = <EachWindow1<u32, 1> as Param>::open(slot, segment);
    <EachWindow1<u32, 1000> as Param>::get(&mut opened, 0)[1000]
}

fn written(lines: &LinesView<'_>) {
    let mut opened = lines.open::<u32>(0..1);
    <EachLineMut<u32> as Param>::get(&mut opened, 0)[0] = 7;
}

fn main() {}
