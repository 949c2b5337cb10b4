//! Items inside of a body: functions, constants, `use`.
//!
//! A function inside is a user function of its own. In the probe its marker stands beside it, so its
//! name finds it as everywhere. Constants are evaluated outside of the probe; so the items around a
//! constant's use come along.

use super::Lower;
use crate::ast::spelling;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Block, Ident, Item, ItemFn, Stmt, UseTree};

impl Lower<'_> {
    /// Makes the items of a block known to the whole block. To be called in the block's scope;
    /// [`Lower::leave_items`] undoes it. What rustc should see of them.
    pub(super) fn enter_items(&mut self, block: &Block) -> Vec<TokenStream> {
        let mut probes = Vec::new();
        let mut around = TokenStream::new();
        let mut functions = Vec::new();
        for stmt in &block.stmts {
            let Stmt::Item(item) = stmt else { continue };
            match item {
                Item::Fn(function) => {
                    self.hide_variable(&function.sig.ident);
                    let function = without_our_attribute(function);
                    if function.sig.constness.is_some() {
                        function.to_tokens(&mut around);
                    }
                    functions.push(item);
                    continue;
                }
                Item::Const(constant) => self.hide_variable(&constant.ident),
                Item::Static(constant) => self.hide_variable(&constant.ident),
                Item::Use(used) => self.hide_used(&used.tree),
                Item::Type(_) => {}
                Item::Macro(own) => {
                    self.report.at(
                        &own.mac.path,
                        "a user function sees no macro, so write out what it says",
                    );
                    continue;
                }
                Item::Struct(_) | Item::Enum(_) | Item::Union(_) => {
                    self.report.at(
                        item,
                        "types are not possible inside of a user function: put it beside the function",
                    );
                    continue;
                }
                _ => {
                    self.report.at(
                        item,
                        "only functions, constants and `use` are possible inside of a user function: put it beside the function",
                    );
                    continue;
                }
            }
            item.to_tokens(&mut around);
            probes.push(item.to_token_stream());
        }
        self.items.push(around);
        for item in functions {
            if let Item::Fn(function) = item {
                let (probe, report) = crate::expand::inner_function(function, &self.root);
                self.report.join(report);
                probes.push(probe);
            }
        }
        probes
    }

    pub(super) fn leave_items(&mut self) {
        self.items.pop();
    }

    /// An expression of the builder, with the items in whose scope it stood in the body.
    pub(super) fn among_items(&self, tokens: TokenStream) -> TokenStream {
        let levels = self.items.iter().rev().filter(|items| !items.is_empty());
        levels.fold(tokens, |inner, items| quote!({ #items #inner }))
    }

    fn hide_variable(&mut self, name: &Ident) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(spelling(name), None);
        }
    }

    fn hide_used(&mut self, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.hide_used(&path.tree),
            UseTree::Name(name) => self.hide_variable(&name.ident),
            UseTree::Rename(rename) => self.hide_variable(&rename.rename),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.hide_used(tree);
                }
            }
            UseTree::Glob(_) => {}
        }
    }
}

/// The function as rustc would see it if our attribute was not there.
pub(crate) fn without_our_attribute(function: &ItemFn) -> ItemFn {
    let mut function = function.clone();
    function.attrs.retain(|a| {
        let last = a.path().segments.last();
        last.is_none_or(|s| s.ident != "user_function")
    });
    function
}
