use super::*;
use crate::container::{Container, Vector};

const BEGAN: Remains = Remains {
    began: true,
    overwrote: false,
};

#[test]
fn what_the_host_had_comes_back_and_what_only_the_device_had_is_named() {
    let mut vector = Vector::from(vec![7_u32; 10]);
    let (one, other) = (NodeId::unique(), NodeId::unique());
    let mut target = vector.target();
    // SAFETY: the test never downloads.
    unsafe { target.wrote(one, 4..6) };
    let mut target = vector.target();
    // The device lacks the first part, and has it brought by the host; the host lacks the second.
    let _brought = target.lend_mut(2..4).unwrap();
    // SAFETY: the test never downloads.
    unsafe { target.wrote(one, 2..6) };
    // SAFETY: the test never downloads.
    unsafe { target.wrote(other, 6..8) };
    assert_eq!(target.buffer().valid(NodeId::HOST).ranges(), [0..2, 8..10]);
    // SAFETY: the test has lent no memory of it.
    let lost = unsafe { target.reclaim(&(2..6), BEGAN) };
    assert_eq!(lost.ranges(), [4..6]);
    assert_eq!(target.buffer().valid(NodeId::HOST).ranges(), [0..4, 8..10]);
    assert!(target.buffer().valid(one).is_empty());
    // Another device's part is not touched, and a part may be lent again.
    assert_eq!(target.buffer().valid(other).ranges(), [6..8]);
    assert_eq!(target.lend_mut(2..4).unwrap().slice::<u32>(2..4), [7, 7]);
}

#[test]
fn a_device_that_had_not_begun_still_has_what_it_had() {
    let mut vector = Vector::from(vec![7_u32; 10]);
    let node = NodeId::unique();
    // SAFETY: the test never downloads.
    unsafe { vector.target().wrote(node, 0..5) };
    let mut target = vector.target();
    // SAFETY: the test never downloads.
    unsafe { target.wrote(node, 0..8) };
    // SAFETY: the test has lent no memory of it.
    let lost = unsafe { target.reclaim(&(0..8), Remains::default()) };
    assert!(lost.is_empty());
    assert_eq!(target.buffer().valid(node).ranges(), [0..5]);
    assert_eq!(target.buffer().valid(NodeId::HOST).ranges(), [5..10]);
    // What was not lent is not touched. SAFETY: the test has lent no memory of it.
    assert!(unsafe { target.reclaim(&(8..10), BEGAN) }.is_empty());
    assert_eq!(target.buffer().valid(NodeId::HOST).ranges(), [5..10]);
}

#[test]
fn host_memory_that_was_written_is_not_what_it_was() {
    let mut vector = Vector::from(vec![7_u32; 4]);
    let mut target = vector.target();
    let _brought = target.lend_mut(0..2).unwrap();
    // SAFETY: the test has lent no memory of it.
    assert!(unsafe { target.reclaim(&(0..2), BEGAN) }.is_empty());
    let mut lent = target.lend_mut(0..2).unwrap();
    lent.slice::<u32>(0..2).fill(1);
    let remains = Remains {
        overwrote: true,
        ..BEGAN
    };
    // SAFETY: the test has lent no memory of it.
    let lost = unsafe { target.reclaim(&(0..2), remains) };
    assert_eq!(lost.ranges(), [0..2]);
    assert_eq!(target.buffer().valid(NodeId::HOST).ranges(), [2..4]);
}
