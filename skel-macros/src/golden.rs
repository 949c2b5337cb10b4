//! The expansion, pinned: what `tests/expand/NAME.in.rs` becomes is in `NAME.out.rs`.
//! `GOLDEN=overwrite cargo test -p skel-macros` rewrites the outputs; read the difference.

use crate::{derive, expand};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::{fs, path::Path};
use syn::{Item, visit_mut::VisitMut};

/// Expands the macros of skel in a file, as rustc would.
pub(crate) fn expanded(source: &str) -> String {
    let file = syn::parse_file(source).expect("the input is Rust");
    let items = file.items.into_iter().map(|mut item| {
        let attributes = match &mut item {
            Item::Fn(function) => &mut function.attrs,
            Item::Impl(block) => &mut block.attrs,
            Item::Trait(item) => &mut item.attrs,
            _ => &mut Vec::new(),
        };
        let ours = |a: &syn::Attribute| a.path().is_ident("user_function");
        if let Some(k) = attributes.iter().position(ours) {
            let attribute = attributes.remove(k);
            let options = match &attribute.meta {
                syn::Meta::List(list) => list.tokens.clone(),
                _ => TokenStream::new(),
            };
            return expand::user_function(options, item.to_token_stream());
        }
        Macros.visit_item_mut(&mut item);
        let derived = derives_element(&item).then(|| derive::element(item.to_token_stream()));
        quote!(#item #derived)
    });
    let file = syn::parse2(quote!(#(#items)*)).expect("the output is Rust");
    prettyplease::unparse(&file)
}

fn derives_element(item: &Item) -> bool {
    let (Item::Struct(syn::ItemStruct { attrs, .. }) | Item::Enum(syn::ItemEnum { attrs, .. })) =
        item
    else {
        return false;
    };
    let derives = attrs.iter().filter(|a| a.path().is_ident("derive"));
    derives.into_iter().any(|a| {
        let tokens = a.meta.to_token_stream().into_iter();
        tokens.flat_map(flat).any(|token| token == "Element")
    })
}

/// The words of a token.
fn flat(token: proc_macro2::TokenTree) -> Vec<String> {
    match token {
        proc_macro2::TokenTree::Group(group) => group.stream().into_iter().flat_map(flat).collect(),
        other => vec![other.to_string()],
    }
}

struct Macros;

impl VisitMut for Macros {
    fn visit_expr_mut(&mut self, e: &mut syn::Expr) {
        if let syn::Expr::Macro(call) = e {
            let name = call.mac.path.to_token_stream().to_string();
            let count = if name == "map_reduce" { 2 } else { 1 };
            let tokens = expand::skeleton(&name, count, count, call.mac.tokens.clone());
            *e = syn::parse2(tokens).expect("a skeleton macro makes an expression");
        } else {
            syn::visit_mut::visit_expr_mut(self, e);
        }
    }
}

#[test]
fn expansions_are_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/expand");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("the folder of goldens") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.to_str().and_then(|p| p.strip_suffix(".in.rs")) else {
            continue;
        };
        seen += 1;
        let output = format!("{name}.out.rs");
        let found = expanded(&fs::read_to_string(&path).expect("an input"));
        if std::env::var("GOLDEN").is_ok_and(|v| v == "overwrite") {
            fs::write(&output, &found).expect("writing a golden");
        }
        let expected = fs::read_to_string(&output).unwrap_or_default();
        assert!(
            found == expected,
            "{output} differs; the macro now writes\n{found}"
        );
    }
    assert!(seen >= 4, "{seen} inputs");
}
