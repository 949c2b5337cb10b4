fn main() {
    let m = map!(|x: f32, #[uniform] k: f32| k * x);
    let d = map_reduce!(mult, |a: f32, b: f32| -> f32 { a + b });
    let l = map!(|x: u32| {
        let mut n = x;
        while n > 9 {
            n /= 2;
        }
        n
    });
    let p = map!(|at: Index1, y: &mut f32| *y *= at.i as f32);
}
