//! Calls that all lanes do at once.

use super::flow::{Done, Flow, Refused, Region, bit};
use super::{
    risk::Risk,
    words::{Words, words},
};
use crate::lower::apart_from_generics;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprPath, Ident, Local};

impl Flow<'_> {
    /// The call that an expression is, if it is done by all lanes at once.
    pub(super) fn call<'e>(&self, e: &'e Expr) -> Option<(&'e ExprCall, &'e ExprPath)> {
        self.callees.as_ref()?.call(e)
    }

    /// The same of what a variable is declared with. Where all lanes get the same, there is one call.
    pub(super) fn call_of_local<'e>(
        &self,
        local: &'e Local,
        region: &Region,
    ) -> Option<(&'e ExprCall, &'e ExprPath)> {
        let init = local.init.as_ref()?;
        let plain = init.diverge.is_none() && !self.is_same(local, region);
        plain.then(|| self.call(&init.expr)).flatten()
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
        let (mut before, mut given) = (TokenStream::new(), Vec::new());
        for (arg, name) in call.args.iter().zip(args) {
            let value = self.fresh("given");
            let text = match name {
                None => quote!(__skel::lanes::Same(#arg)),
                Some(name) => self.values(&name, mask)?,
            };
            before.extend(quote!(let #value = #text;));
            given.push(value);
        }
        let result = self.fresh("value");
        let lane = self.declare(result.clone(), false);
        let (path, generics) = apart_from_generics(&callee.path);
        let all = generics.map(|mut generics| {
            generics.args.push(syn::parse_quote!(__N));
            generics
        });
        let one = given
            .iter()
            .map(|given| quote!(__skel::lanes::lane(&#given, __l)));
        // The function itself comes first: so rustc knows the types of literals among the arguments, and of the results.
        let text = quote! {
            #before
            if !#path::__LANES {
                for __l in 0..__N {
                    __skel::lanes::set(&mut #lane, __l, #callee(#(#one),*));
                }
            } else {
                #path::__lanes #all ((#(#given,)*), &mut #lane);
            }
        };
        out.extend(match mask.and_then(|k| self.scopes[k].mask.as_ref()) {
            Some(mask) => quote!(if #mask.any() { #text }),
            None => quote!({ #text }),
        });
        let spelled = path.to_token_stream().to_string();
        if !self
            .called
            .iter()
            .any(|other| other.to_token_stream().to_string() == spelled)
        {
            self.called.push(path);
        }
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
    fn values(&self, name: &Ident, mask: Option<usize>) -> Done<TokenStream> {
        let variable = self.find(&name.to_string()).ok_or(Refused)?;
        let variable = &self.variables[variable];
        let values = match &variable.lane {
            Some(lane) if variable.is_given => quote!(#lane),
            Some(lane) => quote!(&#lane),
            None => return Err(Refused),
        };
        Ok(match mask.and_then(|k| self.scopes[k].mask.as_ref()) {
            Some(mask) => quote!(&__skel::lanes::among(&#mask, #values)),
            None => values,
        })
    }
}

/// The variable that an argument is.
fn variable(arg: &Expr) -> Option<&Ident> {
    match arg {
        Expr::Path(path) => path.path.get_ident(),
        _ => None,
    }
}
