//! Functions whose body for devices the user wrote in their languages.
#![allow(
    unsafe_code,
    reason = "text for devices is believed: see `Cx::foreign`"
)]

use super::Cx;
use crate::ir::{Foreign, Function, Imp, Local, LocalId, Mode, Param, Stmt, StmtKind, Ty};

impl Cx {
    /// A function of these parameters, which has no other body than `foreign`. `Key` as in
    /// [`Cx::define`].
    ///
    /// # Safety
    ///
    /// In each language, the text computes what the function may: it reads and writes its parameters and variables
    /// of its own and no other memory, ends, and returns bits that are a value of the type `ret`, as it leaves in
    /// parameters bits that are values of theirs.
    pub unsafe fn foreign<Key: 'static>(
        &mut self,
        name: &'static str,
        file: &'static str,
        params: Vec<(&'static str, (Ty, Mode))>,
        ret: Ty,
        foreign: Foreign,
    ) -> Imp {
        self.add::<Key>(|| {
            let locals: Vec<Local> = params
                .iter()
                .map(|(name, (ty, _))| Local {
                    name,
                    ty: ty.clone(),
                })
                .collect();
            let params = (0..).zip(&params).map(|(k, (_, (_, mode)))| Param {
                local: LocalId(k),
                mode: *mode,
            });
            Function {
                name,
                file,
                params: params.collect(),
                ret,
                locals,
                body: vec![Stmt {
                    kind: StmtKind::Foreign(foreign),
                    line: 0,
                }],
                fast_math: false,
                implied: Vec::new(),
            }
        })
    }
}
