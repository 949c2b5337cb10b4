//! The bytes of a launch: its parameters, and the buffers that they point to.

use super::{
    bytes,
    launch::{Column, Job, KernelCall},
};
use crate::{kernel, stream::STREAM};
use skel_backends::codegen::{
    Number, Site,
    cuda::{Member, MemberValue, Pointer, Source, padded_bytes},
};
use skel_core::{
    ir::{Ty, Value},
    space::MAX_RANK,
};
use std::collections::HashMap;

/// The bytes of one launch.
pub(super) struct Block<'c> {
    job: &'c Job,
    pub(super) call: &'c KernelCall<'c>,
    stage: usize,
    pub(super) params: Vec<u8>,
    pub(super) pointers: Vec<(usize, usize)>,
    pub(super) buffers: Vec<Vec<u8>>,
    /// Which buffer a member points to.
    pub(super) place: HashMap<String, usize>,
}

const UNTRAPPED: u64 = u64::MAX;

impl<'c> Block<'c> {
    pub(super) fn new(job: &'c Job, call: &'c KernelCall<'c>, stage: usize) -> Block<'c> {
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
                MemberValue::Value(_) => bytes::put(&self.value(*member, number), &mut bytes),
                MemberValue::Pointer(ty, _) => {
                    let (start, buffer) = match member {
                        Member::Pointer(Pointer::Argument(k)) => self.argument(*k, ty),
                        Member::Pointer(Pointer::Gathered) => (0, gathered.clone()),
                        Member::Pointer(Pointer::Partials) => (0, partials.clone()),
                        Member::Pointer(Pointer::Listed) => {
                            (0, vec![0xa5; number(*member) * padded_bytes(ty)])
                        }
                        Member::Pointer(Pointer::States) => {
                            (0, vec![0; number(*member) * size_of::<u32>()])
                        }
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
        Value::Usize(match (member, self.column(member)) {
            (Member::Uniform(_), Some(Column::Uniform(value))) => return value.clone(),
            (Member::Pad(_), Some(Column::Near(world))) => return world.pad.clone(),
            (Member::Offset(_), Some(Column::Strided(strides))) => strides.offset,
            (Member::Number(of_call), column) => match self.number(of_call, column) {
                Some(value) => value,
                None => number(member),
            },
            (other, _) => number(other),
        })
    }

    /// What the call says of a number; else the launch does.
    fn number(&self, number: Number, column: Option<&Column>) -> Option<usize> {
        let cols = self.call.cols;
        Some(match (number, column) {
            (Number::Seed, _) => STREAM.seed as usize,
            (Number::Call, _) => STREAM.call as usize,
            (Number::Extent(_, dimension), Some(Column::View(_, extents))) => extents[dimension],
            (Number::Extent(..), Some(Column::Lines(_, lines))) => lines.len(),
            (Number::Extent(_, d), Some(Column::Strided(strides))) => strides.dims[d].1,
            (Number::Pitch(..), Some(Column::Lines(_, lines))) => lines.stride(),
            (Number::Pitch(_, d), Some(Column::Strided(strides))) => strides.dims[d].0 as usize,
            (Number::PerRow, _) => cols.unwrap_or(1),
            (Number::Columns, _) => cols.unwrap_or(self.call.elems),
            (Number::Rows, _) => self.extents()[2],
            (Number::Planes, _) => self.extents()[1],
            (Number::Window(_, number), Some(Column::Near(world))) => number.of(&world.near),
            (Number::Depth, _) => self.fold()[0],
            // One leaf, and so a chain.
            (Number::LeafElems | Number::TileWidth, _) if self.fold()[0] > 0 => {
                self.fold()[0].next_power_of_two().max(32)
            }
            // And one span, whose value is written.
            (Number::SpanElems, _) => self.fold()[0],
            (Number::Spans, _) => 1,
            (Number::Joining | Number::FromNode | Number::ToNode | Number::TableNode, _) => 0,
            (Number::PlacesPerValue, _) => self.fold()[1],
            (Number::PlacesPerStep, _) => self.fold()[2],
            _ => return None,
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
            | Member::Offset(k)
            | Member::Pad(k)
            | Member::Number(Number::Extent(k, _) | Number::Pitch(k, _) | Number::Window(k, _)) => {
                self.call.columns.get(k)
            }
            _ => None,
        }
    }

    /// The bytes of an argument, and where in them the launch begins.
    fn argument(&self, k: usize, ty: &Ty) -> (usize, Vec<u8>) {
        let start = self.call.range.start * ty.size_bytes();
        match &self.call.columns[k] {
            Column::Elements(values) => (start, bytes::of(values)),
            Column::Out => (start, vec![0xa5; self.call.elems * ty.size_bytes()]),
            Column::View(values, _) | Column::Lines(values, _) => (0, bytes::of(values)),
            Column::Strided(strides) => (0, bytes::of(&strides.elements)),
            Column::Near(world) => (0, bytes::of(&world.elements)),
            Column::Uniform(value) => (0, bytes::of(std::slice::from_ref(value))),
        }
    }

    /// What a pointer points to.
    pub(super) fn buffer(&self, pointer: Pointer) -> Option<&Vec<u8>> {
        let place = self.place.get(&Member::Pointer(pointer).name())?;
        self.buffers.get(*place)
    }

    /// The smallest element that trapped, and where.
    pub(super) fn trap<I: From<Noted>>(&self, source: &Source) -> Option<(I, Site)> {
        let words = self.buffer(Pointer::Status)?;
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
