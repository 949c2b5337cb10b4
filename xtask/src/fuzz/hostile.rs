//! Declarations with `#[derive(Element)]` that must be refused, and some that must not: random ones of every kind.

use super::dice::Dice;

/// A module with a declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The module's name, unique in the run.
    pub(super) name: String,
    /// What is wrong with it; nothing of one that is to be taken.
    pub(super) fault: Option<&'static str>,
    /// What stands before it in the module.
    scope: String,
    text: String,
}

impl Declaration {
    /// The module's source.
    pub(super) fn source(&self) -> String {
        format!("{}{}", self.scope, self.text)
    }

    /// The first line of the declaration, counted from 1.
    pub(super) fn first_line(&self) -> usize {
        self.scope.lines().count() + 1
    }
}

/// Scalars with their sizes in bytes.
const SCALARS: [(&str, usize); 11] = [
    ("u8", 1),
    ("i8", 1),
    ("bool", 1),
    ("u16", 2),
    ("i16", 2),
    ("u32", 4),
    ("f32", 4),
    ("i32", 4),
    ("u64", 8),
    ("i64", 8),
    ("f64", 8),
];

const INTEGERS: [&str; 10] = [
    "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "usize", "isize",
];

/// What is in scope where the derive's code stands, to no avail: it must mean what it means, wherever it is. (Names that
/// begin with two underscores are the macros' own.)
const SCOPES: [&str; 8] = [
    "",
    "macro_rules! assert { ($($all:tt)*) => {}; }\n",
    "mod core {}\nmod std {}\nmod skel {}\n",
    "type u8 = ::core::primitive::u32;\ntype usize = ::core::primitive::u16;\n",
    "type bool = ::core::primitive::u8;\ntype i128 = ();\n",
    "struct Option;\nstruct Some;\nconst None: ::core::primitive::u8 = 0;\n",
    "trait Check {}\nfn part() {}\nfn adjoins() {}\nmacro_rules! panic { () => {}; }\n",
    "trait Fields { const FIELDS: ::core::primitive::u8 = 3; }\nimpl<T> Fields for T {}\n",
];

const DERIVES: &str = "#[derive(Clone, Copy, PartialEq, Element)]\n";

type Make = fn(&mut Dice) -> String;

/// Every way in which a declaration is wrong.
const FAULTS: &[(&str, Make)] = &[
    ("no repr", |dice| {
        let fields = fields(dice, None);
        format!("{DERIVES}struct S {{ {fields} }}\n")
    }),
    ("repr of an integer on a struct", |dice| {
        let (repr, fields) = (*dice.pick(&INTEGERS), fields(dice, None));
        format!("{DERIVES}#[repr({repr})]\nstruct S {{ {fields} }}\n")
    }),
    ("padding between fields", |dice| {
        // Absolute names: whatever the scope calls so.
        let (small, large) = padded(dice);
        let more = dice.below(3);
        let after: String = (0..more).map(|k| format!("    m{k}: {large},\n")).collect();
        format!("{DERIVES}#[repr(C)]\nstruct S {{\n    a: {small},\n    b: {large},\n{after}}}\n")
    }),
    ("padding at the end", |dice| {
        let (small, large) = padded(dice);
        format!("{DERIVES}#[repr(C)]\nstruct S {{\n    a: {large},\n    b: {small},\n}}\n")
    }),
    ("padding by what an alias means", |dice| {
        let (small, large) = padded(dice);
        format!(
            "type f64 = {small};\n{DERIVES}#[repr(C)]\nstruct S {{\n    a: f64,\n    b: {large},\n}}\n"
        )
    }),
    ("an alias of what is no element", |dice| {
        let foreign = *dice.pick(&FOREIGN);
        format!(
            "type f32 = {foreign};\n#[derive(Clone, Copy, Element)]\n#[repr(C)]\nstruct S {{ a: f32 }}\n"
        )
    }),
    ("align of a struct", |dice| {
        let (fields, align) = (fields(dice, None), 1 << dice.range(0, 7));
        let repr = match dice.below(3) {
            0 => format!("#[repr(C, align({align}))]"),
            1 => format!("#[repr(C)]\n#[repr(align({align}))]"),
            _ => format!("#[cfg_attr(all(), repr(C, align({align})))]"),
        };
        format!("{DERIVES}{repr}\nstruct S {{ {fields} }}\n")
    }),
    ("align of an enum", |dice| {
        let (repr, align) = (*dice.pick(&INTEGERS), 1 << dice.range(0, 7));
        format!("{DERIVES}#[repr({repr}, align({align}))]\nenum E {{ A, B }}\n")
    }),
    ("packed", |dice| {
        let fields = fields(dice, None);
        let packed = *dice.pick(&["packed", "packed(1)", "packed(2)", "packed(8)"]);
        format!("{DERIVES}#[repr(C, {packed})]\nstruct S {{ {fields} }}\n")
    }),
    ("a field that is no element", |dice| {
        let foreign = *dice.pick(&FOREIGN);
        let ty = match dice.below(3) {
            0 => format!("[{foreign}; {}]", dice.range(1, 4)),
            _ => foreign.to_owned(),
        };
        let fields = fields(dice, Some(&ty));
        format!("#[derive(Clone, Copy, Element)]\n#[repr(C)]\nstruct S {{ {fields} }}\n")
    }),
    ("a field of a type without the derive", |dice| {
        let fields = fields(dice, Some("Inner"));
        format!(
            "{DERIVES}#[repr(C)]\nstruct S {{ {fields} }}\n#[derive(Clone, Copy, PartialEq)]\n#[repr(C)]\nstruct Inner(u32);\n"
        )
    }),
    ("a field that is refused itself", |dice| {
        let (small, large) = padded(dice);
        format!(
            "{DERIVES}#[repr(C)]\nstruct S {{ a: [Inner; 2] }}\n{DERIVES}#[repr(C)]\nstruct Inner({small}, {large});\n"
        )
    }),
    ("not Copy", |dice| {
        let (fields, derives) = (fields(dice, None), *dice.pick(&["", "Clone, ", "Debug, "]));
        format!("#[derive({derives}Element)]\n#[repr(C)]\nstruct S {{ {fields} }}\n")
    }),
    ("a union", |dice| {
        let fields = fields(dice, None);
        format!("#[derive(Clone, Copy, Element)]\n#[repr(C)]\nunion U {{ {fields} }}\n")
    }),
    ("no fields", |dice| {
        let body = *dice.pick(&[";", " {}", "();"]);
        format!("{DERIVES}#[repr(C)]\nstruct S{body}\n")
    }),
    ("a lifetime", |_| {
        "#[derive(Clone, Copy, Element)]\n#[repr(C)]\nstruct S<'a> { a: &'a u32 }\n".into()
    }),
    ("an enum of no integer", |dice| {
        let repr = *dice.pick(&["", "#[repr(C)]\n", "#[repr(u128)]\n", "#[repr(i128)]\n"]);
        format!("{DERIVES}{repr}enum E {{ A, B }}\n")
    }),
    ("no variants", |dice| {
        format!("{DERIVES}#[repr({})]\nenum E {{}}\n", dice.pick(&INTEGERS))
    }),
    ("no variant is 0", |dice| {
        let (repr, first) = (*dice.pick(&INTEGERS), dice.range(1, 100));
        format!("{DERIVES}#[repr({repr})]\nenum E {{ A = {first}, B }}\n")
    }),
    ("a variant with values", |dice| {
        let values = *dice.pick(&["(f32)", "{ x: u32 }", "()", "{}", "(u8, u8)"]);
        format!(
            "{DERIVES}#[repr({})]\nenum E {{ A, B{values} }}\n",
            dice.pick(&INTEGERS)
        )
    }),
    ("a discriminant beyond its integer", |dice| {
        let (repr, beyond) = *dice.pick(&[
            ("u8", "256"),
            ("i8", "128"),
            ("u16", "-1"),
            ("i32", "2147483648"),
        ]);
        format!("{DERIVES}#[repr({repr})]\nenum E {{ A, B = {beyond} }}\n")
    }),
    ("a discriminant twice", |dice| {
        format!(
            "{DERIVES}#[repr({})]\nenum E {{ A, B = 3, C = 2, D }}\n",
            dice.pick(&INTEGERS)
        )
    }),
    ("an enum with generics", |dice| {
        let generics = *dice.pick(&["<const N: usize>", "<const N: bool>"]);
        format!(
            "{DERIVES}#[repr({})]\nenum E{generics} {{ A, B }}\n",
            dice.pick(&INTEGERS)
        )
    }),
    ("an enum that is not compared", |dice| {
        format!(
            "#[derive(Clone, Copy, Element)]\n#[repr({})]\nenum E {{ A, B }}\n",
            dice.pick(&INTEGERS)
        )
    }),
    ("PartialEq by hand", |dice| {
        let (declared, name) = match dice.percent(50) {
            true => ("#[element(eq)]\n#[repr(C)]\nstruct S { a: u32 }", "S"),
            false => ("#[repr(u8)]\nenum E { A, B }", "E"),
        };
        format!(
            "#[derive(Clone, Copy, Element)]\n{declared}\nimpl PartialEq for {name} {{\n    fn eq(&self, _: &Self) -> ::core::primitive::bool {{ true }}\n}}\n"
        )
    }),
    ("eq of a struct with generics", |_| {
        format!("{DERIVES}#[element(eq)]\n#[repr(C)]\nstruct S<T> {{ a: T }}\n")
    }),
    ("an unknown option", |dice| {
        let option = *dice.pick(&["order", "eq, eqq", "crate", "crate = 3", "align(4)"]);
        let fields = fields(dice, None);
        format!("{DERIVES}#[element({option})]\n#[repr(C)]\nstruct S {{ {fields} }}\n")
    }),
    ("transparent over what is no element", |_| {
        format!("{DERIVES}#[repr(transparent)]\nstruct S(f32, ::std::marker::PhantomData<u8>);\n")
    }),
];

/// Types that can be copied, or not, and that no device has.
const FOREIGN: [&str; 14] = [
    "char",
    "&'static str",
    "::std::string::String",
    "::std::option::Option<f32>",
    "(f32, f32)",
    "()",
    "*const f32",
    "fn(f32) -> f32",
    "u128",
    "i128",
    "::std::num::NonZeroU32",
    "::std::boxed::Box<f32>",
    "::std::marker::PhantomData<f32>",
    "::std::cell::Cell<u32>",
];

/// A small and a larger scalar, by names that nothing shadows.
fn padded(dice: &mut Dice) -> (String, String) {
    let at = |k: usize| format!("::core::primitive::{}", SCALARS[k].0);
    let small = dice.below(8);
    let larger: Vec<usize> = (0..SCALARS.len())
        .filter(|k| SCALARS[*k].1 > SCALARS[small].1)
        .collect();
    (at(small), at(*dice.pick(&larger)))
}

/// One to four fields of one size, one of them of another type.
fn fields(dice: &mut Dice, one: Option<&str>) -> String {
    let (ty, _) = *dice.pick(&SCALARS);
    let count = dice.range(1, 4);
    let special = dice.below(count);
    (0..count)
        .map(|k| match one {
            Some(one) if k == special => format!("p{k}: {one}, "),
            _ => format!("p{k}: {ty}, "),
        })
        .collect()
}

/// A declaration that is right, whatever the scope calls its types.
fn right(dice: &mut Dice) -> String {
    let (ty, _) = *dice.pick(&SCALARS);
    let ty = format!("::core::primitive::{ty}");
    match dice.below(4) {
        0 => {
            let repr = *dice.pick(&INTEGERS);
            format!("{DERIVES}#[repr({repr})]\npub enum E {{ A = 7, B, C = 0, D }}\n")
        }
        1 => format!(
            "{DERIVES}#[repr(C)]\npub struct S({ty}, [{ty}; {}]);\n",
            dice.range(1, 5)
        ),
        2 => format!(
            "{DERIVES}#[repr(C)]\npub struct S {{ a: Inner, b: [Inner; 2] }}\n{DERIVES}#[element(eq)]\n#[repr(transparent)]\npub struct Inner({ty});\n"
        ),
        _ => format!("{DERIVES}#[element(eq)]\n#[repr(C)]\npub struct S {{ a: {ty}, b: {ty} }}\n"),
    }
}

/// Declaration `index` of a seed: each kind of fault has its turn, and every sixth is right.
pub(super) fn declaration(seed: u64, index: u64) -> Declaration {
    // Other dice than those of the functions.
    let mut dice = Dice::new(seed ^ 0x5eed_0fde_c1a7_a710, index);
    let scope = *dice.pick(&SCOPES);
    let (fault, text) = match index % 6 {
        5 => (None, right(&mut dice)),
        _ => {
            let (fault, make) =
                FAULTS[((index - index / 6) as usize + seed as usize) % FAULTS.len()];
            (Some(fault), make(&mut dice))
        }
    };
    // An alias in the scope must not mend, or break, what a fault is about.
    let scope = match fault {
        Some(_) if !text.contains("::core::primitive") && scope.contains("type ") => "",
        _ => scope,
    };
    Declaration {
        name: format!("d_{index}"),
        fault,
        scope: format!("use ::skel::prelude::*;\n{scope}"),
        text,
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_fault_has_its_turn_whatever_the_seed() {
        for seed in [0, 7, 1_700_000_000] {
            let most = 2 * FAULTS.len() as u64;
            let all: Vec<Declaration> = (0..most).map(|k| declaration(seed, k)).collect();
            let faults: BTreeSet<&str> = all.iter().filter_map(|d| d.fault).collect();
            assert_eq!(faults.len(), FAULTS.len());
            assert!(all.iter().any(|d| d.fault.is_none()));
            assert_eq!(declaration(seed, 9), all[9]);
        }
    }

    #[test]
    fn what_is_random_differs_from_seed_to_seed() {
        let texts: BTreeSet<String> = (0..40).map(|seed| declaration(seed, 5).source()).collect();
        assert!(texts.len() > 15, "{}", texts.len());
    }
}
