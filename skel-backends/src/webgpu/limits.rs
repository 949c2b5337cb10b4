//! What a device can, and whether a kernel fits it.

use super::{Options, fold::LEAST_PER_LANE, memory::segment_elems};
use crate::{
    arithmetic::{Arithmetic, Class, Remedies},
    codegen::wgsl::{self, ScanStage, Shader, Stage, Support},
    device::blocks::{self, OfKernels, Refused},
};
use skel_core::{
    ir::{Ty, ViewKind, unrolled},
    plan::{Argument, BlockConfig, BlockConfigs, IndexKind, Kernel, Pattern, Role},
    space::Shape,
};
use std::sync::{Arc, Mutex, PoisonError};
use wgpu::Features;

/// Words of local arrays that a kernel may index on devices made of software, counted once for each place that
/// indexes them: Mesa makes a branch of each, and takes a time that grows faster than their number.
const MOST_INDEXED_WORDS: u64 = 512;

/// What a device can. Shared with the threads that make calls, so that they know before they queue
/// anything.
#[derive(Debug)]
pub struct Limits {
    /// Lanes of the usual work-group, and of the largest.
    lanes: u32,
    most_lanes: u32,
    f64: Support,
    i64: Support,
    f16: Support,
    workgroup_bytes: u32,
    software: bool,
    /// What the driver gets wrong.
    arithmetic: Arithmetic,
    pub(super) storage_buffers: usize,
    pub(super) binding_bytes: u64,
    pub(super) buffer_bytes: u64,
    pub(super) groups: u32,
    pub(super) storage_alignment: u64,
    pub(super) uniform_alignment: u64,
    uniform_bytes: u64,
    prepared: Mutex<OfKernels<Result<Arc<Prepared>, String>>>,
    /// Block configurations that do not do.
    pub(super) refused: Refused,
}

/// A kernel's sources for a device that can run it.
#[derive(Debug)]
pub(super) struct Prepared {
    /// What they were made for.
    pub(super) block: BlockConfig,
    /// One for elementwise kernels, and another for rows by lanes; leaves and nodes for folds; tiles, nodes and blocks for scans.
    pub(super) shaders: Vec<Shader>,
    /// Why there is no shader for rows by lanes, where one is wanted.
    pub(super) no_rows: Option<String>,
    /// Number of status words of a launch; 0 if it cannot trap.
    pub(super) status_words: usize,
}

impl Limits {
    pub(super) fn new(
        features: Features,
        limits: &wgpu::Limits,
        options: &Options,
        software: bool,
    ) -> Limits {
        let has = |wanted| match features.contains(wanted) {
            true => Support::Has,
            false => Support::Lacks,
        };
        let most = limits
            .max_compute_invocations_per_workgroup
            .min(limits.max_compute_workgroup_size_x);
        // Trees need two at least.
        let lanes = options.lanes.unwrap_or(256).clamp(2, most.max(2));
        Limits {
            lanes: 1 << lanes.ilog2(),
            most_lanes: most,
            f64: has(Features::SHADER_F64 | Features::SHADER_INT64),
            i64: has(Features::SHADER_INT64),
            f16: Support::Has,
            workgroup_bytes: limits.max_compute_workgroup_storage_size,
            software,
            arithmetic: Arithmetic::default(),
            storage_buffers: limits.max_storage_buffers_per_shader_stage as usize,
            // Shaders count words of 32 bits in 32 bits; half as much as that would reach is plenty.
            binding_bytes: limits.max_storage_buffer_binding_size.min(1 << 33),
            buffer_bytes: limits.max_buffer_size,
            groups: limits.max_compute_workgroups_per_dimension,
            storage_alignment: u64::from(limits.min_storage_buffer_offset_alignment),
            uniform_alignment: u64::from(limits.min_uniform_buffer_offset_alignment),
            uniform_bytes: limits.max_uniform_buffer_binding_size,
            prepared: Mutex::new(OfKernels::default()),
            refused: Refused::default(),
        }
    }

    /// Whether it computes with `i64` and `u64`.
    #[must_use]
    pub fn supports_i64(&self) -> bool {
        self.i64.is_usable()
    }

    /// Whether it computes with `f64`.
    #[must_use]
    pub fn supports_f64(&self) -> bool {
        self.f64.is_usable()
    }

    /// What is known of the device's arithmetic.
    #[must_use]
    pub fn arithmetic(&self) -> &Arithmetic {
        &self.arithmetic
    }

    /// Goes by what was found of the driver: what needs a remedy is printed otherwise, and types that are
    /// computed wrongly are not used. What was printed before does not count any more.
    pub(super) fn set_arithmetic(&mut self, arithmetic: Arithmetic) {
        let miscomputes = |types: &[&str]| types.iter().any(|ty| arithmetic.why_not(ty).is_some());
        // The bits of `f64` are those of `u64`.
        if self.i64.is_usable() && miscomputes(&["i64", "u64"]) {
            self.i64 = Support::Miscomputes;
        }
        if self.f64.is_usable() && miscomputes(&["f64", "i64", "u64"]) {
            self.f64 = Support::Miscomputes;
        }
        if miscomputes(&["f16"]) {
            self.f16 = Support::Miscomputes;
        }
        self.arithmetic = arithmetic;
        self.prepared = Mutex::new(OfKernels::default());
    }

    /// Whether it computes on CPUs.
    pub(super) fn is_software(&self) -> bool {
        self.software
    }

    /// Whether the driver compiles a kernel when it first runs it, in its queue: those made of software do.
    pub(super) fn compiles_late(&self) -> bool {
        self.software
    }

    pub(super) fn check(&self, kernel: &Kernel, shape: Shape) -> Result<(), String> {
        let prepared = self.prepare(kernel, self.usual(kernel))?;
        let elements = shape.len() as u64;
        let near = kernel
            .arguments
            .iter()
            .any(|a| matches!(a.role, Role::Window(_)));
        let given = kernel.index.is_some() || kernel.random.is_some();
        let sweeps = kernel.pattern == Pattern::Sweep;
        let lines = kernel.has_lines();
        let counted = given || near || of_current(kernel) || divides(kernel) || lines || sweeps;
        if counted && elements > 1 << 32 {
            return Err(format!(
                "{shape} has more than 2^32 elements, which is all that its indices count to"
            ));
        }
        let near = |argument: &Argument| matches!(argument.role, Role::Window(_));
        if (sweeps || kernel.arguments.iter().any(near)) && elements >= 1 << 31 {
            return Err(format!(
                "{shape} has 2^31 elements or more, too many for signed places in 32 bits"
            ));
        }
        let by_rows = kernel
            .index
            .is_some_and(|(_, kind)| kind != IndexKind::Index1);
        let columns = by_rows || of_current(kernel);
        if columns && shape.row_elems() as u64 > u64::from(u32::MAX) {
            return Err(format!(
                "{shape} has rows too long for 32 bits to tell the column"
            ));
        }
        if prepared.status_words > 0 && elements >= u64::from(u32::MAX) {
            return Err(format!(
                "{shape} has 2^32 elements or more, too many to name the one that traps"
            ));
        }
        Ok(())
    }

    /// Whether a container of `elems` elements of type `ty` can be bound as a whole.
    pub(super) fn check_whole(&self, ty: &Ty, elems: usize) -> Result<(), String> {
        let most = self.binding_bytes.min(self.buffer_bytes);
        let bytes = (elems as u64).checked_mul(wgsl::stored_bytes(ty));
        match bytes {
            // It lies in one buffer.
            Some(bytes) if bytes <= most && elems <= segment_elems(self.buffer_bytes, ty) => Ok(()),
            _ => Err(format!(
                "a container of {elems} elements of type `{ty}` is read at random, and this device binds {most} bytes at once"
            )),
        }
    }

    /// Whether `elems` elements of type `ty` can be bound at once, of which `together` lie in one buffer.
    pub(super) fn check_strided(
        &self,
        ty: &Ty,
        elems: usize,
        together: usize,
    ) -> Result<(), String> {
        let bytes = (elems as u64)
            .saturating_mul(wgsl::stored_bytes(ty))
            .saturating_add(self.storage_alignment);
        let most = self.binding_bytes.min(self.buffer_bytes);
        if bytes <= most && together <= segment_elems(self.buffer_bytes, ty) {
            return Ok(());
        }
        Err(format!(
            "elements of type `{ty}` that lie among {elems} are read at once, and this device binds {most} bytes"
        ))
    }

    /// How a kernel is launched of which nothing else was asked.
    pub(super) fn usual(&self, kernel: &Kernel) -> BlockConfig {
        let elems_per_lane = match kernel.pattern {
            Pattern::Elementwise | Pattern::Sweep => 1,
            Pattern::Fold | Pattern::Scan => LEAST_PER_LANE,
        };
        BlockConfig {
            lanes: self.lanes,
            elems_per_lane,
        }
    }

    /// As [`Driver::block_configs`](crate::device::Driver::block_configs).
    pub(super) fn block_configs(&self, kernel: &Kernel) -> BlockConfigs {
        let elems: &[u32] = match (kernel.pattern, kernel.operator) {
            (Pattern::Elementwise, None) => &[4, 16],
            // A lane folds a row or column of its own.
            (Pattern::Elementwise, Some(_)) => &[],
            // Their tiles are of one size.
            (Pattern::Sweep, _) => return BlockConfigs::new(),
            (Pattern::Fold | Pattern::Scan, _) => &[2, 32],
        };
        let offered = blocks::offered(self.usual(kernel), self.most_lanes, elems);
        self.refused.without(kernel.hash, offered)
    }

    /// The kernel's sources; made once per kernel and block configuration.
    pub(super) fn prepare(
        &self,
        kernel: &Kernel,
        block: BlockConfig,
    ) -> Result<Arc<Prepared>, String> {
        let mut known = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .entry((kernel.hash, block))
            .or_insert_with(|| self.generate(kernel, block).map(Arc::new))
            .clone()
    }

    /// What kernels are printed by.
    fn options(&self, block: BlockConfig, remedies: Remedies) -> wgsl::ShaderOptions {
        wgsl::ShaderOptions {
            lanes: block.lanes,
            elems_per_lane: block.elems_per_lane,
            f64: self.f64,
            i64: self.i64,
            f16: self.f16,
            workgroup_bytes: self.workgroup_bytes,
            remedies,
            masks_lanes: self.software,
            most_indexed_words: self.software.then_some(MOST_INDEXED_WORDS),
        }
    }

    /// The source of what is asked about a class of types.
    pub(super) fn question(&self, class: Class, remedies: Remedies) -> Result<String, String> {
        let mut all = String::new();
        for kernel in class.kernels() {
            let options = self.options(self.usual(&kernel), remedies);
            all.push_str(&wgsl::elementwise(&kernel, &options)?.source);
        }
        Ok(all)
    }

    /// The kernel's sources, not from the cache: their trap sites have this kernel's source lines. Loops that index local
    /// arrays are taken apart, where the device takes what that comes to.
    pub(super) fn generate(&self, kernel: &Kernel, block: BlockConfig) -> Result<Prepared, String> {
        let apart = Kernel {
            program: unrolled(&kernel.program),
            ..kernel.clone()
        };
        self.generate_as_it_is(&apart, block)
            .or_else(|_| self.generate_as_it_is(kernel, block))
    }

    fn generate_as_it_is(&self, kernel: &Kernel, block: BlockConfig) -> Result<Prepared, String> {
        let options = self.options(block, self.arithmetic.remedies);
        let mut no_rows = None;
        let shaders = match kernel.pattern {
            Pattern::Elementwise => {
                let mut shaders = vec![wgsl::elementwise(kernel, &options)?];
                if kernel.folds_by_lanes() {
                    match wgsl::rows_by_lanes(kernel, &options) {
                        Ok(shader) => shaders.push(shader),
                        Err(reason) => no_rows = Some(reason),
                    }
                }
                shaders
            }
            Pattern::Fold => vec![
                wgsl::fold(kernel, &options, Stage::Leaves)?,
                wgsl::fold(kernel, &options, Stage::Nodes)?,
            ],
            Pattern::Sweep => vec![wgsl::sweep(kernel, &options)?],
            Pattern::Scan => vec![
                wgsl::scan(kernel, &options, ScanStage::Tiles)?,
                wgsl::scan(kernel, &options, ScanStage::Nodes)?,
                wgsl::scan(kernel, &options, ScanStage::Blocks)?,
            ],
        };
        for shader in &shaders {
            let (needed, available) = (shader.bindings.len(), self.storage_buffers);
            if needed > available {
                return Err(format!(
                    "it needs {needed} storage buffers, and this device binds {available}"
                ));
            }
            let bytes = shader.constants.len() as u64 * 4;
            if bytes > self.binding_bytes.min(self.buffer_bytes) {
                return Err(format!(
                    "its constants take {bytes} bytes, and this device binds {}",
                    self.binding_bytes.min(self.buffer_bytes)
                ));
            }
            let bytes = shader.params.size_bytes() as u64;
            if bytes > self.uniform_bytes {
                return Err(format!(
                    "its uniform parameters take {bytes} bytes, and this device binds {}",
                    self.uniform_bytes
                ));
            }
        }
        let traps = shaders
            .iter()
            .any(|s| s.bindings.contains(&wgsl::Binding::Status));
        let sites = shaders.first().map_or(0, |s| s.sites.len());
        // Element function and operator are kept apart.
        let kinds = if kernel.operator.is_some() { 2 } else { 1 };
        let status_words = if traps { sites * kinds } else { 0 };
        Ok(Prepared {
            block,
            shaders,
            no_rows,
            status_words,
        })
    }
}

/// Whether places of elements are computed from several indices.
fn divides(kernel: &Kernel) -> bool {
    let divided = |role: Role| role.strides().is_some_and(|rank| rank > 1);
    kernel
        .arguments
        .iter()
        .any(|argument| divided(argument.role))
}

/// Whether the element function sees the row or column of a matrix that is the element's own.
fn of_current(kernel: &Kernel) -> bool {
    let own =
        |ty: &Ty| matches!(ty, Ty::View(v) if matches!(v.kind, ViewKind::Row | ViewKind::Col));
    kernel.arguments.iter().any(|argument| own(&argument.ty))
}
