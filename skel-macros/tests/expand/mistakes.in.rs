#[derive(Clone, Copy, PartialEq, Element)]
#[element(eq)]
struct Particle {
    at: [f32; 2],
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Element)]
enum Kind {
    Dust = 0,
    Rock,
}

#[derive(Clone, Copy, Element)]
struct Pair<T> {
    a: T,
    b: T,
}

#[user_function]
fn no_reach(w: Window2<u8>, p: Pool1<f32>) -> f32 {
    w[(0, 1)] as f32 + p[1]
}

#[user_function]
fn literals<T: Number>(x: T) -> T {
    x * 2 + 1
}

#[user_function]
fn takes_literals<T: Number + Mul<f32, Output = T>>(x: T) -> T {
    x * 2.0
}
