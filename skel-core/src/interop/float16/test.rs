use crate::{
    Element,
    ir::{FnId, Imp, Program, Value, build, eval},
    user_function::{FloatMethods, Instance, Named, NumberMethods, name},
};
use half::f16;

fn built(root: fn(&mut build::Cx) -> Imp) -> (Program, FnId) {
    build::build(root).expect("a function")
}

fn value((program, id): &(Program, FnId), argument: Value) -> Value {
    let outcome = eval::call(program, *id, &[argument], 100);
    outcome.expect("it does not trap").result
}

#[test]
fn conversions_are_those_of_the_crate() {
    let to_f32 = built(<f16 as Instance<(Named<{ name("to_f32") }>, ())>>::ir);
    let to_f64 = built(<f16 as Instance<(Named<{ name("to_f64") }>, ())>>::ir);
    let from_bits = built(<f16 as Instance<(Named<{ name("from_bits") }>, ())>>::ir);
    let from_f32 = built(<f16 as Instance<(Named<{ name("from_f32") }>, ())>>::ir);
    for bits in (0..=u16::MAX).step_by(7) {
        let x = f16::from_bits(bits);
        let same = |found: Value, native: Value| assert!(found.same(&native), "{bits:#x}");
        same(value(&to_f32, x.to_value()), x.to_f32().to_value());
        same(value(&to_f64, x.to_value()), x.to_f64().to_value());
        same(value(&from_bits, bits.to_value()), x.to_value());
        let between = x.to_f32() * 1.0007;
        same(
            value(&from_f32, between.to_value()),
            f16::from_f32(between).to_value(),
        );
    }
    let from = built(<f16 as Instance<(Named<{ name("from") }>, (i8,))>>::ir);
    for x in i8::MIN..=i8::MAX {
        assert!(value(&from, x.to_value()).same(&f16::from(x).to_value()));
    }
}

#[test]
fn methods_round_those_of_f32() {
    let x = f16::from_f32(2.0);
    assert_eq!(f16::from_f32(5.0).sqrt(), f16::from_f32(2.236_068));
    assert_eq!(x.powi(3), f16::from_f32(8.0));
    assert_eq!(FloatMethods::copysign(x, f16::NEG_ONE), f16::from_f32(-2.0));
    assert_eq!(f16::from_f32(-5.5).rem_euclid(x), f16::from_f32(0.5));
    assert!(!FloatMethods::is_nan(x));
}
