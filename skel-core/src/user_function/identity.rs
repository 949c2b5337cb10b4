//! `fn(x: T) -> T { x }`.

use crate::{
    Element,
    ir::{
        Imp, Mode,
        build::{Cx, Source},
    },
};

/// Builds the function that gives back its argument.
pub fn identity_function<T: Element>(cx: &mut Cx) -> Imp {
    struct Identity;
    cx.define::<(Identity, T)>("itself", |_| Source {
        file: file!(),
        params: vec![(T::ty(), Mode::In)],
        ret: T::ty(),
        fast_math: false,
        text: "(fn (x) (v 0))",
        types: Vec::new(),
        constants: Vec::new(),
        imps: Vec::new(),
        messages: Vec::new(),
    })
}
