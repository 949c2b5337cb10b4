//! One mistake is one error: what uses the type, or the function, gives none that only follow from it.
#![allow(unused)]
use skel::prelude::*;

#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
struct Particle {
    at: [f32; 2],
    mass: f32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Element)]
enum Kind {
    Dust = 0,
    Rock,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Swarm<T> {
    first: Pair<T>,
    second: Pair<T>,
}

#[derive(Clone, Copy, Element)]
struct Pair<T> {
    a: T,
    b: T,
}

#[user_function]
impl Particle {
    const REST: f32 = 0.5;

    fn new(x: f32, y: f32, mass: f32) -> Particle {
        Particle { at: [x, y], mass, kind: Kind::Dust }
    }

    fn moved(self, by: f32) -> Particle {
        Particle { at: [self.at[0] + by, self.at[1]], ..self }
    }

    fn halve(&mut self) {
        self.mass *= 0.5;
    }
}

#[user_function]
impl std::ops::Add for Particle {
    type Output = Particle;
    fn add(self, other: Particle) -> Particle {
        Particle::new(self.at[0], other.at[1], self.mass + other.mass)
    }
}

#[user_function]
fn step(p: Particle, #[uniform] dt: f32) -> Particle {
    let mut next = p.moved(dt);
    if next.kind == Kind::Rock || next != p {
        next.halve();
        next = next + Particle::new(0.0, 0.0, Particle::REST);
    }
    match next.kind {
        Kind::Dust => p,
        Kind::Rock => next,
    }
}

#[user_function]
fn both(s: Swarm<f32>) -> f32 {
    s.first.a + s.second.b
}

fn main() -> skel::Result<()> {
    let dust = Vector::from(vec![Particle::new(0.0, 0.0, 1.0); 3]);
    let mut next = map!(step).run((&dust, 0.1))?;
    map!(|p: &mut Particle| p.halve()).run((&mut next,))?;
    let total = reduce!(|a: Particle, b: Particle| a + b).run((&next,))?;
    let rocks = map_reduce!(|p: Particle| (p.kind == Kind::Rock) as u32, |a: u32, b: u32| a + b);
    let count = rocks.run((&dust,))?;
    let near = map_overlap!(|w: Window1<Particle, 1>| w[-1].mass + w[1].mass).run((&dust,))?;
    let swarm = Vector::from_fn(2, |_| Swarm {
        first: Pair { a: 1.0, b: 2.0 },
        second: Pair { a: 1.0, b: 2.0 },
    });
    let sums = map!(both).run((&swarm,))?;
    Ok(())
}
