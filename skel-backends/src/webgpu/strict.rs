//! Floats as they are written: modules in which no driver may contract or reassociate.
//!
//! WGSL lets a driver turn `a * b + c` into one rounding, and Mesa's optimiser also distributes and
//! cancels; neither keeps the bits that the CPU computes. SPIR-V has a word against it, the
//! decoration `NoContraction`, but naga does not write it. So on Vulkan the module is translated
//! here, by naga, and every float operation gets the decoration; wgpu passes the words through.
//!
//! Elsewhere (Metal, Direct3D) the driver keeps its freedom: `docs/language.md` says so.
#![allow(
    unsafe_code,
    reason = "wgpu does not look at modules that are passed through"
)]

use std::borrow::Cow;
use wgpu::{Adapter, Backend, Device, Features, ShaderModule};

/// Whether it can be done on this adapter.
pub(super) fn is_possible(adapter: &Adapter) -> bool {
    cfg!(not(any(target_os = "macos", target_os = "ios")))
        && adapter.get_info().backend == Backend::Vulkan
        && adapter.features().contains(Features::PASSTHROUGH_SHADERS)
}

/// A module of `source`, for work-groups of `lanes`: one that computes as written, where the device
/// was opened for that. What is wrong with it is the error, or goes to the error scope.
pub(super) fn module(
    device: &Device,
    name: &str,
    source: &str,
    lanes: u32,
) -> Result<ShaderModule, String> {
    if !device.features().contains(Features::PASSTHROUGH_SHADERS) {
        return Ok(device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(source)),
        }));
    }
    // It has storage buffers as an extension that wgpu asks of every driver.
    let words = decorate(&spirv(source, (1, 0))?);
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        label: Some(name),
        entry_points: Cow::Owned(vec![wgpu::PassthroughShaderEntryPoint {
            name: "main".into(),
            workgroup_size: (lanes, 1, 1),
        }]),
        spirv: Some(Cow::Owned(words)),
        ..wgpu::ShaderModuleDescriptorPassthrough::default()
    };
    // SAFETY: naga has validated the module and written the words, with every access to a buffer kept
    // within its bounds and every loop bounded, as wgpu would have it; a decoration of arithmetic
    // changes none of that. The bindings are those of the layout that the pipeline is made with:
    // numbered without gaps, as naga leaves them.
    Ok(unsafe { device.create_shader_module_passthrough(descriptor) })
}

/// Where there is no Vulkan, naga comes without its SPIR-V writer, and this is never called.
#[cfg(any(target_os = "macos", target_os = "ios"))]
fn spirv(_: &str, _: (u8, u8)) -> Result<Vec<u32>, String> {
    Err("no SPIR-V on this system".into())
}

/// The module in SPIR-V of a version.
#[cfg(not(any(target_os = "macos", target_os = "ios")))]
fn spirv(source: &str, version: (u8, u8)) -> Result<Vec<u32>, String> {
    use wgpu::naga::{
        back::spv,
        front::wgsl,
        proc::{BoundsCheckPolicies, BoundsCheckPolicy},
        valid::{Capabilities, ValidationFlags, Validator},
    };
    let module = wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| error.emit_to_string(source))?;
    let options = spv::Options {
        lang_version: version,
        flags: spv::WriterFlags::empty(),
        bounds_check_policies: BoundsCheckPolicies {
            index: BoundsCheckPolicy::Restrict,
            buffer: BoundsCheckPolicy::Restrict,
            ..BoundsCheckPolicies::default()
        },
        zero_initialize_workgroup_memory: spv::ZeroInitializeWorkgroupMemoryMode::None,
        ..spv::Options::default()
    };
    spv::write_vec(&module, &info, &options, None).map_err(|error| error.to_string())
}

/// Opcodes and enumerants of the SPIR-V specification.
mod op {
    /// Name of the instruction that decorates.
    pub(super) const DECORATE: u32 = 71;
    /// The decoration.
    pub(super) const NO_CONTRACTION: u32 = 42;
    /// The first and the last instruction that declares a type.
    pub(super) const TYPES: std::ops::RangeInclusive<u32> = 19..=39;
    /// Float negation, addition, subtraction, multiplication, division and remainder.
    pub(super) const FLOAT: [u32; 6] = [127, 129, 131, 133, 136, 140];
}

/// The words of the header.
const HEADER: usize = 5;

/// Adds `NoContraction` to every float operation. Decorations stand before the types.
fn decorate(words: &[u32]) -> Vec<u32> {
    let mut decorations = Vec::new();
    let mut types_at = words.len();
    let mut at = HEADER;
    while at < words.len() {
        let (length, opcode) = ((words[at] >> 16) as usize, words[at] & 0xffff);
        if op::TYPES.contains(&opcode) {
            types_at = types_at.min(at);
        }
        if op::FLOAT.contains(&opcode) {
            // Opcode, result type, result.
            decorations.extend([3 << 16 | op::DECORATE, words[at + 2], op::NO_CONTRACTION]);
        }
        at += length.max(1);
    }
    [&words[..types_at], &decorations, &words[types_at..]].concat()
}

#[cfg(all(test, not(any(target_os = "macos", target_os = "ios"))))]
mod test {
    use super::*;

    #[test]
    fn every_float_operation_is_decorated_and_nothing_else() {
        let words = spirv(
            "@group(0) @binding(0) var<storage, read_write> x: array<f32>;
             @group(0) @binding(1) var<storage, read_write> n: array<u32>;
             @compute @workgroup_size(1) fn main() {
                 x[0] = -x[1] * x[2] + x[3] / x[4] - 1.0;
                 n[0] = n[1] * n[2] + n[3];
             }",
            (1, 0),
        )
        .map(|words| decorate(&words))
        .unwrap();
        let (mut decorated, mut computed, mut at) = (Vec::new(), Vec::new(), HEADER);
        while at < words.len() {
            match words[at] & 0xffff {
                op::DECORATE if words[at + 2] == op::NO_CONTRACTION => {
                    decorated.push(words[at + 1])
                }
                opcode if op::FLOAT.contains(&opcode) => computed.push(words[at + 2]),
                _ => {}
            }
            at += (words[at] >> 16) as usize;
        }
        assert_eq!(computed.len(), 5);
        assert_eq!(decorated, computed);
    }

    #[test]
    fn what_is_no_wgsl_is_an_error() {
        assert!(spirv("fn main( {", (1, 0)).is_err());
    }
}
