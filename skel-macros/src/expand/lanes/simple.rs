//! Statements that are not taken apart: they stand in a region as the user wrote them, behind the mask where they
//! must.

use super::{
    body::gives_value,
    exits::{Exit, Exits, Replace},
    flow::{Done, Flow, Refused, Region, bit},
    risk::{Risk, assigns},
    words::{Changes, Words, bound, words},
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprIf, Ident, Local, Pat, Stmt, parse_quote, visit_mut::VisitMut};

impl Flow<'_> {
    /// A statement; `dest` takes the value of the last one of a block.
    pub(super) fn simple(
        &mut self,
        stmt: &Stmt,
        dest: Option<&Ident>,
        region: &mut Region,
    ) -> Done {
        let risk = Risk::of_stmt(stmt);
        if risk.refused {
            return Err(Refused);
        }
        let leaves = !Exits::of_stmt(stmt).is_empty();
        match stmt {
            Stmt::Local(local) => self.local(local, leaves, risk.gated, region),
            Stmt::Expr(e, None)
                if let Some(dest) = dest
                    && Exit::of(e).is_none() =>
            {
                self.value(e, dest, leaves, risk.gated, region)
            }
            Stmt::Expr(e, _) if leaves => self.leaving(e, region),
            Stmt::Expr(e, _) => self.effect(e, risk.gated, region),
            Stmt::Macro(stmt) => {
                let mac = stmt.mac.clone();
                let e = Expr::Macro(syn::ExprMacro {
                    attrs: Vec::new(),
                    mac,
                });
                self.effect(&e, true, region)
            }
            Stmt::Item(_) => Err(Refused),
        }
    }

    /// Notes what an expression changes; the variables among it that idle lanes must keep.
    pub(super) fn changes(&self, e: &Expr, gated: bool, region: &mut Region) -> Vec<usize> {
        let (mut names, mentioned) = (Changes::of(e), words(e));
        // What a later variable hides cannot be mentioned.
        let is_reference = |name: &String| {
            self.find(name)
                .is_some_and(|k| self.variables[k].held.by_ref())
        };
        let lent: Words = match gated {
            true => mentioned.into_iter().filter(is_reference).collect(),
            false => Words::new(),
        };
        names.extend(lent);
        let mut kept = Vec::new();
        for name in names {
            if let Some(k) = self.find(&name)
                && !region.declares(&name)
            {
                // Where all lanes have the same, it cannot be changed: another variable of that name was.
                if self.variables[k].held.lane().is_some() && self.keeps(k) {
                    kept.push(k);
                }
                region.changed.insert(name);
            }
        }
        kept.sort_unstable();
        kept
    }

    fn effect(&mut self, e: &Expr, gated: bool, region: &mut Region) -> Done {
        let kept = self.changes(e, gated, region);
        let Some(on) = self.masked().map(bit) else {
            region.push(quote!(#e;));
            return Ok(());
        };
        if gated {
            region.push(quote!(if #on { #e; }));
            return Ok(());
        }
        let (mut before, mut after) = (TokenStream::new(), TokenStream::new());
        for k in kept {
            let variable = &self.variables[k];
            let (name, old) = (&variable.name, quote::format_ident!("__old_{k}"));
            let place = if variable.held.by_ref() {
                quote!(*#name)
            } else {
                quote!(#name)
            };
            before.extend(quote!(let #old = #place;));
            after.extend(quote!(#place = __skel::lanes::pick(#on, #place, #old);));
        }
        region.push(quote!(#before #e; #after));
        Ok(())
    }

    /// The value of a block.
    pub(super) fn value(
        &mut self,
        e: &Expr,
        dest: &Ident,
        leaves: bool,
        gated: bool,
        region: &mut Region,
    ) -> Done {
        region.changed.insert(dest.to_string());
        self.changes(e, gated, region);
        let Some(on) = self.masked().map(bit) else {
            region.push(quote!(#dest = #e;));
            return Ok(());
        };
        let text = if leaves {
            let (text, label) = self.replaced(e, &quote!(), region)?;
            quote!(if #on { #label: { #dest = #text; } })
        } else if gated || assigns(e) {
            quote!(if #on { #dest = #e; })
        } else {
            quote!({ let __value = #e; #dest = __skel::lanes::pick(#on, __value, #dest); })
        };
        region.push(text);
        Ok(())
    }

    fn local(&mut self, local: &Local, leaves: bool, gated: bool, region: &mut Region) -> Done {
        let (pat, names) = (&local.pat, bound(&local.pat).ok_or(Refused)?);
        let on = self.masked().map(bit);
        let idle = quote!(__skel::lanes::idle());
        match &local.init {
            None => {
                let mut pat = pat.clone();
                let inner = match &mut pat {
                    Pat::Type(typed) => &mut *typed.pat,
                    other => other,
                };
                let Pat::Ident(name) = inner else {
                    return Err(Refused);
                };
                name.mutability = Some(parse_quote!(mut));
                region.push(quote!(let #pat = #idle;));
            }
            Some(init) => {
                let e = &*init.expr;
                if leaves && !gives_value(e) {
                    return Err(Refused);
                }
                self.changes(e, gated, region);
                let alone = gated || assigns(e);
                let text = match on {
                    Some(on) if leaves => {
                        let (text, label) = self.replaced(e, &idle, region)?;
                        quote!(let #pat = #label: { if !#on { break #label #idle; } #text };)
                    }
                    Some(on) if alone => quote!(let #pat = if #on { #e } else { #idle };),
                    _ => quote!(let #pat = #e;),
                };
                region.push(text);
            }
        }
        region.news.extend(names.into_iter().map(|(name, _)| name));
        Ok(())
    }

    /// A statement that some lanes leave by.
    fn leaving(&mut self, e: &Expr, region: &mut Region) -> Done {
        let on = bit(self.masked().ok_or(Refused)?);
        if let Some((exit, value)) = Exit::of(e)
            && value.is_none_or(|v| Exits::of_expr(v).is_empty())
        {
            let left = self.exit(&exit, value, &quote!(__c), region)?;
            region.push(quote!({ let __c = #on; #left }));
            return Ok(());
        }
        if let Expr::If(branch) = e
            && let Some((before, exit, value)) = guarded(branch)
        {
            let (cond, risk) = (&branch.cond, Risk::of_expr(&branch.cond));
            let cond = match risk.gated {
                true => quote!(#on && (#cond)),
                false => quote!(#on & (#cond)),
            };
            self.changes(e, true, region);
            if before.is_empty() {
                let left = self.exit(&exit, value, &quote!(__c), region)?;
                region.push(quote!({ let __c = #cond; #left }));
            } else {
                let taken = self.taken(&exit, value, region)?;
                let left = self.exit(&exit, None, &quote!(__c), region)?;
                region.push(quote!({ let __c = #cond; if __c { #(#before)* #taken } #left }));
            }
            return Ok(());
        }
        self.changes(e, true, region);
        let (text, label) = self.replaced(e, &quote!(), region)?;
        region.push(quote!(if #on { #label: { #text; } }));
        Ok(())
    }

    /// Where the value of an exit goes.
    fn taken(&self, exit: &Exit, value: Option<&Expr>, region: &mut Region) -> Done<TokenStream> {
        let dest = &self.scopes[self.target(exit)?].dest;
        Ok(match (value, dest) {
            (Some(value), Some(dest)) => {
                region.changed.insert(dest.to_string());
                quote!(#dest = #value;)
            }
            (Some(value), None) => quote!(let _ = #value;),
            (None, _) => quote!(),
        })
    }

    /// Lanes for which `c` holds leave by this exit.
    fn exit(
        &mut self,
        exit: &Exit,
        value: Option<&Expr>,
        c: &TokenStream,
        region: &mut Region,
    ) -> Done<TokenStream> {
        let target = self.target(exit)?;
        let taken = self.taken(exit, value, region)?;
        let plain = value.is_some_and(|v| !Risk::of_expr(v).gated && !assigns(v));
        let taken = match (value, &self.scopes[target].dest) {
            (None, _) => quote!(),
            (Some(value), Some(dest)) if plain => {
                quote!({ let __value = #value; #dest = __skel::lanes::pick(#c, __value, #dest); })
            }
            (Some(value), _) => {
                self.changes(value, true, region);
                quote!(if #c { #taken })
            }
        };
        let left = self.left(target);
        region.masks.extend(&left);
        let left = left.into_iter().map(bit);
        Ok(quote!(#taken #(#left &= !#c;)*))
    }

    /// The expression, whose exits end a labelled block around it, which they give `value`.
    fn replaced(
        &mut self,
        e: &Expr,
        value: &TokenStream,
        region: &mut Region,
    ) -> Done<(TokenStream, TokenStream)> {
        let (mut e, label) = (e.clone(), quote!('__skel_go));
        let mut failed = false;
        let mut by = |exit: Exit, taken: Option<Expr>| {
            let text = self.target(&exit).and_then(|target| {
                let taken = self.taken(&exit, taken.as_ref(), region)?;
                let left = self.left(target);
                region.masks.extend(&left);
                let left = left.into_iter().map(bit);
                Ok(quote!({ #taken #(#left = false;)* break #label #value; }))
            });
            text.unwrap_or_else(|Refused| {
                failed = true;
                quote!(loop {})
            })
        };
        Replace::new(&mut by).visit_expr_mut(&mut e);
        match failed {
            true => Err(Refused),
            false => Ok((e.into_token_stream(), label)),
        }
    }
}

/// `if c { …; exit }`: what stands before the exit, the exit, and its value.
fn guarded(e: &ExprIf) -> Option<(&[Stmt], Exit, Option<&Expr>)> {
    let (last, before) = e.then_branch.stmts.split_last()?;
    let Stmt::Expr(last, _) = last else {
        return None;
    };
    let (exit, value) = Exit::of(last)?;
    let plain = e.else_branch.is_none()
        && !has_let(&e.cond)
        && Exits::of_expr(&e.cond).is_empty()
        && !assigns(&e.cond)
        && before.iter().all(|stmt| Exits::of_stmt(stmt).is_empty())
        && value.is_none_or(|value| Exits::of_expr(value).is_empty());
    plain.then_some((before, exit, value))
}

/// Whether a condition binds names: `if let` and its like.
pub(super) fn has_let(cond: &Expr) -> bool {
    match cond {
        Expr::Let(_) => true,
        Expr::Binary(e) => has_let(&e.left) || has_let(&e.right),
        Expr::Paren(e) => has_let(&e.expr),
        _ => false,
    }
}
