//! What an earlier process has left: classes to go on with, and units that are not there.

use super::{Class, Session};
use crate::{
    Context,
    positions::{CPU, SEQUENTIAL},
    tune::{
        Options,
        class::{WRONG_RESULT, has_newcomers},
        journal::Subject,
    },
};
use skel_core::call::Call;
use skel_model::{Evidence, UnitId};

impl Session {
    /// Units that are to be measured and cannot be chosen are problems.
    pub(super) fn name_missing(&self, context: &Context) {
        let mut there = vec![(SEQUENTIAL, UnitId::Sequential), (CPU, UnitId::Cpu)];
        there.extend(context.device_ids());
        for wanted in &self.options.units {
            let mut meant = there.iter();
            if !meant.any(|(index, id)| Options::is_meant(wanted, *index, id)) {
                let what = format!("{wanted} is not there, or only for calls that name it");
                self.note(|journal| journal.problem(None, "unit", &what));
                self.problem("unit", what);
            }
        }
    }

    /// This process makes a call of a class that is known; if an earlier process has measured it, that may have been of
    /// fewer units, or have come to nothing.
    pub(super) fn meet(
        &self,
        context: &Context,
        call: &Call<'_>,
        about: Subject<'_>,
        class: &mut Class,
    ) {
        if std::mem::replace(&mut class.is_met, true) {
            return;
        }
        if !class.suits(about) {
            if class.evidence.model().is_none() {
                class.evidence = Evidence::new(about.elems, about.beside_elems);
                class.is_settled = false;
            }
            return;
        }
        for unit in &class.evidence.wrong {
            let what = format!("{unit}: it computed something else when it was measured before");
            self.left_out(about, WRONG_RESULT, what);
        }
        class.is_settled &= !has_newcomers(context, &self.options, call, &class.evidence);
    }
}
