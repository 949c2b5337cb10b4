//! What the user wrote, taken apart.

mod groups;
mod kind;
mod method;
mod params;
mod reach;

pub(crate) use groups::Visible;
pub(crate) use kind::{Kind, view_of};
pub(crate) use method::{Method, without_ours};
pub(crate) use params::{
    PRIMITIVES, Param, function_bound, instead_of, is_primitive, supported_type,
};
pub(crate) use reach::{Reach, reach_of};

use reach::incomplete;

use crate::{report::Report, root::default_root};
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Block, Expr, ExprClosure, FnArg, GenericParam, Ident, ItemFn, Pat, Path, ReturnType, Stmt,
    Token, Type,
    meta::ParseNestedMeta,
    parse::{Parse, ParseStream},
    spanned::Spanned,
    visit_mut::VisitMut,
};

/// The options of `#[user_function(…)]`.
pub(crate) struct Options {
    pub(crate) commutative: bool,
    pub(crate) fast_math: bool,
    /// Whether a function with loops gets a face that computes several elements at once.
    pub(crate) lanes: bool,
    /// The bodies for devices that the user wrote in their languages.
    pub(crate) foreign: Option<Foreign>,
    /// Where `skel::__private` is.
    pub(crate) root: TokenStream,
}

/// Expressions that give the text of a body, by language.
#[derive(Default)]
pub(crate) struct Foreign {
    pub(crate) wgsl: Option<Expr>,
    pub(crate) cuda: Option<Expr>,
    /// Whether the Rust body does nothing but compute, and so may be run to see how long it takes.
    pub(crate) pure: bool,
    /// The word `unsafe` before a text, where it was written.
    pub(crate) promised: Option<Token![unsafe]>,
}

impl Foreign {
    /// Takes the text of a language; `None` if that is no language.
    fn language(&mut self, meta: &ParseNestedMeta<'_>) -> Option<syn::Result<()>> {
        let text = if meta.path.is_ident("wgsl") {
            &mut self.wgsl
        } else if meta.path.is_ident("cuda") {
            &mut self.cuda
        } else {
            return None;
        };
        let parsed = meta.value().and_then(|value| value.parse());
        Some(parsed.map(|parsed| *text = Some(parsed)))
    }
}

/// What stands after the word `unsafe`.
const TEXTS: &str = "expected `unsafe(wgsl = \"…\", cuda = \"…\")`, or one of both";

/// Why text by hand needs the word.
fn without_promise(language: &str) -> String {
    format!(
        "nothing checks what text by hand does: it may touch any memory, and return bits that are no value of the result's type. \
         Say that you have checked it: `unsafe({language} = …)`, as in `#[unsafe(no_mangle)]`"
    )
}

impl Options {
    pub(crate) fn parse(tokens: TokenStream, report: &mut Report) -> Options {
        let mut options = Options {
            commutative: false,
            fast_math: false,
            lanes: true,
            foreign: None,
            root: default_root(),
        };
        let mut pure = None;
        let parser = syn::meta::parser(|meta| {
            if meta.path.is_ident("pure") {
                pure = Some(meta.path.span());
                Ok(())
            } else if meta.path.is_ident("commutative") {
                options.commutative = true;
                Ok(())
            } else if meta.path.is_ident("fast_math") {
                options.fast_math = true;
                Ok(())
            } else if meta.path.is_ident("lanes") {
                let said: Ident = meta.value()?.parse()?;
                options.lanes = said != "off";
                match options.lanes {
                    true => Err(syn::Error::new_spanned(said, "expected `lanes = off`")),
                    false => Ok(()),
                }
            } else if meta.path.is_ident("unsafe") {
                let foreign = options.foreign.get_or_insert_default();
                foreign.promised = Some(Token![unsafe](meta.path.span()));
                meta.parse_nested_meta(|meta| {
                    let taken = foreign.language(&meta);
                    taken.unwrap_or_else(|| Err(meta.error(TEXTS)))
                })
            } else if ["wgsl", "cuda"].iter().any(|name| meta.path.is_ident(name)) {
                // Taken all the same, so that its function is not translated and reported as well.
                let language = options.foreign.get_or_insert_default();
                report.at(
                    &meta.path,
                    without_promise(&meta.path.to_token_stream().to_string()),
                );
                language.language(&meta).unwrap_or(Ok(()))
            } else if meta.path.is_ident("crate") {
                let path: Path = meta.value()?.parse()?;
                options.root = quote!(#path::__private);
                Ok(())
            } else {
                Err(meta.error(
                    "expected `commutative`, `fast_math`, `lanes = off`, `unsafe(wgsl = \"…\", cuda = \"…\")`, `pure` or `crate = path`",
                ))
            }
        });
        if let Err(error) = syn::parse::Parser::parse2(parser, tokens) {
            report.add(error);
        }
        match (pure, &mut options.foreign) {
            (Some(_), Some(foreign)) => foreign.pure = true,
            (Some(span), None) => report.add(syn::Error::new(
                span,
                "`pure` is said of functions that have bodies of their own for devices; all others are: remove it",
            )),
            (None, _) => {}
        }
        options
    }
}

/// What `self` is called in the probe, which is a closure.
pub(crate) const RECEIVER: &str = "__self";

/// A function with `#[user_function]`.
pub(crate) struct Function {
    /// The user's own, without the attributes that are ours.
    pub(crate) item: ItemFn,
    pub(crate) params: Vec<Param>,
    pub(crate) output: Output,
    /// Whether the signature has errors: then some types stand for those that are not possible.
    pub(crate) refused: bool,
}

impl Function {
    pub(crate) fn new(mut item: ItemFn, report: &mut Report) -> Function {
        groups::Visible.visit_item_fn_mut(&mut item);
        let mut params = Vec::new();
        for input in &mut item.sig.inputs {
            match input {
                FnArg::Typed(typed) => {
                    let uniform = params::take_uniform(&mut typed.attrs);
                    params.extend(Param::new(&typed.pat, &typed.ty, uniform, report));
                }
                FnArg::Receiver(receiver) => report.at(
                    receiver,
                    "a method needs the type it belongs to: put #[user_function] on the `impl` block or the `trait`, not on the method",
                ),
            }
        }
        let output = Output::new(&item.sig.output);
        Function {
            item,
            params,
            output,
            refused: false,
        }
    }

    /// Notes that the signature has errors. References to containers become what was meant, so that the
    /// body and the calls of the function are no errors as well.
    pub(crate) fn refuse(&mut self) {
        self.refused = true;
        if self.params.len() != self.item.sig.inputs.len() {
            return;
        }
        for (input, param) in self.item.sig.inputs.iter_mut().zip(&mut self.params) {
            if let FnArg::Typed(typed) = input
                && matches!(param.kind, Kind::View(_))
                && (view_of(&typed.ty).is_none() || incomplete(&typed.ty).is_some())
            {
                *typed.ty = param.value_ty.clone();
                param.ty = param.value_ty.clone();
            }
        }
    }

    /// Whether the rest of a refused function can be written, so that its uses are no errors as well.
    pub(crate) fn can_stand(&self) -> bool {
        let sig = &self.item.sig;
        let passed = self.params.iter().filter(|p| p.kind.is_passed()).count();
        let (inputs, output) = (&sig.inputs, &sig.output);
        let opaque = quote!(#inputs #output)
            .to_string()
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| word == "impl");
        let plain = sig.generics.params.iter().all(|param| match param {
            GenericParam::Lifetime(_) => false,
            GenericParam::Type(_) => true,
            GenericParam::Const(constant) => {
                !matches!(is_primitive(&constant.ty), None | Some("f32" | "f64"))
            }
        });
        self.params.len() == sig.inputs.len()
            && passed <= crate::valid::MAX_PARAMS
            && !opaque
            && plain
            && !PRIMITIVES.contains(&spelling(&sig.ident).as_str())
    }
}

/// A closure in a skeleton macro.
pub(crate) struct Closure {
    pub(crate) closure: ExprClosure,
    pub(crate) params: Vec<Param>,
    /// `None` if not written.
    pub(crate) output: Option<Output>,
    /// The body as a block.
    pub(crate) block: Block,
}

impl Closure {
    pub(crate) fn new(mut closure: ExprClosure, report: &mut Report) -> Closure {
        groups::Visible.visit_expr_closure_mut(&mut closure);
        let mut params = Vec::new();
        for input in &closure.inputs {
            match input {
                Pat::Type(typed) => {
                    let mut typed = typed.clone();
                    let mut uniform = params::take_uniform(&mut typed.attrs);
                    if let Pat::Ident(name) = &mut *typed.pat {
                        uniform |= params::take_uniform(&mut name.attrs);
                    }
                    params.extend(Param::new(&typed.pat, &typed.ty, uniform, report));
                }
                untyped => {
                    let name = untyped.to_token_stream();
                    report.at(
                        untyped,
                        format!("`{name}` needs a type, which says what it is for: `{name}: f32` is an element"),
                    );
                    // Bound all the same, or its uses would be reported as captures.
                    params.extend(Param::untyped(untyped));
                }
            }
        }
        let output = match &closure.output {
            ReturnType::Default => None,
            written => Some(Output::new(written)),
        };
        let block = match &*closure.body {
            Expr::Block(block) if block.label.is_none() => block.block.clone(),
            body => Block {
                brace_token: syn::token::Brace::default(),
                stmts: vec![Stmt::Expr(body.clone(), None)],
            },
        };
        Closure {
            closure,
            params,
            output,
            block,
        }
    }
}

/// What a function returns.
pub(crate) struct Output {
    pub(crate) ty: TokenStream,
    /// As it was written: another one, if that is not possible.
    pub(crate) written: TokenStream,
    pub(crate) span: Span,
}

impl Output {
    fn new(output: &ReturnType) -> Output {
        match output {
            ReturnType::Default => Output {
                ty: quote!(()),
                written: quote!(()),
                span: Span::call_site(),
            },
            ReturnType::Type(_, ty) => Output {
                ty: possible(ty).into_token_stream(),
                written: quote!(#ty),
                span: ty.span(),
            },
        }
    }
}

/// The type, or one to go on with where it is not possible.
fn possible(ty: &Type) -> Type {
    let mut report = Report::default();
    supported_type(ty, &mut report);
    if report.has_errors() {
        instead_of(ty)
    } else {
        ty.clone()
    }
}

/// An argument of a skeleton macro.
pub(crate) enum Argument {
    /// The path of a user function.
    Path(Box<Type>),
    /// A closure, and whether it is promised to commute.
    Closure(Box<ExprClosure>, bool),
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> syn::Result<Argument> {
        let mut promised = false;
        for attribute in input.call(syn::Attribute::parse_outer)? {
            if !matches!(&attribute.meta, syn::Meta::Path(path) if path.is_ident("commutative")) {
                return Err(syn::Error::new_spanned(
                    attribute,
                    "before a closure there may be `#[commutative]`, which promises that the order of its operands does not matter, and nothing else",
                ));
            }
            promised = true;
        }
        if input.peek(Token![|]) || input.peek(Token![||]) || input.peek(Token![move]) {
            return Ok(Argument::Closure(Box::new(input.parse()?), promised));
        }
        if promised {
            return Err(input.error(
                "`#[commutative]` stands before a closure; a function has it in `#[user_function(commutative)]`",
            ));
        }
        let start = input.span();
        let path = input.parse::<syn::TypePath>();
        path.map(|path| Argument::Path(Box::new(Type::Path(path)))).map_err(|_| {
            syn::Error::new(
                start,
                "expected the path of a user function, or a closure `|x: f32, #[uniform] k: f32| …`",
            )
        })
    }
}

/// The spelling of a name in messages and in the IR: `r#type` is `type` there, and the receiver of
/// the probe `self`.
pub(crate) fn spelling(name: &Ident) -> String {
    let name = name.to_string();
    if name == RECEIVER {
        return "self".to_owned();
    }
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// The name of a label, without its apostrophe.
pub(crate) fn spelling_of_label(label: &syn::Lifetime) -> String {
    spelling(&label.ident)
}
