//! `f16` where user functions are generic over numbers.

use crate::{
    ir::{Imp, build::Cx},
    user_function::{Method, Number, NumberMethods, Scalar, Widened, class},
};
use half::f16;

impl Scalar for f16 {}

macro_rules! classes {
    ($($class:ident)*) => { $(
        #[diagnostic::do_not_recommend]
        impl Method<class::$class> for f16 {
            fn ir(_: &mut Cx) -> Imp {
                Imp::Builtin
            }
        }
    )* };
}
classes!(Number Signed Float);

impl Number for f16 {
    const ZERO: f16 = f16::ZERO;
    const ONE: f16 = f16::ONE;
}

impl NumberMethods for f16 {
    fn from_i32(value: i32) -> f16 {
        f16::from_f32(value as f32)
    }

    fn min(self, other: f16) -> f16 {
        f16::min(self, other)
    }

    fn max(self, other: f16) -> f16 {
        f16::max(self, other)
    }

    fn clamp(self, low: f16, high: f16) -> f16 {
        f16::clamp(self, low, high)
    }

    fn div_euclid(self, divisor: f16) -> f16 {
        f16::from_f32(self.to_f32().div_euclid(divisor.to_f32()))
    }

    fn rem_euclid(self, divisor: f16) -> f16 {
        f16::from_f32(self.to_f32().rem_euclid(divisor.to_f32()))
    }
}

impl Widened for f16 {
    type Wide = f32;

    fn wide(self) -> f32 {
        self.to_f32()
    }

    fn of_wide(wide: f32) -> f16 {
        f16::from_f32(wide)
    }
}

macro_rules! as_they_are {
    ($($t:ident)*) => { $(
        impl Widened for $t {
            type Wide = $t;

            fn wide(self) -> $t {
                self
            }

            fn of_wide(wide: $t) -> $t {
                wide
            }
        }
    )* };
}
as_they_are!(i32 bool);
