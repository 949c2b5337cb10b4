#[derive(Element)]
#[repr(transparent)]
struct Just(Real);

#[user_function]
fn all(x: Real, at: Word) -> Just {
    assert!(x > 1.0, "small");
    let many = [70_000u32; 3];
    let mut sum = x.max(Real::from_bits(1));
    for k in 0..at {
        sum += many[k];
    }
    if matches!(at, 1 | 2) {
        Just(-sum)
    } else {
        Just(7.5f32)
    }
}

#[user_function]
trait Measure<K> {
    fn measure(self, k: K) -> Real;
    fn twice(self, k: K) -> Real {
        2.0 * self.measure(k)
    }
}

#[user_function]
impl Measure<Word> for Just {
    fn measure(self, k: Word) -> Real {
        self.0 * k.pow(2)
    }
}

#[user_function]
fn chosen<T: Measure<Word>>(x: T) -> Real {
    x.measure(2)
}
