#[user_function]
pub trait Shape: Copy {
    fn area(self) -> f32;
    fn twice(self) -> f32 {
        self.area() * 2.0
    }
}

#[user_function]
impl Shape for Square {
    fn area(self) -> f32 {
        self.side() * self.side
    }
}

#[user_function(fast_math)]
fn total<S: Shape, F: Function1<f32, f32>>(s: S, y: &mut f32) {
    add_to(&mut *y, F::call(s.twice()));
    add_to(y, s.area());
}
