use super::*;
use crate::space::Shape;

#[test]
fn halves_write_between_each_other() {
    let mut data: Vec<u32> = (0..12).collect();
    let lines = Lines::along(Shape::D2(3, 4), 0);
    let mut right = LinesMut::new(ViewMut::of(&mut data), lines, 0..4);
    let mut left = right.take_front(1);
    let (mut a, mut b) = (left.open::<u32>(0..1), right.open::<u32>(1..4));
    a.get_mut(0)[2] = 80;
    let mut b = b.sub(1..3);
    b.get_mut(0)[0] = 20;
    b.get_mut(1)[1] = 70;
    assert_eq!(
        (a.get_mut(0)[1], b.get_mut(0)[1], b.get_mut(1).len()),
        (4, 6, 3)
    );
    drop((left, right));
    assert_eq!(data, [0, 1, 20, 3, 4, 5, 6, 70, 80, 9, 10, 11]);
}

#[test]
fn copies_bring_any_part_of_their_lines_back() {
    for axis in 0..3 {
        let before: Vec<u32> = (0..24).collect();
        let lines = Lines::along(Shape::D3(2, 3, 4), axis);
        let mut data = before.clone();
        let mut rest = LinesMut::new(ViewMut::of(&mut data), lines, 0..lines.count());
        drop(rest.take_front(1));
        let copy = rest.copy().unwrap();
        let mut own = rest.open::<u32>(1..lines.count());
        for line in 0..lines.count() - 1 {
            (0..lines.len()).for_each(|i| own.get_mut(line)[i] = 99);
        }
        let part = 2..lines.count() - 1;
        rest.put_all(&part, copy.all());
        drop(rest);
        for line in 0..lines.count() {
            for i in 0..lines.len() {
                let at = lines.element(line, i);
                let was = line == 0 || part.contains(&line);
                assert_eq!(
                    data[at],
                    if was { before[at] } else { 99 },
                    "{axis} {line} {i}"
                );
            }
        }
    }
}

#[test]
#[should_panic(expected = "lines 0..1 of 2..4")]
fn the_lines_of_others_are_refused() {
    let mut data = [0_u32; 12];
    let lines = Lines::along(Shape::D2(3, 4), 0);
    let mut right = LinesMut::new(ViewMut::of(&mut data), lines, 0..4);
    drop(right.take_front(2));
    let _ = right.open::<u32>(0..1);
}

#[test]
#[should_panic(expected = "at 0..12 of 0..11")]
fn lines_beyond_the_window_are_refused() {
    let lines = Lines::along(Shape::D2(3, 4), 1);
    let _ = LinesView::new(View::of(&[0_u32; 11]), lines, 0..3);
}
