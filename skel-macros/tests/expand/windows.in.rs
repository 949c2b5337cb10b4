#[user_function]
fn edges<const R: usize>(w: Window1<f32, R>, p: Pool2<u8, 2, 2>, d: isize) -> f32 {
    w[-2] + w[d] + p[(0, 1)] as f32
}

#[user_function]
fn mean<const R: usize>(w: Window1<f32, R>) -> f32 {
    let (r, mut sum) = (R as isize, 0.0);
    for offset in -r..=r {
        sum += w[offset];
    }
    sum / (2 * R + 1) as f32
}
