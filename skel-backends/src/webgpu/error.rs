//! What goes wrong in wgpu, as errors of ours. wgpu's own answer to an unhandled error is a panic. Here every
//! call is made in a scope, and what falls out of the scopes is kept.

use std::sync::{Arc, Mutex, PoisonError};

/// What a device said outside of any call.
#[derive(Debug, Default)]
pub(super) struct Faults {
    lost: Mutex<Option<String>>,
    stray: Mutex<Option<String>>,
}

impl Faults {
    /// Listens to `device`.
    pub(super) fn of(device: &wgpu::Device) -> Arc<Faults> {
        let faults = Arc::new(Faults::default());
        let listener = faults.clone();
        device.on_uncaptured_error(Arc::new(move |error| {
            keep(&listener.stray, error.to_string());
        }));
        let listener = faults.clone();
        device.set_device_lost_callback(move |reason, message| {
            keep(
                &listener.lost,
                format!("the device was lost ({reason:?}): {message}"),
            );
        });
        faults
    }

    /// Why the device is gone, if it is: it stays so.
    pub(super) fn lost(&self) -> Option<String> {
        self.lost
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// An error that no scope caught; reported once.
    pub(super) fn take_stray(&self) -> Option<String> {
        self.stray
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

/// The first message counts: later ones are often its consequences.
fn keep(place: &Mutex<Option<String>>, message: String) {
    place
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .get_or_insert(message);
}

#[cfg(test)]
mod test {
    use super::*;

    #[test]
    fn the_first_message_is_kept_and_strays_are_told_once() {
        let faults = Faults::default();
        keep(&faults.stray, "first".into());
        keep(&faults.stray, "second".into());
        assert_eq!(faults.take_stray().as_deref(), Some("first"));
        assert_eq!(faults.take_stray(), None);
        keep(&faults.lost, "gone".into());
        assert_eq!(faults.lost(), faults.lost());
    }
}
