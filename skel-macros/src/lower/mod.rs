//! The body of a user function, in one walk: *probe* tokens, which rustc type-checks, and text, which
//! `skel_core::ir::build` reads.
//!
//! Most of the probe is what the user wrote. Where a type is not evident, the expression passes
//! through a slot, and the text names the slot's type by number:
//!
//! | construct | probe | text |
//! |---|---|---|
//! | literal beside a value of evident type | as is | `(lit ^ 2.0)` |
//! | other literal | `s.put(2.0)` | `(lit 0 2.0)` |
//! | `a + b`, both evidently scalar | as is | `(b + - a b)` |
//! | other `a + b` | `w.l(a) + w.r(b)` | `(b + 0 a b)` |
//! | `x.sqrt()`, evidently scalar | as is | `(m sqrt - x)` |
//! | other `x.sqrt()` | `s.put(x).sqrt()` | `(m sqrt 0 x)` |
//! | `f(a)` | `f::__probe(&c)(a)` | `(c 0 a)` |
//! | `m.rows()` | as is | `(extent rows m)` |
//! | `rng.next_u32()` | as is | `(draw 0 rng)` |
//! | path that is no variable | as is | `(k 0)` |
//!
//! Everything else is as is, and typed from its parts. Names are resolved here: the text knows
//! variables by number.

mod assertion;
mod bare;
mod call;
mod control;
mod data;
mod elements;
mod expr;
mod for_loop;
mod generic_literal;
mod item;
mod label;
mod literal;
mod matching;
mod methods;
mod operator;
mod own;
mod pattern;
mod reference;
mod refuse;
mod sexp;
mod stmt;
mod unpack;
mod view;
mod window;

pub(crate) use data::constructor;
pub(crate) use item::without_our_attribute;
pub(crate) use operator::variable_name;
pub(crate) use own::{apart_from_generics, is_associated};
pub(crate) use sexp::Sexp;

use crate::{
    ast::{Kind, Param, Reach, is_primitive, reach_of, spelling},
    report::Report,
};
pub(crate) use methods::{class_of, is_plain, is_plain_call};
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::HashMap;
use syn::{Block, Generics, Ident, Type, spanned::Spanned};
pub(crate) use view::is_draw;

/// What the macro itself can tell of an expression's type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Evident {
    /// Nothing.
    Nothing,
    /// A primitive number.
    Number,
    /// `bool`.
    Bool,
    /// An array of primitive numbers.
    Numbers,
    /// An array of `bool`.
    Bools,
}

impl Evident {
    fn of(ty: &Type) -> Evident {
        if let Type::Array(array) = ty {
            return Evident::of(&array.elem).elements();
        }
        match is_primitive(ty) {
            None => Evident::Nothing,
            Some("bool") => Evident::Bool,
            Some(_) => Evident::Number,
        }
    }

    fn is_scalar(self) -> bool {
        matches!(self, Evident::Number | Evident::Bool)
    }

    /// Of an array of such elements.
    fn elements(self) -> Evident {
        match self {
            Evident::Number => Evident::Numbers,
            Evident::Bool => Evident::Bools,
            _ => Evident::Nothing,
        }
    }

    /// Of an element.
    fn element(self) -> Evident {
        match self {
            Evident::Numbers => Evident::Number,
            Evident::Bools => Evident::Bool,
            _ => Evident::Nothing,
        }
    }

    /// Of a value that is one of two.
    fn either(self, other: Evident) -> Evident {
        if self == other {
            self
        } else {
            Evident::Nothing
        }
    }
}

/// A lowered expression.
pub(crate) struct Lowered {
    pub(crate) probe: TokenStream,
    pub(crate) text: Sexp,
    pub(crate) evident: Evident,
}

/// A variable in scope.
#[derive(Clone, Copy)]
struct Variable {
    number: usize,
    evident: Evident,
    /// A `&mut` parameter: stands behind `*`, before `.`, and as an argument only.
    by_mut: bool,
    /// A parameter `&T` of a method, or an element by reference: a value to the IR.
    by_ref: bool,
}

/// What surrounds the body.
pub(crate) enum Context<'a> {
    /// A function: its name and its generics.
    Function(&'a Ident, &'a Generics),
    /// A method of an `impl` block or a trait: its name, unless `self.name()` may mean another one;
    /// the generics of both.
    Method(Option<&'a Ident>, &'a Generics),
    /// A closure.
    Closure,
}

/// The state of the walk, and its results.
pub(crate) struct Lower<'a> {
    context: Context<'a>,
    /// What names mean, innermost last; an item of that name hides a variable.
    scopes: Vec<HashMap<String, Option<Variable>>>,
    /// The items of the blocks around, outermost first.
    items: Vec<TokenStream>,
    /// Where `skel::__private` is, for functions inside.
    root: TokenStream,
    variables: usize,
    /// The loops and labelled blocks around, innermost last.
    loops: Vec<label::OpenLoop>,
    loop_count: usize,
    slots: usize,
    /// `let` statements that make the slots.
    pub(crate) declarations: Vec<TokenStream>,
    /// Expressions of the builder, by number: types,
    pub(crate) types: Vec<TokenStream>,
    /// constants,
    pub(crate) constants: Vec<TokenStream>,
    /// and what implements what.
    pub(crate) imps: Vec<TokenStream>,
    /// What the panics of the body say.
    pub(crate) messages: Vec<String>,
    /// Whether functions of types are called: some are in traits of ours.
    pub(crate) calls_members: bool,
    pub(crate) report: Report,
    /// Variables, by number, that are no values.
    specials: HashMap<usize, view::Special>,
    /// How far those of them reach that are neighbourhoods.
    reaches: HashMap<usize, Reach>,
    /// Type parameters of which nothing is known, parameters of such types by number,
    bare: Vec<Ident>,
    bare_variables: HashMap<usize, Ident>,
    /// Type parameters that are numbers, and parameters of such types by number.
    numeric: Vec<Ident>,
    numeric_variables: HashMap<usize, Ident>,
    /// Whether rustc would say of the body what has been reported already.
    pub(crate) hides_body: bool,
    /// Of the bare ones, those that lack a bound, with it.
    pub(crate) lacking: Vec<(Ident, Ident)>,
}

/// A whole body.
#[derive(Default)]
pub(crate) struct Body {
    pub(crate) probe: TokenStream,
    pub(crate) text: String,
}

impl<'a> Lower<'a> {
    pub(crate) fn new(context: Context<'a>, root: &TokenStream) -> Self {
        let (bare, numeric) = match context {
            Context::Function(_, generics) => (
                bare::bare(generics),
                generic_literal::numeric(generics, true),
            ),
            _ => (Vec::new(), Vec::new()),
        };
        Lower {
            context,
            scopes: vec![HashMap::new()],
            items: Vec::new(),
            root: root.clone(),
            variables: 0,
            loops: Vec::new(),
            loop_count: 0,
            slots: 0,
            declarations: Vec::new(),
            types: Vec::new(),
            constants: Vec::new(),
            imps: Vec::new(),
            messages: Vec::new(),
            calls_members: false,
            report: Report::default(),
            specials: HashMap::new(),
            reaches: HashMap::new(),
            bare,
            bare_variables: HashMap::new(),
            numeric,
            numeric_variables: HashMap::new(),
            hides_body: false,
            lacking: Vec::new(),
        }
    }

    /// Lowers a body under its parameters.
    pub(crate) fn body(&mut self, params: &[Param], block: &Block) -> Body {
        let mut names = Vec::new();
        for param in params {
            let by_mut = param.kind == Kind::EachMut;
            let number = self.bind(&param.name, Evident::of(&param.value_ty), by_mut);
            self.share(number, param);
            self.note_bare(number, &param.value_ty);
            self.note_numeric(number, &param.value_ty);
            if let Some(special) = view::Special::of(param) {
                self.specials.insert(number, special);
            }
            if let Some(reach) = reach_of(&param.ty) {
                self.reaches.insert(number, reach);
            }
            names.push(Sexp::atom(spelling(&param.name)));
        }
        let (probe, text, _) = self.block(block, true);
        let names = Sexp::List {
            line: 0,
            parts: names,
        };
        let function = Sexp::List {
            line: 0,
            parts: vec![Sexp::atom("fn"), names, text],
        };
        Body {
            probe,
            text: function.render(),
        }
    }

    fn is_closure(&self) -> bool {
        matches!(self.context, Context::Closure)
    }

    fn is_generic(&self) -> bool {
        match self.context {
            Context::Function(_, generics) | Context::Method(_, generics) => {
                generics.type_params().next().is_some()
            }
            Context::Closure => false,
        }
    }

    /// Whether the name is that of a type parameter which is said to be a number.
    fn is_number_parameter(&self, name: &Ident) -> bool {
        match self.context {
            Context::Function(_, generics) | Context::Method(_, generics) => {
                generic_literal::numeric(generics, false).contains(name)
            }
            Context::Closure => false,
        }
    }

    fn is_type_parameter(&self, name: &Ident) -> bool {
        match self.context {
            Context::Function(_, generics) | Context::Method(_, generics) => {
                generics.type_params().any(|p| p.ident == *name)
            }
            Context::Closure => false,
        }
    }

    fn bind(&mut self, name: &Ident, evident: Evident, by_mut: bool) -> usize {
        let number = self.variables;
        self.variables += 1;
        let variable = Variable {
            number,
            evident,
            by_mut,
            by_ref: false,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(spelling(name), Some(variable));
        }
        number
    }

    /// Notes that the variable of this name is a shared reference.
    fn is_reference(&mut self, name: &Ident) {
        let name = spelling(name);
        let mut scopes = self.scopes.iter_mut().rev();
        if let Some(Some(variable)) = scopes.find_map(|scope| scope.get_mut(&name)) {
            variable.by_ref = true;
        }
    }

    /// Notes that a parameter is a shared reference.
    fn share(&mut self, number: usize, param: &Param) {
        for variable in self
            .scopes
            .iter_mut()
            .flat_map(HashMap::values_mut)
            .flatten()
        {
            if variable.number == number {
                variable.by_ref = param.by_ref();
            }
        }
    }

    /// A variable's name in the probe, where the receiver has another one.
    fn in_probe(name: &Ident) -> Ident {
        if name == "self" {
            Ident::new(crate::ast::RECEIVER, name.span())
        } else {
            name.clone()
        }
    }

    fn find(&self, name: &Ident) -> Option<Variable> {
        self.meaning(name).flatten()
    }

    /// Whether an item inside of the body has this name.
    fn is_item(&self, name: &Ident) -> bool {
        matches!(self.meaning(name), Some(None))
    }

    fn meaning(&self, name: &Ident) -> Option<Option<Variable>> {
        let name = spelling(name);
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(&name).copied())
    }

    /// An identifier for a slot. It has the span of the tokens around it, or errors about it would be
    /// drawn at `#[user_function]`.
    fn fresh(&mut self, prefix: &str, span: Span) -> Ident {
        self.slots += 1;
        format_ident!("__{prefix}{}", self.slots - 1, span = span)
    }

    /// A slot, by reference: then no trait that is in scope has a method that comes before the slot's.
    fn slot(&mut self, span: Span) -> Ident {
        let slot = self.fresh("s", span);
        self.declarations
            .push(quote!(let #slot = &__skel::Slot::new();));
        slot
    }

    /// A slot whose type the text names by the number.
    fn typed_slot(&mut self, span: Span) -> (Ident, Sexp) {
        let slot = self.slot(span);
        let number = self.ty(quote_spanned!(span=> #slot.ty()));
        (slot, number)
    }

    fn ty(&mut self, tokens: TokenStream) -> Sexp {
        self.types.push(tokens);
        Sexp::atom(self.types.len() - 1)
    }

    fn written_ty(&mut self, ty: &Type) -> Sexp {
        crate::ast::supported_type(ty, &mut self.report);
        let written = self.among_items(quote_spanned!(ty.span()=> __skel::ty::<#ty>()));
        self.ty(written)
    }

    /// A constant that the text names by the number.
    fn constant(&mut self, tokens: TokenStream) -> Sexp {
        let tokens = self.among_items(tokens);
        self.constants.push(tokens);
        Sexp::atom(self.constants.len() - 1)
    }

    fn imp(&mut self, tokens: TokenStream) -> Sexp {
        self.imps.push(tokens);
        Sexp::atom(self.imps.len() - 1)
    }

    /// The builder's `cx`, the same identifier everywhere.
    fn cx() -> Ident {
        Ident::new("__cx", Span::call_site())
    }

    /// Reports an error, and stands in for the expression.
    fn refuse(&mut self, tokens: impl quote::ToTokens, message: impl std::fmt::Display) -> Lowered {
        self.report.at(tokens, message);
        self.nothing()
    }

    /// Stands in for what has an error.
    fn nothing(&self) -> Lowered {
        Lowered {
            probe: quote!(loop {}),
            text: Sexp::none(),
            evident: Evident::Nothing,
        }
    }
}
