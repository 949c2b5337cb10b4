//! The IR builder: slots, the probe that is never called, and the `Source`.

use crate::{
    ast::Param,
    lower::{Body, Lower},
};
use proc_macro2::TokenStream;
use quote::quote;

/// The statements of a builder; the last is a `Source`.
///
/// The probe begins with `loop {};`: what follows is unreachable, so that rustc checks its types but
/// neither borrows nor initialisation. The user's function itself is checked for those, and slots
/// may take everything by value.
pub(super) fn builder(
    lower: &Lower<'_>,
    body: &Body,
    params: &[Param],
    fast_math: bool,
    probe_output: &TokenStream,
    output: &TokenStream,
    probe: &TokenStream,
) -> TokenStream {
    let Lower {
        declarations,
        types,
        constants,
        imps,
        messages,
        ..
    } = lower;
    let scope = lower.calls_members.then(|| {
        quote!(
            use __skel::scope::*;
        )
    });
    let text = &body.text;
    let parameters = params.iter().map(Param::declaration);
    let entries = params.iter().map(Param::ir_tokens);
    quote! {
        #scope
        #(#declarations)*
        let _ = |#(#parameters),*| -> #probe_output { loop {}; #probe };
        __skel::Source {
            file: __skel::core::file!(),
            params: __skel::std::vec![#(#entries),*],
            ret: #output,
            fast_math: #fast_math,
            mathematics: __skel::mathematics,
            text: #text,
            types: __skel::std::vec![#(#types),*],
            constants: __skel::std::vec![#(#constants),*],
            imps: __skel::std::vec![#(#imps),*],
            messages: __skel::std::vec![#(#messages),*],
        }
    }
}
