use super::*;

#[test]
fn windows_keep_absolute_indices() {
    let mut data = [1_u32, 2, 3, 4, 5];
    let mut right = ViewMut::of(&mut data);
    let mut left = right.take_front(2);
    left.slice::<u32>(1..2)[0] = 20;
    right.slice::<u32>(2..5)[0] = 30;
    assert_eq!(View::of(&data).narrow(1..4).slice::<u32>(1..3), [20, 30]);
    assert_eq!(View::of(&data).narrow(1..3).bytes().len(), 8);
}

#[test]
#[should_panic(expected = "outside of the window")]
fn elements_outside_are_refused() {
    let data = [1_u32, 2, 3];
    let _ = View::of(&data).narrow(1..2).slice::<u32>(0..1);
}

#[test]
#[should_panic(expected = "wrong element type")]
fn other_types_are_refused() {
    let data = [1_u32, 2, 3];
    let _ = View::of(&data).slice::<f32>(0..1);
}

#[test]
fn outputs_are_written_by_bytes_and_by_view() {
    let mut data = vec![0_u32; 4];
    let mut out = ViewMut::of(&mut data).into_out();
    out.copy_from(View::of(&[7_u32, 8]));
    let _head = out.take_front(2);
    out.copy_from_bytes(View::of(&[9_u32, 10]).bytes()).unwrap();
    assert_eq!(data, [7, 8, 9, 10]);
}
