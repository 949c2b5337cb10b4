//! What a context offers to code that measures, and how it is tuned.

use super::{Context, UnitRange};
use crate::{
    clock::Clock,
    hybrid, observe,
    positions::{CPU, FIRST_DEVICE, SEQUENTIAL},
    tune::{Contender, Session, Table, device_ids, of_host},
};
use skel_core::{Error, Result, call::Call, frame::Partial, schedule::UnitIndex, unit::UnitInfo};
use skel_model::{DeviceFingerprint, Fingerprint, UnitId, chain::Waits};
use std::{
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// The models and sessions of a context.
#[derive(Default)]
pub(super) struct Tuning {
    pub(super) table: Table,
    /// Whether there is a session: calls look at nothing else, if there is none.
    active: AtomicBool,
    /// The newest one; calls are reported to it.
    sessions: RwLock<Vec<Arc<Session>>>,
    /// The first error that was reported to a measurement and not to the program.
    untold: Mutex<Option<Error>>,
    ids: OnceLock<Vec<UnitId>>,
}

impl Tuning {
    pub(super) fn over(table: Table) -> Self {
        Tuning {
            table,
            ..Tuning::default()
        }
    }

    /// The session that calls are reported to.
    #[inline]
    pub(super) fn session(&self) -> Option<Arc<Session>> {
        if !self.active.load(Ordering::Relaxed) {
            return None;
        }
        let sessions = self.sessions.read().unwrap_or_else(PoisonError::into_inner);
        sessions.last().cloned()
    }

    /// From now on, calls are reported to this session.
    fn begin(&self, session: Arc<Session>) {
        let mut sessions = self
            .sessions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        sessions.push(session);
        self.active.store(true, Ordering::Relaxed);
    }

    /// Nothing is reported to this session any more.
    fn end(&self, session: &Arc<Session>) {
        let mut sessions = self
            .sessions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|known| !Arc::ptr_eq(known, session));
        self.active.store(!sessions.is_empty(), Ordering::Relaxed);
    }
}

impl Context {
    /// The same, where no call is made, because of this.
    pub(super) fn refusing(self, error: Error) -> Context {
        match Arc::try_unwrap(self.inner) {
            Ok(inner) => Context {
                inner: Arc::new(super::Inner {
                    forced: inner.forced.and(Err(error)),
                    ..inner
                }),
            },
            Err(inner) => Context { inner },
        }
    }

    /// The models.
    pub(crate) fn table(&self) -> &Table {
        &self.inner.tuning.table
    }

    /// From now on, calls are reported to this session, until [`Context::end_session`].
    pub(crate) fn begin_session(&self, session: Arc<Session>) {
        self.inner.tuning.begin(session);
    }

    /// Nothing is reported to this session any more.
    pub(crate) fn end_session(&self, session: &Arc<Session>) {
        self.inner.tuning.end(session);
    }

    /// A call is about to be made.
    pub(super) fn tell_of(&self, call: &Call<'_>) {
        if let Some(session) = self.inner.tuning.session() {
            observe::unseen(|| session.before(self, call));
        }
    }

    /// An error that was not reported to the program: `sync` will.
    pub(crate) fn keep_untold(&self, error: Error) {
        let untold = &self.inner.tuning.untold;
        let mut untold = untold.lock().unwrap_or_else(PoisonError::into_inner);
        untold.get_or_insert(error);
    }

    /// The first error that was not reported to the program; later ones are dropped.
    pub(super) fn take_untold(&self) -> Option<Error> {
        let untold = &self.inner.tuning.untold;
        let mut untold = untold.lock().unwrap_or_else(PoisonError::into_inner);
        untold.take()
    }

    /// What models call the devices, in the order of their numbers.
    pub(super) fn ids(&self) -> &[UnitId] {
        self.inner
            .tuning
            .ids
            .get_or_init(|| device_ids(&self.devices()))
    }

    /// The position of the device of this name, if it may be chosen without being named.
    pub(super) fn device(&self, id: &UnitId) -> Option<UnitIndex> {
        let device = self.ids().iter().position(|known| known == id)?;
        let offered = self.inner.devices.for_auto().contains(&device);
        offered.then_some(FIRST_DEVICE + device)
    }

    /// Whether a unit is there and can run the call.
    pub(crate) fn is_able(&self, index: UnitIndex, call: &Call<'_>) -> bool {
        index < FIRST_DEVICE || self.unit(index).is_ok_and(|unit| unit.check(call).is_ok())
    }

    /// The devices that may be chosen without being named.
    pub(crate) fn device_ids(&self) -> Vec<(UnitIndex, UnitId)> {
        let devices = self.inner.devices.for_auto().into_iter();
        let named = devices.filter_map(|k| Some((FIRST_DEVICE + k, self.ids().get(k)?.clone())));
        named.collect()
    }

    /// The units that can run a call, and may be chosen without being named: those of the host first.
    pub(crate) fn contenders(&self, call: &Call<'_>) -> Vec<Contender> {
        let host = [SEQUENTIAL, CPU].into_iter().filter_map(|index| {
            let id = of_host(self.unit(index).ok()?);
            Some((index, id))
        });
        let devices = self
            .device_ids()
            .into_iter()
            .filter(|(index, _)| self.is_able(*index, call));
        host.chain(devices)
            .map(|(index, id)| Contender { id, index })
            .collect()
    }

    /// The machine, as models know it. Looks for devices.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let cpu = &self.inner.cpu;
        let reports = self.devices();
        let infos = reports
            .iter()
            .filter(|r| r.index.is_some())
            .map(|r| &r.info);
        let device = |(id, info): (&UnitId, &UnitInfo)| DeviceFingerprint {
            id: id.clone(),
            name: info.name.clone(),
            driver: info.driver.clone(),
        };
        Fingerprint {
            cpu: crate::Unit::info(cpu).name.clone(),
            threads: threads(),
            devices: self.ids().iter().zip(infos).map(device).collect(),
        }
    }

    /// Runs parts of a call, which need not be all of it: all in the same way, so that what they take can be
    /// compared.
    pub(crate) fn run_parts(&self, parts: &[UnitRange], call: &mut Call<'_>) -> Result<Partial> {
        let mut pieces = Vec::with_capacity(parts.len());
        for (index, range) in &*super::aligned(call, parts) {
            let unit = self.unit(*index)?;
            for range in unit.pieces(call, range.clone()) {
                pieces.push(hybrid::Piece::new(*index, unit, range));
            }
        }
        let executed = self.pass(call.phases.pattern(), || {
            hybrid::execute(&pieces, call, None)
        });
        executed.map(|outcome| outcome.total)
    }

    /// Sends devices what their parts of a call read and change in place, ahead of it.
    pub(crate) fn bring(&self, parts: &[UnitRange], call: &mut Call<'_>) -> Result<()> {
        for (index, range) in parts {
            self.unit(*index)?.bring(call, range)?;
        }
        Ok(())
    }

    /// Whether it has a clock of its own.
    pub(crate) fn is_virtual(&self) -> bool {
        matches!(self.inner.clock, Clock::Virtual(_))
    }

    /// How long calls wait for devices.
    pub(crate) fn waits(&self) -> Waits {
        match self.inner.clock {
            Clock::Wall => Waits::ForUploads,
            Clock::Virtual(_) => Waits::ForDevices,
        }
    }

    /// Runs `body`, and says how long it took.
    pub(crate) fn time<R>(&self, body: impl FnOnce() -> R) -> (R, Duration) {
        let started = self.inner.clock.start();
        let result = body();
        (result, self.inner.clock.elapsed(started))
    }
}

/// The threads of the CPU unit, as seen from the calling thread.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}
