#[user_function]
fn relax(u: Sweep2<f32, 1, 1>, f: f32, #[uniform] omega: f32) -> f32 {
    u[(0, 0)] + omega * (u[(-1, 0)] + u[(0, 1)] + f)
}

#[user_function]
fn chain<const R: usize>(w: Sweep1<[u32; 2], R>) -> [u32; 2] {
    [w[-1][0], w[0][1]]
}
