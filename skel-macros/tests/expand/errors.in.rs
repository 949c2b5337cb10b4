#[user_function]
fn broken(x: f32) -> f32 {
    println!("{x}");
    x
}
