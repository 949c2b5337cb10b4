//! What is known at a place of the text: its variables, and which masks say what lanes take part.

use super::{
    callees::Callees,
    exits::Exit,
    words::{Words, words},
};
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;
use syn::Ident;

/// There is no lane-wise form.
pub(super) struct Refused;

pub(super) type Done<T = ()> = Result<T, Refused>;

/// A variable that is in scope.
pub(super) struct Variable {
    pub(super) name: Ident,
    pub(super) held: Held,
}

/// Where the values of a variable are.
pub(super) enum Held {
    /// All lanes have the same, in a variable of that name.
    Same,
    /// In a `skel_core::lanes::Var`.
    Var(Ident),
    /// They are those that the function is given (`skel_core::lanes::Given`), which never change.
    Given(Ident),
    /// In a `Var`; the variable itself is `y: &mut T`.
    Lent(Ident),
    /// In `skel_core::param::Generators`; the variable is `rng: &mut Random`.
    Generators(Ident),
}

impl Held {
    /// What has a value per lane.
    pub(super) fn lane(&self) -> Option<&Ident> {
        match self {
            Held::Same => None,
            Held::Var(lane) | Held::Given(lane) | Held::Lent(lane) | Held::Generators(lane) => {
                Some(lane)
            }
        }
    }

    /// Whether the variable is `&mut`.
    pub(super) fn by_ref(&self) -> bool {
        matches!(self, Held::Lent(_) | Held::Generators(_))
    }
}

/// What a part of the text may end early for some of the lanes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Loop,
    /// One round of a loop, which `continue` ends.
    Round,
    Branch,
}

/// Such a part.
pub(super) struct Scope {
    pub(super) kind: Kind,
    pub(super) label: Option<String>,
    /// Says which lanes take part: a subset of the lanes of the scope around it. `None` if there is nothing that
    /// ends it for some only.
    pub(super) mask: Option<Ident>,
    /// The names that a lane may read when it takes part again, behind the scope.
    pub(super) live: Words,
    /// So many variables stand outside of it.
    pub(super) outside: usize,
    /// What takes the value of `break value`, or of the function.
    pub(super) dest: Option<Ident>,
}

/// A stretch of the text without loops: what stands in one loop over the lanes.
#[derive(Default)]
pub(super) struct Region {
    pub(super) text: TokenStream,
    /// What it declares.
    pub(super) news: Vec<Ident>,
    /// The variables from outside that it changes.
    pub(super) changed: Words,
    /// The scopes whose masks it changes.
    pub(super) masks: BTreeSet<usize>,
    /// The round that begins with it: its mask is made here.
    pub(super) opens: Option<usize>,
}

impl Region {
    pub(super) fn push(&mut self, text: impl ToTokens) {
        text.to_tokens(&mut self.text);
    }

    pub(super) fn declares(&self, name: &str) -> bool {
        self.news.iter().any(|new| new == name)
    }
}

/// A walk over the body.
pub(super) struct Flow<'c> {
    /// Says which calls all lanes do at once; `None` where there are no such calls.
    pub(super) callees: Option<&'c Callees<'c>>,
    /// The functions that are called so, one for each call.
    pub(super) called: Vec<syn::Path>,
    pub(super) variables: Vec<Variable>,
    pub(super) scopes: Vec<Scope>,
    /// The declarations of all variables with a value per lane: they are made once.
    pub(super) declarations: TokenStream,
    /// Whether some loop has been taken apart, or all lanes draw at once.
    pub(super) has_own: bool,
    count: usize,
}

/// The mask of scope `k` for one lane.
pub(super) fn bit(k: usize) -> Ident {
    format_ident!("__m{k}")
}

impl<'c> Flow<'c> {
    pub(super) fn new(callees: Option<&'c Callees<'c>>) -> Self {
        Flow {
            callees,
            called: Vec::new(),
            variables: Vec::new(),
            scopes: Vec::new(),
            declarations: TokenStream::new(),
            has_own: false,
            count: 0,
        }
    }

    /// A new name.
    pub(super) fn fresh(&mut self, of: &str) -> Ident {
        self.count += 1;
        let of = of.strip_prefix("r#").unwrap_or(of).trim_start_matches('_');
        format_ident!("__{}_{of}", self.count)
    }

    /// A new variable with a value per lane.
    pub(super) fn declare(&mut self, name: Ident) -> Ident {
        let lane = self.fresh(&name.to_string());
        self.declarations
            .extend(quote!(let mut #lane = __skel::lanes::var::<_, __N>();));
        self.variables.push(Variable {
            name,
            held: Held::Var(lane.clone()),
        });
        lane
    }

    /// Where the variable of this name is.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.variables.iter().rposition(|v| v.name == name)
    }

    /// The innermost scope that has a mask; `None` where all lanes take part.
    pub(super) fn masked(&self) -> Option<usize> {
        self.scopes.iter().rposition(|scope| scope.mask.is_some())
    }

    /// Whether all lanes give the same for these names.
    pub(super) fn is_uniform(&self, names: &Words, region: &Region) -> bool {
        names.iter().all(|name| {
            let varies = self
                .find(name)
                .is_some_and(|k| self.variables[k].held.lane().is_some());
            !varies && !region.declares(name)
        })
    }

    /// Whether a lane that does not take part must keep the value of variable `k`.
    pub(super) fn keeps(&self, k: usize) -> bool {
        let variable = &self.variables[k];
        let name = variable.name.to_string();
        // The caller reads what a reference leads to in the end.
        let is_live = |s: &Scope| variable.held.by_ref() || s.live.contains(&name);
        self.scopes
            .iter()
            .any(|s| s.mask.is_some() && k < s.outside && is_live(s))
    }

    /// The scope that an exit ends.
    pub(super) fn target(&self, exit: &Exit) -> Done<usize> {
        let label = match exit {
            Exit::Return => return Ok(0),
            Exit::Break(label) | Exit::Continue(label) => label,
        };
        let is_meant = |s: &Scope| {
            s.kind == Kind::Loop && label.as_ref().is_none_or(|l| s.label.as_ref() == Some(l))
        };
        let found = self.scopes.iter().rposition(is_meant).ok_or(Refused)?;
        Ok(match exit {
            Exit::Continue(_) => found + 1,
            _ => found,
        })
    }

    /// The masks that an exit to scope `target` changes.
    pub(super) fn left(&self, target: usize) -> Vec<usize> {
        (target..self.scopes.len())
            .filter(|k| self.scopes[*k].mask.is_some())
            .collect()
    }

    /// Writes a region: a loop over the lanes. `rest` are the names that are mentioned behind it, as long as what it
    /// declares is in scope. `note` asks for `__any`: whether any lane takes part in this scope.
    pub(super) fn flush(
        &mut self,
        region: &mut Region,
        rest: &Words,
        note: Option<usize>,
        out: &mut TokenStream,
    ) {
        let mut region = std::mem::take(region);
        if region.text.is_empty() {
            return;
        }
        let mut used = words(&region.text);
        let (mut load, mut store) = (TokenStream::new(), TokenStream::new());
        for (k, variable) in self.variables.iter().enumerate() {
            let (name, spelled) = (&variable.name, variable.name.to_string());
            if !used.contains(&spelled) || self.find(&spelled) != Some(k) {
                continue;
            }
            let value = format_ident!("__value_{k}");
            let (first, last) = match &variable.held {
                Held::Same => continue,
                Held::Given(lane) => (
                    quote!(let #name = __skel::lanes::lane(&#lane, __l);),
                    TokenStream::new(),
                ),
                Held::Var(lane) => (
                    quote!(let mut #name = __skel::lanes::get(&#lane, __l);),
                    quote!(__skel::lanes::set(&mut #lane, __l, #name);),
                ),
                Held::Lent(lane) => (
                    quote! {
                        let mut #value = __skel::lanes::get(&#lane, __l);
                        let mut #name = &mut #value;
                    },
                    quote!(__skel::lanes::set(&mut #lane, __l, #value);),
                ),
                Held::Generators(lane) => (
                    quote! {
                        let mut #value = #lane.get(__l);
                        let mut #name = &mut #value;
                    },
                    quote!(#lane.set(__l, &#value);),
                ),
            };
            load.extend(first);
            store.extend(region.changed.contains(&spelled).then_some(last));
        }
        let before = note.map(|k| {
            let on = bit(k);
            store.extend(quote!(__any |= #on;));
            used.insert(on.to_string());
            quote!(let mut __any = false;)
        });
        for (k, scope) in self.scopes.iter().enumerate() {
            let (Some(mask), on) = (&scope.mask, bit(k)) else {
                continue;
            };
            if region.opens != Some(k)
                && (used.contains(&on.to_string()) || region.masks.contains(&k))
            {
                load.extend(quote!(let mut #on = #mask.get(__l);));
            }
            if region.masks.contains(&k) {
                store.extend(quote!(#mask.set(__l, #on);));
            }
        }
        let news = std::mem::take(&mut region.news);
        for (k, new) in news.iter().enumerate() {
            if rest.contains(&new.to_string()) && !news[k + 1..].contains(new) {
                let lane = self.declare(new.clone());
                store.extend(quote!(__skel::lanes::set(&mut #lane, __l, #new);));
            }
        }
        let text = &region.text;
        out.extend(quote!(#before for __l in 0..__N { #load #text #store }));
    }
}
