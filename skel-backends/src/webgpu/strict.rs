//! Floats as they are written: modules in which no driver may contract or reassociate.
//!
//! WGSL lets a driver turn `a * b + c` into one rounding, and Mesa's optimiser also distributes and
//! cancels; neither keeps the bits that the CPU computes. SPIR-V has a word against it, the
//! decoration `NoContraction`, but naga does not write it. So on Vulkan the module is translated
//! here, by naga, and every float operation gets the decoration; wgpu passes the words through.
//!
//! Neither does WGSL say that NaN or subnormals count. Where the driver offers it, the module asks for that, too, by
//! execution modes ([`FloatControls`]).
//!
//! Elsewhere (Metal, Direct3D) the driver keeps its freedom: `docs/language.md` says so.
#![allow(
    unsafe_code,
    reason = "wgpu does not look at modules that are passed through"
)]

use super::{float_controls::FloatControls, gpu::Gpu};
use std::borrow::Cow;
use wgpu::{Adapter, Backend, Features, ShaderModule};

/// Whether it can be done on this adapter.
pub(super) fn is_possible(adapter: &Adapter) -> bool {
    cfg!(not(any(target_os = "macos", target_os = "ios")))
        && adapter.get_info().backend == Backend::Vulkan
        && adapter.features().contains(Features::PASSTHROUGH_SHADERS)
}

/// What is kept of floats on this adapter, for lists of devices.
pub(super) fn summary(adapter: &Adapter) -> String {
    if !is_possible(adapter) {
        return "no".into();
    }
    let controls = FloatControls::of(adapter);
    let kept = [
        (controls.special_values, "NaN"),
        (controls.subnormals, "subnormals"),
        (controls.rounding, "ties to even"),
    ];
    let kept = kept
        .into_iter()
        .filter_map(|([single, double], what)| match (single, double) {
            (true, true) => Some(format!(", {what}")),
            (true, false) => Some(format!(", {what} of f32")),
            (false, true) => Some(format!(", {what} of f64")),
            (false, false) => None,
        });
    kept.fold(String::from("no contraction"), |all, one| all + &one)
}

/// A module of `source`, for work-groups of `lanes`: one that computes as written, where the device
/// was opened for that. What is wrong with it is the error, or goes to the error scope.
pub(super) fn module(
    gpu: &Gpu,
    name: &str,
    source: &str,
    lanes: u32,
) -> Result<ShaderModule, String> {
    let device = &gpu.device;
    if !device.features().contains(Features::PASSTHROUGH_SHADERS) {
        return Ok(device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(name),
            source: wgpu::ShaderSource::Wgsl(Cow::Borrowed(source)),
        }));
    }
    // It has storage buffers as an extension that wgpu asks of every driver.
    let words = controlled(&decorate(&spirv(source, (1, 0))?), gpu.float_controls);
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
    // within its bounds and every loop bounded, as wgpu would have it; decorations and modes of
    // arithmetic change none of that, and the driver has said that it knows the modes. The bindings are those of the
    // layout that the pipeline is made with:
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
    /// Names of instructions: of an extension, of entry points, of their modes, of capabilities.
    pub(super) const EXTENSION: u32 = 10;
    pub(super) const ENTRY_POINT: u32 = 15;
    pub(super) const EXECUTION_MODE: u32 = 16;
    pub(super) const CAPABILITY: u32 = 17;
    /// Declares a type of floats.
    pub(super) const TYPE_FLOAT: u32 = 22;
    /// Modes of `SPV_KHR_float_controls`, and the capabilities that go with them.
    pub(super) const DENORM_PRESERVE: (u32, u32) = (4459, 4464);
    pub(super) const SIGNED_ZERO_INF_NAN_PRESERVE: (u32, u32) = (4461, 4466);
    pub(super) const ROUNDING_MODE_RTE: (u32, u32) = (4462, 4467);
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

/// The widths of floats that [`FloatControls`] are about.
const WIDTHS: [u32; 2] = [32, 64];

/// An instruction.
fn instruction(opcode: u32, operands: &[u32]) -> Vec<u32> {
    let length = operands.len() as u32 + 1;
    [&[length << 16 | opcode], operands].concat()
}

/// Adds the modes, of each width that the module has floats of. Capabilities stand first, extensions behind them, modes
/// behind entry points.
fn controlled(words: &[u32], controls: FloatControls) -> Vec<u32> {
    let (mut entry, mut extension_at, mut modes_at) = (None, HEADER, words.len());
    let mut has = [false; WIDTHS.len()];
    let mut at = HEADER;
    while at < words.len() {
        let (length, opcode) = ((words[at] >> 16).max(1) as usize, words[at] & 0xffff);
        match opcode {
            op::CAPABILITY => extension_at = at + length,
            op::ENTRY_POINT => (entry, modes_at) = (Some(words[at + 2]), at + length),
            op::TYPE_FLOAT => {
                has.iter_mut()
                    .zip(WIDTHS)
                    .for_each(|(has, width)| *has |= words[at + 2] == width);
            }
            _ => {}
        }
        at += length;
    }
    let (mut capabilities, mut modes) = (Vec::new(), Vec::new());
    for (offered, (mode, capability)) in [
        (controls.subnormals, op::DENORM_PRESERVE),
        (controls.special_values, op::SIGNED_ZERO_INF_NAN_PRESERVE),
        (controls.rounding, op::ROUNDING_MODE_RTE),
    ] {
        let wanted = WIDTHS.iter().zip(offered).zip(has);
        let wanted =
            wanted.filter_map(|((width, offered), has)| (offered && has).then_some(*width));
        let before = modes.len();
        for (width, entry) in wanted.zip(entry.into_iter().cycle()) {
            modes.extend(instruction(op::EXECUTION_MODE, &[entry, mode, width]));
        }
        if modes.len() > before {
            capabilities.extend(instruction(op::CAPABILITY, &[capability]));
        }
    }
    if modes.is_empty() {
        return words.to_vec();
    }
    let name: Vec<u32> = b"SPV_KHR_float_controls\0\0"
        .chunks_exact(4)
        .map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
        .collect();
    [
        &words[..extension_at],
        &capabilities,
        &instruction(op::EXTENSION, &name),
        &words[extension_at..modes_at],
        &modes,
        &words[modes_at..],
    ]
    .concat()
}

#[cfg(all(test, not(any(target_os = "macos", target_os = "ios"))))]
mod test {
    use super::*;

    /// Opcodes and words of all instructions.
    fn instructions(words: &[u32]) -> Vec<(u32, &[u32])> {
        let (mut all, mut at) = (Vec::new(), HEADER);
        while at < words.len() {
            let end = at + (words[at] >> 16) as usize;
            all.push((words[at] & 0xffff, &words[at + 1..end]));
            at = end;
        }
        all
    }

    #[test]
    fn modes_stand_behind_entry_points_for_the_widths_that_there_are() {
        let words = spirv(
            "@group(0) @binding(0) var<storage, read_write> x: array<f32>;
             @compute @workgroup_size(1) fn main() { x[0] = x[1]; }",
            (1, 0),
        )
        .unwrap();
        assert_eq!(controlled(&words, FloatControls::default()), words);
        let controls = FloatControls {
            special_values: [true; 2],
            subnormals: [false, true],
            rounding: [true, false],
        };
        let controlled = controlled(&words, controls);
        let all = instructions(&controlled);
        // What was there is there, in the same order.
        let added = |(opcode, operands): &(u32, &[u32])| match *opcode {
            op::CAPABILITY => operands[0] > 4458,
            op::EXTENSION => {
                operands[0] == u32::from_le_bytes(*b"SPV_")
                    && operands[2] == u32::from_le_bytes(*b"floa")
            }
            op::EXECUTION_MODE => operands[1] > 4458,
            _ => false,
        };
        let kept: Vec<_> = all.iter().filter(|one| !added(one)).copied().collect();
        assert_eq!(kept, instructions(&words));
        // And the rest stands in the order that the specification asks for: see its logical layout of a module.
        let order = |opcode: u32| match opcode {
            op::CAPABILITY => 1,
            op::EXTENSION => 2,
            op::ENTRY_POINT => 3,
            op::EXECUTION_MODE => 4,
            _ => 0,
        };
        let ranks: Vec<u32> = all
            .iter()
            .map(|(opcode, _)| order(*opcode))
            .filter(|rank| *rank > 0)
            .collect();
        assert!(ranks.is_sorted(), "{ranks:?}");
        let entry = all
            .iter()
            .find(|(opcode, _)| *opcode == op::ENTRY_POINT)
            .unwrap()
            .1[1];
        let modes: Vec<&[u32]> = all
            .iter()
            .filter(|one| one.0 == op::EXECUTION_MODE && added(one))
            .map(|one| one.1)
            .collect();
        assert_eq!(modes, [[entry, 4461, 32].as_slice(), &[entry, 4462, 32]]);
        let capabilities: Vec<u32> = all
            .iter()
            .filter(|one| one.0 == op::CAPABILITY && added(one))
            .map(|one| one.1[0])
            .collect();
        assert_eq!(capabilities, [4466, 4467]);
    }

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
