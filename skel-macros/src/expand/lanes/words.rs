//! Which names a piece of the text mentions, and which variables it changes.

use crate::lower::is_plain_call;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::collections::HashSet;
use syn::{
    BinOp, Block, Expr, ExprAssign, ExprBinary, ExprMethodCall, ExprReference, Macro, Member, Pat,
    UnOp,
    visit::{self, Visit},
};

/// Names, as they are spelled: more may be there than variables, which only costs time.
pub(super) type Words = HashSet<String>;

/// All words of the tokens.
pub(super) fn words(tokens: &impl ToTokens) -> Words {
    let mut found = Words::new();
    collect(tokens.to_token_stream(), &mut found);
    found
}

fn collect(tokens: TokenStream, found: &mut Words) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => _ = found.insert(name.to_string()),
            TokenTree::Group(group) => collect(group.stream(), found),
            TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// The variables that an expression may change: those that are assigned to, lent by `&mut`, or receive a method
/// that is not built in.
#[derive(Default)]
pub(super) struct Changes(pub(super) Words);

impl Changes {
    /// Those of one expression.
    pub(super) fn of(e: &Expr) -> Words {
        let mut changes = Changes::default();
        changes.visit_expr(e);
        changes.0
    }

    /// Those of a block.
    pub(super) fn of_block(block: &Block) -> Words {
        let mut changes = Changes::default();
        changes.visit_block(block);
        changes.0
    }

    /// The variable that a place is a part of.
    fn root(&mut self, place: &Expr) {
        match place {
            Expr::Path(path) => self
                .0
                .extend(path.path.get_ident().map(ToString::to_string)),
            Expr::Field(field) => self.root(&field.base),
            Expr::Index(index) => self.root(&index.expr),
            Expr::Paren(inner) => self.root(&inner.expr),
            Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => self.root(&unary.expr),
            Expr::Tuple(parts) => parts.elems.iter().for_each(|part| self.root(part)),
            Expr::Array(parts) => parts.elems.iter().for_each(|part| self.root(part)),
            Expr::Call(call) => call.args.iter().for_each(|part| self.root(part)),
            Expr::Struct(parts) => {
                for field in &parts.fields {
                    match &field.member {
                        Member::Named(_) | Member::Unnamed(_) => self.root(&field.expr),
                    }
                }
            }
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Changes {
    fn visit_expr_assign(&mut self, e: &'ast ExprAssign) {
        self.root(&e.left);
        visit::visit_expr_assign(self, e);
    }

    fn visit_expr_binary(&mut self, e: &'ast ExprBinary) {
        if is_assignment(&e.op) {
            self.root(&e.left);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_reference(&mut self, e: &'ast ExprReference) {
        if e.mutability.is_some() {
            self.root(&e.expr);
        }
        visit::visit_expr_reference(self, e);
    }

    fn visit_expr_method_call(&mut self, e: &'ast ExprMethodCall) {
        if !is_plain_call(e) {
            self.root(&e.receiver);
        }
        visit::visit_expr_method_call(self, e);
    }

    /// What a macro is given are tokens: any of the names may be changed in it.
    fn visit_macro(&mut self, mac: &'ast Macro) {
        self.0.extend(words(&mac.tokens));
    }
}

/// Whether it is `+=` or its like.
pub(super) fn is_assignment(op: &BinOp) -> bool {
    matches!(
        op,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

/// The names that a pattern binds; nothing if it is one that may also be a constant, or of another kind.
pub(super) fn bound(pat: &Pat) -> Option<Vec<(syn::Ident, bool)>> {
    let mut names = Vec::new();
    bind(pat, &mut names).then_some(names)
}

fn bind(pat: &Pat, names: &mut Vec<(syn::Ident, bool)>) -> bool {
    match pat {
        Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
            names.push((name.ident.clone(), name.mutability.is_some()));
            true
        }
        Pat::Tuple(tuple) => tuple.elems.iter().all(|part| bind(part, names)),
        Pat::TupleStruct(parts) => parts.elems.iter().all(|part| bind(part, names)),
        Pat::Slice(slice) => slice.elems.iter().all(|part| bind(part, names)),
        Pat::Struct(parts) => parts.fields.iter().all(|field| bind(&field.pat, names)),
        Pat::Type(typed) => bind(&typed.pat, names),
        Pat::Paren(inner) => bind(&inner.pat, names),
        Pat::Wild(_) | Pat::Rest(_) => true,
        _ => false,
    }
}
