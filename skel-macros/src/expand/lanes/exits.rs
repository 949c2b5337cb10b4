//! `break`, `continue` and `return`, as far as they leave a piece of the text.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Block, Expr, ExprBlock, ExprForLoop, ExprLoop, ExprWhile, Item, Label, Stmt,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

/// Where an exit goes. Labels are spelled without their apostrophe.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Exit {
    Return,
    Break(Option<String>),
    Continue(Option<String>),
}

impl Exit {
    /// An exit and the value that it takes along, if the expression is one.
    pub(super) fn of(e: &Expr) -> Option<(Exit, Option<&Expr>)> {
        let name = |label: &Option<syn::Lifetime>| label.as_ref().map(|l| l.ident.to_string());
        match e {
            Expr::Return(e) => Some((Exit::Return, e.expr.as_deref())),
            Expr::Break(e) => Some((Exit::Break(name(&e.label)), e.expr.as_deref())),
            Expr::Continue(e) => Some((Exit::Continue(name(&e.label)), None)),
            _ => None,
        }
    }
}

/// What encloses the place that is looked at, within the piece.
#[derive(Default)]
struct Within {
    loops: usize,
    labels: Vec<String>,
}

impl Within {
    fn enter(&mut self, label: Option<&Label>, is_loop: bool) {
        self.loops += usize::from(is_loop);
        self.labels
            .push(label.map(|l| l.name.ident.to_string()).unwrap_or_default());
    }

    fn leave(&mut self, is_loop: bool) {
        self.loops -= usize::from(is_loop);
        self.labels.pop();
    }

    /// Whether an exit from here goes beyond the piece.
    fn leaves(&self, exit: &Exit) -> bool {
        match exit {
            Exit::Return => true,
            Exit::Break(None) | Exit::Continue(None) => self.loops == 0,
            Exit::Break(Some(label)) | Exit::Continue(Some(label)) => !self.labels.contains(label),
        }
    }
}

/// The exits that leave a piece of the text.
#[derive(Default)]
pub(super) struct Exits {
    within: Within,
    found: Vec<Exit>,
}

impl Exits {
    pub(super) fn of_stmt(stmt: &Stmt) -> Vec<Exit> {
        let mut exits = Exits::default();
        exits.visit_stmt(stmt);
        exits.found
    }

    pub(super) fn of_expr(e: &Expr) -> Vec<Exit> {
        let mut exits = Exits::default();
        exits.visit_expr(e);
        exits.found
    }

    pub(super) fn of_block(block: &Block) -> Vec<Exit> {
        let mut exits = Exits::default();
        exits.visit_block(block);
        exits.found
    }
}

impl<'ast> Visit<'ast> for Exits {
    fn visit_expr(&mut self, e: &'ast Expr) {
        if let Some((exit, _)) = Exit::of(e)
            && self.within.leaves(&exit)
        {
            self.found.push(exit);
        }
        visit::visit_expr(self, e);
    }

    fn visit_expr_loop(&mut self, e: &'ast ExprLoop) {
        self.within.enter(e.label.as_ref(), true);
        visit::visit_expr_loop(self, e);
        self.within.leave(true);
    }

    fn visit_expr_while(&mut self, e: &'ast ExprWhile) {
        self.within.enter(e.label.as_ref(), true);
        visit::visit_expr_while(self, e);
        self.within.leave(true);
    }

    fn visit_expr_for_loop(&mut self, e: &'ast ExprForLoop) {
        // What the loop goes over is computed before it.
        self.visit_expr(&e.expr);
        self.within.enter(e.label.as_ref(), true);
        self.visit_block(&e.body);
        self.within.leave(true);
    }

    fn visit_expr_block(&mut self, e: &'ast ExprBlock) {
        self.within.enter(e.label.as_ref(), false);
        visit::visit_expr_block(self, e);
        self.within.leave(false);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// Writes something else for each exit that leaves the piece.
pub(super) struct Replace<'f> {
    within: Within,
    by: &'f mut dyn FnMut(Exit, Option<Expr>) -> TokenStream,
}

impl<'f> Replace<'f> {
    pub(super) fn new(by: &'f mut dyn FnMut(Exit, Option<Expr>) -> TokenStream) -> Self {
        Replace {
            within: Within::default(),
            by,
        }
    }
}

impl VisitMut for Replace<'_> {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        let Some((exit, value)) = Exit::of(e) else {
            return;
        };
        if self.within.leaves(&exit) {
            let value = value.cloned();
            *e = Expr::Verbatim((self.by)(exit, value).into_token_stream());
        }
    }

    fn visit_expr_loop_mut(&mut self, e: &mut ExprLoop) {
        self.within.enter(e.label.as_ref(), true);
        visit_mut::visit_expr_loop_mut(self, e);
        self.within.leave(true);
    }

    fn visit_expr_while_mut(&mut self, e: &mut ExprWhile) {
        self.within.enter(e.label.as_ref(), true);
        visit_mut::visit_expr_while_mut(self, e);
        self.within.leave(true);
    }

    fn visit_expr_for_loop_mut(&mut self, e: &mut ExprForLoop) {
        self.visit_expr_mut(&mut e.expr);
        self.within.enter(e.label.as_ref(), true);
        self.visit_block_mut(&mut e.body);
        self.within.leave(true);
    }

    fn visit_expr_block_mut(&mut self, e: &mut ExprBlock) {
        self.within.enter(e.label.as_ref(), false);
        visit_mut::visit_expr_block_mut(self, e);
        self.within.leave(false);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}
