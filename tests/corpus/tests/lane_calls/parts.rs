//! Parts with gaps, transposed and reversed ones, in short rows and long ones: elements that are computed one by one are
//! those of lanes.

use super::in_all_ways;
use skel::prelude::*;

#[user_function]
fn halvings(x: u32, y: u32, #[uniform] most: u32) -> u32 {
    let (mut x, mut n) = (x ^ y, 0);
    while x > 1 && n < most {
        x = if x % 2 == 0 { x / 2 } else { x + y % 3 };
        n += 1;
    }
    n + 1000 * (x % 7)
}

#[user_function]
fn halved(x: &mut u32, y: u32) {
    let mut n = 0;
    while *x > y && n < 9 {
        *x /= 2;
        n += 1;
    }
    *x += 1000 * n;
}

#[test]
fn parts_in_all_ways() {
    let f = map!(halvings).on(Cpu);
    let g = map!(halved).on(Cpu);
    in_all_ways(|way| {
        for (rows, cols) in [(1, 1), (90, 3), (70, 16), (40, 31), (9, 130), (3, 1100)] {
            let shape = format!("{rows} x {cols}, {way}");
            let of = |i: usize, j: usize| ((i * 7919 + j * 104_729) % 5003) as u32;
            let around = Matrix::from_fn(rows + 1, cols + 4, of);
            let turned = Matrix::from_fn(cols, rows, |i, j| (i * 31 + j * 17) as u32);
            let part = around.part(1.., 3..cols + 3);

            let mut out = Matrix::filled(rows + 2, cols + 1, 7_u32);
            let to = out.part_mut(1..rows + 1, ..cols);
            f.run_into((&part, &turned.transposed(), 20), to).unwrap();
            let mut whole = Matrix::filled(rows, cols, 0_u32);
            f.run_into((&turned.transposed(), &part, 20), &mut whole)
                .unwrap();
            let mut changed = Matrix::from_fn(rows, cols + 5, of);
            let columns = changed.part_mut(.., 2..cols + 2).reversed_along(1);
            let ran: skel::Result<()> = g.run((columns, &part));
            ran.unwrap();

            let (out, whole, changed) = (
                out.host().unwrap(),
                whole.host().unwrap(),
                changed.host().unwrap(),
            );
            for i in 0..rows + 2 {
                for j in 0..=cols {
                    let is_inside = (1..=rows).contains(&i) && j < cols;
                    let expected = match is_inside {
                        true => halvings(of(i, j + 3), ((j * 31) + (i - 1) * 17) as u32, 20),
                        false => 7,
                    };
                    assert_eq!(out.row(i)[j], expected, "{i}, {j} of {shape}");
                }
            }
            for i in 0..rows {
                for j in 0..cols {
                    let turned = (j * 31 + i * 17) as u32;
                    let expected = halvings(turned, of(i + 1, j + 3), 20);
                    assert_eq!(whole.row(i)[j], expected, "{i}, {j} of {shape}");
                }
                for j in 0..cols + 5 {
                    let mut expected = of(i, j);
                    if (2..cols + 2).contains(&j) {
                        halved(&mut expected, of(i + 1, cols + 4 - j));
                    }
                    assert_eq!(changed.row(i)[j], expected, "{i}, {j} of {shape}");
                }
            }
        }
    });
}
