//! The default context.

use super::{
    Context,
    devices::{Devices, TimeLimits},
};
use crate::{
    Watchdog,
    setting::{BACKEND, COMPILE_BUDGET_MS, SOFTWARE_DEVICES, WATCHDOG, WATCHDOG_MS, problem},
    tune::{Table, models_of_files},
};
use skel_core::{
    Error, Result,
    call::{Call, Executor},
    frame::Partial,
    later::Later,
    schedule::Target,
    setting::environment,
};
use std::{ffi::OsString, sync::OnceLock};

/// Stands for the context of the whole process: its CPU and all devices of the machine. It is built at the
/// first call. Devices are discovered when a call may use one, and opened when one does.
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
            // Before anything runs, so that nothing runs elsewhere or otherwise for a slip of the pen.
            let forced = match problem(&environment) {
                Some(problem) => Err(problem),
                None => BACKEND.get(),
            };
            let watchdog = watchdog(&environment).unwrap_or(None);
            let software_counts = SOFTWARE_DEVICES.get().ok().flatten().unwrap_or(false);
            let models = Table::over(models_of_files());
            let limits = TimeLimits {
                watchdog,
                compile_budget: COMPILE_BUDGET_MS.get().ok().flatten(),
            };
            let devices = Devices::of_this_machine(limits, software_counts);
            let context = Context::with_models(devices, forced, models);
            match Self::session(&context) {
                Ok(Some(session)) => context.begin_session(session),
                Ok(None) => {}
                Err(error) => return context.refusing(error),
            }
            context
        })
    }
}

/// What is wrong with what `SKEL_BACKEND` says.
pub(super) fn forced(target: impl ToString, cause: Error) -> Error {
    Error::Forced {
        target: target.to_string(),
        cause: cause.into(),
    }
}

/// What `SKEL_WATCHDOG` and `SKEL_WATCHDOG_MS` say.
fn watchdog(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<Option<Watchdog>> {
    let limit = WATCHDOG_MS.read(variable)?;
    if WATCHDOG.read(variable)?.is_none() {
        return Ok(limit.filter(|limit| !limit.is_zero()).map(Watchdog::After));
    }
    let mut watchdog = Watchdog::by_model();
    if let (Watchdog::ByModel { otherwise, .. }, Some(limit)) = (&mut watchdog, limit) {
        *otherwise = limit;
    }
    Ok(Some(watchdog))
}

impl Executor for DefaultContext {
    fn execute(&self, call: &mut Call<'_>, target: &Target) -> Result<Partial> {
        self.get().execute(call, target)
    }

    fn execute_later(&self, call: &mut Call<'_>, target: &Target) -> Result<Later<Partial>> {
        self.get().execute_later(call, target)
    }

    fn execute_steps(
        &self,
        call: &mut Call<'_>,
        target: &Target,
        most_steps: usize,
    ) -> Result<usize> {
        self.get().execute_steps(call, target, most_steps)
    }

    fn stays_on_host(&self, target: &Target) -> bool {
        self.get().stays_on_host(target)
    }
}

#[cfg(test)]
mod test {
    use super::*;
    use std::time::Duration;

    fn read(by: Option<&str>, ms: Option<&str>) -> Result<Option<Watchdog>> {
        watchdog(&|name| match name {
            "SKEL_WATCHDOG" => by.map(OsString::from),
            "SKEL_WATCHDOG_MS" => ms.map(OsString::from),
            _ => None,
        })
    }

    #[test]
    fn the_watchdog_is_off_unless_a_time_is_given() {
        assert_eq!(read(None, None).unwrap(), None);
        let read = |text: &str| read(None, Some(text));
        assert_eq!(read("").unwrap(), None);
        assert_eq!(read("0").unwrap(), None);
        assert_eq!(
            read("1500").unwrap(),
            Some(Duration::from_millis(1500).into())
        );
        let error = read("2s").unwrap_err().to_string();
        assert!(
            error.contains("SKEL_WATCHDOG_MS") && error.contains("2s"),
            "{error}"
        );
    }

    #[test]
    fn models_say_when_to_give_up_if_they_are_asked_to() {
        let read = |by: &str, ms: &str| read(Some(by), Some(ms));
        let otherwise = |by: &str, ms: &str| match read(by, ms) {
            Ok(Some(Watchdog::ByModel { otherwise, .. })) => otherwise,
            other => panic!("{other:?}"),
        };
        assert_eq!(read("model", "").unwrap(), Some(Watchdog::by_model()));
        assert_eq!(otherwise("model", "250"), Duration::from_millis(250));
        assert_eq!(otherwise("model", "0"), Duration::ZERO);
        assert_eq!(read("", "0").unwrap(), None);
        let error = read("modle", "").unwrap_err().to_string();
        assert!(
            error.contains("SKEL_WATCHDOG ") && error.contains("modle"),
            "{error}"
        );
    }
}
