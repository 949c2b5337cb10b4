//! Calls: of methods, of user functions, of conversions.

use super::{Context, Evident, Lower, Lowered, Sexp, literal::open};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall, Ident, spanned::Spanned};

/// Built-in methods, by the class of types that have them: `skel_core::ir::Builtin` says the same.
const METHODS: [(&str, &[&str]); 4] = [
    ("Number", &["min", "max", "clamp"]),
    ("Signed", &["abs", "signum"]),
    (
        "Float",
        &[
            "sqrt",
            "floor",
            "ceil",
            "round",
            "trunc",
            "fract",
            "sin",
            "cos",
            "tan",
            "exp",
            "exp2",
            "ln",
            "log2",
            "powf",
            "powi",
            "mul_add",
            "copysign",
            "is_nan",
            "is_finite",
            "is_infinite",
        ],
    ),
    (
        "Integer",
        &[
            "wrapping_add",
            "wrapping_sub",
            "wrapping_mul",
            "wrapping_neg",
            "wrapping_shl",
            "wrapping_shr",
            "rotate_left",
            "rotate_right",
            "count_ones",
            "leading_zeros",
            "trailing_zeros",
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

impl Lower<'_> {
    /// `x.min(y)`.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Lowered {
        let method = &call.method;
        let receiver = self.base(&call.receiver);
        let Some(class) = class_of(method) else {
            let scalar = receiver.evident.is_scalar();
            let Some(message) = unknown_method(&method.to_string(), scalar) else {
                return self.own_method(call, receiver);
            };
            // Errors in the arguments show, too.
            self.arguments(&call.args);
            return self.refuse(method, message);
        };
        if let Some(turbofish) = &call.turbofish {
            return self.refuse(
                turbofish,
                "no method takes generic arguments here: leave them out",
            );
        }
        let by_reference = self.reference(&call.receiver).is_some();
        let r = receiver.probe;
        let (r, imp) = if receiver.evident == Evident::Number {
            (r, Sexp::none())
        } else {
            let slot = self.slot(method.span());
            let imp = self.witness(&slot, class, method);
            let star = by_reference.then(|| quote_spanned!(method.span()=> *));
            (quote_spanned!(method.span()=> #slot.put(#star #r)), imp)
        };
        let (args, texts) = self.arguments(&call.args);
        let parts = [Sexp::atom(method), imp, receiver.text]
            .into_iter()
            .chain(texts);
        let probe = quote_spanned!(method.span()=> #r.#method(#(#args),*));
        let text = Sexp::list(method.span(), "m", parts);
        Lowered {
            probe,
            text,
            evident: result_of(method, receiver.evident),
        }
    }

    fn witness(&mut self, slot: &Ident, class: &str, method: &Ident) -> Sexp {
        let (class, cx) = (format_ident!("{class}"), Self::cx());
        let name = crate::names::hash(method);
        self.imp(quote_spanned!(method.span()=> #slot.method::<__skel::class::#class, #name>(#cx)))
    }

    pub(super) fn call(&mut self, call: &ExprCall) -> Lowered {
        let Expr::Path(callee) = &*call.func else {
            return self.refuse(
                &call.func,
                "only a user function can be called, by its path",
            );
        };
        let segments: Vec<&Ident> = callee.path.segments.iter().map(|s| &s.ident).collect();
        let names: Vec<String> = segments.iter().map(|s| s.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        if let Some(message) = self.not_callable(&segments, &names) {
            self.arguments(&call.args);
            return self.refuse(&call.func, message);
        }
        if let ([ty, "from"], [arg]) = (
            names.as_slice(),
            call.args.iter().collect::<Vec<_>>().as_slice(),
        ) && crate::ast::PRIMITIVES.contains(ty)
        {
            let ty = segments[0];
            let number = self.written_ty(&syn::parse_quote!(#ty));
            let value = self.expr(arg);
            let v = value.probe;
            let text = Sexp::list(callee.span(), "as", [number, value.text]);
            let evident = if ty == "bool" {
                Evident::Bool
            } else {
                Evident::Number
            };
            return Lowered {
                probe: quote_spanned!(callee.span()=> #callee(#v)),
                text,
                evident,
            };
        }
        if let [ty, method] = segments.as_slice()
            && (crate::ast::PRIMITIVES.iter().any(|p| *ty == p) || self.is_type_parameter(ty))
            && let Some(class) = class_of(method)
        {
            return self.method_by_path(call, ty, method, class);
        }
        if self.is_associated(callee) {
            return self.own_function(call, callee);
        }
        self.user_function(call, callee)
    }

    /// Why this path cannot be called.
    fn not_callable(&self, segments: &[&Ident], names: &[&str]) -> Option<String> {
        if let [name] = segments {
            if self.find(name).is_some() {
                return Some(format!(
                    "`{name}` is a variable: only a user function can be called, by its path"
                ));
            }
            if let Context::Function(own, _) = self.context
                && own == *name
            {
                return Some(format!(
                    "`{name}` calls itself: no device has a call stack, so write a loop"
                ));
            }
            if matches!(names[0], "Some" | "Ok" | "Err") {
                return Some("`Option` and `Result` are not possible: return a value that says so, as NaN or -1".into());
            }
        }
        if let [.., ty, method] = segments {
            let primitive =
                crate::ast::PRIMITIVES.iter().any(|p| *ty == p) || self.is_type_parameter(ty);
            if primitive
                && class_of(method).is_none()
                && *method != "from"
                && let Some(message) =
                    unknown_method(&method.to_string(), !self.is_type_parameter(ty))
            {
                return Some(message);
            }
            let ty = ty.to_string();
            if matches!(
                ty.as_str(),
                "Vec" | "Box" | "String" | "Rc" | "Arc" | "HashMap" | "BTreeMap"
            ) {
                return Some(format!(
                    "`{ty}` allocates, which a device cannot: use one variable for each value"
                ));
            }
        }
        if segments.len() > 1 && matches!(names[0], "std" | "core" | "alloc") {
            return Some(
                "functions of `std` cannot be called, but methods of numbers can: `x.sqrt()`"
                    .into(),
            );
        }
        let own = |c: char| c.is_ascii_uppercase();
        if names.last().is_some_and(|name| name.starts_with(own)) {
            return Some("structs are not possible yet: use one variable for each field".into());
        }
        None
    }

    /// `f32::max(a, b)`: a method, spelled as a path.
    fn method_by_path(
        &mut self,
        call: &ExprCall,
        ty: &Ident,
        method: &Ident,
        class: &str,
    ) -> Lowered {
        let callee = &call.func;
        let evident = if self.is_type_parameter(ty) {
            Evident::Nothing
        } else {
            Evident::Number
        };
        let mut args = Vec::new();
        let mut texts = Vec::new();
        let mut imp = Sexp::none();
        for (k, arg) in call.args.iter().enumerate() {
            let mut lowered = match open(arg) {
                Some(text) if k > 0 => self.open_literal(arg, &text),
                Some(text) => {
                    let number = self.written_ty(&syn::parse_quote!(#ty));
                    let text = Sexp::list(arg.span(), "lit", [number, Sexp::atom(text)]);
                    Lowered {
                        probe: quote!(#arg),
                        text,
                        evident,
                    }
                }
                None => self.expr(arg),
            };
            if k == 0 && evident == Evident::Nothing {
                let slot = self.slot(method.span());
                imp = self.witness(&slot, class, method);
                let receiver = lowered.probe;
                lowered.probe = quote_spanned!(method.span()=> #slot.put(#receiver));
            }
            args.push(lowered.probe);
            texts.push(lowered.text);
        }
        let parts = [Sexp::atom(method), imp].into_iter().chain(texts);
        let probe = quote_spanned!(callee.span()=> #callee(#(#args),*));
        let text = Sexp::list(method.span(), "m", parts);
        Lowered {
            probe,
            text,
            evident: result_of(method, evident),
        }
    }
}

fn result_of(method: &Ident, receiver: Evident) -> Evident {
    let name = method.to_string();
    match name.as_str() {
        "is_nan" | "is_finite" | "is_infinite" => Evident::Bool,
        "count_ones" | "leading_zeros" | "trailing_zeros" => Evident::Number,
        _ => receiver,
    }
}

/// Why this method, which no number has built in, cannot be a user's own: nothing, if it can.
fn unknown_method(name: &str, of_number: bool) -> Option<String> {
    Some(match name {
        "iter" | "iter_mut" | "into_iter" | "push" => {
            format!("`{name}` is not possible: a user function sees one element, not a container")
        }
        "unwrap" | "expect" | "is_some" | "is_none" => {
            format!("`{name}` is not possible: there is no `Option` or `Result` in a user function")
        }
        "clone" | "into" | "to_owned" => {
            format!(
                "`{name}` is not possible: values are copied, so leave it out, or convert with `as`"
            )
        }
        "rev" | "step_by" => format!("`{name}` is not possible yet: use `while`"),
        "pow" => "`pow` is not possible yet: multiply in a loop, or use `powi` of a float".into(),
        "to_string" | "fmt" => "no device has text: compute with numbers".into(),
        name if of_number && (ABSENT.contains(&name) || name.starts_with("checked_")) => format!(
            "`{name}` is not one of the methods that devices have (docs/language.md lists them): write a `#[user_function] fn`"
        ),
        _ => return None,
    })
}

/// Methods of numbers in std that no device has, or not yet.
const ABSENT: [&str; 68] = [
    "abs_diff",
    "abs_sub",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil_div",
    "cmp",
    "cosh",
    "count_zeros",
    "div_ceil",
    "div_euclid",
    "div_floor",
    "eq",
    "exp_m1",
    "from_bits",
    "hypot",
    "ilog",
    "ilog10",
    "ilog2",
    "is_multiple_of",
    "is_negative",
    "is_normal",
    "is_positive",
    "is_power_of_two",
    "is_sign_negative",
    "is_sign_positive",
    "isqrt",
    "leading_ones",
    "ln_1p",
    "log",
    "log10",
    "max_by",
    "midpoint",
    "next_down",
    "next_multiple_of",
    "next_power_of_two",
    "next_up",
    "overflowing_add",
    "overflowing_mul",
    "overflowing_sub",
    "partial_cmp",
    "recip",
    "rem_euclid",
    "reverse_bits",
    "round_ties_even",
    "saturating_add",
    "saturating_mul",
    "saturating_sub",
    "sin_cos",
    "sinh",
    "swap_bytes",
    "tanh",
    "then",
    "to_be",
    "to_bits",
    "to_degrees",
    "to_le",
    "to_radians",
    "total_cmp",
    "trailing_ones",
    "unsigned_abs",
    "wrapping_div",
    "wrapping_rem",
];
