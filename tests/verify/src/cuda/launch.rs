//! Generated kernels, built in batches for the host shim and launched with values of the IR.

use super::{block::Block, bytes};
pub use crate::stream::STREAM;
use crate::{
    near::World,
    shim::{Launch, Order, Shim},
};
pub use skel_backends::codegen::cuda::SourceOptions;
use skel_backends::codegen::{
    Number, Site,
    cuda::{self, Member, Pointer, ScanStage, Source, Whole, padded_bytes},
};
use skel_core::{
    ir::{Ty, Value},
    plan::{Grouping, Kernel, Pattern, Role, nodes},
    space::Lines,
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// What is passed for an argument of a kernel.
#[derive(Clone, Debug)]
pub enum Column {
    /// A container, as it is before the launch.
    Elements(Vec<Value>),
    /// One value for all.
    Uniform(Value),
    /// A whole container with its extents, outermost first, as the view counts them.
    View(Vec<Value>, Vec<usize>),
    /// A container of which elements are read by strides.
    Strided(Strides),
    /// A container of which elements see a neighbourhood.
    Near(Arc<World>),
    /// A container of which elements see lines, and how those lie.
    Lines(Vec<Value>, Lines),
    /// An output.
    Out,
}

/// How a container is read by strides.
#[derive(Clone, Debug)]
pub struct Strides {
    /// All of its elements.
    pub elements: Vec<Value>,
    /// The one that belongs to index 0.
    pub offset: usize,
    /// How far neighbours along each dimension lie apart, and how many there are.
    pub dims: Vec<(isize, usize)>,
    /// Of folds of rows or columns: how many elements are folded, how far the beginnings of neighbouring
    /// folds are apart, and how far neighbouring elements of one.
    pub fold: [usize; 3],
}

/// A launch over elements of an index space.
#[derive(Clone, Debug)]
pub struct KernelCall<'a> {
    /// As many as the kernel has arguments.
    pub columns: &'a [Column],
    /// Which elements.
    pub range: Range<usize>,
    /// How many there are in all.
    pub elems: usize,
    /// Of a matrix, its columns.
    pub cols: Option<usize>,
    pub order: Order,
}

/// What a launch gave.
#[derive(Clone, Debug)]
pub enum Ran {
    /// The containers that were written, by argument.
    Done(HashMap<usize, Vec<Value>>),
    /// The nodes that a fold consists of, each with its elements, counted from the launch's first.
    Folded(Vec<(Range<usize>, Value)>),
    /// The first element that trapped; `None` in an operator.
    Trapped(Option<usize>, Site),
}

/// The sources of one kernel, with the layout of their parameters.
#[derive(Clone, Debug)]
pub struct Job {
    pub kernel: Arc<Kernel>,
    pub sources: Vec<Source>,
}

/// Blocks are small, so that few elements need several.
pub const LANES: u32 = 64;

/// All sources of a kernel, in blocks of so many lanes.
pub fn sources(kernel: &Kernel, lanes: u32) -> Result<Vec<Source>, String> {
    let options = SourceOptions {
        lanes,
        elems_per_lane: None,
        vectors: true,
    };
    sources_of(kernel, &options)
}

/// All sources of a kernel.
pub fn sources_of(kernel: &Kernel, options: &SourceOptions) -> Result<Vec<Source>, String> {
    match kernel.pattern {
        Pattern::Elementwise => {
            let rows = kernel.folds_by_lanes();
            let rows = rows.then(|| cuda::rows_by_lanes(kernel, options));
            std::iter::once(cuda::elementwise(kernel, options))
                .chain(rows)
                .collect()
        }
        Pattern::Fold => vec![cuda::fold(kernel, options)].into_iter().collect(),
        Pattern::Sweep => vec![cuda::sweep(kernel, options)].into_iter().collect(),
        Pattern::Scan => SCAN
            .into_iter()
            .map(|stage| cuda::scan(kernel, options, stage))
            .collect(),
    }
}

const SCAN: [ScanStage; 4] = [
    ScanStage::Tiles,
    ScanStage::Nodes,
    ScanStage::Blocks,
    ScanStage::OnePass,
];

/// Where in the sources of a scan the one is that does it in one pass.
pub(super) const ONE_PASS: usize = 3;

/// Sources for tests: blocks of a scan in one pass are small, so that each has many to look back at.
fn small(kernel: &Kernel) -> Result<Vec<Source>, String> {
    let mut sources = sources(kernel, LANES)?;
    if kernel.pattern == Pattern::Scan {
        let options = SourceOptions {
            lanes: LANES / 8,
            elems_per_lane: Some(2),
            vectors: true,
        };
        sources[ONE_PASS] = cuda::scan(kernel, &options, ScanStage::OnePass)?;
    }
    Ok(sources)
}

/// Kernels by name, in one program.
pub struct Built {
    shim: Shim,
    jobs: HashMap<String, Job>,
}

impl Built {
    pub fn new(kernels: &[(String, Arc<Kernel>)]) -> Result<Built, String> {
        let mut jobs = HashMap::new();
        let mut named = Vec::new();
        for (name, kernel) in kernels {
            let sources = small(kernel).map_err(|why| format!("{name}: {why}"))?;
            for (stage, source) in sources.iter().enumerate() {
                named.push((staged(name, stage), source.text.clone()));
            }
            let kernel = kernel.clone();
            jobs.insert(name.clone(), Job { kernel, sources });
        }
        let named: Vec<(&str, &str)> = named
            .iter()
            .map(|(n, s)| (n.as_str(), s.as_str()))
            .collect();
        let shim = Shim::compile(&named)?;
        Ok(Built { shim, jobs })
    }

    pub fn run(&self, name: &str, call: &KernelCall<'_>) -> Result<Ran, String> {
        self.run_from(None, name, call)
    }

    /// A call that something precedes, if it is a scan.
    pub fn run_from(
        &self,
        carry: Option<&Value>,
        name: &str,
        call: &KernelCall<'_>,
    ) -> Result<Ran, String> {
        let job = self
            .jobs
            .get(name)
            .ok_or_else(|| format!("no kernel is named {name}"))?;
        match job.kernel.pattern {
            Pattern::Elementwise => self.elementwise(name, job, call),
            Pattern::Fold => self.fold(name, job, call),
            Pattern::Scan => self.scan(carry, name, job, call),
            Pattern::Sweep => Err("sweeps are run as calls, by the conformance suite".into()),
        }
    }

    fn elementwise(&self, name: &str, job: &Job, call: &KernelCall<'_>) -> Result<Ran, String> {
        let source = &job.sources[0];
        let count = call.range.len();
        let each = match call.order {
            // Fewer blocks than would be needed: some threads go on with further elements.
            Order::Shuffled(_) => source.elems_per_block() * 2,
            _ => source.lanes as usize * 2,
        };
        let blocks = count.div_ceil(each).max(1);
        let whole = whole(source, job, call);
        let mut block = Block::new(job, call, 0);
        let numbers = |member| match member {
            Member::Number(Number::Count) => count,
            Member::Head => whole.head as usize,
            Member::Vectors => whole.vectors as usize,
            Member::Number(Number::Base) => call.range.start,
            _ => 0,
        };
        let partials = Vec::new();
        block.fill(source, &numbers, [&partials, &partials]);
        self.go(name, 0, source, blocks, &mut block, call.order)?;
        if let Some((index, site)) = block.trap(source) {
            return Ok(Ran::Trapped(Some(index), site));
        }
        let mut written = HashMap::new();
        for (k, argument) in job.kernel.arguments.iter().enumerate() {
            if matches!(argument.role, Role::InOut | Role::Out | Role::LineMut)
                && let Some(buffer) = block.buffer(Pointer::Argument(k))
            {
                let ty = match &argument.ty {
                    Ty::View(view) => &view.elem,
                    ty => ty,
                };
                written.insert(k, bytes::values(ty, buffer));
            }
        }
        Ok(Ran::Done(written))
    }

    /// A fold in leaves of one tile, of which the first has an odd number: so several nodes make up the launch.
    fn fold(&self, name: &str, job: &Job, call: &KernelCall<'_>) -> Result<Ran, String> {
        const FIRST: usize = 5;
        let (ty, count, grouping) = (
            job.kernel.result_ty(),
            call.range.len(),
            job.kernel.grouping,
        );
        let source = &job.sources[0];
        let leaves = count.div_ceil(grouping.tile_elems()).max(1);
        let to = (FIRST + leaves) as u64;
        let listed = nodes(FIRST as u64, to).count();
        let size = padded_bytes(ty);
        let table = vec![0xa5; 2 * leaves * size];
        let passes = passes(FIRST, leaves, source.fan as usize);
        let groups = passes.iter().map(|(.., groups, _)| groups).sum();
        let whole = whole(source, job, call);
        let mut block = Block::new(job, call, 0);
        let numbers = |member| match member {
            Member::Number(Number::Count) => count,
            Member::Number(Number::Base) => call.range.start,
            Member::Number(Number::Level) => 0,
            Member::Number(Number::TileWidth) if grouping == Grouping::Lanes => 128,
            Member::Number(Number::TileWidth) => 16,
            Member::Number(Number::FirstLeaf) => FIRST,
            Member::Number(Number::Leaves) => leaves,
            Member::Number(Number::ToLeaf) => to as usize,
            Member::Pointer(Pointer::Listed) => listed,
            Member::Pointer(Pointer::States) => groups,
            Member::Head => whole.head as usize,
            Member::Vectors => whole.vectors as usize,
            _ => 0,
        };
        block.fill(source, &numbers, [&table, &table]);
        self.go(name, 0, source, leaves, &mut block, call.order)?;
        if let Some((index, site)) = block.trap(source) {
            return Ok(Ran::Trapped(index, site));
        }
        let arrived = block.buffer(Pointer::States).expect("is bound");
        if arrived.iter().any(|byte| *byte != 0) {
            return Err("the next fold would begin with blocks that have arrived".into());
        }
        let values = bytes::values(ty, block.buffer(Pointer::Listed).expect("is bound"));
        let elems = |leaf: u64| (leaf as usize - FIRST) * grouping.tile_elems();
        let ranges = nodes(FIRST as u64, to)
            .map(|(level, number)| elems(number << level)..elems((number + 1) << level).min(count));
        Ok(Ran::Folded(ranges.zip(values).collect()))
    }

    pub(super) fn go(
        &self,
        name: &str,
        stage: usize,
        source: &Source,
        blocks: usize,
        block: &mut Block<'_>,
        order: Order,
    ) -> Result<(), String> {
        let name = staged(name, stage);
        let blocks = u32::try_from(blocks).map_err(|e| e.to_string())?;
        let launch = Launch {
            kernel: &name,
            grid: [blocks, 1, 1],
            block: [source.lanes, 1, 1],
            params: &block.params,
            pointers: &block.pointers,
            order,
        };
        self.shim.launch(&launch, &mut block.buffers)
    }
}

/// The launches that combine leaves `first..first + leaves`, of which each block reaches so many nodes: stage, level,
/// blocks, and to which leaf nodes are listed.
pub(super) fn passes(
    first: usize,
    leaves: usize,
    reach: usize,
) -> Vec<(usize, usize, usize, usize)> {
    let (mut all, mut level, to) = (Vec::new(), 0, first + leaves);
    loop {
        let span = reach << level;
        let groups = (to - 1) / span - first / span + 1;
        all.push((1, level, groups, if groups == 1 { to } else { 0 }));
        if groups == 1 {
            return all;
        }
        level += reach.ilog2() as usize;
    }
}

/// Which elements of a launch are in vectors. Buffers are aligned as a device's memory is.
fn whole(source: &Source, job: &Job, call: &KernelCall<'_>) -> Whole {
    let Some(width) = source.width else {
        return Whole::default();
    };
    if call.order == Order::Descending {
        // As if arguments were not aligned alike.
        return Whole::default();
    }
    let own = job
        .kernel
        .arguments
        .iter()
        .filter(|argument| matches!(argument.role, Role::In | Role::InOut | Role::Out));
    let places = own.map(|argument| {
        let size = argument.ty.size_bytes();
        ((call.range.start * size) as u64, size)
    });
    cuda::whole_vectors(width, call.range.len() as u64, places)
}

fn staged(name: &str, stage: usize) -> String {
    format!("{name}{}", ["", "-finish", "-blocks", "-one_pass"][stage])
}
