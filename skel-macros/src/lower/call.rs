//! Calls: of methods, of user functions, of conversions.

use super::{
    Context, Evident, Lower, Lowered, Sexp,
    data::{Expected, constructor},
    literal::open,
    methods::{class_of, result_of, unknown_method},
};
use crate::{math, names};
use quote::{format_ident, quote, quote_spanned};
use syn::{Expr, ExprCall, ExprMethodCall, Ident, Type, parse_quote, spanned::Spanned};

impl Lower<'_> {
    /// `x.min(y)`.
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Lowered {
        let method = &call.method;
        if method == "len" && call.args.is_empty() {
            return self.len(call);
        }
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
        let bound = match class {
            "Number" => "Number",
            "Signed" | "Float" => "Float",
            _ => "Integer",
        };
        self.lacks(
            &[&*call.receiver],
            method.span(),
            &method.to_string(),
            bound,
        );
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
        let named = self.named(method);
        let probe = quote_spanned!(method.span()=> #r.#named(#(#args),*));
        let text = Sexp::list(method.span(), "m", parts);
        Lowered {
            probe,
            text,
            evident: result_of(method, receiver.evident),
        }
    }

    /// What a built-in method is called in the probe, and on the host.
    fn named(&mut self, method: &Ident) -> Ident {
        if !math::is_renamed(method) {
            return method.clone();
        }
        // The trait that has it must be in scope.
        self.calls_members = true;
        names::on_host(method)
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
        if constructor(call).is_some() {
            return self.tuple_struct(call, Expected::No);
        }
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
        if let ([ty, "from_i32" | "from_f64"], Some(arg), 1) =
            (names.as_slice(), call.args.first(), call.args.len())
            && self.is_number_parameter(segments[0])
        {
            // The type of a literal is that of the parameter.
            let given: Type = match names[1] {
                "from_i32" => parse_quote!(i32),
                _ => parse_quote!(f64),
            };
            let given = self.written_ty(&given);
            let value = match open(arg) {
                Some(text) => Lowered {
                    probe: quote!(#arg),
                    text: Sexp::list(arg.span(), "lit", [given, Sexp::atom(text)]),
                    evident: Evident::Number,
                },
                None => self.expr(arg),
            };
            let ty = format_ident!("{ty}", span = segments[0].span());
            let number = self.written_ty(&syn::parse_quote!(#ty));
            let v = value.probe;
            return Lowered {
                probe: quote_spanned!(callee.span()=> #callee(#v)),
                text: Sexp::list(callee.span(), "as", [number, value.text]),
                evident: Evident::Nothing,
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
                    let (slot, number) = self.typed_slot(arg.span());
                    let text = Sexp::list(arg.span(), "lit", [number, Sexp::atom(text)]);
                    Lowered {
                        probe: quote_spanned!(arg.span()=> #slot.put(#arg)),
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
        let mut path = callee.clone();
        if let Expr::Path(path) = &mut *path
            && let Some(last) = path.path.segments.last_mut()
        {
            last.ident = self.named(method);
        }
        let probe = quote_spanned!(callee.span()=> #path(#(#args),*));
        let text = Sexp::list(method.span(), "m", parts);
        Lowered {
            probe,
            text,
            evident: result_of(method, evident),
        }
    }
}
