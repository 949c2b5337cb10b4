//! What a signature must not have, and attributes inside a body.

use crate::{
    ast::{Function, Kind, Method, Param, function_bound, spelling},
    report::Report,
};
use quote::ToTokens;
use syn::{
    Attribute, Block, ExprClosure, GenericParam, Generics, ImplItem, ItemFn, ItemImpl, ItemTrait,
    Signature, TraitItem, Type, WherePredicate, visit::Visit,
};

/// As many parameters as `skel_core::param` has tuples for.
pub(crate) const MAX_PARAMS: usize = 12;

/// Checks the signature of a function.
pub(crate) fn signature(function: &Function, report: &mut Report) {
    let ItemFn { sig, .. } = &function.item;
    plain(sig, report);
    if crate::ast::PRIMITIVES.contains(&spelling(&sig.ident).as_str()) {
        report.at(
            &sig.ident,
            "the marker beside this function would hide the type of that name: rename it",
        );
    }
    generics(&sig.generics, report);
    params(&function.params, report);
    if let syn::ReturnType::Type(_, ty) = &sig.output {
        crate::ast::supported_type(ty, report);
    }
    attributes(&function.item.block, report);
}

/// Checks the signature of a method.
pub(crate) fn method(method: &Method, report: &mut Report) {
    plain(&method.sig, report);
    generics(&method.sig.generics, report);
    if let syn::ReturnType::Type(_, ty) = &method.sig.output {
        crate::ast::supported_type(ty, report);
    }
}

/// Checks what stands before the `{` of an `impl` block, and attributes inside its functions.
pub(crate) fn implementation(item: &ItemImpl, report: &mut Report) {
    generics(&item.generics, report);
    if let Some(token) = &item.unsafety {
        report.at(
            token,
            "an `unsafe impl` has no device form: leave out #[user_function]",
        );
    }
    if let Some(token) = &item.modifiers.polarity {
        report.at(
            token,
            "this block says what is not: leave out #[user_function]",
        );
    }
    if let Type::Reference(_) = &*item.self_ty {
        report.at(
            &item.self_ty,
            "devices have no references: write the block for the type itself",
        );
    }
    for inner in &item.items {
        if let ImplItem::Fn(function) = inner {
            attributes(&function.block, report);
        }
    }
}

/// Checks the head of a trait, and attributes inside its functions.
pub(crate) fn trait_item(item: &ItemTrait, report: &mut Report) {
    generics(&item.generics, report);
    if let Some(token) = &item.unsafety {
        report.at(
            token,
            "an `unsafe trait` has no device form: leave out #[user_function]",
        );
    }
    for inner in &item.items {
        if let TraitItem::Fn(function) = inner
            && let Some(block) = &function.default
        {
            attributes(block, report);
        }
    }
}

fn plain(sig: &Signature, report: &mut Report) {
    let plain = "a user function is a plain `fn`: leave this out";
    if let Some(token) = &sig.asyncness {
        report.at(token, plain);
    }
    if let Some(token) = &sig.abi {
        report.at(token, plain);
    }
    if !sig.safety.to_token_stream().is_empty() {
        report.at(&sig.safety, plain);
    }
    if let Some(token) = &sig.variadic {
        report.at(token, plain);
    }
}

fn generics(generics: &Generics, report: &mut Report) {
    for param in &generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                report.at(
                    lifetime,
                    "a user function has no references with lifetimes: leave this out",
                );
            }
            GenericParam::Const(constant) => {
                let float = |ty| matches!(ty, "f32" | "f64");
                if crate::ast::is_primitive(&constant.ty).is_none_or(float) {
                    report.at(
                        &constant.ty,
                        "a const parameter is an integer of at most 64 bits, or `bool`",
                    );
                }
            }
            GenericParam::Type(ty) => {
                if let Some(message) = function_bound(&ty.bounds) {
                    report.at(&ty.bounds, message);
                }
            }
        }
    }
    let clauses = generics
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    for predicate in clauses {
        if let WherePredicate::Type(predicate) = predicate
            && let Some(message) = function_bound(&predicate.bounds)
        {
            report.at(&predicate.bounds, message);
        }
    }
}

/// Checks a closure as a whole.
pub(crate) fn closure(
    closure: &ExprClosure,
    parameters: &[Param],
    block: &Block,
    report: &mut Report,
) {
    if let Some(token) = &closure.capture {
        report.at(
            token,
            "a closure given to a skeleton captures nothing: leave out `move`",
        );
    }
    if let Some(token) = &closure.asyncness {
        report.at(
            token,
            "a closure given to a skeleton is a plain one: leave this out",
        );
    }
    if let syn::ReturnType::Type(_, ty) = &closure.output {
        crate::ast::supported_type(ty, report);
    }
    params(parameters, report);
    attributes(block, report);
}

fn params(params: &[Param], report: &mut Report) {
    for second in params.iter().filter(|p| p.kind == Kind::Index).skip(1) {
        report.at(
            &second.ty,
            "a user function has one index parameter at most",
        );
    }
    for second in params.iter().filter(|p| p.kind == Kind::Random).skip(1) {
        report.at(
            &second.ty,
            "a user function has one generator at most: draw several numbers from it",
        );
    }
    let passed: Vec<&Param> = params.iter().filter(|p| p.kind.is_passed()).collect();
    if let Some(first) = passed.get(MAX_PARAMS) {
        report.at(
            &first.name,
            format!("a user function has {MAX_PARAMS} parameters at most"),
        );
    }
}

/// Conditional compilation inside of a body would be lost on the way to the IR.
fn attributes(block: &Block, report: &mut Report) {
    struct Attributes<'a>(&'a mut Report);
    impl<'ast> Visit<'ast> for Attributes<'_> {
        fn visit_attribute(&mut self, attribute: &'ast Attribute) {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.0.at(
                    attribute,
                    "conditional compilation is possible on whole user functions only",
                );
            }
        }
    }
    Attributes(report).visit_block(block);
}
