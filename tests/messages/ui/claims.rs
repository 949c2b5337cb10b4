//! Claims of what memory holds are `unsafe`: of containers, of devices, of units.
use skel::prelude::*;
use skel::unit::{NodeId, Unit};
use skel_core::container::{Buffer, Container, Remote};

struct Mine;

impl Unit for Mine {}

impl Remote for Mine {}

fn claim(vector: &mut Vector<f32>, node: NodeId) {
    let _ = vector.buffer().upload_missing(node, 0..1, |_| ());
    let _ = vector.buffer().remote(node, || unreachable!());
    vector.target().wrote(node, 0..1);
}

fn main() {}
