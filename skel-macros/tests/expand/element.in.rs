#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
#[repr(C)]
pub struct Particle {
    pub at: [f32; 2],
    pub mass: f32,
}

#[derive(Clone, Copy, Element)]
#[repr(C)]
struct Pair<T>(T, T);

#[derive(Clone, Copy, PartialEq, Element)]
#[repr(u8)]
enum Kind {
    Light,
    Heavy = 7,
}

#[user_function]
fn step(p: Particle, kind: Kind, k: u32) -> Particle {
    let mut next = Particle { mass: 1.0, ..p };
    next.at[(k % 2) as usize] += WEIGHTS[0] * p.at[1];
    if kind == Kind::Heavy || next == p {
        next.mass = (p.mass, 2.0).1;
    }
    next
}
