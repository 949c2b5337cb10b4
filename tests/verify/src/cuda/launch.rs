//! Generated kernels, built in batches for the host shim and launched with values of the IR.

use super::bytes;
pub use crate::stream::STREAM;
use crate::{
    kernel,
    near::World,
    shim::{Launch, Order, Shim},
};
use skel_backends::codegen::{
    Site,
    cuda::{self, Held, Member, Options, ScanStage, Source, Stage},
    wgsl::WindowMember,
};
use skel_core::{
    container::MAX_RANK,
    ir::{Ty, Value, ViewKind},
    plan::{Kernel, Pattern, Role},
};
use std::{collections::HashMap, ops::Range, sync::Arc};

/// What is passed for an argument of a kernel.
#[derive(Clone, Debug)]
pub enum Column {
    /// A container, as it is before the launch.
    Elements(Vec<Value>),
    /// One value for all.
    Uniform(Value),
    /// A whole container with its extents: elements, or rows and columns, or planes, rows, columns.
    View(Vec<Value>, [usize; 3]),
    /// A container of which elements are read by strides.
    Strided(Strides),
    /// A container of which elements see a neighbourhood.
    Near(Arc<World>),
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
pub struct Call<'a> {
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
    /// The value of a fold.
    Folded(Value),
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

/// All sources of a kernel.
pub fn sources(kernel: &Kernel, lanes: u32) -> Result<Vec<Source>, String> {
    let options = Options {
        lanes,
        elems_per_lane: None,
    };
    match kernel.pattern {
        Pattern::Elementwise => Ok(vec![cuda::elementwise(kernel, &options)?]),
        Pattern::Fold => [Stage::Groups, Stage::Finish]
            .into_iter()
            .map(|stage| cuda::fold(kernel, &options, stage))
            .collect(),
        Pattern::Scan => SCAN
            .into_iter()
            .map(|stage| cuda::scan(kernel, &options, stage))
            .collect(),
    }
}

const SCAN: [ScanStage; 4] = [
    ScanStage::Totals,
    ScanStage::Carries,
    ScanStage::Blocks,
    ScanStage::OnePass,
];

/// Where in the sources of a scan the one is that does it in one pass.
pub(super) const ONE_PASS: usize = 3;

/// Sources for tests: blocks of a scan in one pass are small, so that each has many to look back at.
fn small(kernel: &Kernel) -> Result<Vec<Source>, String> {
    let mut sources = sources(kernel, LANES)?;
    if kernel.pattern == Pattern::Scan {
        let options = Options {
            lanes: LANES / 8,
            elems_per_lane: Some(2),
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

    pub fn run(&self, name: &str, call: &Call<'_>) -> Result<Ran, String> {
        self.run_from(None, name, call)
    }

    /// A call that something precedes, if it is a scan.
    pub fn run_from(
        &self,
        carry: Option<&Value>,
        name: &str,
        call: &Call<'_>,
    ) -> Result<Ran, String> {
        let job = self
            .jobs
            .get(name)
            .ok_or_else(|| format!("no kernel is named {name}"))?;
        match job.kernel.pattern {
            Pattern::Elementwise => self.elementwise(name, job, call),
            Pattern::Fold => self.fold(name, job, call),
            Pattern::Scan => self.scan(carry, name, job, call),
        }
    }

    fn elementwise(&self, name: &str, job: &Job, call: &Call<'_>) -> Result<Ran, String> {
        let source = &job.sources[0];
        let count = call.range.len();
        // Fewer blocks than would be needed: some threads take several elements.
        let blocks = count.div_ceil(source.lanes as usize * 2).max(1);
        let mut block = Block::new(job, call, 0);
        let numbers = |member| match member {
            Member::Count => count,
            Member::Base => call.range.start,
            // Trapped elements are counted from the beginning of all.
            Member::First => call.range.start,
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
            if matches!(argument.role, Role::InOut | Role::Out)
                && let Some(buffer) = block.place.get(&Member::Argument(k).name())
            {
                written.insert(k, bytes::values(&argument.ty, &block.buffers[*buffer]));
            }
        }
        Ok(Ran::Done(written))
    }

    fn fold(&self, name: &str, job: &Job, call: &Call<'_>) -> Result<Ran, String> {
        let ty = job.kernel.result_ty();
        let count = call.range.len();
        let [groups, finish] = job.sources.as_slice() else {
            return Err("a fold has two stages".into());
        };
        let per_lane = 3;
        let blocks = count.div_ceil(groups.lanes as usize * per_lane).max(1);
        let mut partials = vec![0xa5; blocks * ty.size_bytes()];
        let mut gathered = Vec::new();
        for (stage, source) in [groups, finish].into_iter().enumerate() {
            let (count, blocks, per_lane) = match stage {
                0 => (count, blocks, per_lane),
                _ => (blocks, 1, blocks.div_ceil(source.lanes as usize)),
            };
            let mut block = Block::new(job, call, stage);
            let numbers = |member| match member {
                Member::Count => count,
                Member::Base | Member::First => call.range.start,
                Member::PerLane => per_lane,
                _ => 0,
            };
            block.fill(source, &numbers, [&gathered, &partials]);
            self.go(name, stage, source, blocks, &mut block, call.order)?;
            if let Some((index, site)) = block.trap(source) {
                return Ok(Ran::Trapped(index, site));
            }
            let written = block.place[&Member::Partials.name()];
            gathered = block.buffers.swap_remove(written);
            partials = vec![0xa5; ty.size_bytes()];
        }
        let value = bytes::values(ty, &gathered).swap_remove(0);
        Ok(Ran::Folded(value))
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

fn staged(name: &str, stage: usize) -> String {
    format!("{name}{}", ["", "-finish", "-blocks", "-one_pass"][stage])
}

/// The bytes of one launch.
pub(super) struct Block<'c> {
    job: &'c Job,
    call: &'c Call<'c>,
    stage: usize,
    params: Vec<u8>,
    pointers: Vec<(usize, usize)>,
    pub(super) buffers: Vec<Vec<u8>>,
    /// Which buffer a member points to.
    pub(super) place: HashMap<String, usize>,
}

const UNTRAPPED: u64 = u64::MAX;

impl<'c> Block<'c> {
    pub(super) fn new(job: &'c Job, call: &'c Call<'c>, stage: usize) -> Block<'c> {
        Block {
            job,
            call,
            stage,
            params: Vec::new(),
            pointers: Vec::new(),
            buffers: Vec::new(),
            place: HashMap::new(),
        }
    }

    pub(super) fn fill(
        &mut self,
        source: &Source,
        number: &dyn Fn(Member) -> usize,
        [gathered, partials]: [&Vec<u8>; 2],
    ) {
        self.params = vec![0; source.params.size_bytes()];
        for (member, held, offset) in &source.params.members {
            let mut bytes = Vec::new();
            match held {
                Held::Value(_) => bytes::put(&self.value(*member, number), &mut bytes),
                Held::Pointer(ty, _) => {
                    let (start, buffer) = match member {
                        Member::Argument(k) => self.argument(*k, ty),
                        Member::Gathered => (0, gathered.clone()),
                        Member::Partials => (0, partials.clone()),
                        Member::States => (0, vec![0; number(*member) * size_of::<u32>()]),
                        _ => (0, UNTRAPPED.to_le_bytes().repeat(source.sites.len() * 2)),
                    };
                    self.place.insert(member.name(), self.buffers.len());
                    self.pointers.push((*offset, self.buffers.len()));
                    self.buffers.push(buffer);
                    bytes.extend((start as u64).to_le_bytes());
                }
            }
            self.params[*offset..*offset + bytes.len()].copy_from_slice(&bytes);
        }
    }

    fn value(&self, member: Member, number: &dyn Fn(Member) -> usize) -> Value {
        let cols = self.call.cols;
        Value::Usize(match (member, self.column(member)) {
            (Member::Uniform(_), Some(Column::Uniform(value))) => return value.clone(),
            (Member::Seed, _) => return Value::U64(STREAM.seed),
            (Member::Call, _) => return Value::U32(STREAM.call),
            (Member::Extent(_, dimension), Some(Column::View(_, extents))) => extents[dimension],
            (Member::Span(k), _) => match &self.job.kernel.arguments[k].ty {
                Ty::View(view) if view.kind == ViewKind::Row => cols.unwrap_or(1),
                _ => cols.unwrap_or(self.call.elems),
            },
            (Member::Columns, _) => cols.unwrap_or(self.call.elems),
            (Member::Rows, _) => self.extents()[2],
            (Member::Planes, _) => self.extents()[1],
            (Member::Window(_, number), Some(Column::Near(world))) => {
                let near = &world.near;
                match number {
                    WindowMember::Positions(d) => near.positions[d],
                    WindowMember::Extent(d) => near.extents[d],
                    WindowMember::Stride(d) => near.stride[d],
                    WindowMember::Shift(d) => near.shift[d],
                    WindowMember::Inner => near.inner,
                    WindowMember::Edge => near.edge as usize,
                }
            }
            (Member::Offset(_), Some(Column::Strided(strides))) => strides.offset,
            (Member::Pitch(_, d), Some(Column::Strided(strides))) => strides.dims[d].0 as usize,
            (Member::Width(_, d), Some(Column::Strided(strides))) => strides.dims[d].1,
            (Member::Depth, _) => self.fold()[0],
            (Member::PlacesPerValue, _) => self.fold()[1],
            (Member::PlacesPerStep, _) => self.fold()[2],
            (Member::Pad(_), Some(Column::Near(world))) => return world.pad.clone(),
            (other, _) => number(other),
        })
    }

    /// What is folded to each value.
    fn fold(&self) -> [usize; 3] {
        let mut columns = self.call.columns.iter();
        let found = columns.find_map(|column| match column {
            Column::Strided(strides) => Some(strides.fold),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// Of the index space, as functions with an index see it.
    fn extents(&self) -> [usize; MAX_RANK] {
        kernel::shape(&self.job.kernel, self.call.elems).extents()
    }

    fn column(&self, member: Member) -> Option<&'c Column> {
        match member {
            Member::Uniform(k)
            | Member::Extent(k, _)
            | Member::Argument(k)
            | Member::Offset(k)
            | Member::Pitch(k, _)
            | Member::Width(k, _)
            | Member::Window(k, _)
            | Member::Pad(k) => self.call.columns.get(k),
            _ => None,
        }
    }

    /// The bytes of an argument, and where in them the launch begins.
    fn argument(&self, k: usize, ty: &Ty) -> (usize, Vec<u8>) {
        let start = self.call.range.start * ty.size_bytes();
        match &self.call.columns[k] {
            Column::Elements(values) => (start, bytes::of(values)),
            Column::Out => (start, vec![0xa5; self.call.elems * ty.size_bytes()]),
            Column::View(values, _) => (0, bytes::of(values)),
            Column::Strided(strides) => (0, bytes::of(&strides.elements)),
            Column::Near(world) => (0, bytes::of(&world.elements)),
            Column::Uniform(value) => (0, bytes::of(std::slice::from_ref(value))),
        }
    }

    /// The smallest element that trapped, and where.
    pub(super) fn trap<I: From<Noted>>(&self, source: &Source) -> Option<(I, Site)> {
        let words = &self.buffers[*self.place.get(&Member::Status.name())?];
        let sites = source.sites.len();
        let (word, at) = words
            .chunks_exact(8)
            .map(|w| u64::from_le_bytes(w.try_into().expect("eight")))
            .enumerate()
            .filter(|(_, noted)| *noted != UNTRAPPED)
            .min_by_key(|(word, noted)| (word / sites, *noted))?;
        let noted = Noted {
            element: word < sites && self.stage == 0,
            at,
        };
        Some((noted.into(), source.sites[word % sites]))
    }
}

/// A word that is set: of an element, or of an operator.
pub(super) struct Noted {
    element: bool,
    at: u64,
}

impl From<Noted> for usize {
    fn from(noted: Noted) -> usize {
        noted.at as usize
    }
}

impl From<Noted> for Option<usize> {
    fn from(noted: Noted) -> Option<usize> {
        noted.element.then_some(noted.at as usize)
    }
}
