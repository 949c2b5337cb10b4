//! Kernels: user functions in the template of a pattern, with the block of parameters.

use super::{Cuda, Member, MemberValue, ParamsLayout, Pointer, prelude};
use crate::codegen::Number;
use crate::{
    codegen::{Cx, Site, reach::reachable},
    sweep::SweptKernel,
};
use skel_core::{
    ir::{FnId, Ty},
    plan::Kernel,
};
use std::fmt::Write;

/// What the source depends on besides the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceOptions {
    /// Threads of a block; a power of two.
    pub lanes: u32,
    /// Elements that a thread takes at once, if not as many as usual: of elementwise kernels,
    /// [`batch`](super::batch()).
    pub elems_per_lane: Option<u32>,
    /// Whether threads of elementwise kernels, and of folds by lanes, take neighbouring elements as vectors where they can.
    pub vectors: bool,
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
    /// Elementwise kernels: elements that a thread takes at once, as far apart as its block is wide, or in vectors
    /// that are.
    pub batch: u32,
    /// Elementwise kernels: whether a thread has to find out much before its first elements where these are in rows as
    /// wide as a block, so that it is better to have fewer of them, of which each goes on with others.
    pub goes_on: bool,
    /// Folds and scans: tiles that a block takes at once, or nodes. Rows by lanes: so many, at most.
    pub of_block: u32,
    /// Folds: how many nodes a block combines at once, a power of two; else 1.
    pub fan: u32,
    /// Elements of a vector, if there are any: [`whole_vectors`](super::whole_vectors) says where they lie.
    pub width: Option<u32>,
    /// The trap sites of the program: word `k` is of site `k`. In folds, as many words again follow,
    /// of the same sites met in the operator.
    pub sites: Vec<Site>,
    /// Whether the compiler may contract: a function asks for it, and the others are guarded.
    pub contracts: bool,
}

impl Source {
    /// Elements that a block of an elementwise kernel takes at once.
    #[must_use]
    pub fn elems_per_block(&self) -> usize {
        self.lanes as usize * self.batch as usize
    }
}

/// Bytes of parameters that every device takes.
const MOST_PARAMS_BYTES: usize = 4096;

/// Bytes of shared memory that a block has without asking.
pub(super) const SHARED_BYTES: usize = 48 << 10;

/// As many lanes as there is shared memory for, of which each needs so much.
pub(super) fn lanes_for(options: &SourceOptions, lane_bytes: usize) -> u32 {
    let mut lanes = options.lanes;
    while lanes > 1 && lanes as usize * lane_bytes > SHARED_BYTES {
        lanes /= 2;
    }
    lanes
}

/// A kernel in the making.
pub(super) struct Builder<'k> {
    pub(super) kernel: &'k Kernel,
    pub(super) lanes: u32,
    /// Whether this kernel leaves the outputs to another.
    pub(super) reads_only: bool,
    /// Elements that a thread takes at once; or vectors.
    pub(super) batch: u32,
    /// Elements of a vector, where they are taken so.
    pub(super) width: Option<u32>,
    /// Whether neighbourhoods are found for several elements at once.
    pub(super) in_rows: bool,
    pub(super) cx: Cx<'k>,
    pub(super) cuda: Cuda,
    functions: Vec<String>,
    pub(super) params: ParamsLayout,
}

impl<'k> Builder<'k> {
    pub(super) fn new(kernel: &'k Kernel, lanes: u32) -> Builder<'k> {
        let mut cx = Cx::new(&kernel.program);
        let mut cuda = Cuda::new(&cx);
        if let Some(swept) = SweptKernel::of(kernel) {
            cuda.turned = swept.form.descending;
        }
        let functions = cuda.functions(&mut cx);
        cx.enter(kernel.map);
        Builder {
            kernel,
            lanes,
            reads_only: false,
            batch: 1,
            width: None,
            in_rows: false,
            cx,
            cuda,
            functions,
            params: ParamsLayout::default(),
        }
    }

    /// Puts a number into the block of parameters, unless it is there.
    pub(super) fn number(&mut self, number: impl Into<Member>) {
        self.params
            .push(number.into(), MemberValue::Value(Ty::Usize));
    }

    pub(super) fn numbers(&mut self, numbers: &[Number]) {
        for number in numbers {
            self.number(*number);
        }
    }

    pub(super) fn pointer(&mut self, pointer: Pointer, element: &Ty, written: bool) {
        let value = MemberValue::Pointer(element.clone(), written);
        self.params.push(Member::Pointer(pointer), value);
    }

    pub(super) fn bind_status(&mut self, of_elements: bool) {
        if of_elements {
            self.number(Number::Base);
        }
        self.pointer(Pointer::Status, &Ty::Usize, true);
    }

    /// `struct Params`, and that its size is what the host takes it for.
    fn block(&mut self) -> String {
        let mut block = String::from("struct Params {\n");
        for (member, held, _) in &self.params.members {
            let name = member.name();
            // Writing to a string cannot fail.
            let _ = match held {
                MemberValue::Pointer(ty, true) => {
                    writeln!(block, "    {}* {name};", self.cuda.ty(ty))
                }
                MemberValue::Pointer(ty, false) => {
                    writeln!(block, "    const {}* {name};", self.cuda.ty(ty))
                }
                MemberValue::Value(ty) => writeln!(block, "    {} {name};", self.cuda.ty(ty)),
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
            goes_on: false,
            of_block: 1,
            fan: 1,
            width: self.width,
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
