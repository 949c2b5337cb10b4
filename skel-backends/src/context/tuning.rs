//! What a context offers to those who measure, and how it is tuned.

use super::{CPU, Context, FIRST_DEVICE, Part, SEQUENTIAL};
use crate::{
    clock::Clock,
    hybrid,
    tune::{Contender, Session, Table, device_ids, of_host},
};
use skel_core::{
    Error, Result,
    call::Call,
    frame::Partial,
    model::{DeviceFingerprint, Fingerprint, UnitId, chain::Waits},
    schedule::UnitIndex,
    unit::UnitInfo,
};
use std::{
    sync::{
        Arc, OnceLock, PoisonError, RwLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

/// What a context knows of models.
#[derive(Default)]
pub(super) struct Tuning {
    pub(super) table: Table,
    /// Whether there is a session: calls look at nothing else, if there is none.
    active: AtomicBool,
    session: RwLock<Option<Arc<Session>>>,
    ids: OnceLock<Vec<UnitId>>,
}

impl Tuning {
    pub(super) fn over(table: Table) -> Self {
        Tuning {
            table,
            ..Tuning::default()
        }
    }

    /// The session that is told of calls.
    #[inline]
    pub(super) fn session(&self) -> Option<Arc<Session>> {
        if !self.active.load(Ordering::Relaxed) {
            return None;
        }
        let session = self.session.read().unwrap_or_else(PoisonError::into_inner);
        session.clone()
    }

    /// From now on, this session is told of calls; what was told before.
    pub(super) fn replace(&self, session: Option<Arc<Session>>) -> Option<Arc<Session>> {
        let mut current = self.session.write().unwrap_or_else(PoisonError::into_inner);
        self.active.store(session.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut current, session)
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

    /// From now on, this session is told of calls; what was told before.
    pub(crate) fn tell(&self, session: Option<Arc<Session>>) -> Option<Arc<Session>> {
        self.inner.tuning.replace(session)
    }

    /// What models call the devices, in the order of their numbers.
    fn ids(&self) -> &[UnitId] {
        self.inner
            .tuning
            .ids
            .get_or_init(|| device_ids(&self.devices()))
    }

    /// The position of the device of this name, if it may be chosen unasked.
    pub(super) fn device(&self, id: &UnitId) -> Option<UnitIndex> {
        let device = self.ids().iter().position(|known| known == id)?;
        let offered = self.inner.devices.for_auto().contains(&device);
        offered.then_some(FIRST_DEVICE + device)
    }

    /// Whether a unit is there and can run the call.
    pub(crate) fn is_able(&self, index: UnitIndex, call: &Call<'_>) -> bool {
        index < FIRST_DEVICE || self.unit(index).is_ok_and(|unit| unit.check(call).is_ok())
    }

    /// The devices that may be chosen unasked.
    pub(crate) fn device_ids(&self) -> Vec<(UnitIndex, UnitId)> {
        let devices = self.inner.devices.for_auto().into_iter();
        let named = devices.filter_map(|k| Some((FIRST_DEVICE + k, self.ids().get(k)?.clone())));
        named.collect()
    }

    /// The units that can run a call, and may be chosen unasked: those of the host first.
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

    /// Runs parts of a call, which need not be all of it; `whole` says whether they are.
    pub(crate) fn run_parts(
        &self,
        parts: &[Part],
        whole: bool,
        call: &mut Call<'_>,
    ) -> Result<Partial> {
        if let ([(index @ (SEQUENTIAL | CPU), _)], true) = (parts, whole) {
            return self.run_on_host(*index, call);
        }
        let mut pieces = Vec::with_capacity(parts.len());
        for (index, range) in parts {
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

/// The threads of the CPU unit, as far as the calling thread is concerned.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}
