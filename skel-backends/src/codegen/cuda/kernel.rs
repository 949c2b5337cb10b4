//! Kernels: the user functions in the template of their pattern, with the block of parameters.

use super::{
    Cuda, Held, Member, ParamsLayout, along, apply::Applied, batch::batch, padded_bytes, prelude,
    scan::scan_bytes,
};
use crate::codegen::{Cx, Site, reach::reachable, template};
use skel_core::{
    ir::{FnId, Ty},
    plan::{Kernel, Pattern},
};
use std::fmt::Write;

/// What the source depends on besides the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// Threads of a block; a power of two.
    pub lanes: u32,
    /// Elementwise kernels: elements that a thread takes at once, if not [`batch`]. Scans in one pass: elements of a
    /// thread, if not as many as usual.
    pub elems_per_lane: Option<u32>,
}

/// A kernel as source, and what to launch it with.
#[derive(Clone, Debug)]
pub struct Source {
    /// CUDA C++; the entry point is `skel_kernel`, its only parameter the block.
    pub text: String,
    /// The block of pointers and numbers.
    pub params: ParamsLayout,
    /// Threads of a block: those asked for, or fewer if an element is large.
    pub lanes: u32,
    /// Elementwise kernels: elements that a thread takes at once, as far apart as its block is wide. Scans in one
    /// pass: elements of a thread.
    pub batch: u32,
    /// The trap sites of the program: word `k` is of site `k`. In folds, as many words again follow,
    /// of the same sites met in the operator.
    pub sites: Vec<Site>,
    /// Whether the compiler may contract: a function asks for it, and the others are guarded.
    pub contracts: bool,
}

/// Which of a fold's two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// One partial per block from the elements of the arguments.
    Groups,
    /// One value from the partials.
    Finish,
}

impl Source {
    /// Elements that a block takes at once: of a scan in one pass, all that it takes.
    #[must_use]
    pub fn elems_per_block(&self) -> usize {
        self.lanes as usize * self.batch as usize
    }
}

const ELEMENTWISE: &str = include_str!("../templates/cuda/elementwise.cu");
const ELEMENT: &str = include_str!("../templates/cuda/element.cu");
const FOLD: &str = include_str!("../templates/cuda/fold.cu");
const FOLD_TREE: &str = include_str!("../templates/cuda/fold_tree.cu");
const FOLD_WARPS: &str = include_str!("../templates/cuda/fold_warps.cu");
const FOLD_ELEMENT: &str = include_str!("../templates/cuda/fold_element.cu");

/// Bytes of parameters that every device takes.
const MOST_PARAMS_BYTES: usize = 4096;

/// Bytes of shared memory that a block has without asking.
pub(super) const SHARED_BYTES: usize = 48 << 10;

/// The source of an elementwise kernel.
///
/// # Errors
/// Why no device can run it.
pub fn elementwise(kernel: &Kernel, options: &Options) -> Result<Source, String> {
    if let Some(operator) = kernel.operator {
        return along::along(kernel, operator, options);
    }
    let mut builder = Builder::new(kernel, options.lanes);
    builder.batch = options
        .elems_per_lane
        .unwrap_or_else(|| batch(kernel))
        .max(1);
    let traps = builder.cuda.trapping[kernel.map.0];
    builder.number(Member::Count);
    builder.bind_arguments();
    let Applied {
        ahead,
        fetch,
        load,
        apply,
        store,
    } = builder.apply_map();
    if traps {
        builder.bind_status(true);
    }
    let lanes = options.lanes;
    let tile = lanes * builder.batch;
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("tile", tile.to_string()),
        ("untrapped", untrapped(traps)),
        ("load", load),
        ("apply", apply),
        ("trap", noted(traps, "params.first + at", 0, "continue;")),
        ("store", store),
        ("from", format!("(u64)blockIdx.x * {tile}u + threadIdx.x")),
        ("end", "params.count".into()),
        ("steps", "stride".into()),
        ("apart", format!("{lanes}u")),
        ("ahead", ahead),
        ("fetch", fetch),
        // A trap ends its element alone.
        ("untrapped_yet", String::new()),
    ];
    builder.each(ELEMENT, &mut values);
    builder.finish(&[kernel.map], &template::fill(ELEMENTWISE, &values))
}

/// The source of one of a fold's kernels.
///
/// # Errors
/// Why no device can run it.
pub fn fold(kernel: &Kernel, options: &Options, stage: Stage) -> Result<Source, String> {
    let Some(operator) = kernel.operator else {
        return Err("the kernel of a fold has no operator".into());
    };
    let ty = kernel.result_ty().clone();
    // The first of a scan's kernels is that of a fold: what it stores is not stored yet.
    let scans = kernel.pattern == Pattern::Scan;
    let lane_bytes = match scans {
        true => scan_bytes(&ty),
        false => padded_bytes(&ty),
    };
    let lanes = lanes_for(options, lane_bytes);
    let mut builder = Builder::new(kernel, lanes);
    for member in [Member::Count, Member::PerLane, Member::Slot] {
        builder.number(member);
    }
    let operator_traps = builder.cuda.trapping[operator.0];
    let mut roots = vec![operator];
    let (applied, map_traps) = match stage {
        Stage::Groups => {
            roots.push(kernel.map);
            builder.reads_only = scans;
            builder.batch = batch(kernel);
            builder.bind_arguments();
            let mut applied = builder.apply_map();
            if scans {
                applied.store.clear();
            }
            (applied, builder.cuda.trapping[kernel.map.0])
        }
        Stage::Finish => {
            builder.pointer(Member::Gathered, &ty, false);
            let element = builder.cuda.ty(&ty);
            let applied = Applied {
                apply: format!("const {element} value = params.gathered[at];"),
                ..Applied::default()
            };
            (applied, false)
        }
    };
    builder.pointer(Member::Partials, &ty, true);
    if !applied.store.is_empty() {
        builder
            .cx
            .unsupported("it changes an argument in place, in a reduction");
    }
    let sites = builder.cx.sites().len();
    let traps = map_traps || operator_traps;
    if traps {
        builder.bind_status(map_traps && !scans);
    }
    // In a scan, an element that traps has combined something, which has no index.
    let (map_trap_at, map_trap_skip) = match scans {
        true => ("0ull", sites),
        false => ("params.first + at", 0),
    };
    let mut values = vec![
        ("lanes", lanes.to_string()),
        ("element", builder.cuda.ty(&ty)),
        ("share", share(kernel.commutative, lanes)),
        ("untrapped", untrapped(traps)),
        ("load", applied.load),
        ("apply", applied.apply),
        (
            "map_trap",
            noted(map_traps, map_trap_at, map_trap_skip, "break;"),
        ),
        ("operator", builder.cx.function_name(operator)),
        ("passed_trap", only(operator_traps, ", skel_trap")),
        (
            "operator_trap",
            noted(operator_traps, "0ull", sites, "break;"),
        ),
        ("tree_trap", noted(operator_traps, "0ull", sites, "")),
        ("no_trap", only(operator_traps, " && skel_trap == 0u")),
        ("untrapped_yet", only(traps, " && skel_trap == 0u")),
        ("from", "first".into()),
        ("end", "last".into()),
        (
            "steps",
            match builder.batch {
                1 => "stride".into(),
                batch => format!("{batch}u * stride"),
            },
        ),
        ("apart", "stride".into()),
        ("ahead", applied.ahead),
        ("fetch", applied.fetch),
    ];
    builder.each(FOLD_ELEMENT, &mut values);
    let (tree, tile) = match is_shuffled(&ty) && lanes >= WARP {
        true => (FOLD_WARPS, lanes / WARP),
        false => (FOLD_TREE, lanes),
    };
    values.push(("tile", tile.to_string()));
    values.push(("tree", template::fill(tree, &values)));
    builder.finish(&roots, &template::fill(FOLD, &values))
}

/// Lanes of a warp, which pass each other values without memory.
const WARP: u32 = 32;

/// Whether values of this type can be passed so: as one of C++'s own types.
fn is_shuffled(ty: &Ty) -> bool {
    matches!(
        ty,
        Ty::I32 | Ty::U32 | Ty::F32 | Ty::I64 | Ty::U64 | Ty::Isize | Ty::Usize | Ty::F64
    )
}

/// Which elements of its block are a lane's, and how many lanes have any: neighbours if the order
/// counts, else such that neighbouring lanes read neighbouring elements.
fn share(commutative: bool, lanes: u32) -> String {
    let lines = if commutative {
        [
            format!("const u64 lanes = skel_least({lanes}u, end - begin);"),
            "const u64 first = begin + lane;".into(),
            "const u64 last = end;".into(),
            format!("const u64 stride = {lanes}u;"),
        ]
    } else {
        [
            "const u64 lanes = (end - begin + params.per_lane - 1u) / params.per_lane;".into(),
            "const u64 first = begin + lane * params.per_lane;".into(),
            "const u64 last = skel_least(first + params.per_lane, end);".into(),
            "const u64 stride = 1u;".into(),
        ]
    };
    lines.join("\n")
}

/// As many lanes as there is shared memory for, of which each needs so much.
pub(super) fn lanes_for(options: &Options, lane_bytes: usize) -> u32 {
    let mut lanes = options.lanes;
    while lanes > 1 && lanes as usize * lane_bytes > SHARED_BYTES {
        lanes /= 2;
    }
    lanes
}

/// The text, if it is wanted.
pub(super) fn only(wanted: bool, text: &str) -> String {
    if wanted {
        text.to_owned()
    } else {
        String::new()
    }
}

pub(super) fn untrapped(traps: bool) -> String {
    if traps {
        "u32 skel_trap = 0u;".into()
    } else {
        String::new()
    }
}

/// Notes the trap that `skel_trap` names, in the words after `skip`.
pub(super) fn noted(wanted: bool, value: &str, skip: usize, then: &str) -> String {
    if !wanted {
        return String::new();
    }
    let place = match skip {
        0 => "skel_trap - 1u".to_owned(),
        _ => format!("{skip}u + skel_trap - 1u"),
    };
    let then = if then.is_empty() {
        String::new()
    } else {
        format!("    {then}\n")
    };
    format!("if (skel_trap != 0u) {{\n    atomicMin(&params.status[{place}], {value});\n{then}}}")
}

/// A kernel in the making.
pub(super) struct Builder<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) lanes: u32,
    /// Whether this kernel leaves the outputs to another.
    pub(super) reads_only: bool,
    /// Elements that a thread takes at once.
    pub(super) batch: u32,
    pub(super) cx: Cx<'k>,
    pub(super) cuda: Cuda,
    functions: Vec<String>,
    pub(super) params: ParamsLayout,
}

impl<'k> Builder<'k> {
    pub(super) fn new(kernel: &'k Kernel, lanes: u32) -> Builder<'k> {
        let mut cx = Cx::new(&kernel.program);
        let mut cuda = Cuda::new(&cx);
        let functions = cuda.functions(&mut cx);
        cx.enter(kernel.map);
        Builder {
            kernel,
            lanes,
            reads_only: false,
            batch: 1,
            cx,
            cuda,
            functions,
            params: ParamsLayout::default(),
        }
    }

    pub(super) fn number(&mut self, member: Member) {
        self.params.push(member, Held::Value(Ty::Usize));
    }

    pub(super) fn pointer(&mut self, member: Member, element: &Ty, written: bool) {
        self.params
            .push(member, Held::Pointer(element.clone(), written));
    }

    pub(super) fn bind_status(&mut self, of_elements: bool) {
        if of_elements {
            self.number(Member::First);
        }
        self.pointer(Member::Status, &Ty::Usize, true);
    }

    /// `struct Params`, and that its size is what the host takes it for.
    fn block(&mut self) -> String {
        let mut block = String::from("struct Params {\n");
        for (member, held, _) in &self.params.members {
            let name = member.name();
            // Writing to a string cannot fail.
            let _ = match held {
                Held::Pointer(ty, true) => writeln!(block, "    {}* {name};", self.cuda.ty(ty)),
                Held::Pointer(ty, false) => {
                    writeln!(block, "    const {}* {name};", self.cuda.ty(ty))
                }
                Held::Value(ty) => writeln!(block, "    {} {name};", self.cuda.ty(ty)),
            };
        }
        let size = self.params.size_bytes();
        let _ = writeln!(
            block,
            "}};\nstatic_assert(sizeof(Params) == {size}, \"layout\");"
        );
        block
    }

    pub(super) fn finish(mut self, roots: &[FnId], main: &str) -> Result<Source, String> {
        let block = self.block();
        let size = self.params.size_bytes();
        if size > MOST_PARAMS_BYTES {
            self.cx.unsupported(format!(
                "its uniform parameters make {size} bytes, of which a launch takes {MOST_PARAMS_BYTES}"
            ));
        }
        if !self.cx.reasons().is_empty() {
            return Err(self.cx.reasons().join("; "));
        }
        let needed = reachable(&self.kernel.program, roots);
        let mut functions = String::new();
        for (text, _) in self
            .functions
            .iter()
            .zip(needed)
            .filter(|(_, needed)| *needed)
        {
            functions.push_str(text);
            functions.push('\n');
        }
        let structs = self.cuda.struct_declarations();
        let mut tables = String::new();
        for (number, (_, text)) in self.cuda.tables.iter().enumerate() {
            if mentions(&functions, &format!("table{number}")) {
                tables.push_str(text);
            }
        }
        let all = format!("{structs}{tables}{functions}{block}\n{main}");
        Ok(Source {
            text: format!("{}{all}", prelude::helpers_for(&all)),
            params: self.params,
            lanes: self.lanes,
            batch: self.batch,
            sites: self.cx.sites().to_vec(),
            contracts: self.cuda.guarded,
        })
    }
}

/// Whether the text has this word.
fn mentions(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|found| found == word)
}
