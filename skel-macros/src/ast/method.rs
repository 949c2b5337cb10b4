//! Methods and associated functions: of an `impl` block, of a trait.

use super::{Kind, Output, Param, RECEIVER, params};
use crate::report::Report;
use syn::{FnArg, Ident, Receiver, ReceiverKind, Signature, Type, parse_quote_spanned};

/// The signature of a method or an associated function.
pub(crate) struct Method {
    pub(crate) sig: Signature,
    /// The receiver is the first of them, if there is one.
    pub(crate) params: Vec<Param>,
    pub(crate) output: Output,
    pub(crate) has_receiver: bool,
}

impl Method {
    pub(crate) fn new(sig: &Signature, report: &mut Report) -> Method {
        let mut params = Vec::new();
        let mut has_receiver = false;
        for input in &sig.inputs {
            match input {
                FnArg::Receiver(receiver) => {
                    has_receiver = true;
                    params.push(of_receiver(receiver, report));
                }
                FnArg::Typed(typed) => {
                    if let Some(uniform) = typed.attrs.iter().find(|a| params::is_uniform(a)) {
                        report.at(
                            uniform,
                            "the parameters of a method are passed by its callers: leave out #[uniform]",
                        );
                    }
                    params.extend(Param::of_method(&typed.pat, &typed.ty, report));
                }
            }
        }
        Method {
            sig: sig.clone(),
            params,
            output: Output::new(&sig.output),
            has_receiver,
        }
    }

    /// The types of the parameters, without the receiver's.
    pub(crate) fn types_after_receiver(&self) -> impl Iterator<Item = &Type> {
        let types = self.params.iter().map(|p| &p.ty);
        types.skip(usize::from(self.has_receiver))
    }
}

/// Removes attributes of ours from the parameters, which rustc would not know.
pub(crate) fn without_ours(sig: &mut Signature) {
    for input in &mut sig.inputs {
        if let FnArg::Typed(typed) = input {
            params::take_uniform(&mut typed.attrs);
        }
    }
}

fn of_receiver(receiver: &Receiver, report: &mut Report) -> Param {
    let span = receiver.self_token.span;
    let (kind, ty): (Kind, Type) = match &receiver.kind {
        ReceiverKind::Reference(_, _, Some(_)) => {
            (Kind::EachMut, parse_quote_spanned!(span=> &mut Self))
        }
        ReceiverKind::Reference(..) => (Kind::Each, parse_quote_spanned!(span=> &Self)),
        ReceiverKind::Typed(_, ty) => {
            let spelled = quote::quote!(#ty).to_string();
            if !matches!(spelled.as_str(), "Self" | "& Self" | "& mut Self") {
                report.at(ty, "a receiver is `self`, `&self` or `&mut self`");
            }
            match &**ty {
                Type::Reference(r) if r.mutability.is_some() => (Kind::EachMut, (**ty).clone()),
                ty => (Kind::Each, ty.clone()),
            }
        }
        _ => (Kind::Each, parse_quote_spanned!(span=> Self)),
    };
    Param {
        name: Ident::new(RECEIVER, span),
        mutable: receiver.mutability.is_some(),
        kind,
        ty,
        value_ty: parse_quote_spanned!(span=> Self),
    }
}
