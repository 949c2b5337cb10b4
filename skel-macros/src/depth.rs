//! How deep a function is nested, found out before anything recurses into it: what runs out of stack here
//! takes rustc along.

use proc_macro2::{Delimiter, Group, Spacing, Span, TokenStream, TokenTree};
use quote::quote;
use syn::Error;

/// The most brackets in each other, of all kinds.
const MOST_NESTED: usize = 128;

/// The most operators in each other: all of those that stand in one expression without a comma or a
/// semicolon between them, and those around the brackets that it stands in.
const MOST_CHAINED: usize = 1000;

/// Tokens between brackets, on their way.
struct Level {
    rest: proc_macro2::token_stream::IntoIter,
    /// Operators around the brackets, and in the expression so far.
    around: usize,
    chained: usize,
    /// Whether a `}` came just before: perhaps the end of a statement.
    after_block: bool,
}

impl Level {
    fn of(tokens: TokenStream, around: usize) -> Level {
        Level {
            rest: tokens.into_iter(),
            around,
            chained: 0,
            after_block: false,
        }
    }

    /// Whether a token behind a block may go on with it, and does not begin the next statement or arm.
    fn continues(token: &TokenTree) -> bool {
        match token {
            TokenTree::Ident(ident) => ident == "else" || ident == "as",
            TokenTree::Punct(_) | TokenTree::Group(_) => true,
            TokenTree::Literal(_) => false,
        }
    }

    /// A token that is no bracket.
    fn pass(&mut self, token: &TokenTree) {
        if self.after_block && !Self::continues(token) {
            self.chained = 0;
        }
        let operator = match token {
            TokenTree::Punct(punct) if matches!(punct.as_char(), ',' | ';') => {
                self.chained = 0;
                false
            }
            TokenTree::Punct(punct) => punct.spacing() == Spacing::Alone && punct.as_char() != ':',
            TokenTree::Ident(ident) => ident == "else" || ident == "as",
            _ => false,
        };
        self.chained += usize::from(operator);
        self.after_block = false;
    }
}

/// What is nested too deep, at its token.
pub(crate) fn check(tokens: &TokenStream) -> Result<(), Error> {
    let mut levels = vec![Level::of(tokens.clone(), 0)];
    while let Some(level) = levels.last_mut() {
        let Some(token) = level.rest.next() else {
            levels.pop();
            continue;
        };
        if let TokenTree::Group(group) = &token {
            level.after_block = group.delimiter() == Delimiter::Brace;
            let around = level.around + level.chained;
            levels.push(Level::of(group.stream(), around));
        } else {
            level.pass(&token);
            if level.around + level.chained > MOST_CHAINED {
                return Err(Error::new(token.span(), chained()));
            }
        }
        if levels.len() > MOST_NESTED + 1 {
            return Err(Error::new(opening(&token), nested()));
        }
    }
    Ok(())
}

fn opening(token: &TokenTree) -> Span {
    match token {
        TokenTree::Group(group) => group.span_open(),
        other => other.span(),
    }
}

fn chained() -> String {
    format!(
        "more than {MOST_CHAINED} operators in one expression: give its parts names with `let`, or write a loop"
    )
}

fn nested() -> String {
    format!(
        "nested in more than {MOST_NESTED} brackets: give the parts names with `let`, or make functions of them"
    )
}

/// A function without what is between its last brackets, so that what stands beside it is made all the same.
pub(crate) fn without_body(item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut()
        && body.delimiter() == Delimiter::Brace
    {
        *body = Group::new(Delimiter::Brace, quote!(loop {}));
    }
    tokens.into_iter().collect()
}

#[cfg(test)]
mod test {
    use super::*;

    fn tokens(text: &str) -> TokenStream {
        text.parse().unwrap()
    }

    fn message(text: &str) -> Option<String> {
        check(&tokens(text)).err().map(|error| error.to_string())
    }

    #[test]
    fn brackets_are_counted_as_they_lie_in_each_other() {
        let nested = |n: usize| format!("{}x{}", "(".repeat(n), ")".repeat(n));
        assert_eq!(message(&nested(MOST_NESTED)), None);
        assert_eq!(message(&nested(MOST_NESTED + 1)), Some(super::nested()));
        let beside = "(x) [y] {z}".repeat(10 * MOST_NESTED);
        assert_eq!(message(&beside), None);
    }

    #[test]
    fn operators_are_counted_to_the_end_of_the_expression() {
        let sum = |n: usize| format!("x{}", " + x".repeat(n));
        assert_eq!(message(&sum(MOST_CHAINED)), None);
        assert_eq!(message(&sum(MOST_CHAINED + 1)), Some(chained()));
        for between in ["; ", ", "] {
            let parts = [sum(MOST_CHAINED), sum(MOST_CHAINED)];
            assert_eq!(message(&parts.join(between)), None);
        }
        // What stands around brackets counts.
        let half = sum(MOST_CHAINED / 2);
        assert_eq!(message(&format!("{half} + ({half} + x)")), Some(chained()));
        assert_eq!(message(&format!("({half}) + {half}")), None);
    }

    #[test]
    fn statements_that_end_in_blocks_are_beside_each_other() {
        let statement = "if a < b { c = d; } ";
        assert_eq!(message(&statement.repeat(MOST_CHAINED + 1)), None);
        let arm = "1 => { a + b } ";
        assert_eq!(message(&arm.repeat(MOST_CHAINED + 1)), None);
        let chain = "if a { b } else ".repeat(MOST_CHAINED + 1);
        assert_eq!(message(&format!("{chain} {{ c }}")), Some(chained()));
        let sum = "V { x } + ".repeat(MOST_CHAINED + 1);
        assert_eq!(message(&format!("{sum} v")), Some(chained()));
    }

    #[test]
    fn what_is_too_deep_is_an_error_and_leaves_what_stands_beside_it() {
        let sum = format!("x{}", " + x".repeat(MOST_CHAINED + 1));
        let function = tokens(&format!("fn f(x: f32) -> f32 {{ {sum} }}"));
        let expanded = crate::expand::user_function(TokenStream::new(), function).to_string();
        assert!(
            expanded.contains(&chained()) && expanded.contains("struct f"),
            "{expanded}"
        );
        let arms: String = (0..1001).map(|n| format!("{n} => x, ")).collect();
        let function = tokens(&format!(
            "fn g(x: u32) -> u32 {{ match x {{ {arms} _ => 0 }} }}"
        ));
        let expanded = crate::expand::user_function(TokenStream::new(), function).to_string();
        assert!(expanded.contains("a `match` has at most 1000 arms"));
        let block = tokens(&format!("impl V {{ fn f(self) -> f32 {{ {sum} }} }}"));
        let expanded = crate::expand::user_function(TokenStream::new(), block).to_string();
        assert_eq!(expanded.matches("compile_error").count(), 1);
        let closure = tokens(&format!("|x: f32| {sum}"));
        let expanded = crate::expand::skeleton("map", 1, 1, closure).to_string();
        assert!(expanded.contains(&chained()));
    }

    #[test]
    fn a_function_without_its_body_is_a_function() {
        let bare = without_body(tokens("fn f(x: f32) -> f32 { x + x }"));
        assert_eq!(
            bare.to_string(),
            tokens("fn f(x: f32) -> f32 { loop {} }").to_string()
        );
    }
}
