#[user_function]
fn nearest(p: [f32; 4], centres: &[[f32; 4]], #[uniform] most: f32) -> u32 {
    let (mut best, mut least) = (0, most);
    for (k, c) in centres.iter().enumerate() {
        if p[0] > 0.0 {
            let d = metrics::distance(p, *c);
            if d < least && f32::max(d, weight::<3>(d)) < most {
                least = d;
                best = k as u32;
            }
        }
    }
    best
}

#[user_function]
fn shade(at: Index2, #[uniform] scale: f32) -> u32 {
    escape(at.row as f32 * scale, at.col as f32 * scale, 100) * 2
}

#[user_function]
fn power<const N: u32>(x: f32) -> f32 {
    let mut y = 1.0;
    for _ in 0..N {
        y *= x;
    }
    y
}
