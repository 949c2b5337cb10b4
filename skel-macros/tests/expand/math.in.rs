#[user_function]
fn wave(x: f32, y: f64) -> f64 {
    assert!(x.sin() < 2.0, "far");
    f32::exp(x.powf(2.0)) as f64 + y.ln()
}

#[user_function]
fn generic<T: Float>(x: T) -> T {
    T::tanh(x.sqrt()).log(x)
}

#[user_function(fast_math)]
fn fast(x: f32) -> f32 {
    x.exp()
}

#[user_function]
impl Tone {
    fn sin(self, k: f32) -> f32 {
        (self.0 * k).sin()
    }
}
