//! Every macro, in a package whose `Cargo.toml` calls skel `hybrid`: there is no `::skel` here.

use hybrid::prelude::*;
use std::ops::Add;

/// A struct, which is compared by `==`.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct Point {
    /// Across.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// An enum.
#[derive(Clone, Copy, Debug, PartialEq, Element)]
#[repr(u32)]
pub enum Side {
    /// Where `x` is negative.
    Left = 0,
    /// All else.
    Right = 1,
}

/// A trait of this package.
#[user_function]
pub trait Sided {
    /// On which side of the vertical axis it lies.
    fn side(self) -> Side;
}

#[user_function]
impl Sided for Point {
    fn side(self) -> Side {
        if self.x < 0.0 {
            Side::Left
        } else {
            Side::Right
        }
    }
}

#[user_function]
impl Point {
    /// The square of the distance from the origin.
    #[must_use]
    pub fn norm2(self) -> f32 {
        self.x * self.x + self.y * self.y
    }
}

#[user_function]
impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        Point {
            x: self.x + other.x,
            y: self.y + other.y,
        }
    }
}

/// A generic function, of an operator.
#[user_function]
pub fn twice<T: Number, F: Function2<T, T, T>>(x: T) -> T {
    F::call(x, x)
}

/// An operator.
#[user_function]
pub fn sum<T: Number>(a: T, b: T) -> T {
    a + b
}

/// A function with an index, random numbers, and a function inside.
#[user_function]
pub fn shaken(at: Index1, random: &mut Random, x: f32) -> f32 {
    #[user_function]
    fn half(x: f32) -> f32 {
        0.5 * x
    }
    half(x) + random.uniform_f32() * at.i as f32
}

/// Has calls go by models that are embedded, of which there are none.
#[must_use]
pub fn tuned() -> bool {
    hybrid::tuning!("empty.tune.json")
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn every_skeleton_runs() -> hybrid::Result<()> {
        let x = [1.0_f32, 2.0, 3.0];
        let doubled = map!(twice::<sum>).on(Cpu).run((&x,))?;
        assert_eq!(doubled.host()?[..], [2.0, 4.0, 6.0]);
        let shaken = map!(shaken).on(Cpu).run((&x,))?;
        assert_eq!(shaken.host()?[0], 0.5);
        assert_eq!(reduce!(sum).on(Cpu).run((&x,))?, 6.0);
        assert_eq!(scan!(sum).on(Cpu).run((&x,))?.host()?[..], [1.0, 3.0, 6.0]);
        let squares = map_reduce!(|x: f32| x * x, |a: f32, b: f32| a + b);
        assert_eq!(squares.on(Cpu).run((&x,))?, 14.0);
        let both = map_reduce!(|x: f32| (x, -x), sum, |a: f32, b: f32| a.min(b));
        assert_eq!(both.on(Cpu).run((&x,))?, (6.0, -3.0));
        let steps = map_overlap!(|w: Window1<f32, 1>| w[1] - w[-1])
            .on(Cpu)
            .run((&x,))?;
        assert_eq!(steps.host()?.len(), 3);
        let largest = map_overlap_reduce!(|w: Window1<f32, 1>| w[1] - w[-1], sum);
        assert_eq!(largest.on(Cpu).run((&x,))?, 4.0);
        let pools = map_pool!(|p: Pool1<f32, 2>| p[0].max(p[1]))
            .on(Cpu)
            .run((&x,))?;
        assert_eq!(pools.host()?[0], 2.0);
        let table = map_pairs!(|a: f32, b: f32| a * b)
            .on(Cpu)
            .run((down(&x), across(&x)))?;
        assert_eq!(table.host()?[8], 9.0);
        let rows = map_pairs_reduce!(|a: f32, b: f32| a * b, sum)
            .on(Cpu)
            .run((down(&x), across(&x)))?;
        assert_eq!(rows.host()?[..], [6.0, 12.0, 18.0]);
        assert_eq!(call!(|xs: &[f32]| xs[2]).on(Cpu).run((&x,))?, 3.0);
        let mut swept = x;
        sweep!(|w: Sweep1<f32, 1>| 0.5 * w[-1] + w[0])
            .pad(0.0)
            .on(Cpu)
            .run((&mut swept,))?;
        assert_eq!(swept, [1.0, 2.5, 4.25]);
        let mut m = Matrix::from_vec(1, 3, x.to_vec())?;
        map_lines!(|l: &mut Line<f32>| l[1] += l[0])
            .on(Cpu)
            .run((&mut m,))?;
        assert_eq!(m.host()?[..], [1.0, 3.0, 3.0]);
        Ok(())
    }

    #[test]
    fn own_types_and_traits_are_for_devices() -> hybrid::Result<()> {
        let points = [Point { x: -3.0, y: 4.0 }, Point { x: 1.0, y: 0.0 }];
        let found = map!(|p: Point| {
            let shifted = p + Point { x: 0.0, y: 0.0 };
            (
                shifted.norm2(),
                shifted.side() as u32,
                (shifted == p) as u32,
            )
        });
        let (norms, sides, same) = found.on(Cpu).run((&points,))?;
        assert_eq!(norms.host()?[..], [25.0, 1.0]);
        assert_eq!(sides.host()?[..], [Side::Left as u32, Side::Right as u32]);
        assert_eq!(same.host()?[..], [1, 1]);
        Ok(())
    }
}
