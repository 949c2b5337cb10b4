#[user_function]
fn class(n: i32, x: f32) -> f32 {
    const STEP: f32 = 0.5;
    fn half(x: f32) -> f32 {
        x * STEP
    }
    debug_assert!(x > 0.0);
    let scale = match n {
        LIMIT => 1.0,
        k @ (1..=9 | 20) if k % 2 == 0 => 2.0,
        _ => panic!("too large"),
    };
    let sum = 'found: {
        for k in (0..n).rev() {
            if let 3 | 5 = k {
                break 'found x;
            }
        }
        half(x)
    };
    scale * sum
}
