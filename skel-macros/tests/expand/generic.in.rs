#[user_function]
fn fold<T: Number, const N: u32>(a: T, b: T) -> T
where
    T: Mul<Output = T>,
{
    if a < b {
        return a.min(b);
    }
    a * b
}
