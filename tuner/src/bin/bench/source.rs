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

/// A skeleton, with functions that it is called with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skeleton {
    Map,
    MapWithLoop,
    MapOverlap,
    Reduce,
    ReduceRows,
    Scan,
}

impl Skeleton {
    pub(crate) const ALL: [Skeleton; 6] = [
        Skeleton::Map,
        Skeleton::MapWithLoop,
        Skeleton::MapOverlap,
        Skeleton::Reduce,
        Skeleton::ReduceRows,
        Skeleton::Scan,
    ];

    /// For a table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Skeleton::Map => "map",
            Skeleton::MapWithLoop => "map of a function with a loop",
            Skeleton::MapOverlap => "map_overlap",
            Skeleton::Reduce => "reduce",
            Skeleton::ReduceRows => "reduce, of rows",
            Skeleton::Scan => "scan",
        }
    }

    /// The parameters and the body of function `k`.
    fn function(self, k: usize) -> String {
        match self {
            Skeleton::Map => {
                format!("(x: f32, y: f32) -> f32 {{ let a = x * {k}.0 + y; a * a - x }}")
            }
            Skeleton::MapWithLoop => format!(
                "(x: f32, y: f32) -> f32 {{ let mut a = x; let mut i = 0u32; \
                 while i < 20 {{ a = a * a + y; if a > {k}.0 {{ break; }} i += 1; }} a }}"
            ),
            Skeleton::MapOverlap => format!(
                "(w: Window2<f32, 1, 1>) -> f32 {{ \
                 w[(0, 0)] * {k}.0 + w[(0, 1)] + w[(1, 0)] + w[(0, -1)] + w[(-1, 0)] }}"
            ),
            Skeleton::Reduce | Skeleton::ReduceRows | Skeleton::Scan => {
                format!("(x: f32, y: f32) -> f32 {{ x + y * {k}.0 }}")
            }
        }
    }

    /// The call with function `k`, and the type of what it gives.
    fn call(self, k: usize) -> (String, &'static str) {
        let (call, ty) = match self {
            Skeleton::Map | Skeleton::MapWithLoop => {
                ("map!(FUNCTION).run((&x, &y))", "Vector<f32>")
            }
            Skeleton::MapOverlap => ("map_overlap!(FUNCTION).run((&m,))", "Matrix<f32>"),
            Skeleton::Reduce => ("reduce!(FUNCTION).run((&x,))", "f32"),
            Skeleton::ReduceRows => ("reduce!(FUNCTION).rows().run((&m,))", "Vector<f32>"),
            Skeleton::Scan => ("scan!(FUNCTION).run((&x,))", "Vector<f32>"),
        };
        (call.replace("FUNCTION", &format!("body{k}")), ty)
    }
}

/// A program with `count` calls of a skeleton, each with a function of its own.
pub(crate) fn program(skeleton: Skeleton, count: usize) -> String {
    let mut source = String::from("use skel::prelude::*;\n");
    for k in 0..count {
        let function = skeleton.function(k);
        let _ = write!(source, "#[user_function]\nfn body{k}{function}\n");
    }
    source.push_str(
        "fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let (x, y) = (Vector::filled(1000, 1f32), Vector::filled(1000, 2f32));
    let m = Matrix::filled(30, 30, 1f32);
    println!(\"{x:?} {y:?} {m:?}\");
",
    );
    for k in 0..count {
        let (call, ty) = skeleton.call(k);
        let _ = write!(
            source,
            "    let result: {ty} = {call}?;\n    println!(\"{{result:?}}\");\n"
        );
    }
    source.push_str("    Ok(())\n}\n");
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
