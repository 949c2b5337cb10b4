//! The state machine against a model that knows, for each element, what was written last and which
//! nodes should have it, and keeps the real contents of every node's memory.

use super::*;
use proptest::prelude::*;

const N: usize = 16;
const NODES: usize = 4;
const HOST: usize = 0;

#[derive(Clone, Debug)]
enum Step {
    /// A node needs the elements, to read them.
    Read(usize, Range<usize>),
    /// A node overwrites the elements.
    Write(usize, Range<usize>),
    /// A node needs the elements, and changes them.
    Update(usize, Range<usize>),
    /// A device gives its copy up, after the host got what only the device has.
    Evict(usize, Range<usize>),
    /// A device drops all that it need not keep: what it has not written itself since it was last
    /// uploaded or downloaded.
    Drop(usize),
    /// A device's context is gone: unless only this device has something, it is released, and its place is
    /// taken by a device of another context.
    Release(usize),
    /// A device's copy is gone, whether or not another node has it.
    Lose(usize, Range<usize>),
    /// The call that should have written the elements failed.
    Fail(Range<usize>),
}

fn step() -> impl Strategy<Value = Step> {
    let range = (0..=N, 0..=N).prop_map(|(a, b): (usize, usize)| a.min(b)..a.max(b));
    (0..12, 0..NODES, range).prop_map(|(what, node, r)| match what {
        0..3 => Step::Read(node, r),
        3..5 => Step::Write(node, r),
        5..7 => Step::Update(node, r),
        7 => Step::Evict(node.max(1), r),
        8 => Step::Lose(node.max(1), r),
        9 => Step::Drop(node.max(1)),
        10 => Step::Release(node.max(1)),
        _ => Step::Fail(r),
    })
}

/// What one element should be.
#[derive(Clone, Copy, Debug)]
struct Element {
    /// What was written last, as long as a node has it.
    value: Option<u32>,
    /// Which nodes have it.
    on: [bool; NODES],
}

struct Model {
    nodes: [NodeId; NODES],
    state: Coherence,
    memory: [[u32; N]; NODES],
    elements: [Element; N],
    /// What each node has written since, as devices keep count of it.
    dirty: [IntervalSet; NODES],
    /// How many elements were copied from node to node, by the machine's say and as the model wants.
    moved: usize,
    needed: usize,
}

type Checked = Result<(), TestCaseError>;

impl Model {
    fn new() -> Self {
        let mut on = [false; NODES];
        on[HOST] = true;
        let device = NodeId::unique;
        Model {
            nodes: [NodeId::HOST, device(), device(), device()],
            state: Coherence::on_host(N),
            memory: [[0; N]; NODES],
            elements: [Element { value: Some(0), on }; N],
            dirty: [const { IntervalSet::new() }; NODES],
            moved: 0,
            needed: 0,
        }
    }

    /// Brings the elements to the host, as a call does it: all that any node has.
    fn fetch(&mut self, r: &Range<usize>) -> Checked {
        let mut from_before = r.start;
        for (from, part) in self.state.sources(r.clone()) {
            prop_assert!(
                from_before <= part.start && !part.is_empty() && part.end <= r.end,
                "parts are disjoint and in order"
            );
            from_before = part.end;
            let Some(from) = from else {
                let mut lost = self.elements[part].iter();
                prop_assert!(lost.all(|element| element.value.is_none()));
                continue;
            };
            let from = self.nodes.iter().position(|node| *node == from).unwrap();
            self.moved += part.len();
            for i in part.clone() {
                prop_assert!(self.elements[i].on[from], "a source has it");
                self.memory[HOST][i] = self.memory[from][i];
            }
            self.dirty[from].remove(part.clone());
            self.state.download(part);
        }
        for element in &mut self.elements[r.clone()] {
            self.needed += usize::from(element.value.is_some() && !element.on[HOST]);
            element.on[HOST] = element.value.is_some();
        }
        Ok(())
    }

    /// Brings the elements to the node: from the host, which gets what it lacks first.
    fn read(&mut self, node: usize, r: &Range<usize>) -> Checked {
        if node == HOST {
            return self.fetch(r);
        }
        for part in self.state.missing(self.nodes[node], r.clone()) {
            self.fetch(&part)?;
            let have = self.state.valid(NodeId::HOST).present(part);
            for part in have {
                self.moved += part.len();
                let host = self.memory[HOST];
                self.memory[node][part.clone()].copy_from_slice(&host[part.clone()]);
                self.dirty[node].remove(part.clone());
                self.state.upload(self.nodes[node], part);
            }
        }
        for element in &mut self.elements[r.clone()] {
            self.needed += usize::from(element.value.is_some() && !element.on[node]);
            element.on[node] = element.value.is_some();
        }
        let lacks = self.state.missing(self.nodes[node], r.clone());
        let lost = r.clone().filter(|i| self.elements[*i].value.is_none());
        prop_assert!(
            lacks.into_iter().flatten().eq(lost),
            "it lacks what is lost, and only that"
        );
        Ok(())
    }

    fn write(&mut self, node: usize, r: &Range<usize>, value: u32) {
        self.memory[node][r.clone()].fill(value);
        self.dirty[node].insert(r.clone());
        self.state.write(self.nodes[node], r.clone());
        let mut on = [false; NODES];
        on[node] = true;
        let value = Some(value);
        self.elements[r.clone()].fill(Element { value, on });
    }

    fn lose(&mut self, node: usize, r: &Range<usize>) {
        self.state.retract(self.nodes[node], r.clone());
        for element in &mut self.elements[r.clone()] {
            // What only the device has is not lost.
            element.on[node] &= !element.on[HOST];
        }
    }

    fn step(&mut self, step: Step, time: u32) -> Checked {
        match step {
            Step::Read(node, r) => self.read(node, &r)?,
            Step::Write(node, r) => self.write(node, &r, time),
            Step::Update(node, r) => {
                self.read(node, &r)?;
                self.write(node, &r, time);
            }
            Step::Evict(node, r) => {
                let before = self.elements;
                for part in self.state.valid(self.nodes[node]).present(r.clone()) {
                    self.fetch(&part)?;
                }
                self.lose(node, &r);
                let kept = before
                    .iter()
                    .zip(&self.elements)
                    .all(|(a, b)| a.value == b.value);
                prop_assert!(kept, "an eviction loses nothing");
            }
            Step::Drop(node) => {
                let before = self.elements;
                let kept = self.dirty[node].clone();
                self.state.keep(self.nodes[node], &kept);
                for r in kept.missing(0..N) {
                    for element in &mut self.elements[r] {
                        element.on[node] = false;
                        element.value = element.value.filter(|_| element.on.contains(&true));
                    }
                }
                let mut kept = before.iter().zip(&self.elements);
                prop_assert!(kept.all(|(a, b)| a.value == b.value), "nothing is lost");
            }
            Step::Release(node) => {
                let holds = |element: &Element| element.on.iter().filter(|on| **on).count();
                let mut elements = self.elements.iter();
                if elements.any(|element| element.on[node] && holds(element) == 1) {
                    return Ok(());
                }
                self.state.forget(self.nodes[node]);
                self.nodes[node] = NodeId::unique();
                self.dirty[node] = IntervalSet::new();
                self.elements.iter_mut().for_each(|e| e.on[node] = false);
            }
            Step::Lose(node, r) => self.lose(node, &r),
            Step::Fail(r) => {
                self.state.invalidate(r.clone());
                let gone = Element {
                    value: None,
                    on: [false; NODES],
                };
                self.elements[r].fill(gone);
            }
        }
        Ok(())
    }

    /// The machine says of every node what the model says, and every valid copy holds what was written
    /// last. So copies are equal, and what one node has changed no other still has.
    fn check(&self) -> Checked {
        for (k, node) in self.nodes.iter().enumerate() {
            let valid = self.state.valid(*node);
            for (i, element) in self.elements.iter().enumerate() {
                prop_assert_eq!(valid.contains(&(i..i + 1)), element.on[k]);
                if element.on[k] {
                    prop_assert_eq!(Some(self.memory[k][i]), element.value);
                }
            }
            let missing = self.state.missing(*node, 0..N).into_iter().flatten();
            prop_assert!(missing.eq((0..N).filter(|i| !self.elements[*i].on[k])));
        }
        let on_host = self.elements.iter().all(|element| element.on[HOST]);
        prop_assert_eq!(self.state.host_is_complete(), on_host);
        prop_assert_eq!(
            self.moved,
            self.needed,
            "what a node has is not moved to it again"
        );
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 8 } else { 1024 }))]

    #[test]
    fn agrees_with_a_model_of_elements(steps in prop::collection::vec(step(), 1..60)) {
        let mut model = Model::new();
        for (time, step) in (1..).zip(steps) {
            model.step(step, time)?;
            model.check()?;
        }
    }
}
