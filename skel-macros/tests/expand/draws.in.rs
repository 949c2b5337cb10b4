#[user_function]
fn noisy(x: f32, rng: &mut Random, #[uniform] rounds: u32) -> f32 {
    let mut y = x;
    for _ in 0..rounds {
        if rng.uniform_f32() < 0.5 {
            y += other(rng, y) * rng.normal_f32();
        }
        y = own.of(rng) + rng.uniform_f32();
    }
    y
}
