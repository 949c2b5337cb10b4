//! What a driver of Vulkan keeps of floats in modules that ask for it.
//!
//! A driver may take NaN for a number and subnormals for zero, unless the module has an execution mode against it
//! (`SPV_KHR_float_controls`). NVIDIA's, without one, takes the branch of `x > y` where `x <= y` is not true.

/// For floats of 32 bits, and of 64.
pub(super) type Widths = [bool; 2];

/// What a module may ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct FloatControls {
    /// NaN, infinities and the sign of zero count.
    pub(super) special_values: Widths,
    /// Subnormals are not flushed.
    pub(super) subnormals: Widths,
    /// Results are rounded to the nearest, ties to even.
    pub(super) rounding: Widths,
}

#[cfg(not(any(target_os = "macos", target_os = "ios")))]
mod vulkan {
    #![allow(unsafe_code, reason = "asks Vulkan itself, since wgpu does not")]

    use super::{FloatControls, Widths};
    use ash::vk;
    use wgpu::{Adapter, hal::api::Vulkan};

    impl FloatControls {
        /// Those of an adapter; none of other APIs than Vulkan, and of versions that have no such modes.
        pub(in super::super) fn of(adapter: &Adapter) -> FloatControls {
            // SAFETY: it is only asked, and outlived by the adapter.
            let Some(adapter) = (unsafe { adapter.as_hal::<Vulkan>() }) else {
                return FloatControls::default();
            };
            let instance = adapter.shared_instance();
            let device = adapter.physical_device_capabilities().properties();
            if instance.instance_api_version().min(device.api_version) < vk::API_VERSION_1_2 {
                return FloatControls::default();
            }
            let mut controls = vk::PhysicalDeviceFloatControlsProperties::default();
            let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut controls);
            // SAFETY: the device is one of this instance, which `adapter` keeps; both are of version 1.2, which has this
            // function and fills this structure.
            unsafe {
                let device = adapter.raw_physical_device();
                let instance = instance.raw_instance();
                instance.get_physical_device_properties2(device, &mut all);
            }
            FloatControls::from(&controls)
        }
    }

    impl From<&vk::PhysicalDeviceFloatControlsProperties<'_>> for FloatControls {
        fn from(of: &vk::PhysicalDeviceFloatControlsProperties<'_>) -> Self {
            let widths = |single, double| [single, double].map(|has| has == vk::TRUE);
            FloatControls {
                special_values: widths(
                    of.shader_signed_zero_inf_nan_preserve_float32,
                    of.shader_signed_zero_inf_nan_preserve_float64,
                ),
                subnormals: independent(
                    widths(
                        of.shader_denorm_preserve_float32,
                        of.shader_denorm_preserve_float64,
                    ),
                    of.denorm_behavior_independence,
                ),
                rounding: independent(
                    widths(
                        of.shader_rounding_mode_rte_float32,
                        of.shader_rounding_mode_rte_float64,
                    ),
                    of.rounding_mode_independence,
                ),
            }
        }
    }

    /// Where all widths must be alike, none may have what another lacks.
    fn independent(widths: Widths, independence: vk::ShaderFloatControlsIndependence) -> Widths {
        match independence {
            vk::ShaderFloatControlsIndependence::NONE => [widths[0] && widths[1]; 2],
            _ => widths,
        }
    }

    #[cfg(test)]
    mod test {
        use super::*;

        #[test]
        fn widths_that_depend_on_each_other_are_alike() {
            let mut of = vk::PhysicalDeviceFloatControlsProperties {
                shader_signed_zero_inf_nan_preserve_float32: vk::TRUE,
                shader_denorm_preserve_float32: vk::TRUE,
                shader_rounding_mode_rte_float64: vk::TRUE,
                denorm_behavior_independence: vk::ShaderFloatControlsIndependence::TYPE_32_ONLY,
                rounding_mode_independence: vk::ShaderFloatControlsIndependence::NONE,
                ..vk::PhysicalDeviceFloatControlsProperties::default()
            };
            let expected = FloatControls {
                special_values: [true, false],
                subnormals: [true, false],
                rounding: [false; 2],
            };
            assert_eq!(FloatControls::from(&of), expected);
            of.shader_rounding_mode_rte_float32 = vk::TRUE;
            assert_eq!(FloatControls::from(&of).rounding, [true; 2]);
        }
    }
}

#[cfg(any(target_os = "macos", target_os = "ios"))]
impl FloatControls {
    /// There is no Vulkan.
    pub(super) fn of(_: &wgpu::Adapter) -> FloatControls {
        FloatControls::default()
    }
}
