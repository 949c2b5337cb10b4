//! A crate of many functions, as user functions and as plain ones.

use std::fmt::Write;

/// How a function is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Not at all.
    Plain,
    /// With `#[user_function]`.
    User,
}

impl Kind {
    /// For a package name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Plain => "plain",
            Kind::User => "user",
        }
    }
}

/// `count` functions of about 30 expressions each. They differ in constants, and every other one
/// calls the one before it.
pub(crate) fn library(kind: Kind, count: usize) -> String {
    let mut source = String::from("#![allow(dead_code)]\n");
    let attribute = match kind {
        Kind::Plain => "",
        Kind::User => {
            source.push_str("use skel::prelude::*;\n");
            "#[user_function]\n"
        }
    };
    for k in 0..count {
        let start = if k % 2 == 0 {
            "x * scale".into()
        } else {
            format!("body{}(y, x, limit / 2, scale)", k - 1)
        };
        let _ = write!(
            source,
            "
{attribute}pub fn body{k}(x: f32, y: f32, limit: u32, scale: f32) -> f32 {{
    let base = {start} + {k}.5;
    let width = (base - y).abs().max(0.25);
    let mut sum = 0.0;
    let mut i = 0;
    while i < limit {{
        let step = width * (i as f32) - y / {divisor}.0;
        if step > 100.0 {{
            break;
        }}
        sum += step.sqrt() + scale;
        i += 1;
    }}
    let ratio = if sum > width {{ width / sum }} else {{ sum - width * 2.0 }};
    let bits = (i << 3) ^ (limit & {k});
    ratio * scale + (bits % 7) as f32 - base.min(y)
}}
",
            divisor = k + 1,
        );
    }
    source
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_two_kinds_differ_in_the_attribute_alone() {
        let user = library(Kind::User, 5).replace("#[user_function]\n", "");
        assert_eq!(
            user.replace("use skel::prelude::*;\n", ""),
            library(Kind::Plain, 5)
        );
        assert_eq!(
            library(Kind::User, 5).matches("#[user_function]").count(),
            5
        );
    }
}
