//! How much memory a device's arrays may take, there and on the host.

use super::{Driver, unit::DeviceUnit};
use crate::setting::DEVICE_MEMORY_BYTES;
use skel_core::Result;

impl<D: Driver> DeviceUnit<D> {
    /// As [`DeviceUnit::with_memory_cap`] with the number in `SKEL_DEVICE_MEMORY_BYTES`, if there is one: so are
    /// the devices of the default context.
    ///
    /// # Errors
    /// [`skel_core::Error::BadSetting`] if it is no number.
    pub fn capped_by_environment(self) -> Result<Self> {
        Ok(match DEVICE_MEMORY_BYTES.get()? {
            Some(bytes) => self.with_memory_cap(bytes),
            None => self,
        })
    }

    /// Lets the arrays on the device take no more than `bytes` together, if that is less than what there is:
    /// to leave room for others, and for tests. The results stay the same. What does not fit is moved in
    /// and out as it is needed; where not even one element's needs fit, a call forced on the device
    /// gives [`skel_core::Error::OutOfMemory`].
    ///
    /// ```
    /// use skel::{Context, mock::Mock, prelude::*};
    ///
    /// let small = Mock::named("small").unit()?.with_memory_cap(1 << 10);
    /// let context = Context::builder().unit(small).build()?;
    /// let x = Vector::from(vec![1_u32; 10_000]);
    /// let y = map!(|x: u32| 2 * x).within(context).on(Device(0)).run((&x,))?;
    /// assert_eq!(y.host()?[..], [2; 10_000]);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_memory_cap(mut self, bytes: u64) -> Self {
        let bytes = self.capacity_bytes.map_or(bytes, |most| most.min(bytes));
        self.capacity_bytes = Some(bytes);
        self.queue.post(move |memory| memory.set_capacity(bytes));
        self
    }

    /// Keeps no more than `bytes` of host memory for what only the device had when its memory ran short. What
    /// cannot be kept stays on the device, and the call that needs the room goes another way: in chunks, on the
    /// CPU, or, if it is forced on the device, it gives [`skel_core::Error::OutOfMemory`]. Without this, it is
    /// so when the host has no memory left.
    ///
    /// ```
    /// use skel::{Context, mock::Mock, prelude::*};
    ///
    /// let small = Mock::named("small").unit()?.with_memory_cap(4000).with_spill_cap(0);
    /// let context = Context::builder().unit(small).build()?;
    /// let own = map!(|at: Index1| at.i as u32).within(context.clone()).on(Device(0));
    /// let kept = own.run_shaped(1000, ())?;
    /// // There is no room for another one, but in chunks, and these need some, too.
    /// assert!(matches!(own.run_shaped(1000, ()), Err(skel::Error::OutOfMemory { .. })));
    /// assert_eq!(kept.host()?[999], 999);
    /// assert_eq!(own.run_shaped(1000, ())?.host()?[999], 999);
    /// # skel::Result::Ok(())
    /// ```
    #[must_use]
    pub fn with_spill_cap(self, bytes: u64) -> Self {
        self.queue
            .post(move |memory| memory.set_most_spilled(bytes));
        self
    }
}
