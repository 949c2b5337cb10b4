#[user_function]
fn broken(x: f32) -> f32 {
    x.asinh()
}
