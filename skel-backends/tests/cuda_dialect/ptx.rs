//! What NVRTC makes of the sources: every one compiles, nothing is contracted unasked, division and
//! root are exact.

use crate::{
    Test, cases, golden,
    ir::{binary, builtin, call, cast, fold, formula, local, map, unary},
    launch::{self, sources, sources_of},
    libraries, numeric, programs,
};
use skel_backends::{
    codegen::cuda::Source,
    cuda::nvrtc::{Nvrtc, Options},
};
use skel_core::{
    ir::{BinaryOp::*, Builtin, Expr, Function, Ty, UnaryOp},
    plan::{Kernel, Role},
};
use std::{num::NonZero, sync::Arc, thread};

pub(crate) const TESTS: &[Test] = &[
    (
        "every_source_compiles_for_old_and_new_devices",
        every_source_compiles_for_old_and_new_devices,
    ),
    (
        "blocks_have_shared_memory_for_all_that_they_combine",
        blocks_have_shared_memory_for_all_that_they_combine,
    ),
    (
        "nothing_is_contracted_unasked",
        nothing_is_contracted_unasked,
    ),
    (
        "what_is_asked_for_is_contracted",
        what_is_asked_for_is_contracted,
    ),
    (
        "beside_a_fast_function_others_stay_exact",
        beside_a_fast_function_others_stay_exact,
    ),
    ("division_and_root_are_exact", division_and_root_are_exact),
    (
        "batches_are_loaded_before_they_are_used",
        batches_are_loaded_before_they_are_used,
    ),
    (
        "vectors_are_loaded_and_stored_at_once",
        vectors_are_loaded_and_stored_at_once,
    ),
];

fn compile(nvrtc: &Nvrtc, name: &str, source: &Source, capability: u32) -> String {
    let options = Options {
        contract: source.contracts,
        ..Options::ptx(capability)
    };
    let ptx = nvrtc
        .compile(name, &source.text, &options)
        .unwrap_or_else(|e| panic!("{e}\n{}", source.text));
    String::from_utf8(ptx).expect("PTX is text")
}

fn every_source_compiles_for_old_and_new_devices() {
    let mut kernels: Vec<(String, Arc<Kernel>)> = numeric::kernels();
    kernels.extend(golden::kernels());
    let others = cases::all().into_iter();
    kernels.extend(others.map(|case| (case.name.to_owned(), case.kernel)));
    let check = |(name, kernel): &(String, Arc<Kernel>)| {
        for nvrtc in libraries::all() {
            for source in sources(kernel, 256).unwrap() {
                for capability in [75, 90] {
                    let text = compile(nvrtc, name, &source, capability);
                    assert!(text.contains(".entry skel_kernel("), "{name}: {text}");
                }
            }
        }
    };
    // All other tests have ended when one thread is done with that.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    thread::scope(|scope| {
        for first in 0..threads {
            let mine = kernels.iter().skip(first).step_by(threads);
            scope.spawn(move || mine.for_each(check));
        }
    });
}

/// Machine code, for which the assembler counts shared memory: of types of which tiles would fill it to the last byte.
fn blocks_have_shared_memory_for_all_that_they_combine() {
    let nvrtc = libraries::all().last().expect("else the test is ignored");
    for words in [3, 12, 13, 24, 48, 96] {
        let ty = Ty::array(Ty::U32, words);
        let same = || formula("same", std::slice::from_ref(&ty), local(0, ty.clone()));
        for commutative in [false, true] {
            let first = formula("first", &[ty.clone(), ty.clone()], local(0, ty.clone()));
            let kernel = fold(same(), first, commutative, None, &[(Role::In, ty.clone())]);
            for source in sources(&kernel, 256).unwrap() {
                let options = Options::cubin(90);
                let code = nvrtc.compile("first", &source.text, &options);
                code.unwrap_or_else(|error| panic!("{words} words: {error}"));
            }
        }
    }
}

/// PTX of the newest compiler, for an old device.
fn ptx(kernel: &Kernel) -> String {
    ptx_of(kernel, true)
}

fn ptx_of(kernel: &Kernel, vectors: bool) -> String {
    let nvrtc = libraries::all().last().expect("else the test is ignored");
    let options = launch::SourceOptions {
        lanes: 256,
        elems_per_lane: None,
        vectors,
    };
    let all = sources_of(kernel, &options).unwrap();
    all.iter()
        .map(|source| compile(nvrtc, "sample", source, 75))
        .collect()
}

/// `a * b + c`.
fn axpy(name: &'static str, ty: &Ty, fast: bool) -> Function {
    let [a, b, c] = [0, 1, 2].map(|k| local(k, ty.clone()));
    let types = [0; 3].map(|_: u8| ty.clone());
    let mut f = formula(name, &types, binary(Add, binary(Mul, a, b), c));
    f.fast_math = fast;
    f
}

fn of_three(functions: Vec<Function>, ty: &Ty) -> Arc<Kernel> {
    let role = |role| (role, ty.clone());
    let roles = [
        role(Role::In),
        role(Role::In),
        role(Role::In),
        role(Role::Out),
    ];
    map(functions, None, &roles)
}

fn nothing_is_contracted_unasked() {
    for ty in [Ty::F32, Ty::F64] {
        let text = ptx(&of_three(vec![axpy("axpy", &ty, false)], &ty));
        assert!(!text.contains("fma.rn"), "{text}");
    }
    for (name, kernel) in [
        ("saxpy", programs::saxpy()),
        ("dot", programs::all().swap_remove(5).1),
    ] {
        let text = ptx(&kernel);
        assert!(!text.contains("fma.rn"), "{name}: {text}");
    }
    let [a, b, c] = [0, 1, 2].map(|k| local(k, Ty::F32));
    let f = formula(
        "exact",
        &[Ty::F32, Ty::F32, Ty::F32],
        builtin(Builtin::MulAdd, vec![a, b, c]),
    );
    assert!(ptx(&of_three(vec![f], &Ty::F32)).contains("fma.rn.f32"));
}

fn what_is_asked_for_is_contracted() {
    for (ty, fused) in [(Ty::F32, "fma.rn.f32"), (Ty::F64, "fma.rn.f64")] {
        let text = ptx(&of_three(vec![axpy("axpy", &ty, true)], &ty));
        assert!(text.contains(fused), "{text}");
    }
}

fn beside_a_fast_function_others_stay_exact() {
    let f = || Ty::F32;
    // The exact one calls a fast one that has nothing to contract, and is called by another.
    let mut fast = formula("half", &[f()], binary(Mul, local(0, f()), local(0, f())));
    fast.fast_math = true;
    let [a, b, c] = [0, 1, 2].map(|k| local(k, f()));
    let product = binary(Mul, a, b);
    let degrees = builtin(Builtin::ToDegrees, vec![c.clone()]);
    let sum: Expr = binary(Sub, binary(Add, product, c.clone()), degrees);
    let exact = formula(
        "exact",
        &[f(), f(), f()],
        binary(Div, sum, call(0, vec![c], f())),
    );
    let kernel = of_three(vec![fast, exact], &f());
    assert!(sources(&kernel, 256).unwrap()[0].contracts);
    let text = ptx(&kernel);
    // Division is made of fused operations only where it is not exact.
    assert!(!text.contains("fma.rn"), "{text}");
}

fn division_and_root_are_exact() {
    for (ty, suffix) in [(Ty::F32, "f32"), (Ty::F64, "f64")] {
        let [a, b] = [0, 1].map(|k| local(k, ty.clone()));
        let e = builtin(Builtin::Sqrt, vec![binary(Div, a, b)]);
        let f = formula("root", &[ty.clone(), ty.clone()], e);
        let roles = [
            (Role::In, ty.clone()),
            (Role::In, ty.clone()),
            (Role::Out, ty),
        ];
        let text = ptx(&map(vec![f], None, &roles));
        for operation in ["div.rn.", "sqrt.rn."] {
            let operation = format!("{operation}{suffix}");
            assert!(text.contains(&operation), "{operation}: {text}");
        }
        assert!(
            !text.contains(".ftz") && !text.contains(".approx"),
            "{text}"
        );
    }
}

/// Lines of PTX before the first that has this operation, and whether nothing of a kernel is in memory of its own.
fn before<'t>(text: &'t str, operation: &str) -> Vec<&'t str> {
    assert!(!text.contains(".local"), "{text}");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let first = lines.iter().position(|line| line.contains(operation));
    lines[..first.expect("such an operation")].to_vec()
}

fn count(lines: &[&str], operation: &str) -> usize {
    let found = lines.iter().filter(|line| line.contains(operation));
    found.count()
}

fn batches_are_loaded_before_they_are_used() {
    let text = ptx_of(&programs::saxpy(), false);
    // Four elements of two arguments.
    let loads = count(&before(&text, "mul.rn.f32"), "ld.global");
    assert!(loads >= 8, "{loads} loads: {text}");
    assert!(!text.contains(".v4."), "{text}");
}

fn vectors_are_loaded_and_stored_at_once() {
    let one = |from: Ty, to: Ty, e: Expr| {
        let f = formula("f", std::slice::from_ref(&from), e);
        map(vec![f], None, &[(Role::In, from), (Role::Out, to)])
    };
    let minus = |ty: Ty| one(ty.clone(), ty.clone(), unary(UnaryOp::Neg, local(0, ty)));
    let widened = one(Ty::U16, Ty::F64, cast(local(0, Ty::U16), Ty::F64));
    for (kernel, first, loads, stores) in [
        (programs::saxpy(), "mul.rn.f32", (2, "v4.f32"), "v4.u32"),
        // Two vectors of one argument: as many bytes are on their way as of two.
        (minus(Ty::F32), "neg.f32", (2, "v4.f32"), "v4.u32"),
        (minus(Ty::F64), "neg.f64", (2, "v2.f64"), "v4.u32"),
        (widened, "cvt.rn.f64.u16", (4, ".v2.u16"), "v4.u32"),
    ] {
        let text = ptx_of(&kernel, true);
        let (expected, operation) = loads;
        let of = |lines: &[&str], memory: &str, operation: &str| {
            let found = lines
                .iter()
                .filter(|l| l.contains(memory) && l.contains(operation));
            found.count()
        };
        let loaded = of(&before(&text, first), "ld.global", operation);
        assert!(loaded >= expected, "{loaded} {operation}: {text}");
        let lines: Vec<&str> = text.lines().collect();
        assert!(of(&lines, "st.global", stores) >= 1, "{stores}: {text}");
    }
    // Bytes, whatever NVRTC calls sixteen of them.
    let text = ptx_of(&minus(Ty::I8), true);
    let wide = |line: &&str| line.contains(".v4.u32") || line.contains(".v2.u64");
    let [loads, stores] = ["ld.global", "st.global"].map(|operation| {
        let lines = text.lines().filter(|line| line.contains(operation));
        lines.filter(wide).count()
    });
    assert!(loads >= 2 && stores >= 2, "{text}");
}
