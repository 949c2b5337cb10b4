#[user_function]
fn sampled(at: Index1, row: Row<f32>, xs: &[f32], rng: &mut Random) -> (f32, u32) {
    let k = rng.next_u32() as usize % row.len();
    (row[k] * xs[at.i], jitter(rng))
}
fn main() {
    let m = map!(|rng: &mut Random, m: MatrixView<f32>, k: u32| m[(k as usize, 0)] + rng.uniform_f32());
}
