//! The default context.

use super::{Context, devices::Devices};
use crate::{
    Watchdog,
    device::memory_cap,
    setting,
    tune::{Table, models_of_files},
};
use skel_core::{
    Error, Result,
    call::{Call, Executor, Later},
    frame::Partial,
    schedule::Target,
};
use std::{ffi::OsString, sync::OnceLock, time::Duration};

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
                Ok(name) if !name.is_empty() => {
                    let parsed = name.parse().map(Some);
                    parsed.map_err(|error| forced(&name, error))
                }
                Ok(_) | Err(std::env::VarError::NotPresent) => Ok(None),
                Err(std::env::VarError::NotUnicode(name)) => {
                    let name = name.to_string_lossy().into_owned();
                    Err(forced(name.clone(), Error::UnknownBackend { name }))
                }
            };
            let variable = |name| std::env::var_os(name);
            let watchdog = watchdog(variable("SKEL_WATCHDOG"), variable("SKEL_WATCHDOG_MS"));
            // Here, so that nobody computes elsewhere for a slip of the pen.
            let forced = memory_cap().and(forced);
            let (watchdog, forced) = match watchdog {
                Ok(limit) => (limit, forced),
                Err(error) => (None, forced.and(Err(error))),
            };
            let models = Table::over(models_of_files());
            let devices = Devices::of_this_machine(watchdog);
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
fn watchdog(by: Option<OsString>, millis: Option<OsString>) -> Result<Option<Watchdog>> {
    const EXPECTED: &str = "a number of milliseconds, or 0 for as long as it takes";
    let millis = setting::number("SKEL_WATCHDOG_MS", millis, EXPECTED)?;
    let limit = millis.map(Duration::from_millis);
    match by.filter(|by| !by.is_empty()) {
        None => Ok(limit.filter(|limit| !limit.is_zero()).map(Watchdog::After)),
        Some(by) if by == "model" => {
            let mut watchdog = Watchdog::by_model();
            if let (Watchdog::ByModel { otherwise, .. }, Some(limit)) = (&mut watchdog, limit) {
                *otherwise = limit;
            }
            Ok(Some(watchdog))
        }
        Some(by) => Err(Error::BadSetting {
            name: "SKEL_WATCHDOG",
            found: by.to_string_lossy().into_owned(),
            expected: "`model`",
        }),
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

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_watchdog_is_off_unless_someone_says_how_long() {
        let read = |text: &str| watchdog(None, Some(text.into()));
        assert_eq!(watchdog(None, None).unwrap(), None);
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
    fn models_say_when_to_give_up_if_someone_says_so() {
        let read = |by: &str, ms: &str| watchdog(Some(by.into()), Some(ms.into()));
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
