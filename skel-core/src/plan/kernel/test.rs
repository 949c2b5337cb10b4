//! Hashes of kernels in files.

use super::*;
use crate::{
    ir::{BinaryOp, Expr, Function, Local, LocalId, Mode, Param, Stmt, StmtKind, ViewKind},
    space::WindowSpecialisation,
};

/// `fn NAME(x, y) -> f32 { return x + y }`.
fn add(name: &'static str) -> Function {
    let [x, y] = [0, 1].map(|k| Expr::local(LocalId(k), Ty::F32));
    let sum = Expr::binary(BinaryOp::Add, x, y, 0);
    Function {
        name,
        file: "",
        params: [0, 1]
            .map(|k| Param {
                local: LocalId(k),
                mode: Mode::In,
            })
            .into(),
        ret: Ty::F32,
        locals: ["x", "y"].map(|name| Local { name, ty: Ty::F32 }).into(),
        body: vec![Stmt {
            kind: StmtKind::Return(Some(sum)),
            line: 0,
        }],
        fast_math: false,
        implied: Vec::new(),
    }
}

fn kernel(pattern: Pattern, operator: Option<(FnId, bool)>, roles: &[(Role, Ty)]) -> Kernel {
    let functions = vec![add("map"), add("operator")];
    let arguments = roles.iter().map(|(role, ty)| Argument {
        role: *role,
        ty: ty.clone(),
    });
    let index = Some((2, IndexKind::Index2));
    let arguments = arguments.collect();
    Kernel::new(
        pattern,
        Program { functions },
        FnId(0),
        operator,
        index,
        arguments,
    )
}

/// Other values, as of a variant that was renamed, would discard the models in files.
#[test]
fn hashes_in_files_stay_the_same() {
    let specialisation = WindowSpecialisation {
        edge: EdgeKind::Reflect,
        plain: true,
        alone: false,
    };
    let window = Ty::view(
        Ty::F32,
        ViewKind::Window {
            rank: 1,
            radius: [1, 0, 0, 0],
        },
    );
    let scan = kernel(
        Pattern::Scan,
        Some((FnId(1), false)),
        &[(Role::In, Ty::F32), (Role::Out, Ty::F32)],
    );
    let (function, exclusive) = (FnId(0), true);
    let kernels = [
        kernel(
            Pattern::Elementwise,
            None,
            &[
                (Role::Strided(2), Ty::F32),
                (Role::Window(Some(specialisation)), window),
                (Role::StridedOut(1, false), Ty::F32),
            ],
        ),
        kernel(
            Pattern::Fold,
            Some((FnId(1), true)),
            &[(Role::Uniform, Ty::F32), (Role::In, Ty::F32)],
        )
        .with_initial(0),
        scan.with_emission(Emission {
            function,
            exclusive,
        })
        .with_random(1),
    ];
    let hashes = kernels.map(|kernel| kernel.lasting_hash());
    let expected = [
        0xfcb8_4a0e_3a5d_b948_9d64_0b49_cc6b_71b2,
        0x459d_f45c_480e_363c_f996_e6fa_d2b3_3ba6,
        0x1ea6_0d74_acf2_5944_e0a7_30e8_d72e_b1c6,
    ];
    assert_eq!(hashes, expected, "{hashes:#x?}");
}
