#[user_function]
fn largest(a: i32, b: i32) -> i32 {
    b.max(a)
}

#[user_function(commutative, crate = crate::renamed)]
fn mixed(a: f32, b: f32) -> f32 {
    a * 0.5 + b * 0.5
}
