//! Blocks: regions, and between them what is taken apart, which is loops and what contains them.

use super::{
    exits::{Exit, Exits},
    flow::{Done, Flow, Held, Kind, Refused, Region, Scope, Variable, bit},
    loops::span,
    risk::{Risk, assigns},
    simple::has_let,
    words::{Changes, Words, bound, words},
};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Block, Expr, ExprBreak, ExprIf, Ident, Local, LocalInit, Macro, Pat, Stmt, parse_quote,
    visit::{self, Visit},
};

/// What follows a block.
pub(super) struct Place<'a> {
    /// The names that may be read behind it.
    pub(super) after: &'a Words,
    /// What takes its value.
    pub(super) dest: Option<Ident>,
    /// The scope of which is asked whether any lane takes part still.
    pub(super) note: Option<usize>,
}

impl Flow<'_> {
    /// The statements of a block, which begins with what is in `region`. Whether `__any` was noted.
    pub(super) fn body(
        &mut self,
        stmts: &[Stmt],
        mut region: Region,
        place: &Place<'_>,
        out: &mut TokenStream,
    ) -> Done<bool> {
        let base = self.variables.len();
        // What is mentioned from each statement on.
        let mut rest = vec![Words::new()];
        for stmt in stmts.iter().rev() {
            let mut from = rest[rest.len() - 1].clone();
            from.extend(words(stmt));
            rest.push(from);
        }
        rest.reverse();
        let mut apart = false;
        for (k, stmt) in stmts.iter().enumerate() {
            let is_last = k + 1 == stmts.len();
            let mut after = rest[k + 1].clone();
            after.extend(place.after.iter().cloned());
            let dest = place.dest.as_ref().filter(|_| is_last);
            match stmt {
                Stmt::Item(item) => out.extend(quote!(#item)),
                Stmt::Expr(e, semi) if let Some(call) = self.call(e, &region) => {
                    apart = true;
                    let value = self.called(call, std::mem::take(&mut region), &rest[k], out)?;
                    if let Some(dest) = dest.filter(|_| semi.is_none()) {
                        self.value(&parse_quote!(#value), dest, false, false, &mut region)?;
                    }
                }
                Stmt::Local(local) if let Some(call) = self.call_of_local(local, &region) => {
                    apart = true;
                    let value = self.called(call, std::mem::take(&mut region), &rest[k], out)?;
                    bind(&local.pat, &value, &mut region)?;
                }
                Stmt::Expr(e, semi) if self.is_apart(e, &region) => {
                    apart = true;
                    let dest = dest.filter(|_| semi.is_none()).cloned();
                    self.apart(e, dest, region, (&rest[k], &after), out)?;
                    region = Region::default();
                }
                Stmt::Local(local)
                    if let Some(init) = &local.init
                        && init.diverge.is_none()
                        && is_value(&init.expr)
                        && self.is_apart(&init.expr, &region) =>
                {
                    apart = true;
                    let value = self.fresh("value");
                    self.declare(value.clone());
                    self.apart(
                        &init.expr,
                        Some(value.clone()),
                        region,
                        (&rest[k], &after),
                        out,
                    )?;
                    region = Region::default();
                    bind(&local.pat, &value, &mut region)?;
                }
                Stmt::Local(local) if self.is_same(local, &region) => {
                    let (pat, names) = (&local.pat, bound(&local.pat).unwrap_or_default());
                    for (name, _) in names {
                        if words(&region.text).contains(&name.to_string()) {
                            self.flush(&mut region, &rest[k], None, out);
                        }
                        self.variables.push(Variable {
                            name,
                            held: Held::Same,
                        });
                    }
                    let init = local.init.as_ref().map(|init| &init.expr);
                    out.extend(quote!(let #pat = #init;));
                }
                stmt => {
                    if let Stmt::Local(local) = stmt {
                        let names = bound(&local.pat).unwrap_or_default();
                        let hides = |changed: &Words| {
                            names
                                .iter()
                                .any(|(name, _)| changed.contains(&name.to_string()))
                        };
                        if hides(&region.changed) {
                            self.flush(&mut region, &rest[k], None, out);
                        }
                        let init = local.init.as_ref();
                        if let Some(init) = init
                            && hides(&Changes::of(&init.expr))
                        {
                            self.changes_and_hides(local, init, &rest[k], &mut region, out)?;
                            continue;
                        }
                    }
                    self.simple(stmt, dest, &mut region)?;
                }
            }
        }
        let note = place.note.filter(|_| !apart && !region.text.is_empty());
        self.flush(&mut region, &Words::new(), note, out);
        self.variables.truncate(base);
        Ok(note.is_some())
    }

    /// A `let` whose value changes the variable that its name hides: what is changed is put back first.
    fn changes_and_hides(
        &mut self,
        local: &Local,
        init: &LocalInit,
        rest: &Words,
        region: &mut Region,
        out: &mut TokenStream,
    ) -> Done {
        let names = bound(&local.pat).ok_or(Refused)?;
        if init.diverge.is_some() || matches!(*init.expr, Expr::Reference(_)) {
            return Err(Refused);
        }
        let (pat, value) = (&local.pat, self.fresh("value"));
        self.declare(value.clone());
        let stmt = Stmt::Expr((*init.expr).clone(), None);
        self.simple(&stmt, Some(&value), region)?;
        self.flush(region, rest, None, out);
        region.push(quote!(let #pat = #value;));
        region.news.extend(names.into_iter().map(|(name, _)| name));
        Ok(())
    }

    /// Whether a declaration gives all lanes the same, and may be run for none.
    pub(super) fn is_same(&self, local: &Local, region: &Region) -> bool {
        let Some(init) = &local.init else {
            return false;
        };
        let fixed =
            bound(&local.pat).is_some_and(|names| names.iter().all(|(_, mutable)| !mutable));
        let risk = Risk::of_expr(&init.expr);
        let plain = init.diverge.is_none() && !risk.refused && !assigns(&init.expr);
        fixed
            && plain
            && (!risk.gated || self.masked().is_none())
            && Exits::of_expr(&init.expr).is_empty()
            && self.is_uniform(&words(&init.expr), region)
    }

    /// Whether a statement is taken apart: a loop that has a lane-wise form, or what contains one.
    pub(super) fn is_apart(&self, e: &Expr, region: &Region) -> bool {
        match e {
            Expr::Loop(_) => true,
            Expr::While(e) => {
                !has_let(&e.cond)
                    && Exits::of_expr(&e.cond).is_empty()
                    && !assigns(&e.cond)
                    && !has_items(&e.body)
            }
            Expr::ForLoop(e) => {
                let names = bound(&e.pat);
                let same = self.is_uniform(&words(&e.expr), region);
                let fixed = names.is_some_and(|names| names.iter().all(|(_, mutable)| !mutable));
                let plain = Exits::of_expr(&e.expr).is_empty() && !assigns(&e.expr);
                plain && ((same && (fixed || is_reference(&e.pat))) || span(e).is_some())
            }
            Expr::If(e) => {
                let plain = !has_let(&e.cond)
                    && Exits::of_expr(&e.cond).is_empty()
                    && !assigns(&e.cond)
                    && !Risk::of_expr(&e.cond).refused;
                let other = e.else_branch.as_ref();
                let contains = self.block_is_apart(&e.then_branch, region)
                    || other.is_some_and(|(_, other)| self.is_apart(other, region));
                plain && contains
            }
            Expr::Block(e) => e.label.is_none() && self.block_is_apart(&e.block, region),
            e => self.call(e, region).is_some(),
        }
    }

    fn block_is_apart(&self, block: &Block, region: &Region) -> bool {
        block.stmts.iter().any(|stmt| match stmt {
            Stmt::Expr(e, _) => self.is_apart(e, region),
            Stmt::Local(local) => {
                let caught =
                    |init: &LocalInit| is_value(&init.expr) && self.is_apart(&init.expr, region);
                let calls = |init: &LocalInit| {
                    init.diverge.is_none() && self.call(&init.expr, region).is_some()
                };
                let init = local.init.as_ref();
                init.is_some_and(|init| calls(init) || caught(init))
            }
            _ => false,
        })
    }

    /// Takes a statement apart. `rest` are the names that are mentioned from it on, `after` those that may be read
    /// behind it.
    fn apart(
        &mut self,
        e: &Expr,
        dest: Option<Ident>,
        mut region: Region,
        (rest, after): (&Words, &Words),
        out: &mut TokenStream,
    ) -> Done {
        match e {
            Expr::If(e) => self.branch(e, dest, region, (rest, after), out),
            Expr::Block(e) => {
                self.flush(&mut region, rest, None, out);
                let place = Place {
                    after,
                    dest,
                    note: None,
                };
                // In a block of its own, since what gives all lanes the same, and items, keep their names.
                let mut inner = TokenStream::new();
                self.body(&e.block.stmts, Region::default(), &place, &mut inner)?;
                out.extend(quote!({ #inner }));
                Ok(())
            }
            e => {
                self.has_own = true;
                self.looped(e, dest, region, (rest, after), out)
            }
        }
    }

    fn branch(
        &mut self,
        e: &ExprIf,
        dest: Option<Ident>,
        mut region: Region,
        (rest, after): (&Words, &Words),
        out: &mut TokenStream,
    ) -> Done {
        let (cond, on) = (&e.cond, self.masked().map(bit));
        let (then, other) = (self.fresh("then"), self.fresh("else"));
        self.changes(cond, true, &mut region);
        let cond = match (&on, Risk::of_expr(cond).gated) {
            (Some(on), true) => quote!(#on && (#cond)),
            (Some(on), false) => quote!(#on & (#cond)),
            (None, _) => quote!(#cond),
        };
        let on = on.map_or_else(|| quote!(true), |on| quote!(#on));
        region.push(quote! {
            let __c = #cond;
            #then.set(__l, __c);
            #other.set(__l, #on & !__c);
        });
        out.extend(quote! {
            let mut #then = __skel::lanes::Mask::<__N>::all();
            let mut #other = __skel::lanes::Mask::<__N>::all();
        });
        self.flush(&mut region, rest, None, out);
        let mut live = after.clone();
        live.extend(e.else_branch.iter().flat_map(|(_, other)| words(other)));
        self.arm(
            &e.then_branch.stmts,
            &then,
            live,
            (dest.clone(), after),
            out,
        )?;
        match e.else_branch.as_ref().map(|(_, other)| &**other) {
            None => Ok(()),
            Some(Expr::Block(block)) => self.arm(
                &block.block.stmts,
                &other,
                after.clone(),
                (dest, after),
                out,
            ),
            Some(again) => {
                let stmts = [Stmt::Expr(again.clone(), None)];
                self.arm(&stmts, &other, after.clone(), (dest, after), out)
            }
        }
    }

    /// One side of a branch, for the lanes of `mask`.
    fn arm(
        &mut self,
        stmts: &[Stmt],
        mask: &Ident,
        live: Words,
        (dest, after): (Option<Ident>, &Words),
        out: &mut TokenStream,
    ) -> Done {
        self.scopes.push(Scope {
            kind: Kind::Branch,
            label: None,
            mask: Some(mask.clone()),
            live,
            outside: self.variables.len(),
            dest: None,
        });
        let (mut inner, place) = (
            TokenStream::new(),
            Place {
                after,
                dest,
                note: None,
            },
        );
        self.body(stmts, Region::default(), &place, &mut inner)?;
        self.scopes.pop();
        out.extend(quote!(if #mask.any() { #inner }));
        Ok(())
    }
}

/// Declares what has a value that was computed before.
fn bind(pat: &Pat, value: &Ident, region: &mut Region) -> Done {
    region.push(quote!(let #pat = #value;));
    let names = bound(pat).ok_or(Refused)?;
    region.news.extend(names.into_iter().map(|(name, _)| name));
    Ok(())
}

/// Whether the value of the expression can be caught, if it is taken apart.
fn is_value(e: &Expr) -> bool {
    matches!(e, Expr::If(_) | Expr::Block(_) | Expr::Loop(_)) && gives_value(e)
}

/// Whether some way through the expression ends with a value: of one that is `()`, or never comes, nothing tells the type.
pub(super) fn gives_value(e: &Expr) -> bool {
    let of_block = |block: &Block| match block.stmts.last() {
        Some(Stmt::Expr(e, None)) => gives_value(e),
        Some(Stmt::Macro(last)) => last.semi_token.is_none() && comes_back(&last.mac),
        _ => false,
    };
    match e {
        Expr::Block(e) => of_block(&e.block) || e.label.is_some() && breaks_with_value(&e.block),
        Expr::If(e) => {
            let other = e.else_branch.as_ref();
            of_block(&e.then_branch) || other.is_some_and(|(_, other)| gives_value(other))
        }
        Expr::Loop(e) => breaks_with_value(&e.body),
        Expr::Match(e) => e.arms.iter().any(|arm| gives_value(&arm.body)),
        Expr::Paren(e) => gives_value(&e.expr),
        Expr::Macro(e) => comes_back(&e.mac),
        e => !matches!(e, Expr::While(_) | Expr::ForLoop(_)) && Exit::of(e).is_none(),
    }
}

fn comes_back(mac: &Macro) -> bool {
    const PANICS: [&str; 4] = ["panic", "todo", "unimplemented", "unreachable"];
    let last = mac.path.segments.last();
    !last.is_some_and(|name| PANICS.iter().any(|panics| name.ident == panics))
}

fn breaks_with_value(body: &Block) -> bool {
    struct Breaks(bool);
    impl<'ast> Visit<'ast> for Breaks {
        fn visit_expr_break(&mut self, e: &'ast ExprBreak) {
            self.0 |= e.expr.is_some();
            visit::visit_expr_break(self, e);
        }
    }
    let mut breaks = Breaks(false);
    breaks.visit_block(body);
    breaks.0
}

/// Whether a block has items. Names of those in the body of a `while` are not what its condition means.
pub(super) fn has_items(block: &Block) -> bool {
    block.stmts.iter().any(|stmt| matches!(stmt, Stmt::Item(_)))
}

/// `&x`, as in `for &x in xs`.
fn is_reference(pat: &Pat) -> bool {
    matches!(pat, Pat::Reference(pat) if matches!(&*pat.pat, Pat::Ident(name) if name.mutability.is_none()))
}
