impl Plain for Vec2 {}

#[user_function]
impl Vec2 {
    pub fn dot(&self, other: &Vec2) -> f32 {
        self.x * other.x + self.y * other.y
    }

    fn scale(&mut self, k: f32) {
        self.x *= k;
    }
}

#[user_function]
impl<T: Number> Add for Dual<T> {
    type Output = Dual<T>;
    fn add(self, other: Self) -> Self::Output {
        Dual { re: self.re + other.re }
    }
}
