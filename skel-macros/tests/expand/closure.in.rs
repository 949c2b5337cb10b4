fn main() {
    let m = map!(|x: f32, #[uniform] k: f32| k * x);
    let d = map_reduce!(mult, |a: f32, b: f32| -> f32 { a + b });
    let p = map!(|at: Index1, y: &mut f32| *y *= at.i as f32);
}
