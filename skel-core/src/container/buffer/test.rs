use super::*;
use crate::{
    container::{Container, Vector},
    space::Shape,
};
use std::sync::atomic::AtomicUsize;

/// A "device" that holds `100 + i` at index `i`.
struct Remote100(AtomicUsize);

// SAFETY: it writes the whole window.
unsafe impl Remote for Remote100 {
    fn download(&self, mut into: ViewOut<'_>) -> Result<()> {
        self.0.fetch_add(into.window().len(), Ordering::Relaxed);
        let values: Vec<u32> = into
            .window()
            .map(|i| 100 + u32::try_from(i).unwrap())
            .collect();
        into.copy_from_bytes(View::of(&values).bytes()).unwrap();
        Ok(())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[test]
fn only_what_the_host_lacks_is_downloaded_and_only_once() {
    let mut vector = Vector::from(vec![1_u32; 10]);
    let node = NodeId::unique();
    let device = Arc::new(Remote100(AtomicUsize::new(0)));
    let mut target = vector.target();
    // SAFETY: it is made for this buffer, on a node of its own.
    unsafe { target.buffer().remote(node, || Ok(device.clone())) }.unwrap();
    // SAFETY: this device has something for every element.
    unsafe { target.wrote(node, 4..7) };
    assert_eq!(
        vector.host().unwrap()[..],
        [1, 1, 1, 1, 104, 105, 106, 1, 1, 1]
    );
    assert_eq!(vector.host().unwrap().len(), 10);
    assert_eq!(device.0.load(Ordering::Relaxed), 3);
    assert_eq!(vector.into_vec().unwrap()[4], 104);
}

#[test]
fn what_only_a_device_has_is_not_lost_by_a_false_claim() {
    let mut vector = Vector::from(vec![1_u32; 10]);
    let node = NodeId::unique();
    let device = Arc::new(Remote100(AtomicUsize::new(0)));
    let mut target = vector.target();
    // SAFETY: it is made for this buffer, on a node of its own.
    unsafe { target.buffer().remote(node, || Ok(device)) }.unwrap();
    // SAFETY: this device has something for every element.
    unsafe { target.wrote(node, 4..7) };
    // SAFETY: this device has something for every element.
    unsafe { vector.buffer().upload_missing(node, 0..2, |_| ()) }.unwrap();
    vector.buffer().retract(node, 0..10);
    assert_eq!(vector.buffer().valid(node), IntervalSet::of(4..7));
    assert_eq!(vector.host().unwrap()[3..8], [1, 104, 105, 106, 1]);
}

#[test]
fn a_failed_call_poisons_until_overwritten() {
    let mut vector = Vector::from(vec![1_u32; 4]);
    let cause = Cause::from(Error::EmptyReduce {
        instance: "test".into(),
    });
    // A call that never began has nothing to poison.
    vector.target().poison(&cause);
    assert_eq!(vector.host().unwrap()[..], [1; 4]);
    let mut target = vector.target();
    let _written = target.lend_out(0..2);
    target.poison(&cause);
    assert!(matches!(vector.host(), Err(Error::Poisoned { .. })));
    let mut target = vector.target();
    target
        .lend_out(0..4)
        .copy_from_bytes(View::of(&[5_u32, 6, 7, 8]).bytes())
        .unwrap();
    // SAFETY: just written.
    unsafe { target.wrote(NodeId::HOST, 0..4) };
    assert_eq!(vector.host().unwrap()[..], [5, 6, 7, 8]);
}

#[test]
#[should_panic(expected = "were lent before")]
fn an_element_is_lent_once() {
    let mut vector = Vector::from(vec![1_u32; 4]);
    let mut target = vector.target();
    let _a = target.lend_mut(0..3);
    let _b = target.lend_mut(2..4);
}

#[test]
fn the_next_container_gets_the_memory_and_its_vec_is_an_ordinary_one() {
    // A size that no other test has.
    const BYTES: usize = 28 * if cfg!(miri) { 101 } else { 20_011 };
    let first = Vector::filled(BYTES / 28, [1_u32; 7]);
    let address = first.host().unwrap().as_ptr().addr();
    drop(first);
    let mut second = Vector::<u32>::unwritten(Shape::D1(BYTES / 4 - 5)).unwrap();
    let len = second.len();
    let mut target = second.target();
    target
        .lend_out(0..len)
        .copy_from(View::of(&vec![2_u32; len]));
    // SAFETY: just written.
    unsafe { target.wrote(NodeId::HOST, 0..len) };
    let mut elements = second.into_vec().unwrap();
    assert_eq!((elements.as_ptr().addr(), elements[len - 1]), (address, 2));
    // The allocator moves it, and takes it back.
    elements.resize(BYTES / 4 + 1, 3);
    elements.shrink_to_fit();
    assert_eq!(elements[BYTES / 4], 3);
}

#[test]
fn several_units_are_lent_elements_between_each_others() {
    let coalesced = crate::space::Layout {
        offset: 0,
        strides: [0, 0, 0, 2],
    }
    .over(Shape::D1(4));
    let mut vector = Vector::from(vec![1_u32; 8]);
    let mut target = crate::container::BufferMut::part(vector.buffer_mut(), 0..7);
    let mut first = target.lend_scattered(&coalesced, 0..1, true).unwrap();
    let mut second = target.lend_scattered(&coalesced, 1..4, true).unwrap();
    first.put_all(View::of(&[5_u32]));
    second.put_all(View::of(&[5_u32, 6, 7, 8]).narrow(1..4));
    assert_eq!(second.element::<u32>(3), 8);
    drop((first, second));
    // SAFETY: just written.
    unsafe {
        target.wrote_scattered(&coalesced, 1..4);
        target.wrote_scattered(&coalesced, 0..1);
    }
    assert_eq!(vector.host().unwrap()[..], [5, 1, 6, 1, 7, 1, 8, 1]);
}

#[test]
#[should_panic(expected = "elements 2..4 were lent before")]
fn an_element_apart_is_lent_once() {
    let coalesced = crate::space::Layout {
        offset: 0,
        strides: [0, 0, 0, 2],
    }
    .over(Shape::D1(4));
    let mut vector = Vector::from(vec![1_u32; 8]);
    let mut target = crate::container::BufferMut::part(vector.buffer_mut(), 0..7);
    let _a = target.lend_scattered(&coalesced, 0..3, false);
    let _b = target.lend_scattered(&coalesced, 2..4, false);
}

#[test]
fn a_clone_has_what_only_a_device_had_and_goes_its_own_way() {
    let mut matrix = crate::container::Matrix::filled(2, 3, 1_u32);
    let node = NodeId::unique();
    let device = Arc::new(Remote100(AtomicUsize::new(0)));
    let mut target = matrix.target();
    // SAFETY: the device is made for this buffer, and has something for every element.
    unsafe { target.buffer().remote(node, || Ok(device)) }.unwrap();
    // SAFETY: this device has something for every element.
    unsafe { target.wrote(node, 1..3) };
    let mut copy = matrix.try_clone().unwrap();
    copy.host_mut().unwrap()[5] = 7;
    assert_eq!(copy.shape(), matrix.shape());
    assert_eq!(copy.host().unwrap()[..], [1, 101, 102, 1, 1, 7]);
    assert_eq!(matrix.host().unwrap()[..], [1, 101, 102, 1, 1, 1]);
    // What is lost cannot be copied.
    let mut target = matrix.target();
    let _written = target.lend_out(0..2);
    target.poison(&Cause::from(Error::EmptyReduce {
        instance: "test".into(),
    }));
    assert!(matches!(matrix.try_clone(), Err(Error::Poisoned { .. })));
}
