//! Programs as graphs, for Graphviz.

use crate::sim::{Program, report::svg::colour};
use std::fmt::Write;

impl Program {
    /// The graph of tasks in the DOT language, coloured by kind.
    ///
    /// ```
    /// let dot = skel_tasks::sim::patterns::cholesky(2, 960).dot();
    /// assert!(dot.starts_with("digraph"));
    /// assert!(dot.contains("t0 -> t1;"));
    /// ```
    #[must_use]
    pub fn dot(&self) -> String {
        let quoted = |text: &str| {
            let safe = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{safe}\"")
        };
        let mut dot = format!("digraph {} {{\n", quoted(self.name()));
        dot.push_str("  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n");
        for (position, task) in self.tasks().enumerate() {
            let kind = task.kind.0 as usize;
            let name = self.kinds().get(kind).map_or("", String::as_str);
            let label = quoted(&format!("{name} {position}"));
            let fill = colour(kind);
            let _ = writeln!(dot, "  t{position} [label={label}, fillcolor=\"{fill}\"];");
        }
        let mut last = None;
        self.edges(|before, task| {
            // The same two may wait for each other's data in several ways.
            if last.replace((before, task)) != Some((before, task)) {
                let _ = writeln!(dot, "  t{before} -> t{task};");
            }
        });
        dot.push_str("}\n");
        dot
    }
}
