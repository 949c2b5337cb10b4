use crate::{
    interop::complex::*,
    ir::{FnId, Imp, Program, build, eval},
    user_function::{Binary, Instance, Named, Unary, name, operator},
};

/// Values at which the order of operations shows, and where signs of zeros and infinities do.
const PARTS: [f32; 9] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    3.3e-5,
    -7.7e12,
    1.0e30,
    f32::INFINITY,
    f32::NAN,
];

fn numbers() -> impl Iterator<Item = Complex<f32>> + Clone {
    let pairs = PARTS.into_iter().flat_map(|re| PARTS.map(|im| (re, im)));
    pairs.map(|(re, im)| Complex::new(re, im))
}

fn built(root: fn(&mut build::Cx) -> Imp) -> (Program, FnId) {
    build::build(root).expect("a function")
}

fn value((program, id): &(Program, FnId), args: &[Value]) -> Value {
    let outcome = eval::call(program, *id, args, 100).expect("it does not trap");
    outcome.inout.into_iter().next().unwrap_or(outcome.result)
}

fn agrees<R: Element>(function: &(Program, FnId), args: &[Value], native: R) {
    let found = value(function, args);
    let native = native.to_value();
    assert!(native.same(&found), "{args:?}: {native:?}, but {found:?}");
}

/// Every operator in all its forms; `$symbol=` is what the native assignment is.
macro_rules! operators {
    ($($test:ident $name:ident $symbol:tt $assign:ident $assign_symbol:tt;)*) => { $(
        #[test]
        fn $test() {
            type C = Complex<f32>;
            let both = built(<C as Binary<operator::$name, C>>::ir);
            let right = built(<C as Binary<operator::$name, f32>>::ir);
            let left = built(<f32 as Binary<operator::$name, C>>::ir);
            let assign = built(<C as Binary<operator::$assign, C>>::ir);
            let assign_real = built(<C as Binary<operator::$assign, f32>>::ir);
            for a in numbers() {
                for b in numbers() {
                    let args = [a.to_value(), b.to_value()];
                    agrees(&both, &args, a $symbol b);
                    let mut c = a;
                    c $assign_symbol b;
                    agrees(&assign, &args, c);
                }
                for x in PARTS {
                    agrees(&right, &[a.to_value(), x.to_value()], a $symbol x);
                    agrees(&left, &[x.to_value(), a.to_value()], x $symbol a);
                    let mut c = a;
                    c $assign_symbol x;
                    agrees(&assign_real, &[a.to_value(), x.to_value()], c);
                }
            }
        }
    )* };
}
operators! {
    sums_are_those_of_num_complex Add + AddAssign +=;
    differences_are_those_of_num_complex Sub - SubAssign -=;
    products_are_those_of_num_complex Mul * MulAssign *=;
    quotients_are_those_of_num_complex Div / DivAssign /=;
}

fn function<const NAME: u64>() -> (Program, FnId)
where
    Complex<f32>: Instance<(Named<NAME>, ())>,
{
    built(<Complex<f32> as Instance<(Named<NAME>, ())>>::ir)
}

#[test]
fn functions_are_those_of_num_complex() {
    let negative = built(<Complex<f32> as Unary<operator::Neg>>::ir);
    for z in numbers() {
        let args = [z.to_value()];
        agrees(&negative, &args, -z);
        agrees(&function::<{ name("norm_sqr") }>(), &args, z.norm_sqr());
        agrees(&function::<{ name("conj") }>(), &args, z.conj());
        agrees(&function::<{ name("inv") }>(), &args, z.inv());
        agrees(&function::<{ name("l1_norm") }>(), &args, z.l1_norm());
        agrees(&function::<{ name("norm") }>(), &args, z.norm());
        agrees(&function::<{ name("arg") }>(), &args, z.arg());
        let (new, scale) = (
            function::<{ name("new") }>(),
            function::<{ name("scale") }>(),
        );
        let unscale = function::<{ name("unscale") }>();
        agrees(&new, &[z.re.to_value(), z.im.to_value()], z);
        for t in PARTS {
            agrees(&scale, &[z.to_value(), t.to_value()], z.scale(t));
            agrees(&unscale, &[z.to_value(), t.to_value()], z.unscale(t));
        }
    }
    agrees(&function::<{ name("i") }>(), &[], Complex::<f32>::i());
}

#[test]
fn values_survive_the_way_to_the_interpreter() {
    let z = Complex::new(1.5_f64, -2.0);
    assert_eq!(Complex::from_value(&z.to_value()), Some(z));
    assert_eq!(Complex::<f32>::from_value(&z.to_value()), None);
    assert_eq!(Complex::<f64>::from_value(&Value::F64(1.0)), None);
}
