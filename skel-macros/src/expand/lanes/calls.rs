//! Calls that all lanes do at once.

use super::{
    flow::{Done, Flow, Refused, Region, bit},
    risk::Risk,
    words::{Words, words},
};
use crate::lower::apart_from_generics;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprCall, ExprPath, Ident, Local};

impl Flow<'_> {
    /// The call that an expression is, if it is done by all lanes at once.
    pub(super) fn call<'e>(
        &self,
        e: &'e Expr,
        region: &Region,
    ) -> Option<(&'e ExprCall, &'e ExprPath)> {
        let Expr::Call(call) = e else { return None };
        let callee = self.callees?.callee(call)?;
        // What is lent lives as long as a turn of a region's loop.
        let is_lent = |arg: &Expr| matches!(arg, Expr::Reference(_));
        let mut args = call.args.iter();
        let fine = args.all(|arg| !is_lent(arg) || self.is_uniform(&words(arg), region));
        fine.then_some((call, callee))
    }

    /// The same of what a variable is declared with. Where all lanes get the same, there is one call.
    pub(super) fn call_of_local<'e>(
        &self,
        local: &'e Local,
        region: &Region,
    ) -> Option<(&'e ExprCall, &'e ExprPath)> {
        let init = local.init.as_ref()?;
        let plain = init.diverge.is_none() && !self.is_same(local, region);
        plain.then(|| self.call(&init.expr, region)).flatten()
    }

    /// Writes a call, and gives the variable that has the results.
    pub(super) fn called(
        &mut self,
        (call, callee): (&ExprCall, &ExprPath),
        mut region: Region,
        rest: &Words,
        out: &mut TokenStream,
    ) -> Done<Ident> {
        let mask = self.masked();
        let mut args = Vec::new();
        for arg in &call.args {
            args.push(if self.is_uniform(&words(arg), &region) {
                None
            } else if let Some(name) = variable(arg) {
                Some(name.clone())
            } else {
                Some(self.argument(arg, mask, &mut region))
            });
        }
        self.flush(&mut region, rest, None, out);
        let mask = mask.and_then(|k| self.scopes[k].mask.clone());
        let (mut before, mut given) = (TokenStream::new(), Vec::new());
        for (arg, name) in call.args.iter().zip(args) {
            let value = self.fresh("given");
            let (text, among) = match (name, &mask) {
                (None, _) => (quote!(__skel::lanes::Same(#arg)), quote!(#value)),
                (Some(name), None) => (self.values(&name)?, quote!(#value)),
                (Some(name), Some(mask)) => {
                    let among = quote!(&__skel::lanes::among(&#mask, #value));
                    (self.values(&name)?, among)
                }
            };
            before.extend(quote!(let #value = #text;));
            given.push((value, among));
        }
        let result = self.fresh("value");
        let lane = self.declare(result.clone(), false);
        let (path, generics) = apart_from_generics(&callee.path);
        let all = generics.map(|mut generics| {
            generics.args.push(syn::parse_quote!(__N));
            generics
        });
        let of_lane = given
            .iter()
            .map(|(given, _)| quote!(__skel::lanes::lane(&#given, __l)));
        let one = quote!(__skel::lanes::set(&mut #lane, __l, #callee(#(#of_lane),*)););
        let one = match &mask {
            Some(mask) => quote!(if #mask.get(__l) { #one }),
            None => one,
        };
        let among = given.iter().map(|(_, among)| among);
        // The function itself comes first: so rustc knows the types of literals among the arguments, and of the results.
        let text = quote! {
            #before
            if !#path::__LANES {
                for __l in 0..__N { #one }
            } else {
                #path::__lanes #all ((#(#among,)*), &mut #lane);
            }
        };
        out.extend(match &mask {
            Some(mask) => quote!(if #mask.any() { #text }),
            None => quote!({ #text }),
        });
        self.called.push(path);
        Ok(result)
    }

    /// Computes an argument, for each lane.
    fn argument(&mut self, arg: &Expr, mask: Option<usize>, region: &mut Region) -> Ident {
        let name = self.fresh("arg");
        self.changes(arg, true, region);
        region.push(match mask.map(bit) {
            Some(on) if Risk::of_expr(arg).gated => quote!(if #on { #name = #arg; }),
            _ => quote!(#name = #arg;),
        });
        self.declare(name.clone(), false);
        region.changed.insert(name.to_string());
        name
    }

    /// The values of a variable, as a function is given them.
    fn values(&self, name: &Ident) -> Done<TokenStream> {
        let variable = self.find(&name.to_string()).ok_or(Refused)?;
        let variable = &self.variables[variable];
        match &variable.lane {
            Some(lane) if variable.is_given => Ok(quote!(#lane)),
            Some(lane) => Ok(quote!(&#lane)),
            None => Err(Refused),
        }
    }
}

/// The variable that an argument is.
fn variable(arg: &Expr) -> Option<&Ident> {
    match arg {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}
