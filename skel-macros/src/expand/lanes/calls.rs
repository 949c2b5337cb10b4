//! Calls that all lanes do at once.

use super::{
    callees::Call,
    flow::{Done, Flow, Held, Refused, Region, bit},
    risk::Risk,
    words::{Words, words},
};
use crate::lower::{apart_from_generics, variable_name};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, ExprCall, ExprMethodCall, ExprPath, Ident, Local};

/// What lends a generator to a function.
#[derive(Default)]
struct Lending {
    /// Stands before and behind the call of one lane.
    lane: [TokenStream; 2],
    /// Before and behind that of all lanes.
    lanes: [TokenStream; 2],
}

impl Lending {
    /// Of `generators`; what is lent is called `value`.
    fn new(generators: &Ident, value: &Ident, mask: Option<&Ident>) -> Lending {
        let among = mask.map(|mask| {
            [
                quote!(let mut #value = #generators.among(&#mask);),
                quote!(#generators.assign(&#mask, &#value);),
            ]
        });
        Lending {
            lane: [
                quote!(let mut #value = #generators.get(__l);),
                quote!(#generators.set(__l, &#value);),
            ],
            lanes: among.unwrap_or_default(),
        }
    }
}

impl Flow<'_> {
    /// The call that an expression is, if it is done by all lanes at once.
    pub(super) fn call<'e>(&self, e: &'e Expr, region: &Region) -> Option<Call<'e>> {
        let call = self.callees?.call(e)?;
        // What is lent lives as long as a turn of a region's loop.
        let is_lent = |arg: &Expr| matches!(arg, Expr::Reference(_));
        let fine = |arg| !is_lent(arg) || self.is_uniform(&words(arg), region);
        match call {
            Call::Function(function, _) if !function.args.iter().all(fine) => None,
            call => Some(call),
        }
    }

    /// The same of what a variable is declared with. Where all lanes get the same, there is one call.
    pub(super) fn call_of_local<'e>(&self, local: &'e Local, region: &Region) -> Option<Call<'e>> {
        let init = local.init.as_ref()?;
        let plain = init.diverge.is_none() && !self.is_same(local, region);
        plain.then(|| self.call(&init.expr, region)).flatten()
    }

    /// Writes a call, and gives the variable that has the results.
    pub(super) fn called(
        &mut self,
        call: Call<'_>,
        region: Region,
        rest: &Words,
        out: &mut TokenStream,
    ) -> Done<Ident> {
        match call {
            Call::Function(call, callee) => self.function((call, callee), region, rest, out),
            Call::Draw(draw) => self.draw(draw, region, rest, out),
        }
    }

    fn draw(
        &mut self,
        draw: &ExprMethodCall,
        mut region: Region,
        rest: &Words,
        out: &mut TokenStream,
    ) -> Done<Ident> {
        self.flush(&mut region, rest, None, out);
        let (generators, method) = (self.generators(&draw.receiver)?, &draw.method);
        let mask = self.masked().and_then(|k| self.scopes[k].mask.clone());
        let result = self.fresh("value");
        let lane = self.declare(result.clone());
        out.extend(match mask {
            Some(mask) => quote!(if #mask.any() { #generators.#method(&#mask, &mut #lane); }),
            None => quote!(#generators.#method(&__skel::lanes::AllLanes, &mut #lane);),
        });
        self.has_own = true;
        Ok(result)
    }

    fn function(
        &mut self,
        (call, callee): (&ExprCall, &ExprPath),
        mut region: Region,
        rest: &Words,
        out: &mut TokenStream,
    ) -> Done<Ident> {
        let mask = self.masked();
        let is_generator = |arg: &Expr| self.callees.is_some_and(|c| c.is_generator(arg));
        let generators: Vec<bool> = call.args.iter().map(is_generator).collect();
        let mut args = Vec::new();
        for (arg, is_generator) in call.args.iter().zip(&generators) {
            args.push(if *is_generator || self.is_uniform(&words(arg), &region) {
                None
            } else if let Some(name) = variable_name(arg) {
                Some(name.clone())
            } else {
                Some(self.argument(arg, mask, &mut region))
            });
        }
        self.flush(&mut region, rest, None, out);
        let mask = mask.and_then(|k| self.scopes[k].mask.clone());
        let (mut before, mut lending) = (TokenStream::new(), Lending::default());
        let (mut of_lane, mut among) = (Vec::new(), Vec::new());
        for ((arg, is_generator), name) in call.args.iter().zip(generators).zip(args) {
            let value = self.fresh("given");
            if is_generator {
                let generators = self.generators(arg)?;
                of_lane.push(quote!(&mut #value));
                among.push(match &mask {
                    Some(_) => quote!(&mut #value),
                    None => quote!(&mut *#generators),
                });
                lending = Lending::new(&generators, &value, mask.as_ref());
                continue;
            }
            let (text, of_all) = match (name, &mask) {
                (None, _) => (quote!(__skel::lanes::Same(#arg)), quote!(#value)),
                (Some(name), None) => (self.values(&name)?, quote!(#value)),
                (Some(name), Some(mask)) => {
                    let of_all = quote!(&__skel::lanes::among(&#mask, #value));
                    (self.values(&name)?, of_all)
                }
            };
            before.extend(quote!(let #value = #text;));
            of_lane.push(quote!(__skel::lanes::lane(&#value, __l)));
            among.push(of_all);
        }
        let result = self.fresh("value");
        let lane = self.declare(result.clone());
        let (path, generics) = apart_from_generics(&callee.path);
        let all = generics.map(|mut generics| {
            generics.args.push(syn::parse_quote!(__N));
            generics
        });
        let Lending {
            lane: [first, last],
            lanes: [lend, put],
        } = lending;
        let one = quote!(#first __skel::lanes::set(&mut #lane, __l, #callee(#(#of_lane),*)); #last);
        let one = match &mask {
            Some(mask) => quote!(if #mask.get(__l) { #one }),
            None => one,
        };
        // The function itself comes first: so rustc knows the types of literals among the arguments, and of the results.
        let text = quote! {
            #before
            if !#path::__LANES {
                for __l in 0..__N { #one }
            } else {
                #lend
                #path::__lanes #all ((#(#among,)*), &mut #lane);
                #put
            }
        };
        out.extend(match &mask {
            Some(mask) => quote!(if #mask.any() { #text }),
            None => quote!({ #text }),
        });
        self.called.push(path);
        Ok(result)
    }

    /// Where the generators of the lanes are.
    fn generators(&self, generator: &Expr) -> Done<Ident> {
        let name = variable_name(generator).ok_or(Refused)?;
        let variable = self.find(&name.to_string()).ok_or(Refused)?;
        match &self.variables[variable].held {
            Held::Generators(lane) => Ok(lane.clone()),
            _ => Err(Refused),
        }
    }

    /// Computes an argument, for each lane.
    fn argument(&mut self, arg: &Expr, mask: Option<usize>, region: &mut Region) -> Ident {
        let name = self.fresh("arg");
        self.changes(arg, true, region);
        region.push(match mask.map(bit) {
            Some(on) if Risk::of_expr(arg).gated => quote!(if #on { #name = #arg; }),
            _ => quote!(#name = #arg;),
        });
        self.declare(name.clone());
        region.changed.insert(name.to_string());
        name
    }

    /// The values of a variable, as a function is given them.
    fn values(&self, name: &Ident) -> Done<TokenStream> {
        let variable = self.find(&name.to_string()).ok_or(Refused)?;
        let variable = &self.variables[variable];
        match &variable.held {
            Held::Given(lane) => Ok(quote!(#lane)),
            Held::Var(lane) | Held::Lent(lane) => Ok(quote!(&#lane)),
            Held::Same | Held::Generators(_) => Err(Refused),
        }
    }
}
