//! Which methods are built in, and what is said of those that are not.

use super::Evident;
use syn::Ident;

/// Built-in methods, by the class of types that have them (`skel_core::user_function::class`):
/// `skel_core::ir::Builtin` says the same.
const METHODS: [(&str, &[&str]); 6] = [
    (
        "Number",
        &["min", "max", "clamp", "div_euclid", "rem_euclid"],
    ),
    ("Signed", &["abs", "signum"]),
    (
        "Float",
        &[
            "sqrt",
            "floor",
            "ceil",
            "round",
            "round_ties_even",
            "trunc",
            "fract",
            "recip",
            "sin",
            "cos",
            "tan",
            "asin",
            "acos",
            "atan",
            "atan2",
            "sinh",
            "cosh",
            "tanh",
            "exp",
            "exp2",
            "exp_m1",
            "ln",
            "log2",
            "log10",
            "log",
            "sin_cos",
            "ln_1p",
            "powf",
            "powi",
            "cbrt",
            "hypot",
            "mul_add",
            "copysign",
            "to_degrees",
            "to_radians",
            "to_bits",
            "from_bits",
            "is_nan",
            "is_finite",
            "is_infinite",
            "is_sign_positive",
            "is_sign_negative",
        ],
    ),
    (
        "Integer",
        &[
            "wrapping_add",
            "wrapping_sub",
            "wrapping_mul",
            "wrapping_div",
            "wrapping_rem",
            "wrapping_div_euclid",
            "wrapping_rem_euclid",
            "wrapping_neg",
            "wrapping_pow",
            "wrapping_shl",
            "wrapping_shr",
            "saturating_add",
            "saturating_sub",
            "saturating_mul",
            "saturating_div",
            "saturating_pow",
            "overflowing_add",
            "overflowing_sub",
            "overflowing_mul",
            "overflowing_div",
            "overflowing_rem",
            "overflowing_div_euclid",
            "overflowing_rem_euclid",
            "overflowing_neg",
            "overflowing_pow",
            "overflowing_shl",
            "overflowing_shr",
            "abs_diff",
            "midpoint",
            "pow",
            "isqrt",
            "ilog",
            "ilog2",
            "ilog10",
            "rotate_left",
            "rotate_right",
            "swap_bytes",
            "reverse_bits",
            "count_ones",
            "count_zeros",
            "leading_zeros",
            "trailing_zeros",
            "leading_ones",
            "trailing_ones",
        ],
    ),
    (
        "SignedInteger",
        &[
            "wrapping_abs",
            "saturating_abs",
            "saturating_neg",
            "overflowing_abs",
            "unsigned_abs",
            "is_positive",
            "is_negative",
            "cast_unsigned",
            "wrapping_add_unsigned",
            "wrapping_sub_unsigned",
            "saturating_add_unsigned",
            "saturating_sub_unsigned",
            "overflowing_add_unsigned",
            "overflowing_sub_unsigned",
        ],
    ),
    (
        "Unsigned",
        &[
            "is_multiple_of",
            "is_power_of_two",
            "next_power_of_two",
            "div_ceil",
            "next_multiple_of",
            "cast_signed",
            "wrapping_add_signed",
            "saturating_add_signed",
            "overflowing_add_signed",
        ],
    ),
];

/// The class of types that have this method.
pub(crate) fn class_of(method: &Ident) -> Option<&'static str> {
    METHODS
        .into_iter()
        .find(|(_, names)| names.iter().any(|name| method == name))
        .map(|(class, _)| class)
}

/// Those of them that panic for some values, or take long.
const RISKY: [&str; 20] = [
    "clamp",
    "div_ceil",
    "div_euclid",
    "ilog",
    "ilog10",
    "ilog2",
    "is_multiple_of",
    "isqrt",
    "next_multiple_of",
    "next_power_of_two",
    "overflowing_div",
    "overflowing_div_euclid",
    "overflowing_rem",
    "overflowing_rem_euclid",
    "rem_euclid",
    "saturating_div",
    "wrapping_div",
    "wrapping_div_euclid",
    "wrapping_rem",
    "wrapping_rem_euclid",
];

/// Whether a method is built in, and neither panics in a release build nor takes long. A method of the user's own may
/// have such a name.
pub(crate) fn is_plain(name: &str) -> bool {
    let built_in = METHODS.iter().any(|(_, names)| names.contains(&name));
    built_in && !RISKY.contains(&name)
}

/// The same of a call; that of a method of the user's own is `implied` (`skel_core::ir::Function`).
pub(crate) fn is_plain_call(call: &syn::ExprMethodCall) -> bool {
    match call.method == "len" {
        true => call.args.is_empty(),
        false => is_plain(&call.method.to_string()),
    }
}

/// What is evident of a method's result.
pub(super) fn result_of(method: &Ident, receiver: Evident) -> Evident {
    let name = method.to_string();
    match name.as_str() {
        "is_nan" | "is_finite" | "is_infinite" | "is_sign_positive" | "is_sign_negative"
        | "is_positive" | "is_negative" | "is_multiple_of" | "is_power_of_two" => Evident::Bool,
        "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "leading_ones"
        | "trailing_ones" | "ilog" | "ilog2" | "ilog10" => Evident::Number,
        // Tuples.
        "sin_cos" => Evident::Nothing,
        "cast_signed" | "cast_unsigned" => Evident::Number,
        name if name.starts_with("overflowing_") => Evident::Nothing,
        _ => receiver,
    }
}

/// What is said of a method that is not built in, unless it may be a user's own.
pub(super) fn unknown_method(name: &str, of_number: bool) -> Option<String> {
    Some(match name {
        "iter" | "iter_mut" | "into_iter" => format!(
            "`{name}` is not possible here: it is what a `for` runs over, as in `for x in a.iter()`"
        ),
        "push" => "`push` is not possible: arrays have as many elements as their type says".into(),
        "unwrap" | "expect" | "is_some" | "is_none" => {
            format!("`{name}` is not possible: there is no `Option` or `Result` in a user function")
        }
        "clone" | "into" | "to_owned" => {
            format!(
                "`{name}` is not possible: values are copied, so leave it out, or convert with `as`"
            )
        }
        "rev" | "step_by" => format!("`{name}` is not possible yet: use `while`"),
        "to_string" | "fmt" => "no device has text: compute with numbers".into(),
        name if of_number && (ABSENT.contains(&name) || name.starts_with("checked_")) => format!(
            "`{name}` is not one of the methods that devices have (docs/language.md lists them): write a `#[user_function] fn`"
        ),
        _ => return None,
    })
}

/// Methods of numbers in std that no device has.
const ABSENT: [&str; 21] = [
    "acosh",
    "algebraic_add",
    "algebraic_mul",
    "asinh",
    "atanh",
    "cmp",
    "eq",
    "is_normal",
    "is_subnormal",
    "maximum",
    "minimum",
    "ne",
    "next_down",
    "next_up",
    "partial_cmp",
    "then",
    "then_some",
    "to_be_bytes",
    "to_le_bytes",
    "to_ne_bytes",
    "total_cmp",
];
