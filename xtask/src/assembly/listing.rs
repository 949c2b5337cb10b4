//! The machine code of functions, as the compiler prints it.

use std::collections::HashMap;

/// The functions of a listing, and the innermost loops of each.
pub(super) struct Listing<'t> {
    pub(super) functions: Vec<(&'t str, Vec<Loop<'t>>)>,
}

/// The instructions of a loop that has no loop in it.
pub(super) struct Loop<'t>(Vec<&'t str>);

impl<'t> Listing<'t> {
    /// Reads the text: labels at the beginning of lines, instructions and directives behind a tab.
    pub(super) fn of(text: &'t str) -> Self {
        let mut functions = Vec::new();
        let mut open: Option<(&str, Vec<&str>)> = None;
        for line in text.lines() {
            if line.starts_with(".Lfunc_end") {
                if let Some((symbol, lines)) = open.take() {
                    functions.push((symbol, innermost(&lines)));
                }
            } else if let Some(label) = line.strip_suffix(':').filter(|label| !label.contains('\t'))
            {
                match &mut open {
                    Some((_, lines)) if label.starts_with('.') => lines.push(label),
                    _ => open = Some((label, Vec::new())),
                }
            } else if let Some(instruction) = line.strip_prefix('\t')
                && !instruction.starts_with('.')
                && let Some((_, lines)) = &mut open
            {
                lines.push(instruction);
            }
        }
        Listing { functions }
    }
}

/// From a label to the jump back to it, unless that contains another such stretch.
fn innermost<'t>(lines: &[&'t str]) -> Vec<Loop<'t>> {
    let labels: HashMap<&str, usize> = (0..).zip(lines).map(|(k, line)| (*line, k)).collect();
    let target = |line: &str| {
        let (op, target) = line.split_once('\t')?;
        op.starts_with('j').then(|| labels.get(target).copied())?
    };
    let mut loops = Vec::new();
    for (end, line) in lines.iter().enumerate() {
        if let Some(begin) = target(line).filter(|begin| *begin <= end) {
            loops.push((begin, end));
        }
    }
    let contains = |a: &(usize, usize), b: &(usize, usize)| a != b && a.0 <= b.0 && b.1 <= a.1;
    let inner = loops
        .iter()
        .filter(|a| !loops.iter().any(|b| contains(a, b)));
    let instructions = |(begin, end): &(usize, usize)| {
        let body = lines[*begin..=*end].iter().copied();
        Loop(body.filter(|line| !line.starts_with('.')).collect())
    };
    inner.map(instructions).collect()
}

impl Loop<'_> {
    /// How many of its instructions are `op` on registers whose names contain `on`.
    pub(super) fn count(&self, op: &str, on: &str) -> usize {
        let is_one = |line: &&&str| {
            let (name, operands) = line.split_once('\t').unwrap_or((line, ""));
            name == op && operands.contains(on)
        };
        self.0.iter().filter(is_one).count()
    }

    /// Whether it calls a function.
    pub(super) fn calls(&self) -> bool {
        self.0.iter().any(|line| line.starts_with("call"))
    }

    /// Its instructions.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
