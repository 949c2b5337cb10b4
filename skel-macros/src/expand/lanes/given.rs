//! What a face is given, by names in the order of the parameters, and what it leaves behind `&mut`.

use super::{
    Of,
    flow::{Done, Flow, Held, Refused, Variable},
    words::Words,
};
use crate::ast::{Kind, Param, view_of};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

#[derive(Default)]
pub(super) struct Given {
    /// Declares the names, from `__source`.
    pub(super) bind: TokenStream,
    /// Puts back what was changed.
    pub(super) store: TokenStream,
    pub(super) names: Vec<Ident>,
    /// Whether other functions cannot give it.
    pub(super) is_lent: bool,
}

/// The types of what is given, to those that call the function.
pub(super) fn types(params: &[Param]) -> impl Iterator<Item = TokenStream> {
    params.iter().map(|param| {
        let ty = &param.ty;
        match Way::of(param) {
            Ok(Way::Uniform | Way::Each) => quote!(impl __skel::lanes::Given<Value = #ty>),
            Ok(Way::Slice) => {
                let elem = view_of(ty).map(|(_, elem)| elem);
                quote!(impl __skel::lanes::Slice<#elem>)
            }
            Ok(Way::Random) => quote!(&mut __skel::lanes::Generators<__N>),
            Ok(Way::Whole | Way::EachMut) | Err(Refused) => quote!(__skel::lanes::Same<#ty>),
        }
    })
}

/// How a parameter comes to the lanes.
enum Way {
    /// All lanes have the same.
    Uniform,
    /// The same, and no value.
    Whole,
    /// The same, and what rustc makes a slice of.
    Slice,
    Each,
    EachMut,
    /// A generator for each lane.
    Random,
}

impl Way {
    fn of(param: &Param) -> Done<Way> {
        match param.kind {
            Kind::Uniform if !param.mutable => Ok(Way::Uniform),
            Kind::View("Whole") => Ok(Way::Slice),
            kind if kind.is_whole() => Ok(Way::Whole),
            Kind::Each | Kind::Index | Kind::Uniform => Ok(Way::Each),
            Kind::EachMut => Ok(Way::EachMut),
            Kind::Random => Ok(Way::Random),
            // What differs from element to element and is no value.
            Kind::View(_) => Err(Refused),
        }
    }
}

impl Given {
    pub(super) fn new(of: &Of<'_>) -> Done<Given> {
        let mut given = Given::default();
        let (mut variables, mut same) = (TokenStream::new(), TokenStream::new());
        let (mut load, mut lend) = (TokenStream::new(), TokenStream::new());
        let mut passed = of.passed.iter();
        for (k, param) in of.params.iter().enumerate() {
            let name = format_ident!("__p{k}");
            let value = match param.kind {
                Kind::Index => quote!(__at),
                Kind::Random => quote!(__random),
                _ => passed.next().ok_or(Refused)?.clone(),
            };
            let way = Way::of(param)?;
            match way {
                Way::Uniform | Way::Whole | Way::Slice => {
                    same.extend(quote!(let #name = __skel::lanes::Same(#value);));
                }
                Way::Each | Way::EachMut => {
                    variables.extend(quote!(let mut #name = __skel::lanes::var::<_, __N>();));
                }
                Way::Random => {
                    let new = quote!(__skel::lanes::Generators::<__N>::new());
                    variables.extend(quote!(let mut #name = #new;));
                }
            }
            match way {
                Way::Uniform | Way::Whole | Way::Slice => {}
                Way::Each => {
                    load.extend(quote!(__skel::lanes::set(&mut #name, __l, #value);));
                    lend.extend(quote!(let #name = &#name;));
                }
                Way::EachMut => {
                    load.extend(quote!(__skel::lanes::set(&mut #name, __l, *#value);));
                    let store = quote!(*#value = __skel::lanes::get(&#name, __l););
                    given.store.extend(store);
                    given.is_lent = true;
                }
                Way::Random => {
                    load.extend(quote!(#name.set(__l, &#value);));
                    lend.extend(quote!(let #name = &mut #name;));
                }
            }
            given.names.push(name);
        }
        let (kinds, passed) = (of.kinds, of.passed);
        let args =
            quote!(let (#(#passed,)*) = __skel::lanes::Source::<#kinds>::args(__source, __l););
        // Before the arguments, which may be lent.
        let has = |kind| of.params.iter().any(|param| param.kind == kind);
        let at = quote!(__skel::lanes::Source::<#kinds>::at(__source, __l));
        let at = match (has(Kind::Index), has(Kind::Random)) {
            (true, false) => quote!(let __at = #at;),
            (false, false) => TokenStream::new(),
            (true, true) => quote!(let __skel::WithRandom { at: __at, random: __random } = #at;),
            (false, true) => quote!(let __skel::WithRandom { random: __random, .. } = #at;),
        };
        let in_lanes = |what: &TokenStream| match what.is_empty() {
            true => TokenStream::new(),
            false => quote!(for __l in 0..__N { #at #args #what }),
        };
        let load = in_lanes(&load);
        let same = (!same.is_empty()).then(|| quote!(let __l = 0; #args #same));
        given.store = match given.store.is_empty() {
            true => TokenStream::new(),
            false => {
                let store = &given.store;
                quote!(for __l in 0..__N { #args #store })
            }
        };
        given.bind = quote!(#variables #load #same #lend);
        Ok(given)
    }

    /// Names the values of lane `__l`, in the order of the parameters; a generator's, `__random`.
    pub(super) fn of_lane<'a>(
        &'a self,
        params: &'a [Param],
    ) -> impl Iterator<Item = TokenStream> + 'a {
        let pairs = self.names.iter().zip(params);
        pairs.map(|(name, param)| match Way::of(param) {
            Ok(Way::Whole) => quote!(#name.0),
            Ok(Way::Slice) => quote!(__skel::lanes::slice(&#name)),
            Ok(Way::Random) => quote!(&mut __random),
            _ => quote!(__skel::lanes::lane(&#name, __l)),
        })
    }

    /// The generators, if there are any.
    pub(super) fn generators<'a>(&'a self, params: &'a [Param]) -> Option<&'a Ident> {
        let mut pairs = self.names.iter().zip(params);
        let found = pairs.find(|(_, param)| param.kind == Kind::Random);
        found.map(|(name, _)| name)
    }

    /// The names of parameters of which all lanes must have the same.
    pub(super) fn uniform<'a>(&'a self, params: &'a [Param]) -> impl Iterator<Item = &'a Ident> {
        let pairs = self.names.iter().zip(params);
        let uniform = pairs.filter(|(_, param)| matches!(Way::of(param), Ok(Way::Uniform)));
        uniform.map(|(name, _)| name)
    }
}

impl Flow<'_> {
    /// Notes a parameter by its name; of one that is `changed`, each lane has a variable of its own.
    pub(super) fn parameter(
        &mut self,
        param: &Param,
        given: &Ident,
        changed: &Words,
        out: &mut TokenStream,
    ) -> Done {
        let name = &param.name;
        let way = Way::of(param)?;
        let held = match way {
            Way::Uniform => {
                out.extend(quote!(let #name = __skel::lanes::lane(&#given, 0);));
                Held::Same
            }
            Way::Whole => {
                out.extend(quote!(let #name = #given.0;));
                Held::Same
            }
            Way::Slice => {
                out.extend(quote!(let #name = __skel::lanes::slice(&#given);));
                Held::Same
            }
            Way::Each if param.mutable || changed.contains(&name.to_string()) => {
                let lane = self.declare(name.clone());
                out.extend(quote! {
                    for __l in 0..__N {
                        __skel::lanes::set(&mut #lane, __l, __skel::lanes::lane(&#given, __l));
                    }
                });
                return Ok(());
            }
            Way::Each => Held::Given(given.clone()),
            Way::EachMut => Held::Lent(given.clone()),
            Way::Random => Held::Generators(given.clone()),
        };
        self.variables.push(Variable {
            name: name.clone(),
            held,
        });
        Ok(())
    }
}
