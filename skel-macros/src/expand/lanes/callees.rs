//! Calls that all lanes may do at once: of functions that may have lanes of their own, and draws of random numbers. Where
//! one is evaluated in any case, it becomes a statement: `let c = f(x);`, `let u = rng.uniform_f32();` (`calls`).
//!
//! Draws stay in their order: behind a use of the generator that stays where it is, nothing is taken.

use super::{
    Of,
    body::has_items,
    exits::Exits,
    risk::{Risk, assigns},
    simple::has_let,
    words::{Words, words},
};
use crate::{
    ast::Kind as ParamKind,
    lower::{constructor, is_associated, is_draw, is_plain_call, variable_name},
};
use quote::format_ident;
use syn::{
    BinOp, Block, Expr, ExprCall, ExprIf, ExprMethodCall, ExprPath, Generics, Ident, Item, Stmt,
    parse_quote,
    visit::{self, Visit},
    visit_mut::{self, VisitMut},
};

/// What is known of the functions that a function calls.
pub(super) struct Callees<'a> {
    generics: &'a [&'a Generics],
    /// Functions inside of this one: what calls them may stand where their markers are not to be seen.
    inner: Words,
    /// Parameters that are `&mut`, but for the generator.
    lent: Words,
    /// The parameter that is `rng: &mut Random`.
    generator: Option<&'a Ident>,
}

/// A call that all lanes may make at once.
#[derive(Clone, Copy)]
pub(super) enum Call<'e> {
    /// Of a user function, by its path.
    Function(&'e ExprCall, &'e ExprPath),
    /// A draw: a method of the generator.
    Draw(&'e ExprMethodCall),
}

impl<'a> Callees<'a> {
    pub(super) fn new(of: &'a Of<'_>) -> Self {
        let of_kind = |kind| of.params.iter().filter(move |param| param.kind == kind);
        let lent = of_kind(ParamKind::EachMut);
        let generator = of_kind(ParamKind::Random).next();
        let mut inner = Inner::default();
        inner.visit_block(of.block);
        Callees {
            generics: of.generics,
            inner: inner.0,
            lent: lent.map(|param| param.name.to_string()).collect(),
            generator: generator.map(|param| &param.name),
        }
    }

    /// Whether the function is given a generator.
    pub(super) fn has_generator(&self) -> bool {
        self.generator.is_some()
    }

    /// Whether the expression is the generator.
    pub(super) fn is_generator(&self, e: &Expr) -> bool {
        self.generator.is_some() && variable_name(e) == self.generator
    }

    /// The call that an expression is, if all lanes may make it at once.
    pub(super) fn call<'e>(&self, e: &'e Expr) -> Option<Call<'e>> {
        match e {
            Expr::Call(call) => Some(Call::Function(call, self.callee(call)?)),
            Expr::MethodCall(call) if is_draw(call) && self.is_generator(&call.receiver) => {
                Some(Call::Draw(call))
            }
            _ => None,
        }
    }

    /// The function of such a call: a user function, by its path, that changes nothing but the generator.
    fn callee<'e>(&self, call: &'e ExprCall) -> Option<&'e ExprPath> {
        let Expr::Path(callee) = &*call.func else {
            return None;
        };
        let is_parameter = |name: &syn::Ident| {
            let mut parameters = self.generics.iter().flat_map(|g| g.type_params());
            parameters.any(|parameter| parameter.ident == *name)
        };
        let is_inner = || {
            let mut segments = callee.path.segments.iter();
            segments.any(|segment| self.inner.contains(&segment.ident.to_string()))
        };
        let is_ours = constructor(call).is_none()
            && !is_associated(callee, &is_parameter)
            && (self.inner.is_empty() || !is_inner());
        let mut args = call.args.iter();
        (is_ours && args.all(|arg| self.is_generator(arg) || self.is_value(arg))).then_some(callee)
    }

    /// Whether an argument is a value, or what all lanes lend alike.
    fn is_value(&self, arg: &Expr) -> bool {
        let is_lent = match arg {
            Expr::Reference(reference) => reference.mutability.is_some(),
            arg => variable_name(arg).is_some_and(|name| self.lent.contains(&name.to_string())),
        };
        !is_lent && !assigns(arg) && !Risk::of_expr(arg).refused && Exits::of_expr(arg).is_empty()
    }

    /// How many such calls there are.
    pub(super) fn calls(&self, block: &Block) -> usize {
        let mut found = Found(self, 0);
        found.visit_block(block);
        found.1
    }

    /// The body, with such calls as statements.
    pub(super) fn as_statements(&self, block: &Block) -> Block {
        let (mut block, mut split) = (
            block.clone(),
            Split {
                callees: self,
                count: 0,
            },
        );
        split.visit_block_mut(&mut block);
        block
    }
}

/// How many calls there are.
struct Found<'c>(&'c Callees<'c>, usize);

impl<'ast> Visit<'ast> for Found<'_> {
    fn visit_expr_call(&mut self, call: &'ast ExprCall) {
        self.1 += usize::from(self.0.callee(call).is_some());
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        self.1 += usize::from(is_draw(call) && self.0.is_generator(&call.receiver));
        visit::visit_expr_method_call(self, call);
    }

    fn visit_item(&mut self, _: &'ast Item) {}
}

/// The names of items.
#[derive(Default)]
struct Inner(Words);

impl<'ast> Visit<'ast> for Inner {
    fn visit_item(&mut self, item: &'ast Item) {
        match item {
            Item::Fn(item) => _ = self.0.insert(item.sig.ident.to_string()),
            // May bring in any.
            item => self.0.extend(words(item)),
        }
    }
}

/// Puts calls before the statements that they are evaluated in.
struct Split<'c> {
    callees: &'c Callees<'c>,
    count: usize,
}

impl VisitMut for Split<'_> {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for mut stmt in std::mem::take(&mut block.stmts) {
            if let Stmt::Expr(Expr::While(e), _) = &stmt
                && let Some(e) = self.condition_within(e)
            {
                stmt = Stmt::Expr(e, None);
            }
            let mut taken = Taken {
                split: self,
                stmts: Vec::new(),
                risky: false,
                over: false,
            };
            match &mut stmt {
                Stmt::Local(local) => {
                    if let Some(init) = &mut local.init
                        && init.diverge.is_none()
                    {
                        taken.root(&mut init.expr);
                    }
                }
                Stmt::Expr(e, _) => taken.root(e),
                Stmt::Item(_) | Stmt::Macro(_) => {}
            }
            block.stmts.append(&mut taken.stmts);
            block.stmts.push(stmt);
        }
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_if_mut(&mut self, e: &mut ExprIf) {
        // A condition that is evaluated only where the one before it does not hold.
        if let Some((_, other)) = &mut e.else_branch
            && let Expr::If(again) = &**other
            && self.has_calls(&again.cond)
        {
            let again = std::mem::replace(&mut **other, Expr::PLACEHOLDER);
            **other = Expr::Block(syn::ExprBlock {
                attrs: Vec::new(),
                label: None,
                block: Block {
                    brace_token: syn::token::Brace::default(),
                    stmts: vec![Stmt::Expr(again, None)],
                },
            });
        }
        visit_mut::visit_expr_if_mut(self, e);
    }

    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl Split<'_> {
    fn has_calls(&self, e: &Expr) -> bool {
        let mut found = Found(self.callees, 0);
        found.visit_expr(e);
        found.1 > 0
    }

    /// A `while` that calls such functions in its condition, as a `loop`.
    fn condition_within(&self, e: &syn::ExprWhile) -> Option<Expr> {
        let (label, cond, stmts) = (&e.label, &e.cond, &e.body.stmts);
        let within = !has_let(cond) && Exits::of_expr(cond).is_empty() && self.has_calls(cond);
        (within && !has_items(&e.body)).then(|| {
            parse_quote! {
                #label loop {
                    if !(#cond) {
                        break;
                    }
                    #(#stmts)*
                }
            }
        })
    }
}

/// Walks over what a statement evaluates in any case, in that order, and takes out the calls.
struct Taken<'s, 'c> {
    split: &'s mut Split<'c>,
    stmts: Vec<Stmt>,
    /// What follows comes behind what may panic or change something: a call of a function must not go before that.
    risky: bool,
    /// What follows is not evaluated in any case, or comes behind a use of the generator that stays.
    over: bool,
}

impl Taken<'_, '_> {
    /// The outermost expression of a statement: a call is one already.
    fn root(&mut self, e: &mut Expr) {
        let callees = self.split.callees;
        match callees.call(e) {
            Some(Call::Function(..)) => return self.args(e),
            Some(Call::Draw(_)) => return,
            None => {}
        }
        match e {
            Expr::ForLoop(e) => self.take(&mut e.expr),
            Expr::Assign(e) => self.take(&mut e.right),
            Expr::Binary(e) if super::words::is_assignment(&e.op) => {
                // Which side comes first depends on the types.
                let draws = |name: &Ident| words(&e.left).contains(&name.to_string());
                self.over |= callees.generator.is_some_and(draws);
                self.take(&mut e.right);
            }
            e => self.take(e),
        }
    }

    /// The arguments of a call that all lanes may make at once.
    fn args(&mut self, call: &mut Expr) {
        if let Expr::Call(call) = call {
            for arg in &mut call.args {
                if !self.split.callees.is_generator(arg) {
                    self.take(arg);
                }
            }
        }
    }

    /// Makes a statement of a call.
    fn stmt(&mut self, call: &mut Expr) {
        self.split.count += 1;
        let name = format_ident!("__call_{}", self.split.count);
        self.stmts.push(parse_quote!(let #name = #call;));
        *call = parse_quote!(#name);
    }

    fn all<'e>(&mut self, of: impl IntoIterator<Item = &'e mut Expr>) {
        for e in of {
            self.take(e);
        }
    }

    fn take(&mut self, e: &mut Expr) {
        if self.over {
            return;
        }
        let callees = self.split.callees;
        match callees.call(e) {
            Some(Call::Draw(_)) => return self.stmt(e),
            Some(Call::Function(call, _)) => {
                let draws = call.args.iter().any(|arg| callees.is_generator(arg));
                self.args(e);
                if !self.over && !self.risky {
                    self.stmt(e);
                } else {
                    self.over |= draws;
                }
                return;
            }
            None => {}
        }
        match e {
            Expr::Call(call) => {
                self.all(&mut call.args);
                self.risky |= Risk::of_expr(e).gated;
            }
            Expr::Binary(inner) => {
                self.take(&mut inner.left);
                match inner.op {
                    BinOp::And(_) | BinOp::Or(_) => self.over = true,
                    _ => self.take(&mut inner.right),
                }
                self.risky |= Risk::of_expr(e).gated;
            }
            Expr::MethodCall(inner) => {
                self.risky |= !is_plain_call(inner);
                self.take(&mut inner.receiver);
                self.all(&mut inner.args);
            }
            Expr::Index(inner) => {
                self.take(&mut inner.expr);
                self.take(&mut inner.index);
                self.risky = true;
            }
            Expr::If(inner) => {
                self.take(&mut inner.cond);
                self.over = true;
            }
            Expr::Match(inner) => {
                self.take(&mut inner.expr);
                self.over = true;
            }
            Expr::Return(inner) => self.all(inner.expr.as_deref_mut()),
            Expr::Break(inner) => self.all(inner.expr.as_deref_mut()),
            Expr::Cast(inner) => self.take(&mut inner.expr),
            Expr::Field(inner) => self.take(&mut inner.base),
            Expr::Paren(inner) => self.take(&mut inner.expr),
            Expr::Unary(inner) => self.take(&mut inner.expr),
            Expr::Reference(inner) if inner.mutability.is_none() => self.take(&mut inner.expr),
            Expr::Array(inner) => self.all(&mut inner.elems),
            Expr::Tuple(inner) => self.all(&mut inner.elems),
            Expr::Struct(inner) if inner.rest.is_none() => {
                self.all(inner.fields.iter_mut().map(|field| &mut field.expr));
            }
            Expr::Range(inner) => {
                self.all(inner.start.as_deref_mut());
                self.all(inner.end.as_deref_mut());
            }
            Expr::Lit(_) => {}
            e => self.over |= callees.is_generator(e) || !matches!(e, Expr::Path(_)),
        }
    }
}
