//! Functions whose body for devices the user wrote in their languages.

use super::Cx;
use crate::{
    ir::{Foreign, Function, Local, LocalId, Mode, Param, Stmt, StmtKind, Ty},
    user_function::Imp,
};

impl Cx {
    /// A function of these parameters, which has no other body than `foreign`. `Key` as in
    /// [`Cx::define`].
    pub fn foreign<Key: 'static>(
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
            }
        })
    }
}
