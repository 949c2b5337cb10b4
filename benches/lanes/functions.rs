//! The functions, each with lanes and without.

use skel::prelude::*;

macro_rules! both {
    ($(fn $name:ident $args:tt -> $ret:ty { $($body:tt)* })*) => {
        $(
            #[user_function]
            pub(crate) fn $name $args -> $ret { $($body)* }
        )*

        /// Without lanes.
        pub(crate) mod off {
            use skel::prelude::*;
            $(
                #[user_function(lanes = off)]
                pub(crate) fn $name $args -> $ret { $($body)* }
            )*
        }
    };
}

both! {
    fn mandelbrot(cx: f32, cy: f32, #[uniform] limit: u32) -> u32 {
        let (mut x, mut y, mut n) = (0.0, 0.0, 0);
        while n < limit {
            let (xx, yy) = (x * x, y * y);
            if xx + yy > 4.0 {
                break;
            }
            y = 2.0 * x * y + cy;
            x = xx - yy + cx;
            n += 1;
        }
        n
    }

    fn of_a_call(cx: f32, cy: f32, #[uniform] limit: u32) -> u32 {
        mandelbrot(cx, cy, limit)
    }

    fn newton(a: f64, #[uniform] limit: u32) -> f64 {
        let mut x = a;
        let mut n = 0;
        while n < limit {
            let next = 0.5 * (x + a / x);
            if (next - x).abs() <= 1e-14 * next {
                return next;
            }
            x = next;
            n += 1;
        }
        x
    }

    fn collatz(start: u32, #[uniform] limit: u32) -> u32 {
        let (mut x, mut n) = (start, 0);
        while x > 1 && n < limit {
            x = if x & 1 == 0 { x / 2 } else { x.wrapping_mul(3).wrapping_add(1) };
            n += 1;
        }
        n
    }

    fn hash(start: u32, #[uniform] limit: u32) -> u32 {
        let mut h = start ^ 0x9e37_79b9;
        for round in 0..limit {
            h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b).wrapping_add(round);
            h = h.rotate_left(13);
        }
        h
    }
}
