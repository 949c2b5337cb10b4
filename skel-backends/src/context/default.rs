//! The default context.

use super::{Context, devices::Devices};
use skel_core::{
    Result,
    call::{Call, Executor, Later},
    frame::Partial,
    schedule::Target,
};
use std::sync::OnceLock;

/// Stands for the context of the whole process: its CPU and whatever devices the machine has. Built
/// at the first call; devices are looked for when a call may use one, and opened when one does.
///
/// `SKEL_BACKEND`, read once, overrides the target of every call in this context.
#[derive(Clone, Copy, Debug, Default)]
pub struct DefaultContext;

impl DefaultContext {
    /// The context.
    #[must_use]
    pub fn get(self) -> &'static Context {
        static CONTEXT: OnceLock<Context> = OnceLock::new();
        CONTEXT.get_or_init(|| {
            let forced = match std::env::var("SKEL_BACKEND") {
                Ok(name) if !name.is_empty() => name.parse().map(Some),
                Ok(_) | Err(std::env::VarError::NotPresent) => Ok(None),
                Err(std::env::VarError::NotUnicode(name)) => {
                    let name = name.to_string_lossy().into_owned();
                    Err(skel_core::Error::UnknownBackend { name })
                }
            };
            Context::new(Devices::of_this_machine(), forced)
        })
    }
}

impl Executor for DefaultContext {
    fn execute(&self, call: Call<'_>, target: &Target) -> Result<Partial> {
        self.get().execute(call, target)
    }

    fn execute_later(&self, call: Call<'_>, target: &Target) -> Result<Later<Partial>> {
        self.get().execute_later(call, target)
    }
}
